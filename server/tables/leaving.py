"""How people go from a table: they leave it, they lose the line, or the host sends them away.

Each has one end, and everybody is told of it. Who watched is gone; who sat, too, unless a match is
played: then the seat of one who has lost the line is held for a grace (`absence`), and that of one
who has left or was sent away is a bot's for good, and no token opens it any more.
"""

from typing import TYPE_CHECKING, Final

from protocol.from_server import LeftTable, NoticeCode, TableGone
from protocol.ids import Seat
from protocol.listing import TablePhase
from protocol.refusal import RefusalCode
from protocol.text import clean, name_key
from server.tables.refusals import Impossible

if TYPE_CHECKING:
    from server.tables.guest import Guest
    from server.tables.table import Table


class Leaving:
    """Of one table, which remembers whom its host has sent away."""

    __slots__ = ("_kicked", "_kicked_names", "_table")

    def __init__(self, table: "Table") -> None:
        self._table: Final = table
        self._kicked: set[Guest] = set()
        self._kicked_names: set[str] = set()

    def leave(self, guest: "Guest") -> None:
        """Of one's own will."""
        self._go(guest, NoticeCode.LEFT)

    def drop(self, guest: "Guest") -> None:
        """The connection is closed."""
        self._go(guest, NoticeCode.DROPPED)

    def kick(self, host: "Guest", name: str) -> None:
        """Send somebody away for as long as the table stands. Raises Impossible."""
        gone = self._whoever_is(name)
        if gone is host:
            raise Impossible(RefusalCode.NOT_YOURSELF)
        if isinstance(gone, int):
            self._give_up_absent(Seat(gone))
            return
        self._kicked.add(gone)
        self._kicked_names.add(name_key(gone.name))
        self._go(gone, NoticeCode.KICKED)
        gone.send(LeftTable(self._table.code, TableGone.KICKED))

    def refuse(self, guest: "Guest") -> None:
        """Raises Impossible for somebody who was sent away."""
        if guest in self._kicked or name_key(guest.name) in self._kicked_names:
            raise Impossible(RefusalCode.KICKED, table=self._table.code)

    def _whoever_is(self, name: str) -> "Guest | Seat":
        """Who has that name: somebody who is here, or the seat of one who has lost the line."""
        key = name_key(clean(name))
        for guest in self._table.people():
            if name_key(guest.name) == key:
                return guest
        for seat, chair in enumerate(self._table.seating.chairs):
            if chair.awaited and name_key(chair.name) == key:
                return Seat(seat)
        raise Impossible(RefusalCode.NOBODY_OF_THAT_NAME, name=clean(name))

    def _give_up_absent(self, seat: Seat) -> None:
        table, chair = self._table, self._table.seating.chairs[seat]
        self._kicked_names.add(name_key(chair.name))
        table.news.say(NoticeCode.KICKED, name=chair.name, seat=seat)
        assert table.match is not None  # nobody is waited for at a table that does not play
        table.match.give_up(seat)
        table.absence.give_up(seat)

    def _go(self, guest: "Guest", how: NoticeCode) -> None:
        table = self._table
        guest.table = None
        if guest in table.watchers:
            table.stop_watching(guest)
            watched = how is not NoticeCode.KICKED
            table.news.say(NoticeCode.STOPPED_WATCHING if watched else how, name=guest.name)
        elif (seat := table.seating.seat_of(guest)) is not None:
            self._leave_seat(guest, seat, how)
        table.news.touch()
        if how is NoticeCode.DROPPED:
            table.absence.wait_for_anybody()
        else:
            table.close_if_deserted()

    def _leave_seat(self, guest: "Guest", seat: Seat, how: NoticeCode) -> None:
        table = self._table
        table.news.say(how, name=guest.name, seat=seat)
        if table.match is not None:
            table.match.detach(seat, guest.send)
            if how is not NoticeCode.DROPPED:
                table.match.give_up(seat)
        if table.phase is not TablePhase.PLAYING:
            table.seating.chairs[seat].free()
            table.find_host()
            return
        if how is NoticeCode.DROPPED:
            table.absence.lost(seat)
        else:
            table.give_to_bot(seat, for_good=True)
            table.absence.look()
