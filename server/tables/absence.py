"""Players of a table's match who have lost the line: their seats are held, played on, given back.

A seat is held for a grace; then a bot plays it, and its owner may take it back at any turn. Law:
nobody waits for ever. Where others play on they wait for the grace; when nobody is left who plays,
the match stands still, so that bots do not race it to its end, and after a limit the table closes.
So it is too when the server was away: for it, all have lost the line.
"""

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from protocol.from_server import Notice, NoticeCode
from protocol.ids import Seat
from protocol.listing import TablePhase
from server.config import Limits
from server.tables.seat import SeatState

if TYPE_CHECKING:
    from server.tables.guest import Guest
    from server.tables.table import Table


class Absence:
    """Of one table."""

    __slots__ = ("_deserted", "_limits", "_standstill", "_table", "_unaware")

    def __init__(self, table: "Table", limits: Limits) -> None:
        self._table: Final = table
        self._limits: Final = limits
        self._standstill: asyncio.TimerHandle | None = None
        self._deserted: asyncio.TimerHandle | None = None
        self._unaware: set[Seat] = set()
        """Whose players do not know yet that the server was away."""

    def after_restart(self) -> None:
        """The server was away, and with it everybody."""
        chairs = self._table.seating.chairs
        self._unaware = {Seat(seat) for seat, chair in enumerate(chairs) if chair.awaited}
        self.look()

    def wait_for_anybody(self) -> None:
        """Somebody lost the connection. A host who waits for others alone has a grace to come back
        before the table closes; in a match the standstill gives them longer."""
        if self._deserted is None and self._table.is_deserted():
            loop = asyncio.get_running_loop()
            grace_s = self._limits.grace_s
            self._deserted = loop.call_later(grace_s, self._table.close_if_deserted)

    def somebody_came(self) -> None:
        """Somebody sits down or watches: the table is not deserted any more."""
        if self._deserted is not None:
            self._deserted.cancel()
            self._deserted = None

    def lost(self, seat: Seat) -> None:
        """The player of this seat has lost the line."""
        chair = self._table.seating.chairs[seat]
        chair.drop(self._grace_s, partial(self._grace_over, seat))
        if chair.state is SeatState.AWAY:  # a bot plays already, and goes on
            self._table.bot_plays(seat)
        self.look()

    def found(self, seat: Seat, guest: "Guest") -> bool:
        """The player is back, whoever has held the seat meanwhile; whether it was missed at all.

        If it was not, an older connection has the seat, which may not even know that it broke.
        """
        chair = self._table.seating.chairs[seat]
        missed = chair.state is not SeatState.HERE
        chair.reseat(guest)
        if seat in self._unaware:
            self._unaware.discard(seat)
            guest.send(Notice(NoticeCode.SERVER_CAME_BACK))
        self.look()
        return missed

    def hurry(self, seat: Seat) -> None:
        """This seat, which is held, is held no longer."""
        self._table.give_to_bot(seat, for_good=False)

    def give_up(self, seat: Seat) -> None:
        """Its player, who has lost the line, is waited for no more and does not come back."""
        chair = self._table.seating.chairs[seat]
        if self._table.phase is not TablePhase.PLAYING:
            self._table.let_go(seat)
        elif chair.bot is None:
            self._table.give_to_bot(seat, for_good=True)
        else:
            chair.give_up(chair.bot)
        self.look()

    def look(self) -> None:
        """After whoever came or went: does the match stand still, or go on?"""
        seating = self._table.seating
        if seating.awaits() and not seating.guests():
            self._stand_still()
        elif self._standstill is not None:
            self._go_on()
            # Who has not come back yet had perhaps no chance to.
            for number, chair in enumerate(seating.chairs):
                if chair.state is SeatState.DROPPED:
                    chair.hold(self._grace_s, partial(self._grace_over, Seat(number)))

    def over(self) -> None:
        """The match is: nobody is waited for any more."""
        for chair in self._table.seating.chairs:
            chair.stop_waiting()
        self.somebody_came()
        if self._standstill is not None:
            self._standstill.cancel()
            self._standstill = None

    @property
    def _grace_s(self) -> float:
        limits, races = self._limits, self._table.rules.rules.races
        # A race goes on without the seat, which is soon too far behind.
        return min(limits.grace_s, limits.race_grace_s) if races else limits.grace_s

    def _grace_over(self, seat: Seat) -> None:
        if self._table.phase is not TablePhase.PLAYING:
            self._table.let_go(seat)
        elif self._table.seating.guests():
            self._table.give_to_bot(seat, for_good=False)

    def _stand_still(self) -> None:
        if (match := self._table.match) is not None:
            match.stand_still()
        for chair in self._table.seating.chairs:
            chair.rest()
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
            chair.wake()
