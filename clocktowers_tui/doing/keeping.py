"""Keeps each match that has ended, with its record, in the player's history.

Laws: whatever goes wrong costs a line in the log and a sentence, never the match. The record is
asked for in the moment in which the end is heard, so that a player who leaves at once has it, too.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from clocktowers_tui.config.log_file import note
from clocktowers_tui.net.house import is_guest
from clocktowers_tui.net.journey import Journey, Workers
from clocktowers_tui.state.looking_back import LookedBack
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State
from clocktowers_tui.text.i18n import _
from protocol.from_server import Refused

LAST_S: Final = 5.0
"""How long a program that ends waits for its last match: for the server and for the disk."""


class Keeping:
    """`workers` run what takes time; `tell` shows a sentence; `looked` gets what the history says
    of the match that has ended."""

    def __init__(
        self,
        workers: Workers,
        journey: Journey,
        tell: Callable[[str], None],
        looked: Callable[[LookedBack], None],
    ) -> None:
        self._workers = workers
        self._journey = journey
        self._tell = tell
        self._looked = looked
        self._asked = ""
        """The match whose record was asked for last."""
        self._begun = ""
        """The match of a chosen deal that was looked at last."""
        self._under_way: set[asyncio.Event] = set()
        """For each match that is being kept: done."""

    def hear(self, state: State) -> None:
        """Ask for the record of a match that is over, once."""
        match, line = state.match, state.connection
        if match is None or not match.over or not self._is_kept(match):
            return
        if not match.seed and state.table is not None and state.table.info.deal:
            return  # other tables play this deal: its record comes when all are done
        if line is not None and not line.attempt and match.id != self._asked:
            self._asked = match.id
            record, done = self._journey.record(match.id), asyncio.Event()
            self._under_way.add(done)
            self._workers.run_worker(self._keep(match, state, record, done), group="keeping")

    async def settle(self) -> None:
        """Wait for the matches that are being kept."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_S):
                for done in [*self._under_way]:
                    await done.wait()

    def _is_kept(self, match: Match) -> bool:
        """No lesson is, and nothing of a guest, whose folder is the server's."""
        return not match.aborted and not self._journey.teaches and not is_guest()

    def greet(self, state: State) -> None:
        """Say of a deal of the day whether it counts."""
        match = state.match
        if match is None or match.over or not self._is_kept(match):
            return
        chosen = state.table is not None and state.table.info.seeded
        if chosen and match.id != self._begun:
            self._begun = match.id
            self._workers.run_worker(self._say_what_counts(match, state), group="deal")

    async def _say_what_counts(self, match: Match, state: State) -> None:
        try:
            from clocktowers_tui.doing.looking_back import course, greeting

            said, banner = await asyncio.to_thread(greeting, course(state, match))
        except Exception as error:
            note(f"the history was not read: {type(error).__name__}: {error}")
            self._tell(_("Your history cannot be used: this deal will not count."))
        else:
            if said:
                self._tell(said)
                self._looked(LookedBack(match.id, banner=banner))

    async def _keep(
        self,
        match: Match,
        state: State,
        asked: Awaitable[bytes | Refused | None],
        done: asyncio.Event,
    ) -> None:
        try:
            await self._take(match, state, await asked)
        finally:
            self._under_way.discard(done)
            done.set()

    async def _take(self, match: Match, state: State, record: bytes | Refused | None) -> None:
        if record is None:
            self._asked = ""  # the line broke: ask again when it stands
        elif isinstance(record, Refused):
            note(f"match {match.id!a} has no record: {record.code!a}")
        else:
            await self._write(match, record, state)

    async def _write(self, match: Match, record: bytes, state: State) -> None:
        try:
            # Only now: a start takes no time for it.
            from clocktowers_tui.doing.looking_back import course, keep

            looked = await asyncio.to_thread(keep, course(state, match), record)
        except Exception as error:
            note(f"match {match.id!a} was not kept: {type(error).__name__}: {error}")
            self._tell(_("This match could not be kept in your history."))
        else:
            self._looked(looked)
