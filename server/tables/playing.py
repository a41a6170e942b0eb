"""The match of a table, the bots that play in it, and the hints that its players ask for.

Laws: nobody waits for a person longer than the clock allows. When a player's time is up, or when
they hand their seat over, a bot plays it beside them; the player stays, sees everything, and acts
again in any turn but one whose time is up. A hint is what a strong bot would do in a player's seat,
decided from what the seat has been sent, and told to that player alone; everybody at the table is
told who asks. A seat has one under way at most. Where other people play, it has so many a minute.
"""

import asyncio
import secrets
from collections.abc import Coroutine, Mapping
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import structlog

from protocol.codec import encode
from protocol.dealing import SEED_BYTES, commitment
from protocol.errors import RefusalCode
from protocol.from_server import AskedBack, Notice, NoticeCode
from protocol.ids import Key, Seat
from protocol.table import Late, Pace
from server.bots.brains import HINT, Asker
from server.bots.driver import BotDriver
from server.games.contract import Decided
from server.matches.clocks import MatchTime, WallTime, never_paused
from server.matches.match import Match
from server.matches.tokens import NO_SEATS
from server.matches.wishes import Accepted, Attach, Sight, TellAnswer, WhenKept
from server.recording.records import PERSON
from server.store.journal import Header
from server.tables.access import Impossible
from server.tables.deals import Played
from server.tables.record import (
    KeptMatch,
    TableRecord,
    beginning,
    keep_aside,
    read_record,
    table_record,
)
from server.tables.seat import Chair, SeatState
from server.tasks import Bucket

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.table import Table

_PACES: Final[Mapping[Pace, float]] = {
    Pace.SLOW: 2.5,
    Pace.NORMAL: 1.0,
    Pace.FAST: 0.3,
    Pace.AT_ONCE: 0.0,
}
"""How much longer or shorter than usual bots wait."""

STAND_IN_LEVEL: Final = "normal"
"""How well a bot plays in a person's place."""
_MINUTE_S: Final = 60


class FoundHint(NamedTuple):
    """A hint. `version`: the newest that the seat was told of."""

    version: int
    decided: Decided


