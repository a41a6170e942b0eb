"""The match of a table, the bots that play in it, and the hints that its players ask for.

Laws: nobody waits for a person longer than the clock allows. When a player's time is up, or when
they hand their seat over, a bot plays it beside them; the player stays, sees everything, and acts
again in any turn but one whose time is up. A hint is what a strong bot would do in a player's seat,
decided from what the seat has been sent, and told to that player alone; a seat has one under way at
most, and everybody at the table is told who asks.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from math import ceil
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import structlog

from protocol.dealing import SEED_BYTES
from protocol.errors import Refusal, RefusalCode
from protocol.from_server import NoticeCode
from protocol.ids import Seat
from protocol.table import Pace
from server.bots.brains import Asker
from server.bots.driver import BotDriver
from server.matches.match import Match, Sight, WhenKept
from server.matches.replay import new_header
from server.matches.tokens import NO_SEATS
from server.store.journal import Header
from server.tables.access import Impossible
from server.tables.deals import Played
from server.tables.record import KeptMatch, beginning, table_record
from server.tables.seat import SeatState
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


class Playing:
    """Knows one table, and is told by its match what the table has to know."""

    __slots__ = ("_hurried", "_table")

    def __init__(self, table: "Table") -> None:
        self._table: Final = table
        self._hurried = False
        """Whether bots act at once until a player acts."""

    # The match -----------------------------------------------------------------------------------

    def begin(self, answer: WhenKept) -> None:
        """Begin a match with all who sit there; the seats are filled. `answer` is called when the
        match has begun."""
        self._hurried = False
        table = self._table
        former = table.let_go()
        if table.deal is not None and table.deal.ranked:
            table.deal = None  # another match is another deal
        header = new_header(
            table.terms.game_id,
            table.game.rules,
            options=table.terms.options,
            seats=len(table.seating.chairs),
            seed=table.next_seed or secrets.token_bytes(SEED_BYTES),
            match=secrets.token_hex(8),  # a - at its beginning would be an option on a command line
            table=table_record(table),
        )
        match = self._new_match(header, 0)
        table.begin(match)
        if table.deal is not None:
            table.deal.saw(table.code, sat=table.seating.guests(), watched=table.watchers)
            table.lobby.touched(table.code)  # the journal knows it before the match begins there
        match.when_begun(answer)
        for number, chair in enumerate(table.seating.chairs):
            if chair.guest is not None:
                self.connect(Seat(number), chair.guest, came_with=b"")
            else:
                self._sit_bot(match, Seat(number))
        for crowd in table.crowds():
            crowd.gather()
        for watching in table.watching():
            match.attach(None, watching.show)
        runner = table.lobby.runner
        runner.run(match)
        if former is not None:  # the journal has the new match before it forgets the former
            runner.let_go(former)
        if days := runner.keep_days:
            table.news.say(NoticeCode.RECORD_KEPT, days=days)
        log = structlog.get_logger()
        players = [chair.name for chair in table.seating.chairs]
        log.info(
            "match begins",
            match=match.id,
            table=table.code,
            game=table.terms.game_id,
            players=players,
        )

    def restore(self, kept: KeptMatch) -> None:
        """Go on with a match out of the journal; nobody is connected yet. Where nobody has acted
        and several people may come back, the match is called off instead: some may not even have
        heard of it, and with their seats held all can begin another."""
        table, entries = self._table, kept.entries
        match = self._new_match(kept.header, entries[-1].at_ms if entries else 0)
        match.restore(entries, kept.tokens)
        table.acted = sum(entry.seat in kept.tokens for entry in entries)
        if len(kept.tokens) > 1 and all(entry.seat is None for entry in entries):
            match.call_off()
        table.restore(match)
        if match.over:
            self._end_deal(match)
        for number, chair in enumerate(table.seating.chairs):
            if chair.state is SeatState.GIVEN_UP and match.over:
                chair.end_match()
            elif chair.state in (SeatState.BOT, SeatState.GIVEN_UP) and not match.over:
                self._sit_bot(match, Seat(number))
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
        table.match.attach(seat, guest.send, since, came_with=came_with, lag=lag)

    def let_go(self) -> None:
        """Let go of the table's match, running or over, if there is one; the journal keeps one that
        is over as long as others play its deal."""
        table = self._table
        if (match := table.let_go()) is None:
            return
        if table.deal is not None and table.deal_open and match.outcome is not None:
            table.deal.held.append(match)
        else:
            table.lobby.runner.let_go(match)

    def put_to_rest(self) -> None:
        """The journal alone keeps the match from now on, as after a stop of the server."""
        if (match := self._table.let_go()) is not None:
            self._table.lobby.runner.rest(match)

    def _new_match(self, header: Header, at_ms: int) -> Match:
        table = self._table
        return Match(
            header,
            table.game.rules,
            journal=table.lobby.runner.journal,
            tasks=table.lobby.runner.tasks,
            attendant=self,
            table=table.code,
            at_ms=at_ms,
            clock=table.terms.clock,
            secret=table.deal is not None,
        )

    # Bots ----------------------------------------------------------------------------------------

    def give_to_bot(self, seat: Seat, *, for_good: bool) -> None:
        """Let a bot play this seat under its owner's name, for good or until the owner is back."""
        chair, match = self._table.seating.chairs[seat], self._table.match
        assert match is not None  # between matches a player who goes leaves a free seat
        bot: BotDriver | None = chair.bot
        if bot is None:
            bot = self._driver(match, seat, STAND_IN_LEVEL)
            match.attach(seat, bot.receive)
        if for_good:
            chair.give_up(bot)
        else:
            chair.hand_to_bot(bot)
        self.announce_bot(seat)

    def stand_in(self, seat: Seat) -> None:
        """Let a bot play beside the player, who is too slow, until they act again."""
        match = self._table.match
        assert match is not None
        bot = self._driver(match, seat, STAND_IN_LEVEL)
        self._table.seating.chairs[seat].stand_in(bot)
        match.stand_in(seat, bot.receive, late=True)

    def hand_over(self, seat: Seat) -> None:
        """Let a bot play beside the player to the end, in the time that all bots take, until they
        act again. Raises Impossible where others play or may come back, and in a race."""
        table, match = self._table, self._table.match
        if match is None:
            raise Impossible(RefusalCode.NO_MATCH)
        if match.over:
            raise Impossible(RefusalCode.MATCH_OVER)
        if not table.one_owns or table.game.rules.races:
            raise Impossible(RefusalCode.NO_HAND_OVER)
        chair = table.seating.chairs[seat]
        if chair.handed_over:
            return
        bot: BotDriver | None = chair.bot  # it plays already where the player was too slow
        if bot is None:
            bot = self._driver(match, seat, STAND_IN_LEVEL)
            match.stand_in(seat, bot.receive, late=False)
        chair.hand_over(bot)
        self.announce_bot(seat)

    def hurry(self, seat: Seat) -> None:
        """Let the bots act at once until the player of this seat is to act, or to the end where a
        bot acts for them. Raises Impossible where others play, too, or where when somebody acts
        decides who wins."""
        table, match = self._table, self._table.match
        if match is None:
            raise Impossible(RefusalCode.NO_MATCH)
        if not table.one_plays or table.game.rules.races:
            raise Impossible(RefusalCode.NO_HURRY)
        if seat in match.to_act() and not table.seating.chairs[seat].handed_over:
            return
        self._hurried = True
        self._hurry_bots()

    def set_pace(self, pace: Pace) -> None:
        """How fast bots act from now on, while one person plays alone against them."""
        self._table.pace = pace
        if pace is Pace.AT_ONCE and self._table.one_plays:
            self._hurry_bots()

    def _hurry_bots(self) -> None:
        for chair in self._table.seating.chairs:
            if chair.bot is not None:
                chair.bot.hurry()

    def acts(self, seat: Seat) -> None:
        """The player of this seat is about to act: they are there, and bots take their time again.
        Raises Impossible in a turn whose time is up."""
        self._hurried = False
        self._table.acted += 1
        if self._table.seating.chairs[seat].state is SeatState.PLAYED_FOR:
            self.take_back_from_bot(seat)

    def announce_bot(self, seat: Seat) -> None:
        """Tell everybody that a bot plays this seat from now on."""
        name = self._table.seating.chairs[seat].name
        self._table.news.say(NoticeCode.BOT_TOOK_OVER, name=name, seat=seat)
        self._table.choose_host()
        self._table.news.touch()

    def take_back_from_bot(self, seat: Seat) -> None:
        """The bot that stands in for the player stops, and the player acts again; does nothing
        without such a bot. Raises Impossible in the turn whose time is up."""
        chair, match = self._table.seating.chairs[seat], self._table.match
        if match is None or chair.state is not SeatState.PLAYED_FOR:
            return
        if match.time_is_up(seat):
            raise Impossible(RefusalCode.TIME_UP)
        bot = chair.bot
        assert bot is not None
        self._hurried = False
        # The bot stops first: it would act again when `stand_down` refuses what it asked for last.
        chair.take_back()
        match.stand_down(seat, bot.receive)
        self._table.news.say(NoticeCode.CAME_BACK, name=chair.name, seat=seat)
        self._table.news.touch()

    def _sit_bot(self, match: Match, seat: Seat) -> None:
        chair = self._table.seating.chairs[seat]
        bot = self._driver(match, seat, chair.level or STAND_IN_LEVEL)
        chair.play(bot)
        match.attach(seat, bot.receive)

    def _driver(self, match: Match, seat: Seat, level: str) -> BotDriver:
        table, runner = self._table, self._table.lobby.runner

        def pace_s() -> float:
            if self._hurried:
                return 0.0
            return runner.bot_pace_s * (_PACES[table.pace] if table.one_plays else 1)

        def waits(view: Any) -> bool:
            return table.game.patience(view, table.seating.of_people())

        reactions = table.game.reactions
        reaction = reactions[level] if reactions is not None else None
        return BotDriver(
            match,
            seat,
            level,
            brains=runner.brains,
            tasks=runner.tasks,
            pace_s=pace_s,
            reaction=reaction,
            waits=waits,
            asker=lambda: Asker(match.id, table.is_waited_at(), table.origin),
        )

    # What the match tells; it neither waits for an answer nor bears an error ----------------------

    def ended(self, outcome: Any | None) -> None:
        """The match is over, None = aborted: seats whose owners are gone become free. Not called
        of a match that was over before `start`. If this raised an error, it is called again with
        None."""
        table, aborted = self._table, outcome is None
        assert table.match is not None
        log = structlog.get_logger()
        log.info("match over", match=table.match.id, table=table.code, aborted=aborted)
        table.end(aborted=aborted)
        for chair in table.seating.chairs:
            chair.end_match()
        self._end_deal(table.match)
        table.recorded.match_over()
        table.presence.match_over()

    def _end_deal(self, match: Match) -> None:
        """The table is done with its deal; without an outcome it has not played it."""
        table = self._table
        if table.deal is None:
            return
        if match.outcome is None:
            table.deal = None
        else:
            played = Played(beginning(match.header.table).sat, match.outcome.scores)
            table.deal.finish(table.code, played)
        table.lobby.deals.changed(table.code)

    def took_back(self, seat: Seat) -> None:
        """This seat took its newest action back, and everybody has been sent the update."""
        name = self._table.seating.chairs[seat].name
        self._table.news.say(NoticeCode.TOOK_BACK, name=name, seat=seat)

    def timed_out(self, seat: Seat) -> bool:
        """The seat to act has run out of time. Returns whether a bot plays it from now on."""
        chair, match = self._table.seating.chairs[seat], self._table.match
        if chair.bot is not None or match is None:
            return False  # bots use up clock time too, but another bot would be no quicker
        self._table.news.say(NoticeCode.TIMED_OUT, name=chair.name, seat=seat)
        if chair.state is SeatState.DROPPED:
            # An absent player's grace is no longer than the time that others have for a turn.
            self.give_to_bot(seat, for_good=False)
        else:
            self.stand_in(seat)
            self._table.news.touch()
        return True

    def claimed(self) -> None:
        """Another node has claimed the match: nothing more happens to it here."""
        if (match := self._table.match) is not None:
            self._table.lobby.lose(match.id)

    def disk_fails(self, fails: bool) -> None:
        """The journal has been failing for seconds (True), or works again (False)."""
        self._table.news.say(NoticeCode.DISK_FAILS if fails else NoticeCode.DISK_WORKS)


