"""A table: the people at it, its seats and its phase. What a match needs is in `starter`."""

from typing import Any, Final

from protocol.clock import Clock
from protocol.from_server import LeftTable, NoticeCode, TableGone
from protocol.ids import Seat
from protocol.listing import TablePhase
from protocol.refusal import RefusalCode
from protocol.text import clean
from server.config import Limits
from server.games.contract import Game
from server.matches.match import Match
from server.matches.ports import WhenKept, nobody_waits
from server.tables.absence import Absence
from server.tables.chat import Chat
from server.tables.guest import Guest
from server.tables.house import House
from server.tables.leaving import Leaving
from server.tables.news import News
from server.tables.racing import line_of, start_measuring
from server.tables.refusals import Impossible
from server.tables.seat import Chair, SeatState
from server.tables.seating import Seating


class Table:
    """Made by the lobby. Every method may raise Impossible, and then nothing has changed."""

    def __init__(
        self,
        house: House,
        code: str,
        *,
        game: str,
        rules: Game,
        seats: int,
        title: str,
        preset: str,
        options: Any,
        clock: Clock | None,
        limits: Limits,
    ) -> None:
        self.code: Final = code
        self.game: Final = game
        self.rules: Final = rules
        self.title: Final = title
        self.preset: Final = preset
        self.options = options
        self.clock: Final = clock
        self.seating = Seating([Chair(house.names) for _ in range(seats)])
        self.watchers: list[Guest] = []
        self.host: Seat | None = None
        self.phase = TablePhase.WAITING
        self.match: Match | None = None
        self.matches = 0
        self._house = house
        self._max_watchers = limits.watchers
        self.absence = Absence(self, limits)
        self.news = News(self, house)
        self.chat = Chat(self, limits)
        self.leaving = Leaving(self)

    # Who is there -------------------------------------------------------------------------------

    def people(self) -> list[Guest]:
        """Everybody at the table, the seated first."""
        return [*self.seating.guests(), *self.watchers]

    def join(self, guest: Guest, seat: int | None) -> None:
        """Sit down; a watcher of this table may."""
        if guest.table is not None and guest not in self.watchers:
            raise Impossible(RefusalCode.ALREADY_AT_TABLE, table=guest.table.code)
        self.leaving.refuse(guest)
        if self.phase is TablePhase.PLAYING:
            raise Impossible(RefusalCode.MATCH_RUNNING)
        taken = self.seating.sit(guest, seat)
        if guest in self.watchers:
            self.stop_watching(guest)
        guest.table = self
        self.absence.somebody_came()
        if self.match is not None:
            self.match.give_up(taken)  # whoever sat here before does no more
        self.find_host()
        self.chat.tell(guest)
        self.news.say(NoticeCode.JOINED, name=guest.name, seat=taken)
        self.news.touch()

    def watch(self, guest: Guest, match: str = "", since: int = -1) -> None:
        """See the table and its matches; at any time. `since`: the newest version of that match
        that the guest has seen, -1 = none."""
        if guest.table is not None:
            raise Impossible(RefusalCode.ALREADY_AT_TABLE, table=guest.table.code)
        self.leaving.refuse(guest)
        if len(self.watchers) >= self._max_watchers:
            raise Impossible(RefusalCode.TOO_MANY_WATCHERS, limit=self._max_watchers)
        self.watchers.append(guest)
        guest.table = self
        self.absence.somebody_came()
        self.chat.tell(guest)
        if self.match is not None:
            self.match.attach(None, guest.show, since if match == self.match.id else -1)
        self.news.say(NoticeCode.WATCHING, name=guest.name)
        self.news.touch()

    def leave(self, guest: Guest) -> None:
        """Go of one's own will. In a match a bot plays the seat on."""
        self.leaving.leave(guest)

    def drop(self, guest: Guest) -> None:
        """Be gone. In a match the seat is held for a while."""
        self.leaving.drop(guest)

    def kick(self, guest: Guest, name: str) -> None:
        """Host: send somebody else away, for as long as the table stands."""
        self._need_host(guest)
        self.leaving.kick(guest, name)

    def stop_watching(self, guest: Guest) -> None:
        self.watchers.remove(guest)
        if self.match is not None:
            self.match.detach(None, guest.show)

    def give_to_bot(self, seat: Seat, *, for_good: bool) -> None:
        """A bot plays this seat under its owner's name, for good or until the owner is back."""
        self._house.starter.take_over(self, seat, for_good=for_good)
        self.bot_plays(seat)

    def bot_plays(self, seat: Seat) -> None:
        """Tell that a bot plays this seat from now on."""
        self.news.say(NoticeCode.BOT_TOOK_OVER, name=self.seating.chairs[seat].name, seat=seat)
        self.find_host()
        self.news.touch()

    def let_go(self, seat: Seat) -> None:
        """The match is over, and its player has not come back for the result."""
        self.seating.chairs[seat].free()
        self.find_host()
        self.news.touch()
        self.close_if_deserted()

    def find_host(self) -> None:
        had, self.host = self.host, self.seating.host_after(self.host)
        if self.host is not None and had not in (None, self.host):
            self.news.say(NoticeCode.HOST, name=self.seating.chairs[self.host].name)

    def resume(self, guest: Guest, token: bytes, since: int) -> None:
        """Give a seat back to whoever has its token; whoever sits there with an older connection is
        told so. `since`: the newest version that the guest has seen, -1 = none."""
        if guest.table is not None:
            raise Impossible(RefusalCode.ALREADY_AT_TABLE, table=guest.table.code)
        if self.match is None or (seat := self.match.seat_of(token)) is None:
            # Who was sent away has no token any more. Who has one is the seat's owner, whatever the
            # name until then: while the seat holds the player's own, it is one that others had.
            self.leaving.refuse(guest)
            raise Impossible(RefusalCode.BAD_TOKEN)
        chair = self.seating.chairs[seat]
        if chair.guest is None and not chair.awaited:  # the match has ended meanwhile
            self.seating.sit(guest, seat)
            self.news.say(NoticeCode.JOINED, name=guest.name, seat=seat)
        elif self.absence.found(seat, guest):
            self.news.say(NoticeCode.CAME_BACK, name=guest.name, seat=seat)
        guest.table = self
        self.absence.somebody_came()
        self.find_host()
        self.chat.tell(guest)
        start_measuring(guest)
        self.match.attach(seat, guest.send, since, came_with=token, line=line_of(guest))
        self.news.touch()

    def is_deserted(self) -> bool:
        """Whether the table does not play, nobody is there, and nobody is awaited."""
        playing = self.phase is TablePhase.PLAYING
        return not playing and not self.people() and not self.seating.awaits()

    def close_if_deserted(self) -> None:
        """With nobody there or awaited a table that is not playing is no more."""
        if self.is_deserted():
            self.absence.over()
            self._house.starter.end_match(self)
            self._house.closed(self)

    def close(self) -> None:
        """Send everybody back to the lobby and be no more."""
        for guest in self.people():
            guest.table = None
            guest.send(LeftTable(self.code, TableGone.CLOSED))
        for chair in self.seating.chairs:
            chair.end_match()
        self.absence.over()
        self._house.starter.end_match(self)
        self._house.closed(self)

    # What its people want -----------------------------------------------------------------------

    def seat_of(self, guest: Guest) -> Seat:
        """Raises Impossible for a watcher."""
        seat = self.seating.seat_of(guest)
        if seat is None:
            raise Impossible(RefusalCode.NOT_SEATED)
        return seat

    def set_bot(self, guest: Guest, seat: int, level: str | None) -> None:
        """Host, between matches: put a bot on a seat or take it off."""
        self._need_host(guest)
        self._need_no_match()
        if level is not None and level not in self.rules.bots:
            raise Impossible(RefusalCode.NO_SUCH_LEVEL, level=clean(level))
        self.seating.set_bot(seat, level or "")
        self.news.touch()

    def set_ready(self, guest: Guest, ready: bool) -> None:
        """Say that the match may begin, or not yet."""
        self._need_no_match()
        self.seating.chairs[self.seat_of(guest)].set_ready(ready)
        self.news.touch()

    def start(self, guest: Guest, answer: WhenKept = nobody_waits) -> None:
        """Host: begin; all seats are filled, all other people ready. `answer` is called when every
        player was sent a token."""
        self._need_host(guest)
        self._need_no_match()
        if not self.seating.filled():
            raise Impossible(RefusalCode.NOT_FILLED)
        if not self.seating.all_ready(but=guest):
            raise Impossible(RefusalCode.NOT_READY)
        self._begin(answer)

    def rematch(self, guest: Guest, answer: WhenKept = nobody_waits) -> None:
        """Ask for another match, which the last player who asks begins; `answer` as in `start`."""
        seat = self.seat_of(guest)
        self._need_no_match()
        if self.phase is not TablePhase.ENDED:
            raise Impossible(RefusalCode.NOT_PLAYED)
        if not self.seating.filled():
            raise Impossible(RefusalCode.NOT_FILLED)
        self.seating.chairs[seat].set_ready(True)
        self.news.say(NoticeCode.WANTS_REMATCH, name=guest.name, seat=seat)
        if self.seating.all_ready():
            self._begin(answer)
        else:
            answer()
        self.news.touch()

    def _begin(self, answer: WhenKept) -> None:
        self.phase = TablePhase.PLAYING
        self.matches += 1
        self._house.starter.begin(self, answer)
        self.news.touch()

    def match_ended(self, next_options: Any) -> None:
        """Called by the starter: seats of those who left are free again, the others may go on."""
        self.phase = TablePhase.ENDED
        self.options = next_options
        self.absence.over()
        for chair in self.seating.chairs:
            chair.end_match()
        self.find_host()
        self.news.touch()
        self.close_if_deserted()

    def _need_host(self, guest: Guest) -> None:
        if self.host is None or self.host != self.seating.seat_of(guest):
            raise Impossible(RefusalCode.NOT_HOST)

    def _need_no_match(self) -> None:
        if self.phase is TablePhase.PLAYING:
            raise Impossible(RefusalCode.MATCH_RUNNING)

    def free_seat(self) -> bool:
        """Whether somebody could sit down now."""
        waits = self.phase is not TablePhase.PLAYING
        return waits and any(c.state is SeatState.FREE for c in self.seating.chairs)
