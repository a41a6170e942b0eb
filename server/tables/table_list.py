"""The list of tables that people look at: those of this server, and those that others tell of. A
client that has asked for the list is told of changes until it goes to a table.

Laws: readers are told of changes only, merged and at most four times a second; what those with the
same filter are told is worked out once; a round of news takes a small share of each turn of the
loop, however many readers and tables there are.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from protocol.from_server import LobbyChanged
from protocol.ids import TableCode
from protocol.table import PAGE_TABLES, Filter, TableInfo, TablePhase

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.lobby import Lobby
    from server.tables.table import Table

UPDATE_INTERVAL_S: Final = 0.25
SHARE_S: Final = 0.001
"""Of each turn, while a round goes on."""


class ListRow(Struct, frozen=True, gc=False):
    """What filters look at. `searched`: as `TableNews.searched` has it."""

    game: str
    phase: TablePhase
    free_seat: bool
    searched: str


def row_of(table: "Table") -> ListRow:
    return ListRow(table.terms.game_id, table.phase, table.free_seat(), table.news.searched())


class Posted(Struct, frozen=True):
    """What a server tells the others of a table of its own: for filters, and for the list."""

    row: ListRow
    info: TableInfo


Sieve: TypeAlias = Callable[[ListRow | None], bool]


def sieve(filter_: Filter) -> Sieve:
    """Whether a table passes; None, a table that does not exist, never does."""
    game, phase, free_seat = filter_.game, filter_.phase, filter_.free_seat
    text = filter_.text.casefold()

    def passes(row: ListRow | None) -> bool:
        return (
            row is not None
            and (not game or row.game == game)
            and (phase is None or row.phase is phase)
            and (row.free_seat or not free_seat)
            and text in row.searched
        )

    return passes


@dataclass(eq=False, slots=True)
class _Group:
    """All readers with the same filter. `total`: how many tables pass, as far as they are told."""

    passes: Sieve
    total: int
    guests: "dict[Session, None]" = field(default_factory=dict)


class _Change(NamedTuple):
    code: TableCode
    before: ListRow | None
    after: ListRow | None


class TableList:
    """Of one server, with this lobby."""

    def __init__(self, lobby: "Lobby") -> None:
        self._lobby: Final = lobby
        self._rows: Final[dict[TableCode, ListRow]] = {}
        """Of all tables in the list, in their order."""
        self._elsewhere: Final[dict[TableCode, tuple[Posted, float]]] = {}
        """Of other servers, and when they told of it, on the loop's clock."""
        self.readers: Final[dict[Session, Filter]] = {}
        """Who is told of changes, and of which."""
        self._groups: Final[dict[Filter, _Group]] = {}
        self._changed: Final[set[TableCode]] = set()
        self._told: Mapping[TableCode, ListRow] = {}
        """As of the newest round."""
        self._timer: asyncio.TimerHandle | None = None

    def page(self, filter_: Filter, page: int) -> tuple[list[TableInfo], int]:
        """A page of the tables that pass the filter, newest first, and how many pass in all."""
        passes = sieve(filter_)
        passing = [code for code, row in reversed(self._rows.items()) if passes(row)]
        shown = map(self._info, passing[page * PAGE_TABLES : (page + 1) * PAGE_TABLES])
        return [info for info in shown if info is not None], len(passing)

    def _info(self, table: TableCode) -> TableInfo | None:
        if (own := self._lobby.tables.get(table)) is not None:
            return own.news.info()
        if (elsewhere := self._elsewhere.get(table)) is None:
            return None
        told, at_s = elsewhere
        older_s = int(asyncio.get_running_loop().time() - at_s)
        return replace(told.info, age_s=told.info.age_s + older_s)

    # What changes in it ---------------------------------------------------------------------------

    def show(self, table: TableCode, row: ListRow | None) -> None:
        """What filters look at has changed; None = the table is gone, or hidden."""
        if row is not None:
            self._rows[table] = row
        elif self._rows.pop(table, None) is None:
            return  # it was never in the list
        self._changed.add(table)
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(UPDATE_INTERVAL_S, self._begin)

    def has_elsewhere(self, table: TableCode) -> bool:
        """Whether another server has told of this table."""
        return table in self._elsewhere

    def stands_elsewhere(self, table: TableCode, told: Posted | None) -> None:
        """Another server has told this of a table of its own; None = it is gone, or hidden."""
        if told is not None:
            self._elsewhere[table] = told, asyncio.get_running_loop().time()
        else:
            self._elsewhere.pop(table, None)
        if table not in self._lobby.tables:
            self.show(table, None if told is None else told.row)

    # Readers --------------------------------------------------------------------------------------

    def subscribe(self, guest: "Session", filter_: Filter) -> None:
        """Tell this guest from now on of changes that pass the filter, and of no others."""
        self.unsubscribe(guest)
        if (group := self._groups.get(filter_)) is None:
            passes = sieve(filter_)
            group = _Group(passes, sum(map(passes, self._told.values())))
            self._groups[filter_] = group
        self.readers[guest] = filter_
        group.guests[guest] = None

    def unsubscribe(self, guest: "Session") -> None:
        """Tell this guest of no more changes."""
        if (filter_ := self.readers.pop(guest, None)) is not None:
            guests = self._groups[filter_].guests
            del guests[guest]
            if not guests:
                del self._groups[filter_]

    def _begin(self) -> None:
        before, self._told = self._told, {**self._rows}
        changed = sorted(self._changed)
        self._changed.clear()
        changes = [_Change(code, before.get(code), self._told.get(code)) for code in changed]
        self._go_on(self._round(changes))

    def _go_on(self, steps: Iterator[None]) -> None:
        """Tell some; the others in later turns."""
        loop = asyncio.get_running_loop()
        end_s = time.perf_counter() + SHARE_S
        for _ in steps:
            if time.perf_counter() >= end_s:
                loop.call_soon(self._go_on, steps)
                return
        self._timer = None
        if self._changed:
            self._timer = loop.call_later(UPDATE_INTERVAL_S, self._begin)

    def _round(self, changes: Sequence[_Change]) -> Iterator[None]:
        infos: dict[TableCode, TableInfo] = {}
        for code, _before, after in changes if self._groups else ():
            if after is not None and (info := self._info(code)) is not None:
                infos[code] = info
            yield
        for group in list(self._groups.values()):
            for message in _news(group, changes, infos):
                for guest in list(group.guests):
                    if guest in group.guests:
                        guest.send(message)
                    yield
            yield


def _news(
    group: _Group, changes: Sequence[_Change], infos: Mapping[TableCode, TableInfo]
) -> Iterator[LobbyChanged]:
    """Pages of what this group is told."""
    passes = group.passes
    after = [infos.get(one.code) if passes(one.after) else None for one in changes]
    group.total += sum(passes(one.after) - passes(one.before) for one in changes)
    for start in range(0, len(changes), PAGE_TABLES):
        page = [*zip(changes, after, strict=True)][start : start + PAGE_TABLES]
        yield LobbyChanged(
            changed=[info for _change, info in page if info is not None],
            gone=[str(change.code) for change, info in page if info is None],
            total=group.total,
        )
