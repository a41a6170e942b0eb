"""A table: what people may ask of it, and who may ask."""

from dataclasses import dataclass, field
from functools import partial

from protocol.from_server import NoticeCode
from protocol.ids import Seat
from protocol.listing import TablePhase
from protocol.pace import Pace
from protocol.refusal import RefusalCode
from protocol.text import clean
from server.config import Limits
from server.matches.match import WhenKept, nobody_waits
from server.tables.chat import Chat
from server.tables.hints import Hints
from server.tables.news import News
from server.tables.playing import Playing
from server.tables.ports import Guest, House
from server.tables.presence import Presence
from server.tables.recorded import Recorded
from server.tables.refusals import Impossible
from server.tables.runner import MatchRunner
from server.tables.seat import SeatState
from server.tables.state import TableState


@dataclass(kw_only=True, eq=False, slots=True)
class Table(TableState):
    """Made by the lobby. Every method may raise Impossible, and then nothing has changed."""

    house: House
    runner: MatchRunner
    limits: Limits
    news: News = field(init=False)
    chat: Chat = field(init=False)
    hints: Hints = field(init=False)
    recorded: Recorded = field(init=False)
    playing: Playing = field(init=False)
    presence: Presence = field(init=False)

    def __post_init__(self) -> None:
        self.news = News(self, self.house)
        self.chat = Chat(self, self.news, self.limits)
        self.hints = Hints(self, self.news, self.runner, self.limits)
        self.recorded = Recorded(self, self.runner)
        self.playing = Playing(self, self.news, self.runner, self.house, self._after_match)
        self.presence = Presence(self, self.news, self.playing, self.house, self.limits)

    def _after_match(self) -> None:
        self.recorded.match_over()
        self.presence.match_over()

    # Coming and going ----------------------------------------------------------------------------

    def join(self, guest: Guest, seat: int | None) -> bool:
        """Sit down; a watcher of this table may. Returns whether the guest has an own seat in the
        match again."""
        if guest.table is not None and guest not in self.watchers:
            raise Impossible(RefusalCode.ALREADY_AT_TABLE, table=guest.table)
        if (own := self.own_seat(guest, seat)) is not None:
            if guest in self.watchers:
                self.presence.stop_watching(guest)
            self._reseat(guest, own, -1, came_with=b"")
            return True
        self.presence.refuse_kicked(guest)
        if self.phase is TablePhase.PLAYING:
            raise Impossible(RefusalCode.MATCH_RUNNING)
        self.house.refuse_beginning()
        if self.deal is not None:
            self.deal.refuse(guest, self.code, sits=True)
        self.house.refuse(guest, tables=1)
        taken = self.seating.sit(guest, seat)
        if guest in self.watchers:
            self.presence.stop_watching(guest)
        self.presence.came(guest)
        if self.match is not None:
            self.match.give_up(taken)  # the seat's former owner cannot come back to it
        self.news.choose_host()
        self.chat.tell(guest)
        self.news.say(NoticeCode.JOINED, name=guest.name, seat=taken)
        self.news.touch()
        return False

    def own_seat(self, guest: Guest, wanted: int | None) -> Seat | None:
        """The seat in the match that is the guest's by identity, until a token of it was used:
        from then on its owner needs a token. It is a seat whose owner is gone, or the seat that
        the guest asks for, where an older connection may not have been found to be broken yet."""
        playing = self.phase is TablePhase.PLAYING
        for own in self.seating.owned_by(guest.identity):
            gone = self.seating.chairs[own].awaited
            opens = gone if wanted is None else own == wanted and (gone or playing)
            if opens and self.match is not None and self.match.token_unused(own):
                return own
        return None

    def watch(self, guest: Guest, match: str = "", since: int = -1) -> None:
        """See the table and its matches; at any time. `since`: the newest version of that match
        that the guest has seen, -1 = none."""
        if guest.table is not None:
            raise Impossible(RefusalCode.ALREADY_AT_TABLE, table=guest.table)
        self.presence.refuse_kicked(guest)
        if not self.access.watchable:
            raise Impossible(RefusalCode.NO_WATCHERS)
        if self.deal is not None:
            self.deal.refuse(guest, self.code, sits=False)
        self.house.refuse_beginning()
        if len(self.watchers) >= self.limits.watchers:
            raise Impossible(RefusalCode.TOO_MANY_WATCHERS, limit=self.limits.watchers)
        self.watchers.append(guest)
        self.presence.came(guest)
        self.chat.tell(guest)
        guest.watches(self.code)
        if self.deal is not None and self.matches:
            self.deal.saw(self.code, sat=(), watched=(guest,))
        self.news.watcher_came(guest)
        self.house.when_kept(self.code, partial(self._show, guest, match, since))
        self.tell_ranking(guest)

    def _show(self, guest: Guest, match: str, since: int) -> None:
        """Let a watcher who is still here see the match, if there is one."""
        if self.match is not None and guest in self.watchers:
            self.match.detach(None, guest.show)  # who went and came back is shown it once
            if guest.crowd is not None:
                guest.crowd.hide(guest.show)
            self.match.attach(
                None, guest.show, since if match == self.match.id else -1, crowd=guest.crowd
            )

    def resume(self, guest: Guest, token: bytes, since: int) -> None:
        """Give the bearer of a seat's token the seat; an older connection that still has it is told
        so. `since`: the newest version that the guest has seen, -1 = none."""
        if guest.table is not None:
            raise Impossible(RefusalCode.ALREADY_AT_TABLE, table=guest.table)
        if self.match is None or (seat := self.match.seat_of(token)) is None:
            # Only without a valid token does the name count: a kick revokes the token, and an owner
            # who comes back has a substitute name, since the seat holds the owner's.
            self.presence.refuse_kicked(guest)
            raise Impossible(RefusalCode.BAD_TOKEN)
        self._reseat(guest, seat, since, came_with=token)

    def _reseat(self, guest: Guest, seat: Seat, since: int, *, came_with: bytes) -> None:
        """Give the owner of a seat the seat again."""
        assert self.match is not None
        chair = self.seating.chairs[seat]
        handed_over = chair.handed_over
        if chair.guest is None and not chair.awaited:  # the match has ended meanwhile
            self.seating.sit(guest, seat)
            self.news.say(NoticeCode.JOINED, name=guest.name, seat=seat)
        elif (away_s := self.presence.reseat(seat, guest)) is not None:
            self.news.say(NoticeCode.CAME_BACK, name=guest.name, seat=seat, away_s=away_s)
        self.presence.came(guest)
        self.news.choose_host()
        self.chat.tell(guest)
        self.playing.connect(seat, guest, since, came_with=came_with)
        if handed_over:
            self.playing.hand_over(seat)  # they wished it up to the end
        self.tell_ranking(guest)
        self.news.touch()

    def tell_ranking(self, *guests: Guest) -> None:
        """Tell them how all tables have played this table's deal, once that is open."""
        if self.deal is not None and self.deal.ranked and self.match is not None:
            ranking = self.deal.ranking(self.match.id)
            for guest in guests:
                guest.send(ranking)

    def leave(self, guest: Guest, answer: WhenKept = nobody_waits) -> None:
        """Go because the guest wants to. In a match a bot plays the seat from now on; `answer` is
        called when that is so after a crash, too."""
        self.presence.leave(guest, answer)

    def drop(self, guest: Guest) -> None:
        """Go because the connection is closed. In a match the seat is held for a while."""
        self.presence.drop(guest)

    def falls_silent(self, guest: Guest) -> None:
        """The guest's action is due and the line has been silent for long: hold the seat for a
        grace, as if it had dropped, where another player waits."""
        self.presence.falls_silent(guest)

    def is_heard(self, guest: Guest) -> None:
        """Undo `falls_silent`."""
        self.presence.is_heard(guest)

    def kick(self, guest: Guest, name: str, answer: WhenKept = nobody_waits) -> None:
        """Host: send somebody else away, for as long as the table stands; `answer` as for
        `leave`."""
        self.need_host(guest)
        self.presence.kick(guest, name, answer)

    def stop(self) -> None:
        """The server stops: wait for nobody, let bots rest, and let go of a match whose result
        everybody has heard; the journal keeps any other for the next start."""
        self.presence.stop_waiting()
        if self.phase is TablePhase.ENDED and not self.seating.awaits():
            self.playing.let_go()
        for chair in self.seating.chairs:
            chair.rest()

    # The match -----------------------------------------------------------------------------------

    def set_bot(self, guest: Guest, seat: int, level: str | None) -> None:
        """Host, between matches: put a bot on a seat or take it off."""
        self.need_host(guest)
        self._need_no_match()
        if level is not None:
            self.need_level(level)
        if level is None and self.seed is not None:
            raise Impossible(RefusalCode.SEED_NEEDS_BOTS)
        if level is not None and self.seating[seat].state is SeatState.FREE:
            self.house.refuse(guest, bots=1)
        self.seating.set_bot(seat, level or "")
        self.news.touch()

    def need_level(self, level: str) -> None:
        """Raises Impossible where the game has no bots of this level, or the server allows none."""
        if level not in self.game.bots or not self.limits.allows(level):
            raise Impossible(RefusalCode.NO_SUCH_LEVEL, level=clean(level))

    def set_pace(self, guest: Guest, pace: Pace) -> None:
        """Host: how fast bots act from now on, while one person plays alone against them."""
        self.need_host(guest)
        self.playing.set_pace(pace)

    def set_ready(self, guest: Guest, ready: bool) -> None:
        """Say that the match may begin, or not yet."""
        self._need_no_match()
        self.seating.chairs[self.seat_of(guest)].set_ready(ready)
        self.news.touch()

    def start(self, guest: Guest, answer: WhenKept = nobody_waits) -> None:
        """Host: begin; all seats are filled, all other people ready. `answer` is called when every
        player was sent a token."""
        self.need_host(guest)
        self._need_no_match()
        self._need_deal_over()
        self.house.refuse_beginning()
        if not self.seating.filled():
            raise Impossible(RefusalCode.NOT_FILLED)
        if not self.seating.all_ready(but=guest):
            raise Impossible(RefusalCode.NOT_READY)
        self.playing.begin(answer)
        self.news.touch()

    def rematch(self, guest: Guest, answer: WhenKept = nobody_waits) -> None:
        """Ask for another match, which the last player who asks begins; `answer` as in `start`."""
        seat = self.seat_of(guest)
        self._need_no_match()
        if self.phase is not TablePhase.ENDED:
            raise Impossible(RefusalCode.NOT_PLAYED)
        self._need_deal_over()
        self.house.refuse_beginning()
        if not self.seating.filled():
            raise Impossible(RefusalCode.NOT_FILLED)
        self.seating.chairs[seat].set_ready(True)
        self.news.say(NoticeCode.WANTS_REMATCH, name=guest.name, seat=seat)
        if self.seating.all_ready():
            self.playing.begin(answer)
        else:
            answer()
        self.news.touch()

    def need_host(self, guest: Guest) -> None:
        """Raises Impossible for all but the host."""
        if self.host is None or self.host != self.seating.seat_of(guest):
            raise Impossible(RefusalCode.NOT_HOST)

    def _need_no_match(self) -> None:
        if self.phase is TablePhase.PLAYING:
            raise Impossible(RefusalCode.MATCH_RUNNING)

    def _need_deal_over(self) -> None:
        """The table's result stands until all tables of its deal are ranked."""
        if self.phase is TablePhase.ENDED and self.deal_open:
            raise Impossible(RefusalCode.DEAL_OPEN)
