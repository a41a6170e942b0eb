"""How people come to a table and go from it, and how long the table waits for them.

Players leave, drop (lose the connection) or are kicked by the host, and everybody is told which.
Watchers and, between matches, players are simply removed. During a match a dropped player's seat is
held for a grace; then a bot plays it, and its owner may take it back at any turn. The seat of a
player who left or was kicked is a bot's for good, and no token opens it any more.

Law: nobody waits for ever. The others wait for a dropped player no longer than the grace. While no
player is here and an owner may come back, the match stands still; after a limit the table closes.
When nobody is here and nobody may come back, the table closes at once: bots play for nobody. The
journal keeps how far a match came. When the server starts again, every player has dropped.
"""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Final

from protocol.from_server import LeftTable, Notice, NoticeCode, TableGone
from protocol.ids import Seat
from protocol.listing import TablePhase
from protocol.refusal import RefusalCode
from protocol.text import clean, name_key
from server.config import Limits
from server.matches.match import WhenKept, nobody_waits
from server.matches.tokens import NO_SEATS
from server.tables.kicked import Kicked
from server.tables.news import News
from server.tables.playing import Playing
from server.tables.ports import Guest, House
from server.tables.refusals import Impossible
from server.tables.seat import SeatState
from server.tables.state import TableState
from server.timer import Timer


