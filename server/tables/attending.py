"""What a table makes of what its match tells."""

from typing import Any, Final

import structlog

from protocol.from_server import NoticeCode
from protocol.ids import Seat
from server.store.journal import Header
from server.tables.house import Starter
from server.tables.stand_in import time_out
from server.tables.table import Table


class TableAttendant:
    """`server.matches.ports.Attendant`, of the match with that header."""

    __slots__ = ("_header", "_starter", "_table")

    def __init__(self, table: Table, header: Header, starter: Starter) -> None:
        self._table: Final = table
        self._header: Final = header
        self._starter: Final = starter

    def ended(self, outcome: Any | None) -> None:
        table, aborted = self._table, outcome is None
        structlog.get_logger().info("match over", match=self._header.match, aborted=aborted)
        table.match_ended(table.options if aborted else next_options(table, self._header))

    def took_back(self, seat: Seat) -> None:
        name = self._table.seating.chairs[seat].name
        self._table.news.say(NoticeCode.TOOK_BACK, name=name, seat=seat)

    def timed_out(self, seat: Seat) -> bool:
        return time_out(self._table, seat, self._starter)

    def disk_fails(self, fails: bool) -> None:
        self._table.news.say(NoticeCode.DISK_FAILS if fails else NoticeCode.DISK_WORKS)


def next_options(table: Table, header: Header) -> Any:
    """Those of a rematch, after the match with that header."""
    return table.rules.rules.rematch_options(table.options, header.seats, header.seed)
