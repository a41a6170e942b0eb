"""The table where the player sits or watches, its chat, and the tables of the server."""

from enum import Enum
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from protocol.from_server import (
    AskedBack,
    AtTable,
    ChatHistory,
    Leader,
    Listing,
    LobbyChanged,
    Said,
    Welcome,
)
from protocol.ids import Seat
from protocol.invitation import Ways
from protocol.table import (
    MAX_CHAT_CHARACTERS,
    PAGE_TABLES,
    TAKEN_AWAY,
    Days,
    Filter,
    Late,
    SeatKind,
    TableInfo,
)
from protocol.text import clean

_MOST_ID: Final = 40
"""Characters of a match's id, as a server reads it."""


class Table(Struct, frozen=True):
    """`seat` None = watching. `watching`: the watchers, by name. `leader`: who leads the table
    through a match that is over. `hushed`: whether watchers may say nothing; None = nobody can say
    so here. `asked_back`: who wishes an action to be taken back, as soon as all agree."""

    info: TableInfo
    seat: Seat | None = None
    watching: tuple[str, ...] = ()
    leader: Leader | None = None
    hushed: bool | None = None
    asked_back: AskedBack | None = None

    @property
    def is_host(self) -> bool:
        return self.seat is not None and self.info.host == self.seat

    @property
    def names(self) -> tuple[str, ...]:
        """By seat; a free seat has no name."""
        return tuple(seat.name for seat in self.info.seats)

    @property
    def free(self) -> int:
        """How many seats nobody has."""
        return sum(seat.kind is SeatKind.FREE for seat in self.info.seats)

    @property
    def deal_open(self) -> bool:
        """Whether other tables still play the deal of this one: then a match needs all seats."""
        return self.info.deal_done < self.info.deal_tables

    @property
    def closes_up(self) -> bool:
        """Whether a match begins without the free seats."""
        return 0 < self.free < len(self.info.seats) - 1 and not self.deal_open

    @property
    def late(self) -> list[str]:
        """The people for whose word the host has to wait, by name."""
        seats = enumerate(self.info.seats)
        people = [one for n, one in seats if one.kind is SeatKind.HUMAN and n != self.info.host]
        return [one.name for one in people if not one.ready]

    @property
    def leads(self) -> str:
        """The leader's name; "" = nobody leads."""
        return "" if self.leader is None else self.info.seats[self.leader.seat].name

    @property
    def opponents(self) -> tuple[tuple[str, ...], int]:
        """The people at the other seats, by name, and how many bots."""
        seats = [seat for n, seat in enumerate(self.info.seats) if n != self.seat]
        bots = [seat for seat in seats if seat.kind is SeatKind.BOT and not seat.away]
        return tuple(seat.name for seat in seats if seat not in bots and seat.name), len(bots)

    @property
    def is_lost_by_leaving(self) -> bool:
        """Whether a player who leaves a match for good loses it."""
        clock = self.info.clock
        return isinstance(clock, Days) and clock.late_of(len(self.info.seats)) is Late.LOSE

    @property
    def others(self) -> int:
        """How many people sit here besides the player."""
        people = sum(seat.kind is SeatKind.HUMAN for seat in self.info.seats)
        return people - (self.seat is not None)


def at_table(message: AtTable) -> Table:
    """The table as the server describes it; a seat that the table lacks counts as none, and so does
    a leader who cannot be."""
    seats = len(message.info.seats)
    mine = message.seat if message.seat is not None and 0 <= message.seat < seats else None
    leader = message.leader
    if leader is not None and not _can_lead(leader, seats):
        leader = None
    seat, watching = None if mine is None else Seat(mine), tuple(message.watching)
    return Table(message.info, seat, watching, leader, message.hushed, message.asked_back)


def _can_lead(leader: Leader, seats: int) -> bool:
    """Whether the seat is there, and the match can be asked for."""
    return 0 <= leader.seat < seats and leader.ply >= 0 and 0 < len(leader.match) <= _MOST_ID


# The tables of a server, as far as they are listed.


