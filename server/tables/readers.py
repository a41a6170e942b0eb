"""The people who look at the list of tables, and how they are told what changes in it.

Laws: readers are told of changes only, merged and at most four times a second; what those with the
same filter are told is worked out once; a round of news takes a small share of each turn of the
loop, however many readers and tables there are.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from msgspec import Struct

from protocol.from_server import LobbyChanged
from protocol.ids import TableCode
from protocol.listing import PAGE_TABLES, Filter, TableInfo, TablePhase
from server.tables.table import Table

if TYPE_CHECKING:
    from server.net.session import Session

UPDATE_INTERVAL_S: Final = 0.25
SHARE_S: Final = 0.001
"""Of each turn, while a round goes on."""


class Row(Struct, frozen=True, gc=False):
    """What filters look at. `searched`: as `News.searched` has it."""

    game: str
    phase: TablePhase
    free_seat: bool
    searched: str


def row_of(table: Table) -> Row:
    return Row(table.game_id, table.phase, table.free_seat(), table.news.searched())


class Told(Struct, frozen=True):
    """What a server tells the others of a table of its own: for filters, and for the list."""

    row: Row
    info: TableInfo


Sieve: TypeAlias = Callable[[Row | None], bool]


def sieve(filter_: Filter) -> Sieve:
    """Whether a table passes; None, a table that does not exist, never does."""
    game, phase, free_seat = filter_.game, filter_.phase, filter_.free_seat
    text = filter_.text.casefold()

    def passes(row: Row | None) -> bool:
        return (
            row is not None
            and (not game or row.game == game)
            and (phase is None or row.phase is phase)
            and (row.free_seat or not free_seat)
            and text in row.searched
        )

    return passes


class _Group:
    """All readers with the same filter. `total`: how many tables pass, as far as they are told."""

    __slots__ = ("guests", "passes", "total")

    def __init__(self, passes: Sieve, total: int) -> None:
        self.passes: Final = passes
        self.total = total
        self.guests: Final[dict[Session, None]] = {}


class _Change(NamedTuple):
    code: TableCode
    before: Row | None
    after: Row | None


class Readers:
    """`info` is asked for what the list shows of a table; None = it is closed."""

    def __init__(self, info: Callable[[TableCode], TableInfo | None]) -> None:
        self._info: Final = info
        self._told: Final[dict[TableCode, Row]] = {}
        """As of the newest round."""
        self._changed: Final[dict[TableCode, Row | None]] = {}
        self._groups: Final[dict[Filter, _Group]] = {}
        self._filters: Final[dict[Session, Filter]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._filters)

    def add(self, guest: "Session", filter_: Filter) -> None:
        """Tell this guest from now on of changes that pass the filter, and of no others."""
        self.remove(guest)
        if (group := self._groups.get(filter_)) is None:
            passes = sieve(filter_)
            group = _Group(passes, sum(map(passes, self._told.values())))
            self._groups[filter_] = group
        self._filters[guest] = filter_
        group.guests[guest] = None

    def remove(self, guest: "Session") -> None:
        """Tell this guest of no more changes."""
        if (filter_ := self._filters.pop(guest, None)) is not None:
            guests = self._groups[filter_].guests
            del guests[guest]
            if not guests:
                del self._groups[filter_]

    def filter_of(self, guest: "Session") -> Filter | None:
        """What this guest is told of; None = of nothing."""
        return self._filters.get(guest)

    def changed(self, code: TableCode, row: Row | None) -> None:
        """The table has changed, or (None) is closed."""
        self._changed[code] = row
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(UPDATE_INTERVAL_S, self._begin)

    def _begin(self) -> None:
        changes = [
            _Change(code, self._told.get(code), row) for code, row in sorted(self._changed.items())
        ]
        self._changed.clear()
        for code, _before, after in changes:
            if after is None:
                self._told.pop(code, None)
            else:
                self._told[code] = after
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
    group: _Group, changes: Sequence[_Change], infos: dict[TableCode, TableInfo]
) -> list[LobbyChanged]:
    passes = group.passes
    passing = [passes(change.after) for change in changes]
    group.total += sum(passing) - sum(passes(change.before) for change in changes)
    return [
        _page(changes[start : start + PAGE_TABLES], passing[start:], infos, group.total)
        for start in range(0, len(changes), PAGE_TABLES)
    ]


def _page(
    changes: Sequence[_Change],
    passing: Sequence[bool],
    infos: dict[TableCode, TableInfo],
    total: int,
) -> LobbyChanged:
    shown = [
        infos[change.code]
        for change, passes in zip(changes, passing, strict=False)
        if passes and change.code in infos
    ]
    codes = {info.table for info in shown}
    gone = [str(change.code) for change in changes if change.code not in codes]
    return LobbyChanged(changed=shown, gone=gone, total=total)
