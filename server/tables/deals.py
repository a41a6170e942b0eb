"""Deals that several tables of this server play, each with its own match of the same seed.

Laws: the seed, the records and the ranking stay closed to all until the last table is done. Nobody
sits at one table who sat at another or watched it, and nobody watches one who sat at another. A
person is known by identity, else by name. The journal keeps who has seen the cards, and which
tables wait, before a card is shown; which tables are done follows from their matches.
"""

import asyncio
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import structlog

from protocol.dealing import SEED_BYTES, matchpoints
from protocol.errors import RefusalCode
from protocol.from_server import RankedTable, Ranking
from protocol.ids import MatchId, TableCode
from protocol.table import Clock
from protocol.text import name_key
from server.games.registry import GAMES
from server.matches.match import Match
from server.matches.replay import pack_options
from server.matches.wishes import WhenKept
from server.recording.records import PERSON, Occupant
from server.store.in_database import Journal
from server.store.journal import Header, JournalError
from server.tables.access import Impossible
from server.tables.record import PersonKey, deal_record
from server.tasks import Tasks

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.lobby import Lobby
    from server.tables.table import Table

MOST_TABLES: Final = 10


class Played(NamedTuple):
    """Of a table that is done: who sat there when it began, and their scores; both by seat.
    `apart`: a bot made moves for a person, so that it is ranked with no other table."""

    sat: Sequence[Occupant]
    scores: Sequence[int]
    apart: bool


class Terms(NamedTuple):
    """What a table plays, and how; all tables of a deal have the same."""

    game_id: str
    seats: int
    preset: str
    options: Any
    clock: Clock | None
    hints: bool | None

    def header(self, seed: bytes, match: str = "", table: bytes = b"") -> Header:
        """Of a match by these terms that is about to begin; "" = of none yet."""
        return Header(
            match=MatchId(match),
            game=self.game_id,
            rules_version=GAMES[self.game_id].rules.rules_version,
            options=pack_options(self.options),
            seats=self.seats,
            seed=seed,
            table=table,
        )


@dataclass(eq=False, slots=True)
class Deal:
    """`terms`: those of the first table. `label`: what people call it, "" = nothing yet. `tables`:
    those that play it, will play it or are done. `sat`, `watched`: who has seen its cards, and
    where. `ranked`: whether the last table is done, and all may know everything. `finished`:
    matches whose tables are closed: the journal lets go of them then. `kept`: what the
    journal was told of it last, None = unknown; `keeping`: what tells it."""

    terms: Terms
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    label: str = ""
    seed: bytes = field(default_factory=lambda: secrets.token_bytes(SEED_BYTES))
    tables: dict[TableCode, Played | None] = field(default_factory=dict)
    sat: dict[PersonKey, TableCode] = field(default_factory=dict)
    watched: dict[PersonKey, set[TableCode]] = field(default_factory=dict)
    ranked: bool = False
    finished: list[Match] = field(default_factory=list)
    kept: bytes | None = None
    keeping: asyncio.Task[None] | None = None

    @property
    def done(self) -> int:
        """How many tables are."""
        return sum(played is not None for played in self.tables.values())

    @property
    def over(self) -> bool:
        """Whether nobody plays it any more."""
        return self.done == len(self.tables)

    def ranking(self, match: str) -> Ranking:
        """For the people of this match."""
        done = {code: played for code, played in self.tables.items() if played is not None}
        fair = [played for played in done.values() if not played.apart]
        people = [[one.kind == PERSON for one in played.sat] for played in fair]
        points = iter(matchpoints([played.scores for played in fair], people))
        tables = [
            RankedTable(
                table=code,
                names=[one.name for one in played.sat],
                scores=list(played.scores),
                points=[0] * len(played.scores) if played.apart else next(points),
                apart=played.apart,
            )
            for code, played in done.items()
        ]
        tables.sort(key=lambda one: (one.apart, -sum(one.points)))
        return Ranking(match=match, deal=self.label, seed=self.seed.hex(), tables=tables)

    def tell(self, journal: Journal, tasks: Tasks, record: bytes) -> None:
        """Tell the journal, unless it knows. What is asked of it later comes later."""
        if record != self.kept:
            self.kept, self.keeping = record, tasks.spawn(self._keep(journal, record))

    async def _keep(self, journal: Journal, record: bytes) -> None:
        try:
            await journal.keep_deal(self.id, record)
        except JournalError as error:
            if self.kept == record:
                self.kept = None  # the next change tells it
            structlog.get_logger().error("journal failed", deal=self.label, error=str(error))

    # Who has seen it -----------------------------------------------------------------------------

    def refuse(self, guest: "Session", table: TableCode, *, sits: bool) -> None:
        """Raises Impossible for somebody who has seen the deal elsewhere."""
        if self.ranked:
            return
        key = _key(guest.name, guest.identity)
        elsewhere = {self.sat[key]} if key in self.sat else set()
        if sits:
            elsewhere |= self.watched.get(key, set())
        if others := elsewhere - {table}:
            raise Impossible(RefusalCode.DEAL_SEEN, table=min(others))

    def saw(
        self, table: TableCode, *, sat: Iterable["Session"], watched: Iterable["Session"]
    ) -> None:
        """These people see the cards at this table."""
        for guest in sat:
            self.knows(table, guest.name, guest.identity)
        for guest in watched:
            key = _key(guest.name, guest.identity)
            self.watched.setdefault(key, set()).add(table)

    def knows(self, table: TableCode, name: str, identity: bytes) -> None:
        """This player sat there."""
        self.sat[_key(name, identity)] = table


