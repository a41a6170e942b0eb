"""Players of a table's match who have lost the line: their seats are held, played on, given back.

A seat is held for a grace; then a bot plays it, and its owner may take it back at any turn. Law:
nobody waits for ever. Where others play on they wait for the grace; when nobody is left who plays,
the match stands still, so that bots do not race it to its end, and after a limit the table closes.
So it is too when the server was away: for it, all have lost the line.
"""

import asyncio
from typing import TYPE_CHECKING, Final

from protocol.from_server import Notice, NoticeCode
from protocol.ids import Seat
from protocol.listing import TablePhase
from server.config import Limits
from server.tables.names import Names

if TYPE_CHECKING:
    from server.tables.guest import Guest
    from server.tables.seating import Chair
    from server.tables.table import Table


class Absence:
    """Of one table."""

    __slots__ = ("_graces", "_limits", "_names", "_standstill", "_table", "_unaware")

    def __init__(self, table: "Table", names: Names, limits: Limits) -> None:
        self._table: Final = table
        self._names: Final = names
        self._limits: Final = limits
        self._graces: dict[Seat, asyncio.TimerHandle] = {}
        self._standstill: asyncio.TimerHandle | None = None
        self._unaware: set[Seat] = set()
        """Whose players do not know yet that the server was away."""

    def after_restart(self) -> None:
        """The server was away, and with it everybody."""
        chairs = self._table.seating.chairs
        self._unaware = {Seat(seat) for seat, chair in enumerate(chairs) if chair.dropped}
        self.look()

    def wait_for_anybody(self) -> None:
        """Somebody has lost the line: whoever made a table and waits there has a moment to come
        back to it. In a match the standstill is the longer one."""
        loop = asyncio.get_running_loop()
        loop.call_later(self._limits.grace_s, self._table.close_if_deserted)

    def lost(self, seat: Seat) -> None:
        """The player of this seat has lost the line."""
        chair = self._table.seating.chairs[seat]
        chair.guest, chair.dropped = None, True
        if chair.driver is None:
            self._begin_grace(seat)
        else:  # a bot plays it already
            self._table.play_on(seat)
        self.look()

    def found(self, seat: Seat, guest: "Guest") -> bool:
        """The player is back, whoever has held the seat meanwhile; whether it was missed at all.

        If it was not, an older connection has the seat, which may not even know that it broke.
        """
        chair = self._table.seating.chairs[seat]
        missed = chair.guest is None or chair.timed_out
        if chair.guest is not None:
            chair.guest.replaced()
        self._seat_again(seat, chair)
        # The name was held for the player all the time.
        self._names.release(guest.name)
        guest.name, chair.guest = chair.name, guest
        if seat in self._unaware:
            self._unaware.discard(seat)
            guest.send(Notice(NoticeCode.SERVER_CAME_BACK))
        self.look()
        return missed

    def hurry(self, seat: Seat) -> None:
        """This seat, which is held, is held no longer."""
        self._end_grace(seat)
        self._table.play_on(seat)

    def give_up(self, seat: Seat) -> None:
        """Its player, who has lost the line, is waited for no more and does not come back."""
        chair = self._table.seating.chairs[seat]
        self._end_grace(seat)
        if self._table.phase is not TablePhase.PLAYING:
            self._table.let_go(seat)
        elif not chair.level:
            self._table.play_on(seat)
        chair.dropped = False
        self.look()

    def _end_grace(self, seat: Seat) -> None:
        if (grace := self._graces.pop(seat, None)) is not None:
            grace.cancel()

    def _seat_again(self, seat: Seat, chair: "Chair") -> None:
        self._end_grace(seat)
        if chair.driver is not None:
            chair.driver.stop()
        chair.driver, chair.level = None, ""
        chair.away = chair.dropped = False

    def look(self) -> None:
        """After whoever came or went: does the match stand still, or go on?"""
        seating = self._table.seating
        dropped = [Seat(seat) for seat, chair in enumerate(seating.chairs) if chair.dropped]
        if dropped and not seating.guests():
            self._stand_still()
        elif self._standstill is not None:
            self._go_on()
            # Who has not come back yet had perhaps no chance to.
            for seat in dropped:
                self._begin_grace(seat)

    def over(self) -> None:
        """The match is: nobody is waited for any more."""
        for grace in self._graces.values():
            grace.cancel()
        self._graces.clear()
        if self._standstill is not None:
            self._standstill.cancel()
            self._standstill = None

    def _begin_grace(self, seat: Seat) -> None:
        if self._table.seating.chairs[seat].level or seat in self._graces:
            return  # a bot plays it, or will
        loop = asyncio.get_running_loop()
        limits, races = self._limits, self._table.rules.rules.races
        # A race goes on without the seat, which is soon too far behind.
        grace_s = min(limits.grace_s, limits.race_grace_s) if races else limits.grace_s
        self._graces[seat] = loop.call_later(grace_s, self._grace_over, seat)

    def _grace_over(self, seat: Seat) -> None:
        del self._graces[seat]
        if self._table.phase is not TablePhase.PLAYING:
            self._table.let_go(seat)
        elif self._table.seating.guests():
            self._table.play_on(seat)

    def _stand_still(self) -> None:
        if (match := self._table.match) is not None:
            match.stand_still()
        for chair in self._table.seating.chairs:
            if chair.driver is not None:
                chair.driver.rest()
        if self._standstill is None:
            loop = asyncio.get_running_loop()
            self._standstill = loop.call_later(self._limits.standstill_s, self._table.close)

    def _go_on(self) -> None:
        assert self._standstill is not None
        self._standstill.cancel()
        self._standstill = None
        if (match := self._table.match) is not None:
            match.go_on()
        for chair in self._table.seating.chairs:
            if chair.driver is not None:
                chair.driver.wake()