class Playing:
    """Knows one table, and is told by its match what the table has to know."""

    __slots__ = ("_asked_for_hints", "_hinted", "_hinting", "_hurried", "_pace", "_table", "acted")

    def __init__(self, table: "Table", pace: Pace) -> None:
        self._table: Final = table
        self._pace = pace
        """How fast bots act while one person plays alone against them."""
        self._hurried = False
        """Whether bots act at once until a player acts."""
        self.acted = 0
        """How often people have acted in the table's matches."""
        self._asked_for_hints: dict[Seat, Bucket] = {}
        self._hinting: frozenset[Seat] = NO_SEATS
        """For which seats a bot decides on a hint."""
        self._hinted: dict[Seat, tuple[Sight, Decided]] = {}
        """Each seat's newest hint in this match, with what it was decided from: asked again it
        costs nothing, and the next one goes on as it has planned."""

    # The match -----------------------------------------------------------------------------------

    def begin(self, answer: WhenKept) -> None:
        """Begin a match with all who sit there; the seats are filled. `answer` is called when the
        match has begun."""
        self._hurried, self._hinted = False, {}
        table = self._table
        former = table.let_go()
        if table.deal is not None and table.deal.ranked:
            table.deal = None  # another match is another deal
        seed = (table.deal or table).seed or secrets.token_bytes(SEED_BYTES)
        # A - at the beginning of an id would be an option on a command line.
        header = table.terms.header(seed, secrets.token_hex(8), table_record(table))
        match = self._new_match(header, 0)
        table.begin(match)
        if table.deal is not None:
            table.deal.saw(table.code, sat=table.seating.guests(), watched=table.watchers)
            table.lobby.touched(table.code)  # the journal knows it before the match begins there
        for chair in table.seating.chairs:
            if chair.guest is not None:
                self.connect(chair.number, chair.guest, came_with=b"")
            elif chair.awaited:
                chair.grace.stop()
                match.tokens.deal(chair.number)  # none is sent: the owner comes by identity
            else:
                self._sit_bot(match, chair)
        for watching in table.watchers:
            match.attach(Attach(None, watching.show))
        runner = table.lobby.runner
        runner.run(match, answer)
        if former is not None:  # the journal has the new match before it forgets the former
            runner.let_go(former)
        if days := runner.config.keep_days:
            table.news.say(NoticeCode.RECORD_KEPT, days=days)
        at = {"table": table.code, "game": table.terms.game_id}
        players = [chair.name for chair in table.seating.chairs]
        structlog.get_logger().info("match begins", match=match.id, **at, players=players)

    def restore(self, kept: KeptMatch) -> None:
        """Go on with a match out of the journal; nobody is connected yet. Where nobody has acted
        and several people may come back, the match is called off instead: some may not even have
        heard of it, and with their seats held all can begin another. A server whose matches wait
        as long without an action, which is a player's own, keeps it."""
        table, entries = self._table, kept.entries
        match = self._new_match(kept.header, entries[-1].at_ms if entries else 0)
        untouched = table.days is None and all(entry.seat is None for entry in entries)
        limits = table.lobby.limits
        untouched &= len(kept.tokens) > 1 and limits.untouched_s < limits.standstill_s
        match.restore(entries, kept.tokens, called_off=untouched)
        self.acted = sum(entry.seat in kept.tokens for entry in entries)
        table.restore(match)
        if match.over:
            self._end_deal(match)
        for chair in table.seating.chairs:
            if match.over and chair.state is SeatState.GIVEN_UP:
                chair.move("end_match")
            elif not match.over and chair.state in (SeatState.BOT, SeatState.GIVEN_UP):
                self._sit_bot(match, chair)
        table.lobby.runner.run(match)

    def connect(self, seat: Seat, guest: "Session", since: int = -1, *, came_with: bytes) -> None:
        """Let the match send to the seat's player, as in `Match.attach`; a race measures the line
        at once, and the session goes on measuring."""
        table = self._table
        assert table.match is not None
        lag = None
        if table.measures(guest):
            guest.measure()
            lag = guest.lag_ms
        table.match.attach(Attach(seat, guest.send, since, came_with=came_with, lag=lag))

    def let_go(self) -> None:
        """Let go of the table's match, running or over, if there is one; the journal keeps one that
        is over as long as others play its deal."""
        table = self._table
        if (match := table.let_go()) is None:
            return
        if table.deal is not None and table.deal_open and match.outcome is not None:
            table.deal.finished.append(match)
        else:
            table.lobby.runner.let_go(match)

    def put_to_rest(self) -> None:
        """The journal alone keeps the match from now on, as after a stop of the server."""
        if (match := self._table.let_go()) is not None:
            self._table.lobby.runner.rest(match)

    def _new_match(self, header: Header, at_ms: int) -> Match:
        table = self._table
        time, paused = MatchTime(at_ms), never_paused
        if table.days is not None:
            record = read_record(header.table)
            time = WallTime(at_ms, record.began_at, table.lobby.runner.wall)
            paused = partial(self._days_off, record)
        return Match(
            header,
            table.game.rules,
            journal=table.lobby.runner.journal,
            tasks=table.lobby.runner.tasks,
            playing=self,
            table=table.code,
            time=time,
            clock=table.terms.clock,
            paused=paused,
            secret=table.deal is not None,
        )

    def _days_off(self, record: TableRecord, seat: Seat) -> list[tuple[int, int]]:
        """As `Paused`: of who sat there when the match began, since a token may come with any
        identity."""
        identity, began_at = record.chairs[seat].identity, record.began_at
        away = self._table.lobby.people.of(identity).away
        return [((since - began_at) * 1000, (until - began_at) * 1000) for since, until in away]

    # Taking back at a table of days ---------------------------------------------------------------

    def asking_back(self) -> AskedBack | None:
        """Who asks now, None = nobody."""
        match, asked = self._table.match, self._table.asked_back
        return asked if match and asked and match.version == asked.version else None

    def take_back(self, chair: Chair, version: int, key: Key, answer: TellAnswer) -> None:
        """The player wishes their newest action back, or agrees that another's is: that is done
        when all people who play wish it."""
        table, match, asked = self._table, self._table.need_running(), self._table.asked_back
        if asked is not None and asked.version not in (match.version, version):
            asked = None  # what this player answers, maybe for the second time, is another question
        seats = tuple(dict.fromkeys([*(asked.seats if asked else ()), chair.number]))
        owner = Seat(seats[0])
        if {one.number for one in table.seating.chairs if one.owned} <= {*seats}:
            match.submit(owner, version, key, None, answer)
        elif (impossible := match.answer_now(owner, version, key, None)) is not None:
            answer(impossible)
        elif asked is not None and chair.number in asked.seats:
            answer(Accepted(match.version, again=True))
        else:
            table.asked_back = AskedBack(match.version, seats)
            table.news.say(NoticeCode.ASKED_BACK, name=chair.name, seat=chair.number)
            table.news.tell_soon()
            keep_aside(table)
            answer(Accepted(match.version, again=True))

    def tell_asked_back(self, guest: "Session") -> None:
        """A player who is back hears who asks for their consent."""
        if (asked := self.asking_back()) is not None:
            owner = self._table.seating.chairs[asked.seats[0]]
            guest.send(Notice(NoticeCode.ASKED_BACK, {"name": owner.name, "seat": owner.number}))

    # Bots ----------------------------------------------------------------------------------------

    def give_to_bot(self, chair: Chair, *, for_good: bool) -> None:
        """Let a bot play this seat under its owner's name, for good or until the owner is back."""
        match, bot = self._table.match, chair.bot
        assert match is not None  # between matches a player who goes leaves a free seat
        if bot is None:
            bot = self._driver(match, chair)
            match.attach(Attach(chair.number, bot.receive))
        chair.move("give_up" if for_good else "hand_to_bot", bot)
        self.announce_bot(chair)

    def stand_in(self, chair: Chair) -> None:
        """Let a bot play beside the player, who is too slow, until they act again."""
        match = self._table.match
        assert match is not None
        bot = self._driver(match, chair)
        chair.move("stand_in", bot)
        match.stand_in(chair.number, bot.receive, late=True)

    def hand_over(self, chair: Chair) -> None:
        """Let a bot play beside the player to the end, in the time that all bots take, until they
        act again. Raises Impossible where others play or may come back, and in a race."""
        match, bot = self._table.need_running(), chair.bot
        owned = sum(one.owned for one in self._table.seating.chairs)
        if owned > 1 or match.rules.races:
            raise Impossible(RefusalCode.NO_HAND_OVER)
        if chair.handed_over:
            return
        if bot is None:  # else it plays already: the player was too slow
            bot = self._driver(match, chair)
            match.stand_in(chair.number, bot.receive, late=False)
        chair.move("hand_over", bot)
        self.announce_bot(chair)

    def hurry(self, chair: Chair) -> None:
        """Let the bots act at once until the player of this seat is to act, or to the end where a
        bot acts for them. Raises Impossible where others play, too, or where when somebody acts
        decides who wins."""
        table, match = self._table, self._table.match
        if match is None:
            raise Impossible(RefusalCode.NO_MATCH)
        if not table.one_plays or match.rules.races:
            raise Impossible(RefusalCode.NO_HURRY)
        if chair.number not in match.to_act() or chair.handed_over:
            self._hurried = True
            self._hurry_bots()

    def set_pace(self, guest: "Session", pace: Pace) -> None:
        """Host: how fast bots act from now on, while one person plays alone against them."""
        self._table.need_host(guest)
        self._pace = pace
        if pace is Pace.AT_ONCE and self._table.one_plays:
            self._hurry_bots()

    def _hurry_bots(self) -> None:
        for bot in self._table.seating.bots():
            bot.hurry()

    def person_acted(self) -> None:
        """A person's action stands: bots take their time again."""
        self._hurried = False
        self.acted += 1

    def announce_bot(self, chair: Chair) -> None:
        """Tell everybody that a bot plays this seat from now on."""
        self._table.news.say(NoticeCode.BOT_TOOK_OVER, name=chair.name, seat=chair.number)
        self._table.choose_host()
        self._table.news.touch()

    def give_back(self, chair: Chair) -> None:
        """The bot that stands in for the player stops, and the player acts again; does nothing
        without such a bot. Raises Impossible in the turn whose time is up."""
        match, bot = self._table.match, chair.bot
        if match is None or chair.state is not SeatState.PLAYED_FOR:
            return
        if match.time_is_up(chair.number):
            raise Impossible(RefusalCode.TIME_UP)
        assert bot is not None
        self._hurried = False
        # The bot stops first: it would act again when `stand_down` refuses what it asked for last.
        chair.move("give_back")
        match.stand_down(chair.number, bot.receive)
        self._table.news.say(NoticeCode.CAME_BACK, name=chair.name, seat=chair.number)
        self._table.news.touch()

    def _sit_bot(self, match: Match, chair: Chair) -> None:
        bot = self._driver(match, chair)
        chair.move("play", bot)
        match.attach(Attach(chair.number, bot.receive))

    def _driver(self, match: Match, chair: Chair) -> BotDriver:
        table, runner, level = self._table, self._table.lobby.runner, chair.level or STAND_IN_LEVEL

        def pace_s() -> float:
            if self._hurried:
                return 0.0
            return runner.config.bot_pace_s * (_PACES[self._pace] if table.one_plays else 1)

        def waits(view: Any) -> bool:
            # Of a person's turns at a table of days a bot plays those alone whose time is up.
            if table.days is not None and chair.owned and not chair.handed_over:
                return not match.time_is_up(chair.number)
            return table.game.patience(view, table.seating.of_people())

        reactions = table.game.reactions
        return BotDriver(
            match,
            chair.number,
            level,
            brains=runner.brains,
            tasks=runner.tasks,
            pace_s=pace_s,
            reaction=reactions[level] if reactions is not None else None,
            waits=waits,
            asker=lambda: Asker(match.id, table.is_waited_at(), table.origin),
        )

    # What the match tells; it neither waits for an answer nor bears an error ----------------------

    def ended(self, outcome: Any | None) -> None:
        """The match is over, None = aborted: seats whose owners are gone become free, unless their
        grace still runs. Not called of a match that was over before `start`. If this raised an
        error, it is called again with None."""
        table, aborted = self._table, outcome is None
        assert table.match is not None
        log = structlog.get_logger()
        log.info("match over", match=table.match.id, table=table.code, aborted=aborted)
        if not aborted:
            table.choose_options(table.match)
        for chair in table.seating.chairs:
            if table.days is not None and chair.awaited:
                chair.move("hold")  # they hear of the end when they come
            elif not (chair.state is SeatState.DROPPED and chair.grace.runs):
                chair.move("end_match")
        self._end_deal(table.match)
        table.recorded.match_over()
        table.presence.update_standstill()
        table.choose_host()
        table.news.touch()
        table.presence.close_if_deserted()

    def _end_deal(self, match: Match) -> None:
        """The table is done with its deal; without an outcome it has not played it."""
        table = self._table
        if table.deal is None:
            return
        if match.outcome is None:
            table.deal = None
        else:
            sat = beginning(match.header.table).sat
            people = {seat for seat, one in enumerate(sat) if one.kind == PERSON}
            apart = any(one.by_bot and one.seat in people for one in match.entries())
            table.deal.tables[table.code] = Played(sat, match.outcome.scores, apart)
        table.lobby.deals.changed(table.code)

    def took_back(self, seat: Seat) -> None:
        """This seat took its newest action back, and everybody has been sent the update."""
        name = self._table.seating.chairs[seat].name
        self._table.news.say(NoticeCode.TOOK_BACK, name=name, seat=seat)

    @property
    def late(self) -> Late | None:
        """What becomes of a seat whose days are over; None: it has none."""
        table = self._table
        return None if table.days is None else table.days.late_of(len(table.seating.chairs))

    def loses_by_time(self, seat: Seat) -> bool:
        """Whether this seat, which has run out of time, has lost the match, which ends then."""
        return self.late is Late.LOSE and self._table.seating.chairs[seat].bot is None

    def loses_by_leaving(self, how: NoticeCode) -> bool:
        """Whether a player who goes so in the match loses it: who is sent away does not."""
        return self.late is Late.LOSE and how is NoticeCode.LEFT

    def timed_out(self, seat: Seat) -> bool:
        """The seat to act has run out of time. Returns whether a bot plays it from now on."""
        table, chair, late = self._table, self._table.seating.chairs[seat], self.late
        if table.match is None or late is Late.WAIT:
            return False
        if chair.bot is not None:  # bots use up clock time too, but another would be no quicker
            if late is not None and chair.owned:
                chair.bot.wake()
            return False
        table.news.say(NoticeCode.TIMED_OUT, name=chair.name, seat=seat)
        if chair.state is SeatState.DROPPED:
            # An absent player's grace is no longer than the time that others have for a turn.
            self.give_to_bot(chair, for_good=False)
        else:
            self.stand_in(chair)
            self._table.news.touch()
        return True

    def claimed(self) -> None:
        """Another node has claimed the match: nothing more happens to it here."""
        if (match := self._table.match) is not None:
            self._table.lobby.lose(match.id, surely=True)

    def disk_fails(self, fails: bool) -> None:
        """The journal has been failing for seconds (True), or works again (False)."""
        self._table.news.say(NoticeCode.DISK_FAILS if fails else NoticeCode.DISK_WORKS)

    # Hints ---------------------------------------------------------------------------------------

    def hint(self, guest: "Session") -> Coroutine[Any, Any, FoundHint]:
        """What comes to a hint, when the bot has decided. Both raise Impossible."""
        table = self._table
        seat, match = table.chair_of(guest).number, table.need_running()
        if not table.gives_hints:
            raise Impossible(RefusalCode.NO_HINTS)
        if seat not in match.to_act():
            raise Impossible(RefusalCode.NOT_YOUR_TURN)
        if seat in self._hinting:
            raise Impossible(RefusalCode.BUSY)
        if not table.one_plays:  # alone a player disturbs nobody: each hint takes a move
            self._take_hint(seat)
        self._hinting |= {seat}
        table.news.say(NoticeCode.ASKED_FOR_HINT, name=guest.name, seat=seat)
        return self._decide(match, seat, match.look(seat))

    def _take_hint(self, seat: Seat) -> None:
        now_s = asyncio.get_running_loop().time()
        most = self._table.lobby.limits.hints_per_minute
        bucket = self._asked_for_hints.setdefault(seat, Bucket(most / _MINUTE_S, most, now_s))
        if not bucket.take(now_s):
            raise Impossible(RefusalCode.TOO_MANY_HINTS, wait_s=ceil(bucket.wait_s()))

    async def _decide(self, match: Match, seat: Seat, sight: Sight) -> FoundHint:
        last = self._hinted.get(seat)
        if last is not None and (last[0].view, last[0].events) == (sight.view, sight.events):
            decided: Decided | None = last[1]
        else:
            decided = await self._table.lobby.runner.brains.choose(
                match.header.game,
                HINT,
                sight.view,
                sight.events,
                # The same question has the same answer, after a take-back, at all tables of a deal.
                f"{commitment(match.header.seed)}/{seat}/{len(sight.events)}",
                Asker(match.id, address=self._table.origin),
                None if last is None else _planned(match, seat, *last),
            )
            if decided is not None:
                self._hinted[seat] = sight, decided
        await asyncio.sleep(sight.delay_left_ms / 1000)
        self._hinting -= {seat}
        if decided is None:
            raise Impossible(RefusalCode.BUSY)
        return FoundHint(sight.version, decided)


def _planned(match: Match, seat: Seat, sight: Sight, decided: Decided) -> Any:
    """What a hint has planned, if the seat has since done what it said and nothing else."""
    own = [entry.action for entry in match.entries()[sight.version :] if entry.seat == seat]
    return decided.plan if own == [encode(decided.action)] else None