def _key(name: str, identity: bytes) -> PersonKey:
    return identity or b"=" + name_key(name).encode()


class Deals:
    """Those of a server that are open, by id."""

    __slots__ = ("_labels", "_lobby", "_restoring", "by_id")

    def __init__(self, lobby: "Lobby") -> None:
        self._lobby: Final = lobby
        self.by_id: Final[dict[str, Deal]] = {}
        self._labels: Final = _labels()
        self._restoring = False

    def open(self, deal: Deal, *tables: TableCode) -> None:
        """The deal has these tables from now on."""
        if deal.id not in self.by_id:
            taken = {other.label for other in self.by_id.values()}
            # No deal has had it since the server started, nor has one that goes on.
            if not deal.label:
                deal.label = next(label for label in self._labels if label not in taken)
            self.by_id[deal.id] = deal
        for table in tables:
            deal.tables.setdefault(table, None)

    @contextmanager
    def restoring(self) -> Iterator[None]:
        """While this goes on some of their tables may be unknown, so that none is over."""
        self._restoring = True
        try:
            yield
        finally:
            self._restoring = False
        for deal in list(self.by_id.values()):
            self._rank_if_over(deal)

    def of(self, table: TableCode) -> Deal | None:
        """The open deal that this table plays or has played."""
        return next((deal for deal in self.by_id.values() if table in deal.tables), None)

    def changed(self, table: TableCode) -> None:
        """The table is done with its deal, and what it has played counts; or it is gone, or its
        match was broken off, and it counts no more."""
        if (deal := self.of(table)) is not None:
            if deal.tables[table] is None:
                del deal.tables[table]
            self._rank_if_over(deal)

    def _rank_if_over(self, deal: Deal) -> None:
        """Rank its tables when the last is done, or tell how many are."""
        if deal.over and not deal.ranked and not self._restoring:
            deal.ranked = True
            del self.by_id[deal.id]
            self._tell_journal(deal, b"")
            for match in deal.finished:
                self._lobby.runner.let_go(match)
            for table in self._playing(deal):
                table.tell_ranking(*table.people())
        self.tell_tables(deal)
        self.keep(deal)

    def tell_tables(self, deal: Deal) -> None:
        """Tell their people how many there are, and how many are done."""
        for table in self._playing(deal):
            table.news.touch()

    def lose(self, deal: Deal) -> None:
        """It goes on where all its tables are now."""
        self.by_id.pop(deal.id, None)
        for match in deal.finished:
            self._lobby.runner.rest(match)
        deal.finished.clear()

    def _playing(self, deal: Deal) -> "list[Table]":
        return [table for table in self._lobby.tables.values() if table.deal is deal]

    # In the journal ------------------------------------------------------------------------------

    def keep(self, deal: Deal) -> None:
        """Tell the journal what it is now, as long as it is open."""
        if deal.id in self.by_id and not self._restoring:
            tables = self._playing(deal)
            waiting = [one for one in tables if one.match is None or not one.match.begun]
            self._tell_journal(deal, deal_record(deal, waiting))

    def when_kept(self, table: TableCode, answer: WhenKept) -> None:
        """Call `answer` when a restart of the server forgets nothing of the deal that this table
        plays together with others; at once where it plays none."""
        deal = self.of(table)
        if deal is None or deal.keeping is None or deal.keeping.done():
            answer()
        else:
            deal.keeping.add_done_callback(lambda _: answer())

    def _tell_journal(self, deal: Deal, record: bytes) -> None:
        runner = self._lobby.runner
        deal.tell(runner.journal, runner.tasks, record)


def _labels() -> Iterator[str]:
    """A to Z, then A2 to Z2 and so on."""
    for n in count(1):
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
            yield letter if n == 1 else f"{letter}{n}"
