"""The table where the player sits or watches."""

from msgspec import Struct

from clocktowers_tui.state.cleaning import clean_table
from protocol.from_server import AtTable
from protocol.ids import Seat
from protocol.table import SeatKind, TableInfo
from protocol.text import clean


class Table(Struct, frozen=True):
    """`seat` None = watching. `watching`: the watchers, by name."""

    info: TableInfo
    seat: Seat | None = None
    watching: tuple[str, ...] = ()

    @property
    def is_host(self) -> bool:
        return self.seat is not None and self.info.host == self.seat

    @property
    def names(self) -> tuple[str, ...]:
        """By seat; a free seat has no name."""
        return tuple(seat.name for seat in self.info.seats)

    @property
    def opponents(self) -> tuple[tuple[str, ...], int]:
        """The people at the other seats, by name, and how many bots."""
        seats = [seat for n, seat in enumerate(self.info.seats) if n != self.seat]
        bots = [seat for seat in seats if seat.kind is SeatKind.BOT and not seat.away]
        return tuple(seat.name for seat in seats if seat not in bots and seat.name), len(bots)

    @property
    def others(self) -> int:
        """How many people sit here besides the player."""
        people = sum(seat.kind is SeatKind.HUMAN for seat in self.info.seats)
        return people - (self.seat is not None)


def at_table(message: AtTable) -> Table:
    """The table as the server describes it; a seat that the table lacks counts as none."""
    seats = len(message.info.seats)
    mine = message.seat if message.seat is not None and 0 <= message.seat < seats else None
    watching = tuple(map(clean, message.watching))
    return Table(clean_table(message.info), None if mine is None else Seat(mine), watching)
