"""Who is at a table and who may come back, and how long the table waits for them.

Players leave, drop (lose the connection) or are kicked by the host, and everybody is told which.
Watchers and, between matches, players are simply removed. During a match a dropped player's seat is
held for a grace; then a bot plays it, and its owner may take it back at any turn. The seat of a
player who left or was kicked is a bot's for good, and no token opens it any more.

Law: nobody waits for ever. The others wait for a dropped player no longer than the grace. While no
player is here and an owner may come back, the match stands still; after a limit the table closes.
When nobody is here and nobody may come back, the table closes at once: bots play for nobody. The
journal keeps how far a match came. When the server starts again, every player has dropped.
"""

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from protocol.from_server import LeftTable, Notice, NoticeCode, TableGone
from protocol.ids import Seat
from protocol.table import TablePhase
from server.matches.tokens import NO_SEATS
from server.tables.access import Impossible
from server.tables.seat import SeatState
from server.tasks import Timer

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.table import Table


class Presence:
    """Knows one table. Each seat has its own timer for the grace; the table's timer is here, and
    closes a table that stands still or is deserted."""

    __slots__ = ("_stands_still", "_table", "_timer", "_unaware")

    def __init__(self, table: "Table") -> None:
        self._table: Final = table
        self._timer: Final = Timer()
        self._stands_still = False
        self._unaware: frozenset[Seat] = NO_SEATS
        """The seats whose players have not been told yet that the server restarted."""

    def came(self, guest: "Session") -> None:
        """The guest sits or watches here from now on."""
        guest.table = self._table.code
        self.update_standstill()
        if not self._stands_still:
            self._timer.stop()

    def reseat(self, seat: Seat, guest: "Session") -> int | None:
        """Give the seat to its owner, who is back after so many seconds; 0 where a restart of the
        server has forgotten it. Returns None if the seat was never vacant: an older connection had
        it, and nobody had noticed whether it broke."""
        chair = self._table.seating.chairs[seat]
        missed = chair.state is not SeatState.HERE
        away_s = chair.away_s()
        chair.reseat(guest)
        if seat in self._unaware:
            self._unaware -= {seat}
            guest.send(Notice(NoticeCode.SERVER_CAME_BACK))
        self.update_standstill()
        return away_s if missed else None

    # Silence ------------------------------------------------------------------------------------

    def falls_silent(self, guest: "Session") -> None:
        """The guest's action is due and the line has been silent for long: hold the seat for a
        grace, as if it had dropped, where another player waits."""
        table = self._table
        seat = table.seating.seat_of(guest)
        others = [chair for chair in table.seating.chairs if chair.guest not in (None, guest)]
        if seat is None or not table.waits_for(guest) or all(chair.silent for chair in others):
            return
        chair = table.seating.chairs[seat]
        if chair.state is SeatState.HERE:
            chair.fall_silent(self._grace_s, partial(self._silence_over, seat))
            table.news.say(NoticeCode.DROPPED, name=guest.name, seat=seat)
            table.news.touch()

    def is_heard(self, guest: "Session") -> None:
        """Undo `falls_silent`; a bot that stood in stops."""
        seat = self._table.seating.seat_of(guest)
        if seat is None or not (chair := self._table.seating.chairs[seat]).silent:
            return
        stood_in = chair.state is SeatState.PLAYED_FOR
        chair.speak()
        away_s = chair.away_s()
        if stood_in:
            with suppress(Impossible):  # their time is up: they play again in the next turn
                self._table.playing.take_back_from_bot(seat)
        else:
            self._table.news.say(NoticeCode.CAME_BACK, name=guest.name, seat=seat, away_s=away_s)
        self._table.news.touch()

    def _silence_over(self, seat: Seat) -> None:
        if self._table.phase is TablePhase.PLAYING:
            self._table.playing.stand_in(seat)
            self._table.playing.announce_bot(seat)

    # Waiting -------------------------------------------------------------------------------------

    def after_restart(self, *, told: bool = True) -> None:
        """Wait for every owner: the server was away, and so was everybody. `told`: say so to those
        who come back."""
        chairs = self._table.seating.chairs
        if told:
            self._unaware = frozenset(
                Seat(seat) for seat, chair in enumerate(chairs) if chair.awaited
            )
        self.update_standstill()

    def await_anybody(self, for_s: float) -> None:
        """Stand for so long, though nobody is here."""
        self._timer.start(for_s, self.close_if_deserted)

    def match_over(self) -> None:
        """Wait for nobody any more: the owners of held seats have lost them."""
        self.stop_waiting()
        self._table.choose_host()
        self._table.news.touch()
        self.close_if_deserted()

    def stop_waiting(self) -> None:
        """Cancel all timers."""
        for chair in self._table.seating.chairs:
            chair.grace.stop()
        self._stands_still = False
        self._timer.stop()

    def close(self) -> None:
        """Close the table and send everybody back to the lobby."""
        for guest in self._table.people():
            guest.table = None
            guest.send(LeftTable(self._table.code, TableGone.CLOSED))
        self._table.forget_watchers()  # else news of this turn would still reach them
        self._end()

    def may_rest(self) -> bool:
        """Whether nobody is here, and what was asked of the match is done: then it can go on
        from the journal alone."""
        table = self._table
        settled = table.match is None or (table.match.begun and table.match.settled)
        return settled and not table.people() and self._timer.runs

    @property
    def patience_s(self) -> float:
        """How much longer this table, where nobody is, stands."""
        return self._timer.left_s

    def end_without_match(self) -> None:
        """The match rests, and there is no table any more."""
        self.stop_waiting()
        for chair in self._table.seating.chairs:
            chair.end_match()

    def close_if_deserted(self) -> None:
        """Close the table where nobody is here or may come back."""
        if self._table.is_deserted():
            self._end()

    def _end(self) -> None:
        self.end_without_match()
        self._table.playing.let_go()
        self._table.lobby.closed(self._table.code)

    def hold_seat(self, seat: Seat) -> None:
        """The seat's player has lost the connection."""
        chair = self._table.seating.chairs[seat]
        # The grace of a player who was silent before has begun already.
        silent, grace_s = chair.silent, self._grace_s
        chair.drop(chair.grace.left_s if silent else grace_s, partial(self._grace_over, seat))
        if chair.state is SeatState.AWAY and not silent:  # a bot stood in already, and goes on
            self._table.playing.announce_bot(seat)

    def update_standstill(self) -> None:
        """After players came or went, let the match stand still or go on."""
        seating = self._table.seating
        still = seating.awaits() and not seating.guests()
        if still and not self._stands_still:
            self._stand_still()
        elif self._stands_still and not still:
            self._go_on()

    def _stand_still(self) -> None:
        self._stands_still = True
        if (match := self._table.match) is not None:
            match.stand_still()
        for bot in self._table.seating.bots():
            bot.rest()
        limits = self._table.lobby.limits
        wait_s = limits.standstill_s
        if not self._table.acted:
            wait_s = min(wait_s, limits.untouched_s)
        self._timer.start(wait_s, self.close)

    def _go_on(self) -> None:
        self._stands_still = False
        self._timer.stop()
        if (match := self._table.match) is not None:
            match.go_on()
        for bot in self._table.seating.bots():
            bot.wake()
        for number, chair in enumerate(self._table.seating.chairs):
            # All had lost the connection: a player whose grace has ended gets another grace.
            if chair.state is SeatState.DROPPED:
                chair.hold(self._grace_s, partial(self._grace_over, Seat(number)))

    @property
    def _grace_s(self) -> float:
        limits, races = self._table.lobby.limits, self._table.game.rules.races
        # A race goes on without the seat, which is soon too far behind.
        return min(limits.grace_s, limits.race_grace_s) if races else limits.grace_s

    def _grace_over(self, seat: Seat) -> None:
        if self._table.phase is not TablePhase.PLAYING:
            self.free(seat)
            self.close_if_deserted()
        elif self._table.seating.guests():
            self._table.playing.give_to_bot(seat, for_good=False)

    def free(self, seat: Seat) -> None:
        """The owner of this seat is not awaited any more; no match runs."""
        self._table.seating.chairs[seat].free()
        self._table.choose_host()
        self._table.news.touch()
