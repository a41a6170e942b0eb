"""The lobby: all tables of one server, what is wished of a new one, and the matches in play."""

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from sys import intern
from typing import TYPE_CHECKING, Any, Final

import structlog
from msgspec.structs import replace

from protocol.codec import encode, read_as, read_whole
from protocol.errors import RefusalCode, RemoteProtocolError
from protocol.from_client import CreateTable, Settle
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import MatchId, Seat, TableCode
from protocol.table import Days
from protocol.text import MAX_TITLE_BYTES, MAX_TITLE_CELLS, clean, fits
from server.admission.invitations import CannotInvite, Invitations
from server.bots.brains import Brains
from server.config import Config, Limits
from server.games.registry import GAMES
from server.matches.match import Match
from server.matches.replay import pack_options, read_options
from server.matches.wishes import WhenKept, nobody_waits
from server.store.in_database import Journal
from server.store.journal import JournalError
from server.tables.access import OPEN, Access, Impossible
from server.tables.deals import MOST_TABLES, Deal, Deals, Terms
from server.tables.names import Names
from server.tables.people import People
from server.tables.record import Past
from server.tables.restoring import Resting
from server.tables.seat import Chair, Seating
from server.tables.shares import Shares
from server.tables.table import Table
from server.tables.table_list import Posted, TableList, row_of
from server.tasks import Tasks

if TYPE_CHECKING:
    from server.net.session import Session
    from server.nodes.cluster import Cluster
    from server.nodes.directory import Node

# What somebody wishes of a new table, checked: its game, its title and its terms.


def terms_of(wish: CreateTable) -> Terms:
    """What is played, and how. Raises Impossible."""
    game = GAMES.get(wish.game)
    if game is None:
        raise Impossible(RefusalCode.NO_SUCH_GAME, game=clean(wish.game))
    if wish.seats not in game.rules.seats:
        raise Impossible(RefusalCode.BAD_SEATS, seats=list(game.rules.seats))
    if wish.clock is not None and not game.rules.refuses_stale:
        raise Impossible(RefusalCode.CLOCK_NEEDS_TURNS, game=wish.game)
    if wish.clock is not None and wish.seats == 1:
        raise Impossible(RefusalCode.CLOCK_NEEDS_OTHERS)
    if wish.seed is not None and len({bot.seat for bot in wish.bots}) < wish.seats - 1:
        raise Impossible(RefusalCode.SEED_NEEDS_BOTS)
    name, preset = intern(wish.game), intern(wish.preset)  # there are few of these
    return Terms(name, wish.seats, preset, _options(wish), wish.clock, wish.hints)


def _options(wish: CreateTable) -> Any:
    """The options of the preset, replaced by the wished ones. Raises Impossible."""
    vocabulary = VOCABULARIES[wish.game]
    preset = vocabulary.presets.get(wish.preset)
    if preset is None:
        raise Impossible(RefusalCode.NO_SUCH_PRESET, preset=clean(wish.preset))
    kind = vocabulary.options
    wished = {name: _option(kind, name, value) for name, value in wish.options.items()}
    options = replace(read_as(preset, kind), **wished)
    wrong = GAMES[wish.game].rules.check_options(options, wish.seats)
    if wrong is not None:
        raise Impossible(RefusalCode.BAD_OPTIONS, option=wrong)
    return read_options(wish.game, pack_options(options))


def _option(kind: Any, name: str, value: Any) -> Any:
    """Raises Impossible if the game has no such option, or the option takes no such value."""
    try:
        return getattr(read_whole(encode({name: value}), kind), name)
    except RemoteProtocolError:
        raise Impossible(RefusalCode.BAD_OPTIONS, option=clean(name)[:MAX_TITLE_CELLS]) from None


# The matches of a server that are played, the tasks that they need, and brains for their bots.


