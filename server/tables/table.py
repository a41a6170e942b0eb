"""A table: what is known of it, what people may ask of it, and who may ask."""

from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from protocol.errors import RefusalCode
from protocol.from_server import AskedBack, Leader, NoticeCode
from protocol.ids import Seat, TableCode
from protocol.table import Days, Pace, TablePhase
from protocol.text import clean
from server.games.contract import Game
from server.games.registry import GAMES
from server.matches.match import Match
from server.matches.wishes import Attach, WhenKept, nobody_waits
from server.tables.access import OPEN, Access, Impossible
from server.tables.deals import Deal, Terms
from server.tables.names import keys
from server.tables.news import Chat, TableNews
from server.tables.playing import Playing
from server.tables.presence import Presence
from server.tables.record import Recorded
from server.tables.seat import Chair, Seating, SeatState

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.lobby import Lobby


@dataclass(kw_only=True, eq=False, slots=True)
class Table:
    """Made by the lobby. What people ask of it may raise Impossible, and then nothing has changed.
    Each of its parts knows the table, and reaches the others through it."""

    lobby: "Lobby"
    code: TableCode
    title: str
    terms: Terms
    """What is played, and how; after a match, as in a rematch. `hints` None: see `gives_hints`."""
    game: Game = field(init=False)
    seed: bytes | None = None
    """What every match is dealt from, where the host has chosen it: then no other person may play,
    since the host knows the deal."""
    deal: Deal | None = None
    """What its match is dealt from, and others play, too; None after that match."""
    seating: Seating
    pace: InitVar[Pace] = Pace.NORMAL
    access: Access = OPEN
    watchers: list["Session"] = field(init=False, default_factory=list)
    host: Seat | None = None
    first_host: Seat | None = field(init=False, default=None)
    """Who was host when the match began, or before the first until they were away for longer than
    a grace, and is again whenever they come back to that seat."""
    match: Match | None = field(init=False, default=None)
    """The match that is played, or that was played last."""
    matches: int = 0
    """How many have begun."""
    leader: Leader | None = field(init=False, default=None)
    """Who leads all who are here through the match that is over; None: nobody."""

    asked_back: AskedBack | None = field(init=False, default=None)
    """At a table of days; void as soon as the match has another version."""

    news: TableNews = field(init=False)
    chat: Chat = field(init=False)
    recorded: Recorded = field(init=False)
    playing: Playing = field(init=False)
    presence: Presence = field(init=False)

    def __post_init__(self, pace: Pace) -> None:
        self.game = GAMES[self.terms.game_id]
        self.news = TableNews(self)
        self.chat = Chat(self)
        self.recorded = Recorded(self)
        self.playing = Playing(self, pace)
        self.presence = Presence(self)

    # Questions -----------------------------------------------------------------------------------

    @property
    def phase(self) -> TablePhase:
        if self.match is None:
            return TablePhase.WAITING
        return TablePhase.ENDED if self.match.over else TablePhase.PLAYING

    @property
    def days(self) -> Days | None:
        """The clock of a table whose players need not be connected; None: they need."""
        clock = self.terms.clock
        return clock if isinstance(clock, Days) else None

    def people(self) -> list["Session"]:
        """Everybody at the table, players first."""
        return [*self.seating.guests(), *self.watchers]

    def chair_of(self, guest: "Session") -> Chair:
        """Raises Impossible for a watcher."""
        if (chair := self.seating.chair_of(guest)) is None:
            raise Impossible(RefusalCode.NOT_SEATED)
        return chair

    def need_running(self) -> Match:
        """The match that is played now. Raises Impossible where there is none."""
        if self.match is None:
            raise Impossible(RefusalCode.NO_MATCH)
        if self.match.over:
            raise Impossible(RefusalCode.MATCH_OVER)
        return self.match

    def is_waited_at(self) -> bool:
        """Whether a player is here who plays: bots beside them go first."""
        return any(chair.state is SeatState.HERE for chair in self.seating.chairs)

    @property
    def origin(self) -> str:
        """Where all owners of seats come from (`Session.origin`); "" if that is not one place."""
        origins = {chair.origin for chair in self.seating.chairs if chair.owned}
        return origins.pop() if len(origins) == 1 else ""

    @property
    def one_plays(self) -> bool:
        """Whether nobody here plays against another person."""
        return len(self.seating.of_people()) <= 1

    @property
    def gives_hints(self) -> bool:
        """Whether players may ask for hints: as the host wished, else where one person plays, and
        in the practice of a race; and never where the first to see something wins by it."""
        usual = self.one_plays or self.game.rules.races
        wished = usual if self.terms.hints is None else self.terms.hints
        return wished and self.game.fair_hints(self.terms.options)

    @property
    def deal_open(self) -> bool:
        """Whether others may still play the deal of this table."""
        return self.deal is not None and not self.deal.ranked

    def free_seat(self) -> bool:
        """Whether somebody could sit down now."""
        return self.phase is not TablePhase.PLAYING and not self.seating.filled()

    def is_deserted(self) -> bool:
        """Whether nobody is there, and nobody is awaited."""
        return not self.people() and not self.seating.awaits()

    def waits_for(self, guest: "Session") -> bool:
        """Whether this guest's action is due."""
        if self.phase is not TablePhase.PLAYING or self.match is None:
            return False
        return self.seating.seat_of(guest) in self.match.to_act()

    def measures(self, guest: "Session") -> bool:
        """Whether it matters how late this guest's messages are: a race measures its players from
        the moment they sit down, so that there is an estimate before the match begins."""
        return self.game.rules.races and self.seating.seat_of(guest) is not None

    # Coming and going ----------------------------------------------------------------------------

    def join(self, guest: "Session", seat: int | None) -> bool:
        """Sit down; a watcher of this table may. Returns whether the guest has their own seat
        again."""
        if guest.table is not None and guest not in self.watchers:
            raise Impossible(RefusalCode.ALREADY_AT_TABLE, table=guest.table)
        if (own := self.own_seat(guest, seat)) is not None:
            if guest in self.watchers:
                self._stop_watching(guest)
            self._reseat(guest, own, -1, came_with=b"")
            return True
        self.presence.refuse(guest)
        if self.phase is TablePhase.PLAYING:
            raise Impossible(RefusalCode.MATCH_RUNNING)
        self.lobby.refuse_beginning()
        if self.deal is not None:
            self.deal.refuse(guest, self.code, sits=True)
        self.lobby.shares.refuse(guest, tables=1, days=self.days is not None)
        self._tell_apart(guest)
        taken = self.seating.sit(guest, seat)
        if guest in self.watchers:
            self._stop_watching(guest)
        if taken == self.first_host:
            self.first_host = None
        self._came(guest)
        if self.match is not None:
            self.match.give_up(taken)  # the seat's former owner cannot come back to it
        self.news.say(NoticeCode.JOINED, name=guest.name, seat=taken)
        self.news.touch()
        return False

    def _tell_apart(self, guest: "Session") -> None:
        """Give the guest another name where somebody who is away has theirs at this table."""
        names = self.lobby.names
        if any(one.awaited and keys(one.name) & keys(guest.name) for one in self.seating.chairs):
            names.release(guest.name)
            guest.name = names.claim(guest.name) or guest.name

    def _came(self, guest: "Session") -> None:
        """The guest sits or watches here from now on."""
        self.presence.came(guest)
        self.choose_host()
        self.chat.tell(guest)

    def hush(self, host: "Session", watchers: bool) -> None:
        """Host: let watchers say nothing, or hear them again. Raises Impossible."""
        self.need_host(host)
        self.chat.hushed = watchers
        self.news.tell_soon()

    def unsay(self, host: "Session", n: int) -> None:
        """Host: take a line of the chat away. Raises Impossible."""
        self.need_host(host)
        self.chat.unsay(n)

    def own_seat(self, guest: "Session", wanted: int | None) -> Chair | None:
        """The seat that is the guest's by identity. Where a client has shown that, the owner of a
        seat in a match needs a token once one was used; where a door has proven it, never. It is a
        seat whose owner is gone, the wanted one before any other, or in a match the wanted one
        alone where an older connection may not have been found to be broken yet."""
        match = self.match if self.phase is TablePhase.PLAYING else None
        owned = self.seating.owned_by(guest.identity)
        for own in sorted(owned, key=lambda chair: chair.number != wanted):
            if not (own.awaited or (match and own.number == wanted)):
                continue
            if match is None:
                return own
            if (match.tokens.has if guest.caller.identity else match.tokens.unused)(own.number):
                return own
        return None

    def watch(self, guest: "Session", match: str = "", since: int = -1) -> None:
        """See the table and its matches; at any time. `since`: the newest version of that match
        that the guest has seen, -1 = none."""
        if guest.table is not None:
            raise Impossible(RefusalCode.ALREADY_AT_TABLE, table=guest.table)
        self.presence.refuse(guest)
        if not self.access.watchable:
            raise Impossible(RefusalCode.NO_WATCHERS)
        if self.deal is not None:
            self.deal.refuse(guest, self.code, sits=False)
        self.lobby.refuse_beginning()
        if len(self.watchers) >= self.lobby.limits.watchers:
            raise Impossible(RefusalCode.TOO_MANY_WATCHERS, limit=self.lobby.limits.watchers)
        self._tell_apart(guest)
        self.watchers.append(guest)
        self._came(guest)
        if self.deal is not None and self.matches:
            self.deal.saw(self.code, sat=(), watched=(guest,))
        self.news.watches(guest.name, 1)
        self.news.tell(guest)
        self.lobby.deals.when_kept(self.code, partial(self._show, guest, match, since))
        self.tell_ranking(guest)

    def _show(self, guest: "Session", match: str, since: int) -> None:
        """Let a watcher who is still here see the match, if there is one."""
        if self.match is not None and guest in self.watchers:
            self.match.detach(None, guest.show)  # who went and came back is shown it once
            seen = since if match == self.match.id else -1
            self.match.attach(Attach(None, guest.show, seen))

    def resume(self, guest: "Session", token: bytes, since: int) -> None:
        """Give the bearer of a seat's token the seat; an older connection that still has it is told
        so; whom a door has proven to be the owner needs no token. `since`: the newest version that
        the guest has seen, -1 = none."""
        if guest.table is not None:
            raise Impossible(RefusalCode.ALREADY_AT_TABLE, table=guest.table)
        seat = None if self.match is None else self.match.tokens.seat_of(token)
        if seat is None and guest.caller.identity and (own := self.own_seat(guest, None)):
            self._reseat(guest, own, since, came_with=b"")
            return
        if seat is None:
            # Only without a valid token does the name count: a kick revokes the token, and an owner
            # who comes back has a substitute name, since the seat holds the owner's.
            self.presence.refuse(guest)
            raise Impossible(RefusalCode.BAD_TOKEN)
        self._reseat(guest, self.seating.chairs[seat], since, came_with=token)

    def _reseat(self, guest: "Session", chair: Chair, since: int, *, came_with: bytes) -> None:
        """Give the owner of a seat the seat again."""
        seat, handed_over = chair.number, chair.handed_over
        if chair.guest is None and not chair.awaited:  # the match has ended meanwhile
            self.seating.sit(guest, seat)
            self.news.say(NoticeCode.JOINED, name=guest.name, seat=seat)
        else:
            self.presence.reseat(chair, guest)
            self._end_leading(chair)
        self._came(guest)
        if self._has_token(chair):
            self.playing.connect(seat, guest, since, came_with=came_with)
        if handed_over:
            self.playing.hand_over(chair)  # they wished it up to the end
        self.playing.tell_asked_back(guest)
        self.tell_ranking(guest)
        self.news.touch()

    def tell_ranking(self, *guests: "Session") -> None:
        """Tell them how all tables have played this table's deal, once that is open."""
        if self.deal is not None and self.deal.ranked and self.match is not None:
            ranking = self.deal.ranking(self.match.id)
            for guest in guests:
                guest.send(ranking)

    def leave(self, guest: "Session", answer: WhenKept = nobody_waits) -> None:
        """Go because the guest wants to. In a match a bot plays the seat for good from now on, or
        it is lost; `answer` is called when that is so after a crash, too."""
        self.go(guest, NoticeCode.LEFT, answer)
        self.presence.close_if_deserted()

    def drop(self, guest: "Session") -> None:
        """Go because the connection is closed. The seat of a player who has a token or shows an
        identity is held for a while. Between matches a table that is deserted now closes after a
        grace, so that a lonely host can come back to it."""
        self.go(guest, NoticeCode.DROPPED, nobody_waits)
        self._begin_by_itself()
        if self.phase is TablePhase.PLAYING:
            self.presence.close_if_deserted()
        elif self.is_deserted():
            self.presence.await_anybody(self.lobby.limits.grace_s)

    def go(self, guest: "Session", how: NoticeCode, answer: WhenKept) -> None:
        """The guest is not here any more; `how`: what everybody is told, and why."""
        guest.table = None
        if guest in self.watchers:
            self._stop_watching(guest)
            if how not in (NoticeCode.KICKED, NoticeCode.EXPELLED):
                self.news.watches(guest.name, -1)
                answer()
                return
            self.news.say(how, name=guest.name)
        elif (chair := self.seating.chair_of(guest)) is not None:
            self._leave_seat(guest, chair, how)
            if self.match is not None and how is not NoticeCode.DROPPED:
                loses = self.playing.loses_by_leaving(how)
                self.match.give_up(chair.number, answer, loses=loses)
                answer = nobody_waits
                self.begin_if_all_ask()
        answer()
        self.news.touch()

    def _leave_seat(self, guest: "Session", chair: Chair, how: NoticeCode) -> None:
        dropped = how is NoticeCode.DROPPED
        if not dropped:
            self.news.say(how, name=guest.name, seat=chair.number)
        elif not chair.silent:
            self.presence.say_away(chair)
        if self.match is not None:
            self.match.detach(chair.number, guest.send)
        playing = self.phase is TablePhase.PLAYING
        if not playing:
            self._end_leading(chair)
        if dropped and (playing or chair.identity or self._has_token(chair)):
            self.presence.hold_seat(chair)
        elif playing and self.playing.loses_by_leaving(how):
            chair.move("give_up")
        elif playing:
            self.playing.give_to_bot(chair, for_good=True)
        else:
            self.free(chair)
        self.presence.update_standstill()

    def _has_token(self, chair: Chair) -> bool:
        """Whether its owner was sent one, in the match that runs or is over."""
        return self.match is not None and self.match.tokens.has(chair.number)

    def free(self, chair: Chair) -> None:
        """Nobody is awaited at this seat any more; no match runs."""
        chair.move("free")
        self.choose_host()
        self.news.touch()

    def _stop_watching(self, guest: "Session") -> None:
        """Send the watcher nothing more of the match."""
        self.watchers.remove(guest)
        if self.match is not None:
            self.match.detach(None, guest.show)

    # The match -----------------------------------------------------------------------------------

    def set_bot(self, guest: "Session", seat: int, level: str | None) -> None:
        """Host, between matches: put a bot on a seat or take it off. Before the first match
        somebody who is away loses the seat by that, but not at a table of days."""
        self.need_host(guest)
        self._need_no_match()
        if self.deal is not None and self.deal_open and len(self.deal.tables) > 1:
            raise Impossible(RefusalCode.DEAL_BOTS)
        if level is not None:
            self.need_level(level)
        if level is None and self.seed is not None:
            raise Impossible(RefusalCode.SEED_NEEDS_BOTS)
        if level is not None and self.seating[seat].state is not SeatState.BOT:
            self.lobby.shares.refuse(guest, bots=1)
        chair = self.seating[seat]
        if self.match is None and self.days is None and chair.state is SeatState.DROPPED:
            self.news.say(NoticeCode.KICKED, name=chair.name, seat=seat)
            self.free(chair)
        self.seating.set_bot(seat, level or "")
        self.news.touch()

    def settle(self, terms: Terms, host: "Session", *, watchable: bool) -> None:
        """Play by these terms; all but the host say again whether they are ready."""
        self.terms, self.access = terms, replace(self.access, watchable=watchable)
        for chair in self.seating.chairs:
            if chair.guest is not None and chair.guest is not host:
                chair.set_ready(False)
        self.news.touch()

    def need_level(self, level: str) -> None:
        """Raises Impossible where the game has no bots of this level, or the server allows none."""
        if level not in self.game.bots or not self.lobby.limits.allows(level):
            raise Impossible(RefusalCode.NO_SUCH_LEVEL, level=clean(level))

    def set_ready(self, guest: "Session", ready: bool) -> None:
        """Say that the match may begin, or not yet."""
        self._need_no_match()
        self.chair_of(guest).set_ready(ready)
        self._begin_by_itself()
        self.news.touch()

    def start(self, guest: "Session", answer: WhenKept = nobody_waits) -> None:
        """Host: begin with those who sit here; all other people are ready. `answer` is called when
        every player was sent a token."""
        self.need_host(guest)
        self._need_no_match()
        self._need_beginning()
        if not self.seating.all_ready(but=guest, absent=self.days is not None and not self.match):
            raise Impossible(RefusalCode.NOT_READY)
        self._begin(answer)

    def rematch(self, guest: "Session", answer: WhenKept = nobody_waits) -> None:
        """Ask for another match, which the last player who asks begins; `answer` as in `start`."""
        chair = self.chair_of(guest)
        self._need_no_match()
        if self.phase is not TablePhase.ENDED:
            raise Impossible(RefusalCode.NOT_PLAYED)
        self._need_beginning()
        chair.set_ready(True)
        self.news.say(NoticeCode.WANTS_REMATCH, name=guest.name, seat=chair.number)
        if self.seating.all_ready():
            self._begin(answer)
        else:
            answer()
            self.news.touch()

    def _begin_by_itself(self) -> None:
        """Begin at a table of days whose seats are all taken and whose present players are ready. A
        host who is present begins it instead."""
        people = sum(chair.owned for chair in self.seating.chairs)
        begins = people > 1 and self.seating.filled() and self.seating.all_ready(absent=True)
        if begins and self.days is not None and self.phase is TablePhase.WAITING:
            with suppress(Impossible):
                self._need_beginning()
                self._begin(nobody_waits)

    def begin_if_all_ask(self) -> None:
        """After a match: somebody does not sit here any more for whom the others have waited."""
        asked = self.seating.guests() and self.seating.all_ready()
        if asked and self.phase is TablePhase.ENDED:
            with suppress(Impossible):
                self._need_beginning()
                self._begin(nobody_waits)

    def lead(self, guest: "Session", ply: int | None) -> None:
        """Tell all who are here at which ply of the match that is over this player looks, so that
        they can follow; None ends that."""
        seat, match, leader = self.chair_of(guest).number, self.match, self.leader
        if match is None:
            raise Impossible(RefusalCode.NO_MATCH)
        self.recorded.need_open(match)
        if leader is not None and leader.seat != seat:
            name = self.seating.chairs[leader.seat].name
            raise Impossible(RefusalCode.OTHER_LEADS, name=name)
        if ply is not None and ply > match.plies:
            raise Impossible(RefusalCode.NO_SUCH_PLY, last=match.plies)
        self.leader = None if ply is None else Leader(match=match.id, seat=seat, ply=ply)
        self.news.leads()

    def _end_leading(self, chair: Chair) -> None:
        """The player of this seat, or this connection of theirs, does not lead any more."""
        if self.leader is not None and self.leader.seat == chair.number:
            self.leader = None

    def need_host(self, guest: "Session") -> None:
        """Raises Impossible for all but the host."""
        if self.host is None or self.host != self.seating.seat_of(guest):
            raise Impossible(RefusalCode.NOT_HOST)

    def _need_no_match(self) -> None:
        if self.phase is TablePhase.PLAYING:
            raise Impossible(RefusalCode.MATCH_RUNNING)

    def _need_beginning(self) -> None:
        """Another match may begin. The table's result stands until all tables of its deal are
        ranked, and all of these have as many seats."""
        if self.phase is TablePhase.ENDED and self.deal_open:
            raise Impossible(RefusalCode.DEAL_OPEN)
        self.lobby.refuse_beginning()
        if not self.seating.filled() and (self.deal_open or not self._enough()):
            raise Impossible(RefusalCode.NOT_FILLED)

    def _enough(self) -> bool:
        """Whether those who sit here can play without anybody else. A player who waits for friends
        does not begin alone, even where the game allows that."""
        taken = len(self.seating.taken())
        return taken > 1 and taken in self.game.rules.seats

    def _begin(self, answer: WhenKept) -> None:
        """With those who sit here; free seats fall away."""
        if not self.seating.filled():
            self._close_up()
        self.playing.begin(answer)
        self.news.touch()

    def _close_up(self) -> None:
        taken = self.seating.taken()
        seats = [chair.number for chair in taken]
        options = self.game.rules.options_of_fewer(self.terms.options, seats)
        self.terms = self.terms._replace(seats=len(seats), options=options)
        self.host = None if self.host is None else Seat(seats.index(self.host))
        for number, chair in enumerate(taken):
            chair.renumber(number)
        self.seating = Seating(taken)
        self.leader = None  # who led has another seat now, and the match that they led through goes
        self.news.tell_now()  # the match counts these seats

    # What its match does ------------------------------------------------------------------------

    def begin(self, match: Match) -> None:
        """Another match begins."""
        self.match, self.matches, self.first_host = match, self.matches + 1, self.host

    def restore(self, match: Match) -> None:
        """The match of the journal goes on, or its result is kept."""
        self.match, self.first_host = match, self.host
        if match.over and not match.aborted:
            self.choose_options(match)

    def choose_options(self, over: Match) -> None:
        """After a match with an outcome the next one may have other options."""
        seats, seed = over.header.seats, over.header.seed
        options = self.game.rules.rematch_options(self.terms.options, seats, seed)
        self.terms = self.terms._replace(options=options)

    def let_go(self) -> Match | None:
        """The table has no match any more; returns the match that it had."""
        match, self.match, self.leader = self.match, None, None
        return match

    def choose_host(self) -> None:
        """Give the table another host if it needs one, and tell everybody who it is."""
        before, over = self.host, self.phase is TablePhase.ENDED
        self.host = self.seating.host_after(before, self.first_host, over=over)
        if self.host is not None and before not in (None, self.host):
            if self.first_host is None and self.seating[before].overdue:
                self.first_host = before
            self.news.say(NoticeCode.HOST, name=self.seating.chairs[self.host].name)

    def stop(self) -> None:
        """The server stops: wait for nobody, let bots rest, and let go of a match whose result
        everybody has heard; the journal keeps any other for the next start."""
        self.presence.stop_waiting()
        if self.phase is TablePhase.ENDED and not self.seating.awaits():
            self.playing.let_go()
        for bot in self.seating.bots():
            bot.rest()
