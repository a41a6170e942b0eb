"""The record of a table's match that is over, for everybody who is there.

Laws: nothing of it is made while the match runs. It is made once, however many ask for it, and kept
until the table makes that of another match.
"""

import zlib
from collections.abc import Callable
from typing import Final, TypeAlias

import structlog

from protocol.ids import MatchId
from protocol.refusal import Refusal, RefusalCode
from server.matches.match import Match
from server.recording import journalled
from server.recording.records import line
from server.tables.ports import Guest
from server.tables.record import beginning
from server.tables.refusals import Impossible
from server.tables.runner import MatchRunner
from server.tables.state import TableState

Answer: TypeAlias = Callable[[bytes | Refusal], None]
"""Gets the record's line, packed by zlib; never raises."""


class Recorded:
    """Knows one table."""

    __slots__ = ("_attended", "_kept", "_runner", "_table", "_waiting")

    def __init__(self, table: TableState, runner: MatchRunner) -> None:
        self._table: Final = table
        self._runner: Final = runner
        self._kept: tuple[MatchId, bytes] | None = None
        self._waiting: Final[dict[MatchId, dict[Guest, Answer]]] = {}
        self._attended: tuple[MatchId | None, list[Guest]] = (None, [])

    def match_over(self) -> None:
        """Who is here now may leave before they ask."""
        if (match := self._table.match) is not None:
            self._attended = match.id, self._table.people()

    def for_guest(self, guest: Guest, wanted: str) -> bool:
        """Whether the guest was here when this match ended."""
        match, people = self._attended
        return match == wanted and guest in people

    def ask(self, guest: Guest, wanted: str, answer: Answer) -> None:
        """Call `answer` once, when the record is made: it may be refused then, too, because the
        journal fails. Raises Impossible."""
        if self._kept is not None and self._kept[0] == wanted:
            answer(self._kept[1])
            return
        match = self._table.match
        if match is None or match.id != wanted:
            raise Impossible(RefusalCode.NO_SUCH_MATCH)
        if not match.over:
            raise Impossible(RefusalCode.MATCH_RUNNING)
        if match.aborted:
            raise Impossible(RefusalCode.MATCH_ABORTED)
        if self._table.deal_open:
            raise Impossible(RefusalCode.DEAL_OPEN)
        if not (waiting := self._waiting.setdefault(match.id, {})):
            self._runner.spawn(self._make(match))
        elif guest in waiting:
            raise Impossible(RefusalCode.BUSY)
        waiting[guest] = answer

    async def _make(self, match: Match) -> None:
        made: bytes | Refusal = Refusal(RefusalCode.BUSY)
        try:
            header, entries = await self._runner.journal.load(match.id)
            began = beginning(header.table)
            record = journalled.record_of(self._table.game, header, began, entries)
            if record is not None:
                made = zlib.compress(line(record))
                self._kept = match.id, made
        except Exception:
            # A failing journal, or an error of ours: all who asked are answered all the same.
            structlog.get_logger().exception("no record", match=match.id)
        finally:
            for answer in self._waiting.pop(match.id).values():
                answer(made)