@dataclass
class MatchRunner:
    """`record_key`: signs records (`protocol.signing`), b"" = nothing does. `matches` are played or
    over, with a table. `partings`: what the journal is still to be told of matches that were let
    go. `wall`: the clock of matches of days, in seconds since 1970."""

    journal: Journal
    brains: Brains
    tasks: Tasks
    config: Config
    record_key: bytes = b""
    wall: Callable[[], float] = time.time
    matches: set[Match] = field(default_factory=set)
    partings: set[asyncio.Task[None]] = field(default_factory=set)

    def run(self, match: Match, begun: WhenKept = nobody_waits) -> None:
        """Begin the match, or go on with a restored one. `begun`: as in `Match.start`."""
        self.matches.add(match)
        match.start(begun)

    def let_go(self, match: Match) -> None:
        """End the match and forget it; nobody hears from it any more."""
        match.detach_all()
        self.matches.discard(match)
        self._part(match.forget())

    def rest(self, match: Match) -> None:
        """End the match here; the journal keeps it as current."""
        match.rest()
        self.matches.discard(match)

    def stop(self) -> None:
        """The server stops: no match does anything more, and nobody is told."""
        for match in self.matches:
            match.stop()

    def end_rest(self, match: MatchId) -> None:
        """Let go of a match that rests."""
        self._part(self._end_rest(match))

    def _part(self, work: Coroutine[Any, Any, None]) -> None:
        parting = self.tasks.spawn(work)
        self.partings.add(parting)
        parting.add_done_callback(self.partings.discard)

    async def _end_rest(self, match: MatchId) -> None:
        try:
            await self.journal.finish(match, b"")
            await self.journal.forget(match)
        except JournalError as error:
            # The next start restores it, and lets go of it when nobody comes.
            structlog.get_logger().error("journal failed", match=match, error=str(error))


CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""No I, O, 0, 1, because people read codes out to each other."""
CODE_LENGTH: Final = 4
HIDDEN_LENGTH: Final = 8
"""10^12 codes: nobody finds a hidden table by trying."""


class Lobby:
    """The tables of a server, and what they have in common. `invitations`: those of hosts end with
    their table. `cluster`: of several servers, of which this is one. `draining`: whether nothing
    new begins."""

    def __init__(
        self,
        runner: MatchRunner,
        names: Names,
        limits: Limits,
        invitations: Invitations,
        cluster: "Cluster | None" = None,
    ) -> None:
        self.runner = runner
        self.names = names
        self._invitations: Final = invitations
        self.cluster: Final = cluster
        self.tables: dict[TableCode, Table] = {}
        self.limits = limits
        self.shares = Shares(limits)
        self.resting = Resting(self)
        self.people = People(self)
        self.deals = Deals(self)
        self.past = Past(self)
        self.list = TableList(self)
        self.draining = False

    # Tables -------------------------------------------------------------------------------------

    def create(self, guest: "Session", wish: CreateTable, lock: str = "") -> Table:
        """Make the table that the guest wishes, with the guest as host. `lock`: as in `Access`.
        Raises Impossible."""
        if guest.table is not None:
            raise Impossible(RefusalCode.ALREADY_AT_TABLE, table=guest.table)
        self.refuse_beginning()
        self._refuse_days(guest, wish)
        bots = self._bots(wish)
        self.shares.refuse(guest, tables=1, bots=len(bots))
        self.resting.make_room()
        if len(self.tables) >= self.limits.tables:
            raise Impossible(RefusalCode.TOO_MANY_TABLES, limit=self.limits.tables)
        table = self._new_table(wish, lock)
        for seat, level in bots.items():
            table.need_level(level)
            table.seating.set_bot(seat, level)
        table.join(guest, None)
        self.add(table)
        return table

    def settle(self, table: Table, host: "Session", wish: Settle) -> None:
        """Give a table in which nobody has played yet other rules. Raises Impossible."""
        table.need_host(host)
        if table.matches or table.deal is not None:
            raise Impossible(RefusalCode.SETTLED)
        at = table.terms
        asked = CreateTable(id=0, game=at.game_id, seats=at.seats, hints=at.hints)
        asked = replace(asked, preset=wish.preset, options=wish.options, clock=wish.clock)
        self._refuse_days(host, asked)
        table.settle(terms_of(asked), host, watchable=wish.watchable)

    def _refuse_days(self, guest: "Session", wish: CreateTable) -> None:
        """Raises Impossible for a clock of days where there can be none."""
        if isinstance(wish.clock, Days):
            if wish.duplicate is not None:
                raise Impossible(RefusalCode.NO_DAYS)
            if len(self.resting) >= self.limits.waiting:
                raise Impossible(RefusalCode.TOO_MANY_TABLES, limit=self.limits.waiting)
            self.shares.refuse(guest, days=1)

    def _bots(self, wish: CreateTable) -> dict[int, str]:
        """Their levels, by seat; all tables of a deal have the same. Raises Impossible."""
        if not wish.duplicate:
            return {bot.seat: bot.level for bot in wish.bots}
        chairs = self.find(wish.duplicate).seating.chairs
        return {chair.number: chair.level for chair in chairs if chair.level}

    def _new_table(self, wish: CreateTable, lock: str) -> Table:
        deal = self._deal(wish)
        terms = terms_of(wish) if deal is None else deal.terms
        code = self._new_code(HIDDEN_LENGTH if wish.hidden else CODE_LENGTH)
        title = clean(wish.title)
        if not fits(title, MAX_TITLE_CELLS, MAX_TITLE_BYTES):
            raise Impossible(RefusalCode.BAD_TITLE, cells=MAX_TITLE_CELLS)
        access = Access(hidden=wish.hidden, lock=lock, watchable=wish.watchable)
        return Table(
            lobby=self,
            code=code,
            terms=terms,
            title=title,
            seed=wish.seed,
            deal=deal,
            pace=wish.pace,
            access=OPEN if access == OPEN else access,
            seating=Seating([Chair(self.names, Seat(n)) for n in range(terms.seats)]),
        )

    def _deal(self, wish: CreateTable) -> Deal | None:
        """The deal that a table plays together with others, if it does. Raises Impossible."""
        if wish.duplicate is None:
            return None
        if wish.seed is not None:
            raise Impossible(RefusalCode.SEED_NEEDS_BOTS)
        if wish.duplicate == "":
            terms = terms_of(wish)
            if not GAMES[terms.game_id].fair_hints(terms.options):
                raise Impossible(RefusalCode.DEAL_RACES)
            return Deal(terms)
        other = self.find(wish.duplicate)
        deal = other.deal
        if deal is None or deal.ranked or other.access.lock:
            raise Impossible(RefusalCode.NO_DEAL, table=other.code)
        if len(deal.tables) >= MOST_TABLES:
            raise Impossible(RefusalCode.DEAL_FULL, limit=MOST_TABLES)
        return deal

    def add(self, table: Table) -> None:
        """Anybody can find the table from now on."""
        self.tables[table.code] = table
        if table.deal is not None:
            self.deals.open(table.deal, table.code)
            self.deals.tell_tables(table.deal)
        self.touched(table.code)

    def _new_code(self, length: int) -> TableCode:
        """Raises Impossible."""
        while True:
            if self.cluster is None:
                code = random_code(length)
            else:
                code = self.cluster.naming.codes.take(length)
            if not self.keeps(code) and not self.list.has_elsewhere(code):
                return code

    def keeps(self, code: TableCode) -> bool:
        """Whether a table of this server has the code, or did and may come back to it."""
        known = code in self.tables or code in self.resting.codes
        return known or self.deals.of(code) is not None

    def find(self, code: str) -> Table:
        """The table with this code, in capitals or not. Raises Impossible."""
        table = self.tables.get(TableCode(code.upper()))
        if table is None:
            raise Impossible(RefusalCode.NO_SUCH_TABLE, table=clean(code))
        return table

    def attended(self, guest: "Session", match: str) -> Table | None:
        """The table where the guest was when this match ended."""
        tables = (table for table in self.tables.values() if table.recorded.for_guest(guest, match))
        return next(tables, None)

    def with_match(self, match: str) -> Table | None:
        """The table whose match, running or over, this is."""
        tables = self.tables.values()
        return next((one for one in tables if one.match and one.match.id == match), None)

    def has_match(self, match: str) -> bool:
        """Whether a table here has this match, running or over, or it rests."""
        return match in self.resting or self.with_match(match) is not None

    def find_match(self, match: str) -> Table:
        """The table whose match, running or over, this is. Raises Impossible."""
        if (table := self.with_match(match)) is None:
            raise Impossible(RefusalCode.NO_SUCH_MATCH)
        return table

    def close(self, code: str) -> bool:
        """Close this table, in capitals or not, and end its match, also one that rests. Returns
        whether there is such a table."""
        wanted = TableCode(code.upper())
        if (table := self.tables.get(wanted)) is not None:
            table.presence.close()
            return True
        return self.resting.close(wanted)

    def closed(self, table: TableCode) -> None:
        """Nobody can find the table any more."""
        del self.tables[table]
        self.shares.drop(table)
        structlog.get_logger().info("table closed", table=table)
        if any(one.by and one.table == table for one in self._invitations.all()):
            self.runner.tasks.spawn(self._revoke(table))
        self.touched(table)
        self.deals.changed(table)

    async def _revoke(self, table: TableCode) -> None:
        """The table is no more, and neither are the invitations of its hosts."""
        try:
            await self._invitations.revoke(lambda one: bool(one.by) and one.table == table)
        except CannotInvite as error:
            structlog.get_logger().warning("invitations stay", table=table, why=str(error))

    def lose(self, match: MatchId, home: "Node | None" = None, *, surely: bool = False) -> None:
        """Another node plays this match now: it goes without a word to the journal, with its
        table, and its people go there. Those who wait for an answer get none here: they ask
        again there. `home`: that node, None = unknown. A match that has not begun may just be on
        its way to the journal, unless `surely` says that another node has it."""
        if match in self.resting:
            self.resting.remove(match)
        elif (table := self.with_match(match)) and table.match and (surely or table.match.begun):
            self.lose_table(table.code, home)

    def lose_table(self, code: TableCode, home: "Node | None" = None) -> None:
        """As `lose`, of this table, if it stands."""
        if (table := self.tables.get(code)) is not None:
            for guest in table.people():
                guest.dial_again(home)
            if table.deal is not None:
                self.deals.lose(table.deal)
            self.resting.put_to_rest(table)
            self.shares.drop(code)

    def refuse_beginning(self) -> None:
        """Raises Impossible while nothing new may begin."""
        if self.draining:
            raise Impossible(RefusalCode.DRAINING)

    def awaits(self) -> bool:
        """Whether a match may have a player who comes back."""
        return bool(self.resting.codes) or any(table.match for table in self.tables.values())

    def awaited(self, identity: bytes) -> list[Chair]:
        """The seats that wait for this person (`Session.identity`) to come back; none for b""."""
        tables = self.tables.values() if identity else ()
        chairs = (chair for table in tables for chair in table.seating.owned_by(identity))
        return [chair for chair in chairs if chair.awaited]

    def names_of(self, identity: bytes) -> set[str]:
        """Of a person with an identity at those, and at seats that they gave up."""
        chairs = (chair for table in self.tables.values() for chair in table.seating.chairs)
        left = (chair for chair in chairs if chair.left_by == identity)
        return {chair.name for chair in (*self.awaited(identity), *left)}

    def stop(self) -> None:
        """Let every table stop, because the server does."""
        self.resting.stop()
        for table in self.tables.values():
            try:
                table.stop()
            except Exception:
                structlog.get_logger().exception("a table could not stop", table=table.code)

    @property
    def idle(self) -> bool:
        """Whether all matches have done everything that they were asked, and the journal knows of
        each that was let go."""
        matches = [table.match for table in self.tables.values()]
        return not self.runner.partings and all(match is None or match.idle for match in matches)

    # What is told of tables -----------------------------------------------------------------------

    def touched(self, table: TableCode) -> None:
        """What the lobby shows of the table has changed; of a hidden one it shows nothing."""
        if self.cluster is not None:
            self.cluster.posting.post(table)
        if (stands := self.tables.get(table)) is not None:
            self.shares.count(table, stands.seating)
            if stands.deal is not None:
                self.deals.keep(stands.deal)
        shown = self._shown(table)
        self.list.show(table, row_of(shown) if shown else None)

    def _shown(self, code: TableCode) -> Table | None:
        table = self.tables.get(code)
        return None if table is None or table.access.hidden else table

    def posted(self, table: TableCode) -> Posted | None:
        """What other servers are to know of a table of this one, beside that it is here; None =
        nothing."""
        shown = self._shown(table)
        return Posted(row_of(shown), shown.news.info()) if shown else None


def random_code(length: int) -> TableCode:
    return TableCode("".join(secrets.choice(CODE_LETTERS) for _ in range(length)))
