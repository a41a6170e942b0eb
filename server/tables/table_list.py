"""The list of tables that people look at: those of this server, and those that others tell of.

A client that has asked for the list is told of changes until it goes to a table.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from protocol.ids import TableCode
from protocol.listing import PAGE_TABLES, Filter, TableInfo
from server.tables.readers import Readers, Row, Told, sieve

if TYPE_CHECKING:
    from server.net.session import Session


class TableList:
    """`own`: what the list shows of a table of this server; None = it has none of that code."""

    def __init__(self, own: Callable[[TableCode], TableInfo | None]) -> None:
        self._own: Final = own
        self.readers: Final = Readers(self._info)
        self._rows: Final[dict[TableCode, Row]] = {}
        """Of all tables in the list, in their order."""
        self._elsewhere: Final[dict[TableCode, tuple[Told, float]]] = {}
        """Of other servers, and when they told of it, on the loop's clock."""

    def page(self, filter_: Filter, page: int) -> tuple[list[TableInfo], int]:
        """A page of the tables that pass the filter, newest first, and how many pass in all."""
        passes = sieve(filter_)
        passing = [code for code, row in reversed(self._rows.items()) if passes(row)]
        shown = map(self._info, passing[page * PAGE_TABLES : (page + 1) * PAGE_TABLES])
        return [info for info in shown if info is not None], len(passing)

    def subscribe(self, guest: "Session", filter_: Filter) -> None:
        """Tell this guest from now on of changes that pass the filter."""
        self.readers.add(guest, filter_)

    def unsubscribe(self, guest: "Session") -> None:
        """Tell this guest of no more changes."""
        self.readers.remove(guest)

    def show(self, table: TableCode, row: Row | None) -> None:
        """What filters look at has changed; None = the table is gone, or hidden."""
        if row is not None:
            self._rows[table] = row
        elif self._rows.pop(table, None) is None:
            return  # it was never in the list
        self.readers.changed(table, row)

    def has_elsewhere(self, table: TableCode) -> bool:
        """Whether another server has told of this table."""
        return table in self._elsewhere

    def stands_elsewhere(self, table: TableCode, told: Told | None) -> None:
        """Another server has told this of a table of its own; None = it is gone, or hidden."""
        if told is not None:
            self._elsewhere[table] = told, asyncio.get_running_loop().time()
        else:
            self._elsewhere.pop(table, None)
        if self._own(table) is None:
            self.show(table, None if told is None else told.row)

    def _info(self, table: TableCode) -> TableInfo | None:
        if (own := self._own(table)) is not None:
            return own
        if (elsewhere := self._elsewhere.get(table)) is None:
            return None
        told, at_s = elsewhere
        older_s = int(asyncio.get_running_loop().time() - at_s)
        return replace(told.info, age_s=told.info.age_s + older_s)
