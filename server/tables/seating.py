"""The seats of one table: who sits where, and which seat somebody gets."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from protocol.ids import Seat
from protocol.listing import SeatInfo, SeatKind
from protocol.refusal import RefusalCode
from server.tables.refusals import Impossible
from server.tables.seat import Chair, SeatState

if TYPE_CHECKING:
    from server.bots.driver import BotDriver
    from server.net.session import Session

BOT_NAMES: Final = ("Wren", "Lark", "Rook", "Dove", "Swan", "Teal", "Kite", "Ibis")
"""Of four letters: the heads of columns of points show them whole."""


class Seating:
    """All chairs of a table, by seat."""

    __slots__ = ("chairs",)

    def __init__(self, chairs: Sequence[Chair]) -> None:
        self.chairs: Final = tuple(chairs)

    def __getitem__(self, seat: int) -> Chair:
        """Raises Impossible for a seat that the table does not have."""
        if not 0 <= seat < len(self.chairs):
            raise Impossible(RefusalCode.NO_SUCH_SEAT, seat=seat, seats=len(self.chairs))
        return self.chairs[seat]

    def infos(self) -> list[SeatInfo]:
        return [chair.info() for chair in self.chairs]

    def guests(self) -> list["Session"]:
        """The players who are here, by seat."""
        return [chair.guest for chair in self.chairs if chair.guest is not None]

    def bots(self) -> list["BotDriver"]:
        """Those that play now."""
        return [chair.bot for chair in self.chairs if chair.bot is not None]

    def of_people(self) -> list[Seat]:
        """The seats that no bot plays for good or in its owner's absence."""
        return [
            Seat(seat) for seat, chair in enumerate(self.chairs) if chair.kind is not SeatKind.BOT
        ]

    def seat_of(self, guest: "Session") -> Seat | None:
        for seat, chair in enumerate(self.chairs):
            if chair.guest is guest:
                return Seat(seat)
        return None

    def owned_by(self, identity: bytes) -> list[Seat]:
        """The seats of a person with this identity; none for b""."""
        owned = [seat for seat, chair in enumerate(self.chairs) if chair.identity == identity]
        return [Seat(seat) for seat in owned] if identity else []

    def host_after(self, host: Seat | None) -> Seat | None:
        """The host, as long as the seat is a person's; after that the lowest seat of a person,
        preferably of a person who is here."""
        people = [seat for seat, chair in enumerate(self.chairs) if chair.kind is SeatKind.HUMAN]
        if host in people:
            return host
        here = [seat for seat in people if self.chairs[seat].guest is not None]
        return Seat((here or people)[0]) if people else None

    def awaits(self) -> bool:
        """Whether an owner lost the connection and may come back."""
        return any(chair.awaited for chair in self.chairs)

    def filled(self) -> bool:
        return all(chair.state is not SeatState.FREE for chair in self.chairs)

    def all_ready(self, but: "Session | None" = None) -> bool:
        """Whether every person except `but` is ready; a player who dropped is not."""
        return all(
            chair.ready
            for chair in self.chairs
            if chair.kind is SeatKind.HUMAN and (chair.guest is None or chair.guest is not but)
        )

    def sit(self, guest: "Session", seat: int | None) -> Seat:
        """Give the guest this seat, or the lowest free seat."""
        if seat is None:
            free = [i for i, chair in enumerate(self.chairs) if chair.state is SeatState.FREE]
            if not free:
                raise Impossible(RefusalCode.TABLE_FULL)
            seat = free[0]
        chair = self[seat]
        if chair.state is not SeatState.FREE:
            raise Impossible(RefusalCode.SEAT_TAKEN, seat=seat, name=chair.name)
        chair.sit(guest)
        return Seat(seat)

    def set_bot(self, seat: int, level: str) -> None:
        """Put a bot of that level on a free or a bot's seat; "" takes it off."""
        chair = self[seat]
        if chair.kind is SeatKind.HUMAN:
            raise Impossible(RefusalCode.SEAT_TAKEN, seat=seat, name=chair.name)
        if level:
            chair.seat_bot(level, chair.name or self._bot_name())
        elif chair.state is SeatState.BOT:
            chair.free()

    def _bot_name(self) -> str:
        taken = {chair.name for chair in self.chairs}
        return next(name for name in BOT_NAMES if name not in taken)
