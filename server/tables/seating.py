"""The seats of one table: who sits there, in which order somebody finds a free one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from protocol.ids import Seat
from protocol.listing import SeatInfo, SeatKind
from protocol.refusal import RefusalCode
from server.tables.refusals import Impossible

if TYPE_CHECKING:
    from server.bots.driver import BotDriver
    from server.tables.guest import Guest

BOT_NAMES: Final = ("Wren", "Finch", "Martin", "Robin", "Siskin", "Dunnock", "Linnet", "Pipit")


@dataclass(slots=True)
class Chair:
    """One seat. `guest` None and `level` "" = free, unless its player has `dropped` and it is held.
    `away`: a bot plays on under a guest's name. With a guest and a `driver` a bot stands in."""

    guest: "Guest | None" = None
    level: str = ""
    name: str = ""
    ready: bool = False
    away: bool = False
    dropped: bool = False
    driver: "BotDriver | None" = None

    @property
    def timed_out(self) -> bool:
        """Whether a bot plays for the one who sits here."""
        return self.guest is not None and self.driver is not None

    @property
    def kind(self) -> SeatKind:
        if self.level:
            return SeatKind.BOT
        return SeatKind.HUMAN if self.guest is not None or self.dropped else SeatKind.FREE

    def info(self) -> SeatInfo:
        """The chair as the lobby shows it, in few words: a page of them must fit into a frame."""
        gone = self.away or self.dropped
        return SeatInfo(
            kind=self.kind,
            name=self.name,
            level="" if self.away else self.level,
            ready=self.ready and not gone,
            away=self.away,
            dropped=self.dropped and not self.away,
            timed_out=self.timed_out,
        )


class Seating:
    """All chairs of a table, by seat."""

    __slots__ = ("chairs",)

    def __init__(self, seats: int) -> None:
        self.chairs = [Chair() for _ in range(seats)]

    def __getitem__(self, seat: int) -> Chair:
        """Raises Impossible for a seat that the table has not."""
        if not 0 <= seat < len(self.chairs):
            raise Impossible(RefusalCode.NO_SUCH_SEAT, seat=seat, seats=len(self.chairs))
        return self.chairs[seat]

    def infos(self) -> list[SeatInfo]:
        return [chair.info() for chair in self.chairs]

    def guests(self) -> "list[Guest]":
        """The people, by seat."""
        return [chair.guest for chair in self.chairs if chair.guest is not None]

    def of_people(self) -> list[Seat]:
        """The seats that no bot has, whether their people are there or not."""
        return [Seat(seat) for seat, chair in enumerate(self.chairs) if not chair.level]

    def seat_of(self, guest: "Guest") -> Seat | None:
        for seat, chair in enumerate(self.chairs):
            if chair.guest is guest:
                return Seat(seat)
        return None

    def host_after(self, host: Seat | None) -> Seat | None:
        """The host, as long as the seat is a person's; then the lowest seat that is, with somebody
        who is there before those who have lost the line."""
        people = [seat for seat, one in enumerate(self.chairs) if one.kind is SeatKind.HUMAN]
        if host in people:
            return host
        here = [seat for seat in people if self.chairs[seat].guest is not None]
        return Seat((here or people)[0]) if people else None

    def filled(self) -> bool:
        return all(chair.kind is not SeatKind.FREE for chair in self.chairs)

    def all_ready(self, but: "Guest | None" = None) -> bool:
        """Whether every person (but one) is ready; who has lost the line is not."""
        return all(
            chair.ready
            for chair in self.chairs
            if chair.kind is SeatKind.HUMAN and (chair.guest is None or chair.guest is not but)
        )

    def sit(self, guest: "Guest", seat: int | None) -> Seat:
        """Give the guest this seat, or the lowest free one."""
        if seat is None:
            free = [i for i, chair in enumerate(self.chairs) if chair.kind is SeatKind.FREE]
            if not free:
                raise Impossible(RefusalCode.TABLE_FULL)
            seat = free[0]
        if self[seat].kind is not SeatKind.FREE:
            raise Impossible(RefusalCode.SEAT_TAKEN, seat=seat, name=self[seat].name)
        self.chairs[seat] = Chair(guest=guest, name=guest.name)
        return Seat(seat)

    def empty(self, seat: Seat) -> None:
        """Let the seat be free."""
        self.chairs[seat] = Chair()

    def set_bot(self, seat: int, level: str) -> None:
        """Put a bot of that level on a free or a bot's seat; "" takes it off."""
        chair = self[seat]
        if chair.kind is SeatKind.HUMAN:
            raise Impossible(RefusalCode.SEAT_TAKEN, seat=seat, name=chair.name)
        if not level:
            self.chairs[seat] = Chair()
        else:
            self.chairs[seat] = Chair(level=level, name=chair.name or self._bot_name())

    def _bot_name(self) -> str:
        taken = {chair.name for chair in self.chairs}
        return next(name for name in BOT_NAMES if name not in taken)
