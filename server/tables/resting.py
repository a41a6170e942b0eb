"""Matches that rest: the journal has them, memory does not, and their owners may come back.

When a server is nearly full, the least-used of the tables that stand still make room in this way.
A match rests no longer than its table would have stood still; then it cannot go on any more.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from protocol.ids import MatchId, TableCode
from server.timer import Timer

if TYPE_CHECKING:
    from server.tables.lobby import Lobby
    from server.tables.table import Table

FULL: Final = 4 / 5
"""From this share of the tables on, those that stand still make room."""


class _Rest(NamedTuple):
    table: TableCode
    timer: Timer


class Resting:
    """Of one lobby."""

    __slots__ = ("_lobby", "_matches", "codes")

    def __init__(self, lobby: "Lobby") -> None:
        self._lobby: Final = lobby
        self._matches: Final[dict[MatchId, _Rest]] = {}
        self.codes: Final[set[TableCode]] = set()
        """Of the tables of these matches: no other table gets one of these."""

    def __contains__(self, match: str) -> bool:
        return match in self._matches

    def __len__(self) -> int:
        return len(self._matches)

    @property
    def crowded(self) -> bool:
        """Whether so many tables are in use that those that stand still make room."""
        return len(self._lobby.tables) >= self._lobby.limits.tables * FULL

    def make_room(self) -> None:
        """Where the server is nearly full, let a table that stands still rest: the one where people
        have acted least; of equals the one that stands still for the longest time."""
        if not self.crowded:
            return
        still = [table for table in self._lobby.tables.values() if table.presence.may_rest()]
        if (table := min(still, key=lambda table: table.acted, default=None)) is None:
            return
        match, for_s = table.match, table.presence.patience_s
        if match is None or match.over:
            table.presence.close()
        else:
            self.put_to_rest(table)
            self.add(match.id, table.code, for_s)

    def put_to_rest(self, table: "Table") -> None:
        """The journal alone has its match from now on."""
        table.forget_watchers()
        table.playing.put_to_rest()
        table.presence.end_without_match()
        del self._lobby.tables[table.code]
        self._lobby.touched(table.code)

    def add(self, match: MatchId, table: TableCode, for_s: float) -> None:
        """Let the match rest for so long at most."""
        timer = Timer()
        self._matches[match] = _Rest(table, timer)
        self.codes.add(table)
        timer.start(for_s, lambda: self._end(match))

    def remove(self, match: MatchId) -> None:
        """The match goes on, or is over."""
        rest = self._matches.pop(match)
        rest.timer.stop()
        self.codes.discard(rest.table)

    def close(self, table: TableCode) -> bool:
        """End the match of this table. Returns whether there is one."""
        found = [match for match, rest in self._matches.items() if rest.table == table]
        for match in found:
            self._end(match)
        return bool(found)

    def _end(self, match: MatchId) -> None:
        """Nobody came back to this match in time."""
        table = self._matches[match].table
        self.remove(match)
        self._lobby.shares.forget(table)
        self._lobby.runner.end_rest(match)
        self._lobby.deals.changed(table)

    def stop(self) -> None:
        """The server stops: the journal keeps them all for the next start."""
        for rest in self._matches.values():
            rest.timer.stop()