# Hints: what a strong bot would do in a player's seat, told to that player alone.
#
# Laws: a hint is decided from what the seat has been sent, as a bot in that seat would decide; a
# seat has one under way at most; everybody at the table is told who asks.


HINT_LEVEL: Final = "hard"
"""Every game has it."""

_MINUTE_S: Final = 60


class Named(NamedTuple):
    """A hint. `version`: the newest that the seat was told of. `action` None: let others go on."""

    version: int
    action: Any | None


TellHint: TypeAlias = Callable[[Named | Refusal], None]


class Hints:
    """Knows one table."""

    __slots__ = ("_buckets", "_table", "_under_way")

    def __init__(self, table: "Table") -> None:
        self._table: Final = table
        self._buckets: Final[dict[Seat, Bucket]] = {}
        self._under_way: frozenset[Seat] = NO_SEATS

    def ask(self, guest: "Session", answer: TellHint) -> None:
        """Call `answer` once, when the bot has decided. Raises Impossible."""
        table = self._table
        seat, match = table.seat_of(guest), table.match
        if match is None:
            raise Impossible(RefusalCode.NO_MATCH)
        if match.over:
            raise Impossible(RefusalCode.MATCH_OVER)
        if not table.gives_hints:
            raise Impossible(RefusalCode.NO_HINTS)
        if seat not in match.to_act():
            raise Impossible(RefusalCode.NOT_YOUR_TURN)
        if seat in self._under_way:
            raise Impossible(RefusalCode.BUSY)
        self._take(seat)
        self._under_way |= {seat}
        table.news.say(NoticeCode.ASKED_FOR_HINT, name=guest.name, seat=seat)

        def tell(found: Named | Refusal) -> None:
            self._under_way -= {seat}
            answer(found)

        table.lobby.runner.tasks.spawn(self._decide(match, seat, match.look(seat), tell))

    def _take(self, seat: Seat) -> None:
        now_s = asyncio.get_running_loop().time()
        most = self._table.lobby.limits.hints_per_minute
        bucket = self._buckets.setdefault(seat, Bucket(most / _MINUTE_S, most, now_s))
        if not bucket.take(now_s):
            raise Impossible(RefusalCode.TOO_MANY_HINTS, wait_s=ceil(bucket.wait_s()))

    async def _decide(self, match: Match, seat: Seat, sight: Sight, tell: TellHint) -> None:
        decided = await self._table.lobby.runner.brains.choose(
            match.header.game,
            HINT_LEVEL,
            sight.view,
            sight.events,
            # The same question, also after a take-back, has the same answer.
            f"{match.id}/{seat}/{len(sight.events)}",
            Asker(match.id, address=self._table.origin),
        )
        await asyncio.sleep(sight.held_ms / 1000)
        if decided is None:
            tell(Refusal(RefusalCode.BUSY))
        else:
            tell(Named(sight.version, decided.action))
