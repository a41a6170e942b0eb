"""Deals that several tables of this server play, each with its own match of the same seed.

Laws: the seed, the records and the ranking stay closed to all until the last table is done. Nobody
sits at one table who sat at another or watched it, and nobody watches one who sat at another. Who
that is, the identity says, and without one the name. The journal keeps who that is, and which
tables wait, before a card is shown; what is done, the matches in it say.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import structlog

from protocol.clock import Clock
from protocol.dealing import SEED_BYTES
from protocol.duplicate import matchpoints
from protocol.from_server import RankedTable, Ranking
from protocol.ids import TableCode
from protocol.refusal import RefusalCode
from protocol.text import name_key
from server.matches.match import Match
from server.recording.records import Occupant
from server.store.journal import JournalError
from server.tables.refusals import Impossible

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.lobby import Lobby

MOST_TABLES: Final = 10

Person: TypeAlias = bytes
"""The identity; "=" and the key of the name where there is none."""


class Played(NamedTuple):
    """Of a table that is done: who sat there when it began, and their scores; both by seat."""

    sat: Sequence[Occupant]
    scores: Sequence[int]


class Terms(NamedTuple):
    """What a table plays, and how; all tables of a deal have the same."""

    game_id: str
    seats: int
    preset: str
    options: Any
    clock: Clock | None
    hints: bool | None


class Deal:
    """`terms`: those of the first table."""

    __slots__ = (
        "_sat",
        "_tables",
        "_watched",
        "held",
        "id",
        "keeping",
        "kept",
        "label",
        "ranked",
        "seed",
        "terms",
    )

    def __init__(self, terms: Terms, *, id: str = "", label: str = "", seed: bytes = b"") -> None:
        self.terms: Final = terms
        self.id: Final = id or secrets.token_hex(8)
        self.label = label
        self.seed: Final = seed or secrets.token_bytes(SEED_BYTES)
        self.ranked = False
        """Whether the last table is done, and all may know everything."""
        self.held: list[Match] = []
        """Matches that are over and whose tables are closed: the journal holds them up to then."""
        self.kept: bytes | None = None
        """What the journal was told of it last; None = unknown."""
        self.keeping: asyncio.Task[None] | None = None
        """What tells it."""
        self._tables: dict[TableCode, Played | None] = {}
        self._sat: dict[Person, TableCode] = {}
        self._watched: dict[Person, set[TableCode]] = {}

    # Its tables ----------------------------------------------------------------------------------

    @property
    def tables(self) -> Sequence[TableCode]:
        """Those that play it, will play it or are done."""
        return list(self._tables)

    @property
    def done(self) -> int:
        """How many tables are."""
        return sum(played is not None for played in self._tables.values())

    @property
    def over(self) -> bool:
        """Whether nobody plays it any more."""
        return self.done == len(self._tables)

    def add(self, table: TableCode) -> None:
        """This table plays it, too."""
        self._tables.setdefault(table, None)

    def finish(self, table: TableCode, played: Played) -> None:
        """The match of this table is over."""
        self._tables[table] = played

    def drop(self, table: TableCode) -> None:
        """This table is gone or its match was broken off: it counts no more unless it is done."""
        if table in self._tables and self._tables[table] is None:
            del self._tables[table]

    def ranking(self, match: str) -> Ranking:
        """For the people of this match."""
        done = {code: played for code, played in self._tables.items() if played is not None}
        people = [[one.kind == "human" for one in played.sat] for played in done.values()]
        points = matchpoints([played.scores for played in done.values()], people)
        tables = [
            RankedTable(
                table=code,
                names=[one.name for one in played.sat],
                scores=list(played.scores),
                points=mine,
            )
            for (code, played), mine in zip(done.items(), points, strict=True)
        ]
        tables.sort(key=lambda one: -sum(one.points))
        return Ranking(match=match, deal=self.label, seed=self.seed.hex(), tables=tables)

    # Who has seen it -----------------------------------------------------------------------------

    def refuse(self, guest: "Session", table: TableCode, *, sits: bool) -> None:
        """Raises Impossible for somebody who has seen the deal elsewhere."""
        if self.ranked:
            return
        key = _key(guest.name, guest.identity)
        elsewhere = {self._sat[key]} if key in self._sat else set()
        if sits:
            elsewhere |= self._watched.get(key, set())
        if others := elsewhere - {table}:
            raise Impossible(RefusalCode.DEAL_SEEN, table=min(others))

    @property
    def sat(self) -> Mapping[Person, TableCode]:
        return self._sat

    @property
    def watched(self) -> Mapping[Person, set[TableCode]]:
        return self._watched

    def remember(
        self, sat: Mapping[Person, TableCode], watched: Mapping[Person, set[TableCode]]
    ) -> None:
        """What the journal has of both."""
        self._sat.update(sat)
        self._watched.update(watched)

    def saw(
        self, table: TableCode, *, sat: Iterable["Session"], watched: Iterable["Session"]
    ) -> None:
        """These people see the cards at this table."""
        for guest in sat:
            self.knows(table, guest.name, guest.identity)
        for guest in watched:
            key = _key(guest.name, guest.identity)
            self._watched.setdefault(key, set()).add(table)

    def knows(self, table: TableCode, name: str, identity: bytes) -> None:
        """This player sat there."""
        self._sat[_key(name, identity)] = table


def _key(name: str, identity: bytes) -> Person:
    return identity or b"=" + name_key(name).encode()


class Deals:
    """Those of a server that are open. `restoring`: some of their tables may still be unknown, so
    that none is over."""

    __slots__ = ("_labels", "_lobby", "_open", "restoring")

    def __init__(self, lobby: "Lobby") -> None:
        self._lobby: Final = lobby
        self._open: Final[dict[str, Deal]] = {}
        self._labels: Final = _labels()
        self.restoring = False

    def open(self, deal: Deal, *tables: TableCode) -> None:
        """The deal has these tables from now on."""
        if deal.id not in self._open:
            deal.label = deal.label or self._label()
            self._open[deal.id] = deal
        for table in tables:
            deal.add(table)

    def by_id(self, id: str) -> Deal | None:
        return self._open.get(id)

    def of(self, table: TableCode) -> Deal | None:
        """The open deal that this table plays or has played."""
        return next((deal for deal in self._open.values() if table in deal.tables), None)

    def close(self, deal: Deal) -> None:
        """Nobody plays it any more, or nobody here."""
        self._open.pop(deal.id, None)

    def all(self) -> Sequence[Deal]:
        return list(self._open.values())

    # In the journal ------------------------------------------------------------------------------

    def keep(self, deal: Deal, record: bytes) -> None:
        """Tell the journal, unless it knows. What is asked of it later comes later."""
        if record != deal.kept:
            deal.kept = record
            deal.keeping = self._lobby.tasks.spawn(self._keep(deal, record))

    def when_kept(self, deal: Deal, answer: Callable[[], None]) -> None:
        """Call `answer` when the journal knows what the deal is now, or cannot know it."""
        if deal.keeping is None or deal.keeping.done():
            answer()
        else:
            deal.keeping.add_done_callback(lambda _: answer())

    async def _keep(self, deal: Deal, record: bytes) -> None:
        try:
            await self._lobby.runner.journal.keep_deal(deal.id, record)
        except JournalError as error:
            if deal.kept == record:
                deal.kept = None  # the next change tells it
            structlog.get_logger().error("journal failed", deal=deal.label, error=str(error))

    def _label(self) -> str:
        """One that no deal of this server has had since it started, nor one that it goes on
        with."""
        taken = {deal.label for deal in self._open.values()}
        return next(label for label in self._labels if label not in taken)


def _labels() -> Iterator[str]:
    """A to Z, then A2 to Z2 and so on."""
    for n in count(1):
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
            yield letter if n == 1 else f"{letter}{n}"