class Presence:
    """Knows one table. Each seat has its own timer for the grace; the table's timer is here, and
    closes a table that stands still or is deserted."""

    def __init__(
        self, table: TableState, news: News, playing: Playing, house: House, limits: Limits
    ) -> None:
        self._table: Final = table
        self._news: Final = news
        self._playing: Final = playing
        self._house: Final = house
        self._limits: Final = limits
        self._timer: Final = Timer()
        self._stands_still = False
        self._kicked: Final = Kicked()
        self._unaware: frozenset[Seat] = NO_SEATS
        """The seats whose players have not been told yet that the server restarted."""
        self._gone_at_s: dict[Seat, float] = {}
        """When the players of these seats lost the connection, on the loop's clock."""

    # Coming --------------------------------------------------------------------------------------

    def refuse_kicked(self, guest: Guest) -> None:
        """Raises Impossible for somebody who was sent away."""
        if self._kicked.holds(guest):
            raise Impossible(RefusalCode.KICKED, table=self._table.code)

    def came(self, guest: Guest) -> None:
        """The guest sits or watches here from now on."""
        guest.table = self._table.code
        self._update_standstill()
        if not self._stands_still:
            self._timer.stop()

    def reseat(self, seat: Seat, guest: Guest) -> int | None:
        """Give the seat to its owner, who is back after so many seconds; 0 where a restart of the
        server has forgotten it. Returns None if the seat was never vacant: an older connection had
        it, and nobody had noticed whether it broke."""
        chair = self._table.seating.chairs[seat]
        missed = chair.state is not SeatState.HERE
        now_s = asyncio.get_running_loop().time()
        away_s = round(now_s - self._gone_at_s.pop(seat, now_s))
        chair.reseat(guest)
        if seat in self._unaware:
            self._unaware -= {seat}
            guest.send(Notice(NoticeCode.SERVER_CAME_BACK))
        self._update_standstill()
        return away_s if missed else None

    # Going ---------------------------------------------------------------------------------------

    def leave(self, guest: Guest, answer: WhenKept) -> None:
        """The guest wants to go. In a match a bot plays the seat for good, and `answer` is called
        when that is so after a crash, too."""
        self._go(guest, NoticeCode.LEFT, answer)
        self._close_if_deserted()

    def drop(self, guest: Guest) -> None:
        """The guest's connection is closed. In a match the seat is held for a while. Between
        matches a table that is deserted now closes after a grace, so that a lonely host can come
        back to it."""
        self._go(guest, NoticeCode.DROPPED, nobody_waits)
        if self._table.phase is TablePhase.PLAYING:
            self._close_if_deserted()
        elif self._table.is_deserted():
            self._timer.start(self._limits.grace_s, self._close_if_deserted)

    def falls_silent(self, guest: Guest) -> None:
        """Others wait for this player, whose line is silent: hold the seat for a grace."""
        table = self._table
        seat = table.seating.seat_of(guest)
        others = [chair for chair in table.seating.chairs if chair.guest not in (None, guest)]
        if seat is None or not table.waits_for(guest) or all(chair.silent for chair in others):
            return
        chair = table.seating.chairs[seat]
        if chair.state is SeatState.HERE:
            chair.fall_silent(self._grace_s, partial(self._silence_over, seat))
            self._gone_at_s[seat] = asyncio.get_running_loop().time()
            self._news.say(NoticeCode.DROPPED, name=guest.name, seat=seat)
            self._news.touch()

    def is_heard(self, guest: Guest) -> None:
        """A silent player's line is alive again; a bot that stood in stops."""
        seat = self._table.seating.seat_of(guest)
        if seat is None or not (chair := self._table.seating.chairs[seat]).silent:
            return
        stood_in = chair.state is SeatState.PLAYED_FOR
        chair.speak()
        now_s = asyncio.get_running_loop().time()
        away_s = round(now_s - self._gone_at_s.pop(seat, now_s))
        if stood_in:
            with suppress(Impossible):  # their time is up: they play again in the next turn
                self._playing.take_back_from_bot(seat)
        else:
            self._news.say(NoticeCode.CAME_BACK, name=guest.name, seat=seat, away_s=away_s)
        self._news.touch()

    def _silence_over(self, seat: Seat) -> None:
        if self._table.phase is TablePhase.PLAYING:
            self._playing.stand_in(seat)
            self._playing.announce_bot(seat)

    def kick(self, host: Guest, name: str, answer: WhenKept) -> None:
        """Send the person of that name away for as long as the table stands, with all their
        connections; `answer` as for `leave`. Raises Impossible."""
        gone = self._named(name)
        if gone is host:
            raise Impossible(RefusalCode.NOT_YOURSELF)
        away = self._send_away(gone, NoticeCode.KICKED, answer, by=host)
        for guest in away:
            guest.send(LeftTable(self._table.code, TableGone.KICKED))

    def expel(self, gone: Guest | Seat) -> None:
        """The operator of the server sends a person of this table away, or the absent owner of a
        seat, for as long as the table stands. Those who are here have lost the table silently."""
        self._send_away(gone, NoticeCode.EXPELLED, nobody_waits, by=None)

    def _send_away(
        self, gone: Guest | Seat, how: NoticeCode, answer: WhenKept, *, by: Guest | None
    ) -> list[Guest]:
        """Send somebody away wherever they are at this table. Returns those who were here."""
        whose = self._table.seating.chairs[gone] if isinstance(gone, int) else gone
        identity = whose.identity
        if by is not None and by.identity == identity:
            identity = b""  # of two connections of the same person one stays
        self._kicked.add(whose.name, identity, None if isinstance(gone, int) else gone)
        if isinstance(gone, int):
            self._send_away_absent(Seat(gone), how, answer)
            away = list[Guest]()
        else:
            self._go(gone, how, answer)
            away = [gone]
        for other in [one for one in self._table.people() if identity and one.identity == identity]:
            self._kicked.add(other.name, identity, other)
            self._go(other, how, nobody_waits)
            away.append(other)
        for seat in self._table.seating.owned_by(identity):
            if self._table.seating.chairs[seat].awaited:
                self._send_away_absent(seat, how, nobody_waits)
        self._close_if_deserted()
        return away

    def stop_watching(self, guest: Guest) -> None:
        """Send the watcher nothing more of the match."""
        self._table.watchers.remove(guest)
        crowd = guest.crowd
        guest.watches(None)
        if (match := self._table.match) is not None:
            match.detach(None, guest.show)
            if crowd is not None and crowd.empty:
                match.detach(None, crowd.show)

    def _named(self, name: str) -> Guest | Seat:
        """The person of that name who is here, or the seat of an absent owner of that name."""
        key = name_key(clean(name))
        for guest in self._table.people():
            if name_key(guest.name) == key:
                return guest
        for seat, chair in enumerate(self._table.seating.chairs):
            if chair.awaited and name_key(chair.name) == key:
                return Seat(seat)
        raise Impossible(RefusalCode.NOBODY_OF_THAT_NAME, name=clean(name))

    def _send_away_absent(self, seat: Seat, how: NoticeCode, answer: WhenKept) -> None:
        table, chair = self._table, self._table.seating.chairs[seat]
        self._news.say(how, name=chair.name, seat=seat)
        assert table.match is not None  # a seat is held only for the owner of a token
        table.match.give_up(seat, answer)
        if table.phase is not TablePhase.PLAYING:
            self._free(seat)
        elif chair.bot is None:
            self._playing.give_to_bot(seat, for_good=True)
        else:
            chair.give_up(chair.bot)
        self._update_standstill()

    def _go(self, guest: Guest, how: NoticeCode, answer: WhenKept) -> None:
        table = self._table
        guest.table = None
        if guest in table.watchers:
            self.stop_watching(guest)
            if how not in (NoticeCode.KICKED, NoticeCode.EXPELLED):
                self._news.watcher_went(guest.name)
                answer()
                return
            self._news.say(how, name=guest.name)
        elif (seat := table.seating.seat_of(guest)) is not None:
            self._leave_seat(guest, seat, how)
            if table.match is not None and how is not NoticeCode.DROPPED:
                table.match.give_up(seat, answer)
                answer = nobody_waits
        answer()
        self._news.touch()

    def _leave_seat(self, guest: Guest, seat: Seat, how: NoticeCode) -> None:
        table = self._table
        if not (table.seating.chairs[seat].silent and how is NoticeCode.DROPPED):
            self._news.say(how, name=guest.name, seat=seat)
        if table.match is not None:
            table.match.detach(seat, guest.send)
        if table.phase is not TablePhase.PLAYING:
            table.seating.chairs[seat].free()
            self._news.choose_host()
            return
        if how is NoticeCode.DROPPED:
            self._hold_seat(seat)
        else:
            self._playing.give_to_bot(seat, for_good=True)
        self._update_standstill()

    # Waiting -------------------------------------------------------------------------------------

    def after_restart(self, *, told: bool = True) -> None:
        """Wait for every owner: the server was away, and so was everybody. `told`: say so to those
        who come back."""
        chairs = self._table.seating.chairs
        if told:
            self._unaware = frozenset(
                Seat(seat) for seat, chair in enumerate(chairs) if chair.awaited
            )
        self._update_standstill()

    def await_anybody(self) -> None:
        """Stand for a while, though nobody is here."""
        self._timer.start(self._limits.standstill_s, self._close_if_deserted)

    def match_over(self) -> None:
        """Wait for nobody any more: the owners of held seats have lost them."""
        self.stop_waiting()
        self._news.choose_host()
        self._news.touch()
        self._close_if_deserted()

    def stop_waiting(self) -> None:
        """Cancel all timers."""
        for chair in self._table.seating.chairs:
            chair.stop_waiting()
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

    def _close_if_deserted(self) -> None:
        if self._table.is_deserted():
            self._end()

    def _end(self) -> None:
        self.end_without_match()
        self._playing.let_go()
        self._house.closed(self._table.code)

    def _hold_seat(self, seat: Seat) -> None:
        chair = self._table.seating.chairs[seat]
        # The grace of a player who was silent before has begun already.
        silent, grace_s = chair.silent, self._grace_s
        chair.drop(chair.grace_left_s if silent else grace_s, partial(self._grace_over, seat))
        if not silent:
            self._gone_at_s[seat] = asyncio.get_running_loop().time()
        if chair.state is SeatState.AWAY and not silent:  # a bot stood in already, and goes on
            self._playing.announce_bot(seat)

    def _update_standstill(self) -> None:
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
        for chair in self._table.seating.chairs:
            chair.rest()
        wait_s = self._limits.standstill_s
        if not self._table.acted:
            wait_s = min(wait_s, self._limits.untouched_s)
        self._timer.start(wait_s, self.close)

    def _go_on(self) -> None:
        self._stands_still = False
        self._timer.stop()
        if (match := self._table.match) is not None:
            match.go_on()
        for number, chair in enumerate(self._table.seating.chairs):
            chair.wake()
            # All had lost the connection: a player whose grace has ended gets another grace.
            if chair.state is SeatState.DROPPED:
                chair.hold(self._grace_s, partial(self._grace_over, Seat(number)))

    @property
    def _grace_s(self) -> float:
        limits, races = self._limits, self._table.game.rules.races
        # A race goes on without the seat, which is soon too far behind.
        return min(limits.grace_s, limits.race_grace_s) if races else limits.grace_s

    def _grace_over(self, seat: Seat) -> None:
        if self._table.phase is not TablePhase.PLAYING:
            self._let_go(seat)
        elif self._table.seating.guests():
            self._playing.give_to_bot(seat, for_good=False)

    def _let_go(self, seat: Seat) -> None:
        """The match is over, and the owner of this seat is not awaited any more."""
        self._free(seat)
        self._close_if_deserted()

    def _free(self, seat: Seat) -> None:
        self._table.seating.chairs[seat].free()
        self._news.choose_host()
        self._news.touch()
