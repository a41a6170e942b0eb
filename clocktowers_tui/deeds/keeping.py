"""Keeps each match that has ended, with its record, in the player's history.

Laws: whatever goes wrong costs a line in the log and a sentence, never the match. The record is
asked for in the moment in which the end is heard, so that a player who leaves at once has it, too.
What a server has not sent is asked for when the player comes to it again.
"""

import asyncio
from collections.abc import Awaitable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from clocktowers_tui.config.files import failure, note
from clocktowers_tui.net.house import is_guest
from clocktowers_tui.state.match import LookedBack, Match
from clocktowers_tui.state.store import State, compared
from clocktowers_tui.text.i18n import _
from protocol.from_server import Refused

if TYPE_CHECKING:
    from clocktowers_tui.deeds.client import Client

LAST_S: Final = 3.0
"""How long a line, and a program, that ends waits for its last match: a server needs some
milliseconds for the record, and then the disk."""


class Keeping:
    """Of one client."""

    def __init__(self, client: "Client") -> None:
        self._client: Final = client
        self._asked = ""
        """The match whose record was asked for last."""
        self._owed: tuple[str, bool, Mapping[int, str]] = "", False, {}
        """The match that was noted last, as its record may come later, whether it was over, and the
        player's notes in it."""
        self._writing: Final = asyncio.Lock()
        self._stands = False
        """Whether we were connected when the state changed last."""
        self._begun = ""
        """The match of a chosen deal that was looked at last."""
        self._under_way: set[asyncio.Event] = set()
        """What the end waits for: done."""

    def hear(self, state: State) -> None:
        """Ask for the record of a match that is over, once, and on a new line for those that are
        still to come."""
        match, line = state.match, state.connection
        stood, self._stands = self._stands, line is not None and not line.attempt
        if (
            self._stands
            and not stood
            and not is_guest()
            and (server := self._client.journey.server)
        ):
            known = "" if match is None else match.id
            self._client.run_worker(self._collect(server, known), group="collecting")
        if match is None or match.view is None or not self._keeps:
            return
        # The others may end it without this player, and other tables may play its deal.
        shared = state.table is not None and state.table.info.deal
        later = not match.over or match.aborted or (not match.seed and shared)
        so_far = match.id, match.over, state.notes.get(match.id, {})
        if later and so_far != self._owed and self._client.journey.server:
            self._owed = so_far
            self._begin(self._owe(match, state), "owing")
        if not later and line is not None and not line.attempt and match.id != self._asked:
            self._asked = match.id
            self._begin(self._keep(match, state, self._client.journey.record(match.id)), "keeping")

    def _begin(self, work: Coroutine[Any, Any, None], group: str) -> None:
        self._under_way.add(done := asyncio.Event())
        self._client.run_worker(self._until(done, work), group=group)

    async def _until(self, done: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        finally:
            self._under_way.discard(done)
            done.set()

    async def settle(self) -> None:
        """Wait for the matches that are being kept or noted."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_S):
                for done in [*self._under_way]:
                    await done.wait()

    async def leave(self) -> None:
        """The player gives their seat up: a bot ends the match, unless they lose it so, and its
        record comes later; where nobody else is, it ends without one."""
        match, table = (state := self._client.state).match, state.table
        if match is None or match.over or table is None or table.seat is None:
            return
        if self._keeps:
            await self.settle()  # else what was noted at its beginning may be written later
            loses = table.is_lost_by_leaving
            aborted = not (loses or table.others or table.watching)
            await self._owe(replace(match, played_for=not loses, aborted=aborted), state)

    @property
    def _keeps(self) -> bool:
        """True but for a lesson, and all of a guest, whose folder is the server's."""
        return not self._client.journey.teaches and not is_guest()

    def say_whether_it_counts(self, state: State) -> None:
        """Say of a deal of the day whether it counts."""
        match = state.match
        if match is None or match.over or not self._keeps:
            return
        chosen = state.table is not None and state.table.info.seeded
        if chosen and match.id != self._begun:
            self._begun = match.id
            self._client.run_worker(self._say_what_counts(match, state), group="deal")

    async def _say_what_counts(self, match: Match, state: State) -> None:
        lost, said, banner = _("Your matches cannot be read, so this deal will not count."), "", ""
        with self._surviving("the history was not read", lost):
            from clocktowers_tui.deeds.looking_back import greeting

            said, banner = await asyncio.to_thread(greeting, match, state)
        if said:
            self._client.tell(said)
            looked = LookedBack(match.id, banner=banner)
            self._client.change(compared(self._client.state, looked))

    @contextmanager
    def _surviving(self, what: str, lost: str = "") -> Iterator[None]:
        """`what`, for the log, and what the player has `lost`, if this goes wrong."""
        try:
            yield
        except Exception as error:
            note(f"{what}: {failure(error)}")
            if lost:
                self._client.tell(lost)

    async def _keep(
        self, match: Match, state: State, asked: Awaitable[bytes | Refused | None]
    ) -> None:
        await self._owe(match, state)
        if (record := await asked) is None:
            self._asked = ""  # the line broke: ask again when it stands
        elif isinstance(record, Refused):
            note(f"match {match.id!a} has no record: {record.code!a}")
        else:
            await self._write(match, record, state)

    async def _owe(self, match: Match, state: State) -> None:
        """Note that the record is still to come, or never will: if the program ends first, a later
        start asks for it."""
        if not (server := self._client.journey.server):
            return
        with self._surviving(f"match {match.id!a} was not noted"):
            from clocktowers_tui.deeds.looking_back import owed

            async with self._writing:  # what is newer comes last
                await asyncio.to_thread(owed, match, state, server)

    async def _collect(self, server: str, known: str) -> None:
        """Ask for what this server has not sent. `known`: the match that is shown, which is asked
        for anyway."""
        from clocktowers_tui.history.matches import owed_by, settle_owed

        for one in await asyncio.to_thread(owed_by, server):
            if one.match == known or not isinstance(
                record := await self._client.journey.record(one.match), bytes
            ):
                continue
            with self._surviving(f"match {one.match!a} was not kept"):
                from clocktowers_tui.deeds.looking_back import settle

                await asyncio.to_thread(settle, one, record)
                self._client.tell(_("A match that had ended is now in Your matches."))
            await asyncio.to_thread(settle_owed, one.match)

    async def _write(self, match: Match, record: bytes, state: State) -> None:
        lost, looked = _("This match could not be kept in Your matches."), None
        with self._surviving(f"match {match.id!a} was not kept", lost):
            # Only now: a start takes no time for it.
            from clocktowers_tui.deeds.looking_back import keep, line_to
            from clocktowers_tui.history.matches import settle_owed

            line = line_to(self._client.journey, match)
            looked = await asyncio.to_thread(keep, match, state, record, line)
            await asyncio.to_thread(settle_owed, match.id)
        if looked is not None:
            self._client.change(compared(self._client.state, looked))
