"""Keeps each match that has ended, with its record, in the player's history.

Law: whatever goes wrong costs a line in the log and a sentence, never the match.
"""

import asyncio
import time
from collections.abc import Callable

from clocktowers_tui.config.log_file import note
from clocktowers_tui.net.house import is_guest
from clocktowers_tui.net.journey import Journey, Workers
from clocktowers_tui.state.store import State
from clocktowers_tui.text.i18n import _
from protocol.from_server import Refused


class Keeping:
    """`workers` run what takes time; `tell` shows a sentence."""

    def __init__(self, workers: Workers, journey: Journey, tell: Callable[[str], None]) -> None:
        self._workers = workers
        self._journey = journey
        self._tell = tell
        self._asked = ""
        """The match whose record was asked for last."""

    def follow(self, state: State) -> None:
        """Ask for the record of a match that is over, once. No lesson is kept, and nothing of a
        guest, whose folder is the server's."""
        match, line = state.match, state.connection
        if match is None or not match.over or match.aborted or match.id == self._asked:
            return
        if line is None or line.attempt or self._journey.teaches or is_guest():
            return
        self._asked = match.id
        self._workers.run_worker(self._keep(match.id, state.seat), group="keeping")

    async def _keep(self, match: str, seat: int | None) -> None:
        record = await self._journey.record(match)
        if record is None:
            self._asked = ""  # the line broke: ask again when it stands
        elif isinstance(record, Refused):
            note(f"match {match!a} has no record: {record.code!a}")
        else:
            await self._write(match, record, seat)

    async def _write(self, match: str, record: bytes, seat: int | None) -> None:
        try:
            # Only now: a start takes no time for it.
            from clocktowers_tui.history import matches

            await asyncio.to_thread(matches.keep, match, record, seat, int(time.time()))
        except Exception as error:
            note(f"match {match!a} was not kept: {type(error).__name__}: {error}")
            self._tell(_("This match could not be kept in your history."))
