"""Matches that rest: the journal has them, memory does not, and their owners may come back.

When a server is nearly full, the least-used of the tables that stand still make room in this way.
A match rests no longer than its table would have stood still; then it cannot go on any more.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from protocol.ids import MatchId, TableCode
from server.tables.table import Table
from server.timer import Timer

FULL: Final = 4 / 5
"""From this share of the tables on, those that stand still make room."""


class _Rest(NamedTuple):
    table: TableCode
    timer: Timer


class Resting:
    """`over` is called with a match whose time is up, and the code of its table."""

    __slots__ = ("_matches", "_over", "codes")

    def __init__(self, over: Callable[[MatchId, TableCode], None]) -> None:
        self._over: Final = over
        self._matches: Final[dict[MatchId, _Rest]] = {}
        self.codes: Final[set[TableCode]] = set()
        """Of the tables of these matches: no other table gets one of these."""

    def __contains__(self, match: str) -> bool:
        return match in self._matches

    def __len__(self) -> int:
        return len(self._matches)

    def add(self, match: MatchId, table: TableCode, for_s: float) -> None:
        """Let the match rest for so long at most."""
        timer = Timer()
        self._matches[match] = _Rest(table, timer)
        self.codes.add(table)
        timer.start(for_s, lambda: self._time_is_up(match))

    def remove(self, match: MatchId) -> None:
        """The match goes on, or is over."""
        rest = self._matches.pop(match)
        rest.timer.stop()
        self.codes.discard(rest.table)

    def match_of(self, table: TableCode) -> MatchId | None:
        """The match of a table that rests."""
        return next((match for match, rest in self._matches.items() if rest.table == table), None)

    def stop(self) -> None:
        """The server stops: the journal keeps them all for the next start."""
        for rest in self._matches.values():
            rest.timer.stop()

    def _time_is_up(self, match: MatchId) -> None:
        table = self._matches[match].table
        self.remove(match)
        self._over(match, table)


def least_used(tables: Iterable[Table]) -> Table | None:
    """Of the tables that stand still, the one where people have acted least; of equals the one
    that stands still for the longest time."""
    still = [table for table in tables if table.presence.may_rest()]
    return min(still, key=lambda table: table.acted, default=None)
