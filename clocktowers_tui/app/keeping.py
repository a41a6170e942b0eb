"""Keeps each match that has ended, with its record, in the player's history.

Law: whatever goes wrong costs a line in the log and a sentence, never the match.
"""

import asyncio
from collections.abc import Callable

from clocktowers_tui.config.log_file import note
from clocktowers_tui.net.house import is_guest
from clocktowers_tui.net.journey import Journey, Workers
from clocktowers_tui.state.looking_back import LookedBack
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State
from clocktowers_tui.text.i18n import _
from protocol.from_server import Refused


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

    def follow(self, state: State) -> None:
        """Ask for the record of a match that is over, once. No lesson is kept, and nothing of a
        guest, whose folder is the server's."""
        match, line = state.match, state.connection
        if match is None or match.aborted or self._journey.teaches or is_guest():
            return
        if not match.over:
            self._greet(state, match)
        elif line is not None and not line.attempt and match.id != self._asked:
            self._asked = match.id
            self._workers.run_worker(self._keep(match, state), group="keeping")

    def _greet(self, state: State, match: Match) -> None:
        """Say of a deal of the day whether it counts."""
        chosen = state.table is not None and state.table.info.seeded
        if chosen and match.id != self._begun:
            self._begun = match.id
            self._workers.run_worker(self._say_what_counts(match, state), group="deal")

    async def _say_what_counts(self, match: Match, state: State) -> None:
        try:
            from clocktowers_tui.app.looking_back import course, greeting

            said, banner = await asyncio.to_thread(greeting, course(state, match))
        except Exception as error:
            note(f"the history was not read: {type(error).__name__}: {error}")
            self._tell(_("Your history cannot be used: this deal will not count."))
        else:
            if said:
                self._tell(said)
                self._looked(LookedBack(match.id, banner=banner))

    async def _keep(self, match: Match, state: State) -> None:
        record = await self._journey.record(match.id)
        if record is None:
            self._asked = ""  # the line broke: ask again when it stands
        elif isinstance(record, Refused):
            note(f"match {match.id!a} has no record: {record.code!a}")
        else:
            await self._write(match, record, state)

    async def _write(self, match: Match, record: bytes, state: State) -> None:
        try:
            # Only now: a start takes no time for it.
            from clocktowers_tui.app.looking_back import course, keep

            looked = await asyncio.to_thread(keep, course(state, match), record)
        except Exception as error:
            note(f"match {match.id!a} was not kept: {type(error).__name__}: {error}")
            self._tell(_("This match could not be kept in your history."))
        else:
            self._looked(looked)