class Lobby(Struct, frozen=True):
    """`tables`: one page, newest state; `total`: tables on the server that pass the `filter`, which
    the client asked for last, None until it has told."""

    tables: tuple[TableInfo, ...] = ()
    page: int = 0
    total: int | None = None
    filter: Filter = Filter()

    @property
    def pages(self) -> int:
        return max(1, -(-(self.total or 0) // PAGE_TABLES))


def filtered(lobby: Lobby, filter_: Filter) -> Lobby:
    """Ask for other tables, from the first page on; the old tables stay until those come."""
    return replace(lobby, filter=filter_, page=0)


def listed(lobby: Lobby, listing: Listing) -> Lobby:
    """A page, as it came."""
    tables = {info.table: info for info in listing.tables}
    return Lobby(tuple(tables.values()), listing.page, listing.total, lobby.filter)


def changed(lobby: Lobby, news: LobbyChanged) -> Lobby:
    """Tables keep their place; new tables come last, as far as the page has room."""
    fresh = {info.table: info for info in news.changed}
    gone = set(news.gone)
    kept = [
        fresh.pop(info.table, info) for info in lobby.tables if info.table not in gone - set(fresh)
    ]
    tables = (*kept, *fresh.values())[:PAGE_TABLES]
    return Lobby(tables, lobby.page, news.total, lobby.filter)


# What the server sends with texts that strangers typed, cleaned at the client's own border.


def cleaned(told: Any) -> Any:
    """The same with clean texts; names of parameters stay, and a table's options, which a server
    can nest without end."""
    if type(told) is str:  # no word of an enum
        return clean(told)
    if isinstance(told, list | tuple):
        return type(told)(map(cleaned, told))
    if isinstance(told, dict):
        return {name: cleaned(value) for name, value in told.items()}
    if isinstance(told, Struct):
        fields = (name for name in told.__struct_fields__ if name != "options")
        return replace(told, **{name: cleaned(getattr(told, name)) for name in fields})
    return told


# Whose server this is, and which name the player has there.


class Kind(Enum):
    SOLO = "solo"
    HOST = "host"
    VISIT = "visit"


class Connection(Struct, frozen=True, kw_only=True):
    """An open connection. `welcome`: what the server said of itself then, clean; `name`: what the
    player is called there. `friends`: what others may dial, when the server is the player's own,
    and by which `ways` they come; `shut`: no other machine can dial it. `private`: nobody on the
    way can read it. `attempt`: of reconnecting after the connection broke, from 1; 0 = it
    stands."""

    kind: Kind
    address: str
    name: str
    welcome: Welcome = Welcome(version=0, name="")
    friends: tuple[str, ...] = ()
    ways: Ways = Ways()
    shut: bool = False
    private: bool = True
    attempt: int = 0


# The table's chat: its lines, how many are unread, and what the player is about to say.
#
# Law: a line enters once, however often a `chat` tells it.

MAX_LINES: Final = 200
"""How many lines the client keeps; the server tells a newcomer fewer."""


class Chat(Struct, frozen=True, kw_only=True):
    """`fresh`: how many of the newest `lines` came since the player last read them. `draft`: what
    the player has typed but not sent. `read`: up to which line the player had read when they left,
    None: they come for the first time."""

    lines: tuple[Said, ...] = ()
    fresh: int = 0
    draft: str = ""
    read: int | None = None

    @property
    def newest_read(self) -> int:
        """Its number; 0: none."""
        read = self.lines[: len(self.lines) - self.fresh]
        return read[-1].n if read else self.read or 0

    def heard(self, message: Said) -> "Chat":
        """With one more line."""
        return self._with([_cut(message)], news=True)

    def caught_up(self, message: ChatHistory, *, news: bool) -> "Chat":
        """With what was missed. `news`: the player has been here before, so new lines are
        unread."""
        have = set(self.lines)
        lines = [*map(_cut, message.lines)]
        after = self._with([line for line in lines if line not in have], news=news)
        if news or self.read is None:
            return after
        return replace(after, fresh=sum(line.n > self.read for line in after.lines))

    def all_read(self) -> "Chat":
        """The player has read everything."""
        return replace(self, fresh=0) if self.fresh else self

    def _with(self, lines: list[Said], *, news: bool) -> "Chat":
        """A line that was taken away stands where it stood. It is the newest with its number: a
        server that was started again counts from one."""
        gone = {(line.n, line.name): line for line in lines if line.phrase == TAKEN_AWAY}
        before = [gone.pop((line.n, line.name), line) for line in reversed(self.lines)]
        unplaced = gone.values()
        lines = [line for line in lines if line.phrase != TAKEN_AWAY or line in unplaced]
        kept = (*reversed(before), *lines)[-MAX_LINES:]
        fresh = min(len(kept), self.fresh + len(lines)) if news else self.fresh
        return replace(self, lines=kept, fresh=fresh)


def _cut(line: Said) -> Said:
    return replace(line, text=line.text[:MAX_CHAT_CHARACTERS])
