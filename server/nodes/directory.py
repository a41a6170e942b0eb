"""Who else is there: the nodes on one database, and how it is asked.

A node lives while its session holds its lock and its lease runs; both are told by the database, so
that no machine's own clock counts. A node that has lost its lock, or has not said for a while that
it lives, is asked; without an answer it is gone. Law: these only say when to try something; who may
write, the fence of the journal says (`server.store.fenced`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import psycopg
import structlog

from server.config import Config
from server.store.connecting import LOCK, Age, Bounded, connected_to, name_of
from server.store.fenced import FencedJournal
from server.store.journal import JournalError
from server.store.statements import SqlConnection, Unusable
from server.tables.record import code_in, read_record

T = TypeVar("T")

# A node's questions to the database, beside its journal: one at a time, each kept at once.


MOST_S: Final = 5.0
"""A question that has no answer by then has failed, and so has its session; also one that has
waited for others for so long."""
LONG_S: Final = 1.0


class Asking:
    """A session in a thread of its own, made again when it was lost. `begun` is called with each
    new one, in that thread."""

    def __init__(
        self, url: str, age: Age, begun: Callable[[Bounded], None] = lambda _: None
    ) -> None:
        self._url: Final = url
        self._age: Final = age
        self._begun: Final = begun
        self._thread: Final = ThreadPoolExecutor(1, "asking")
        self._connection: Bounded | None = None
        self._failed = False
        self._asks_since_s: float | None = None

    @property
    def away(self) -> bool:
        """Whether the last question has failed, or one has waited for long."""
        since_s = self._asks_since_s
        return self._failed or (since_s is not None and monotonic() - since_s > LONG_S)

    async def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the statement finds. `values`: for each `%s` of it. Raises JournalError."""
        return await self.use(partial(_rows, statement, values))

    async def use(self, work: Callable[[Bounded], T]) -> T:
        """What this comes to with the session, in its thread. Raises JournalError."""
        until_s, loop = monotonic() + MOST_S, asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, self._use, work, until_s)
        except (psycopg.Error, OSError, Unusable) as error:
            raise JournalError(f"the database failed: {error}") from error

    def _use(self, work: Callable[[Bounded], T], until_s: float) -> T:
        self._asks_since_s, failed = monotonic(), True
        try:
            if until_s <= self._asks_since_s:
                raise TimeoutError("it does not answer")
            if (connection := self._connection) is None or connection.closed:
                connection = self._new(until_s)
            connection.wait_until(until_s)
            found = work(connection)
            failed = False
            return found
        finally:
            self._asks_since_s, self._failed = None, failed

    def _new(self, until_s: float) -> Bounded:
        connection = connected_to(self._url, until_s - monotonic(), age=self._age)
        connection.wait_until(until_s)
        try:
            self._begun(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def close(self) -> None:
        self._thread.submit(self._drop)
        self._thread.shutdown(wait=False)

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()


def _rows(statement: str, values: tuple[Any, ...], connection: Bounded) -> list[tuple[Any, ...]]:
    cursor = connection.execute(statement.encode(), values or None)
    return cursor.fetchall() if cursor.description else []


LIFE_LOCK: Final = LOCK + 1
"""The class of the nodes' locks; the view `living` has it, too."""
CHANNEL: Final = "clocktowers"
"""On which nodes tell each other that there is something to look at; the topic is the payload."""
CLAIMS: Final = "claims"
"""A node has let go of matches."""
TABLES: Final = "tables"
"""What others know of a node's tables has changed."""
FILES: Final = "kept"
"""A file that all share has changed."""
NODES: Final = "nodes"
"""A command tells that a node is to stop."""
QUIET: Final = 0.35
"""A node that has not said for this part of its lease that it lives is asked."""
ANSWER_S: Final = 1.0
"""A node that lives has answered by then, or after half of `QUIET` if that is longer."""
LOOK_S: Final = 0.2
"""How often a node looks who lives."""
RENEWALS: Final = 4
"""So many times in each lease it says that it lives itself."""
NAME_S: Final = 4.0
"""How long a node that was killed may still have its name."""

_LOCK_OF: Final = "hashtext(current_schema() || '/' || %s)"
_REGISTER: Final = f"""
INSERT INTO node (id, lock, lease, address, players, keep_days, journal_mb)
VALUES (%s, {_LOCK_OF}::bigint & 4294967295, make_interval(secs => %s), %s, %s, %s, %s)
RETURNING number
"""
_KEEP_OTHERS: Final = """
SELECT living.id, keep_days, journal_mb FROM node JOIN living USING (number)
WHERE number < %s AND (keep_days, journal_mb) <> (%s, %s) LIMIT 1
"""
_RENEW: Final = """
UPDATE node SET seen = clock_timestamp(), address = %s, players = %s FROM node AS old
WHERE node.number = %s AND old.number = node.number
RETURNING node.stopping, old.seen + old.lease < clock_timestamp()
"""
_LIVING: Final = f"""
SELECT extract(epoch FROM clock_timestamp())::float8,
    living.seen + {QUIET} * lease < clock_timestamp(),
    number, living.id, living.address, living.players
FROM living JOIN node USING (number) ORDER BY number
"""
_GONE: Final = f"""
UPDATE node SET seen = clock_timestamp() - lease
WHERE number = ANY (%s) AND seen + {QUIET} * lease < clock_timestamp() RETURNING number
"""
"""Unless it has said meanwhile that it lives."""
_FRESH: Final = """
SELECT number FROM node WHERE number = ANY (%s) AND seen + lease > clock_timestamp()
"""
_SEATS_OF: Final = """
SELECT id, "table", ARRAY(SELECT seat FROM token WHERE token.match = match.number) FROM match
WHERE held = 1 AND position(%s::bytea IN "table") > 0 ORDER BY number DESC
"""
"""It reads the records of all matches that go on; guests alone ask."""
_SWEEP: Final = """
DELETE FROM node WHERE number NOT IN (SELECT number FROM living)
AND number <> %s AND seen + 2 * lease < clock_timestamp()
AND NOT EXISTS (SELECT FROM match WHERE owner = node.number)
"""


class Node(NamedTuple):
    """`number`: of this start of it, which never comes again; `address`: where other nodes reach
    it, "" where they cannot yet; `players`: where players do, "" = not by themselves."""

    number: int
    id: str
    address: str
    players: str = ""


NOBODY: Final = Node(0, "", "")
"""The home of a match that nobody plays."""


ReachesDatabase: TypeAlias = Callable[[Node], Awaitable[bool]]
"""Asks that node whether it does. Raises OSError where it does not answer."""


async def _nobody_asks(_node: Node) -> bool:
    return True


@dataclass
class _Homes:
    """A question after several matches. `found`: its answer."""

    matches: set[str]
    found: Mapping[str, Node] | None = None


class Directory:
    """One node's view of all. `journal`: the node's, which is told each number that it gets."""

    def __init__(self, config: Config, journal: FencedJournal, age: Age) -> None:
        self._journal: Final = journal
        self._keeps: Final = (config.keep_days, config.journal_mb)
        self.id: Final = config.node
        self.number = 0
        """Of this node; another one after it was away for so long that it was forgotten."""
        self.address = ""
        """Where other nodes reach it,"""
        self.players = ""
        """and where players do."""
        self._database_ahead_s = 0.0
        """Of the loop's clock."""
        self.living: Mapping[int, Node] = {}
        """The nodes that lived a moment ago, with this one, by number."""
        self.spared: Mapping[int, Node] = {}
        """Those of them that the database counts as gone and that answer nevertheless."""
        self._reaches: ReachesDatabase = _nobody_asks
        self._url: Final = config.journal
        self._lease_s: Final = config.node_lease_s
        self._loop: Final = asyncio.get_running_loop()
        self._session: Final = Asking(config.journal, age, self._begin)
        self._asking: Final = Asking(config.journal, age)
        self.told: Final = {topic: asyncio.Event() for topic in (CLAIMS, TABLES, FILES)}
        """By topic: set when some node tells of it, and after news may have been lost."""
        self.gone: Final = asyncio.Event()
        """Set when a node is gone; its matches and tables are to be looked at then, too."""
        self._homes = _Homes(set())
        self._homes_turn: Final = asyncio.Lock()
        self._renew_s = 0.0
        """When it says again that it lives, on the loop's clock."""
        self._reached_s = self._loop.time()
        """When the database last answered, on the loop's clock."""
        self._steady_s = 0.0
        """From when on it judges others, on the loop's clock."""

    # What others ask ------------------------------------------------------------------------------

    @property
    def others(self) -> list[Node]:
        """The other nodes that live."""
        return [node for number, node in self.living.items() if number != self.number]

    @property
    def steady(self) -> bool:
        """Whether this node knows well enough who is gone: after an outage of the database the
        others need a moment to say that they live."""
        return asyncio.get_running_loop().time() >= self._steady_s

    @property
    def database_s(self) -> float:
        """What its clock says, in seconds since 1970: those of the nodes may differ."""
        return asyncio.get_running_loop().time() + self._database_ahead_s

    @property
    def away_s(self) -> float:
        """For how long this node has not reached the database; 0 = it does."""
        if self._session.away or self._asking.away:
            return asyncio.get_running_loop().time() - self._reached_s
        return 0.0

    async def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask the database something, with `%s` for each value. Raises JournalError."""
        return await self._asking.rows(statement, *values)

    async def home_of(self, match: str) -> Node | None:
        """The living node that plays this match, or NOBODY; None: the journal does not hold it.
        Those who ask while a question is under way share the next one. Raises JournalError."""
        shared = self._homes
        shared.matches.add(match)
        async with self._homes_turn:
            if shared.found is None:
                self._homes = _Homes(set())
                shared.found = await self._homes_of(shared.matches)
        return shared.found.get(match)

    async def _homes_of(self, matches: Collection[str]) -> dict[str, Node]:
        rows = await self.rows(
            "SELECT match.id, living.number, living.id, living.address, players FROM match "
            "LEFT JOIN living ON living.number = match.owner "
            "WHERE match.id = ANY (%s) AND held = 1",
            list(matches),
        )
        return {id: NOBODY if node[0] is None else Node(*node) for id, *node in rows}

    async def loads(self) -> dict[int, int]:
        """How many matches each living node has, by its number. Raises JournalError."""
        found = await self.rows("SELECT owner, count(*) FROM match WHERE held = 1 GROUP BY owner")
        counts = dict(found)
        return {number: counts.get(number, 0) for number in {*self.living, self.number}}

    async def match_of(self, identity: bytes) -> str:
        """The newest match in which this person has a seat; "" = there is none. Raises
        JournalError."""
        for match, record, seats in await self.rows(_SEATS_OF, identity) if identity else ():
            if read_record(bytes(record)).has_owner(identity, seats):
                return str(match)
        return ""

    async def tell(self, topic: str) -> None:
        """Let all nodes look at this topic. Raises JournalError."""
        await self.rows("SELECT pg_notify(%s, %s)", CHANNEL, topic)

    # Its life -------------------------------------------------------------------------------------

    async def join(self) -> None:
        """Become a node of the cluster. Raises Unusable."""
        try:
            await self._renew()
            await self.look()
            others = await self.rows(_KEEP_OTHERS, self.number, *self._keeps)
        except JournalError as error:
            raise Unusable(f"cannot use {name_of(self._url)}: {error}") from None
        if others:
            ((node, days, mb),) = others
            raise Unusable(
                f"all nodes keep the same records, and node {node} has keep_days = {days} and "
                f"journal_mb = {mb}: start this one with these, or stop all nodes first"
            )

    async def announce(self, address: str, players: str) -> None:
        """Other nodes reach this one there, and players there. Raises JournalError."""
        self.address, self.players = address, players
        await self._renew()  # where the start took so long that others count this node as gone

    def meet(self, reaches: ReachesDatabase) -> None:
        """From now on the others can be asked."""
        self._reaches = reaches

    async def run(self, stopping: asyncio.Event) -> None:
        """Say again and again that this node lives, and pass on what others tell, for ever.
        `stopping`: set when an operator wants this node to stop."""
        loop, fails = asyncio.get_running_loop(), False
        while True:
            try:
                if loop.time() >= self._renew_s:
                    self._renew_s = loop.time() + self._lease_s / RENEWALS
                    if await self._renew():
                        stopping.set()
                    self._reached_s = loop.time()
                await self._listen(LOOK_S)
                fails = False
            except JournalError as error:
                if not fails:
                    why = str(error)
                    structlog.get_logger().error("the node cannot say that it lives", why=why)
                fails, self._renew_s = True, loop.time()
                await asyncio.sleep(LOOK_S)

    async def watch(self) -> None:
        """Look who lives, for ever."""
        while True:
            with suppress(JournalError):
                await self.look()
            await asyncio.sleep(LOOK_S)

    async def leave(self) -> None:
        """Be a node no more: names and tables of this one are free at once."""
        try:
            await self._session.rows(
                "UPDATE node SET seen = '-infinity' WHERE number = %s", self.number
            )
            await self._session.rows(_SWEEP, 0)
        except JournalError as error:
            structlog.get_logger().error("the node could not say that it stops", why=str(error))
        self._session.close()
        self._asking.close()

    def _begin(self, connection: Bounded) -> None:
        """In each new session: it says that this node lives, and hears what others tell."""
        connection.execute(f"SET lock_timeout = '{NAME_S:g}s'; LISTEN {CHANNEL}".encode())
        lock = f"SELECT pg_advisory_lock({LIFE_LOCK}, {_LOCK_OF})"
        connection.execute(lock.encode(), [self.id])
        if self.number:
            self._loop.call_soon_threadsafe(self._wait_for_others)

    def _wait_for_others(self) -> None:
        self._steady_s = asyncio.get_running_loop().time() + self._lease_s
        self._renew_s = 0.0
        for told in self.told.values():
            told.set()

    async def _renew(self) -> bool:
        """Returns whether the node is to stop."""
        found = await self._session.rows(_RENEW, self.address, self.players, self.number)
        if not found:
            await self._register()
            return False
        await self._session.rows(_SWEEP, self.number)
        ((stopping, lapsed),) = found
        if lapsed:
            self._wait_for_others()
        return bool(stopping)

    async def _register(self) -> None:
        await self._session.rows("UPDATE node SET seen = '-infinity' WHERE id = %s", self.id)
        own = (self.address, self.players, *self._keeps)
        given = (self.id, self.id, self._lease_s, *own)
        ((self.number,),) = await self._session.rows(_REGISTER, *given)
        self._journal.owner = self.number

    async def look(self) -> None:
        """Who lives now; nobody is gone as long as this node does not know well enough. Raises
        JournalError."""
        before, rows = self.living, await self.rows(_LIVING)
        self._reached_s = self._loop.time()
        if rows:
            self._database_ahead_s = rows[0][0] - self._reached_s
        found = {node[0]: Node(*node) for _, _, *node in rows}
        if not self.steady:
            self.spared, self.living = {}, {**before, **found}
            return
        gone = before.keys() - found.keys() - {self.number}
        quiet = [Node(*node) for _, quiet, *node in rows if quiet]
        self.spared = await self._spared([before[number] for number in gone])
        for number in await self._gone(quiet):
            del found[number]
        self.living = found | self.spared
        if before.keys() - self.living.keys():
            for event in (self.gone, self.told[CLAIMS], self.told[TABLES]):
                event.set()

    async def _spared(self, missing: Collection[Node]) -> dict[int, Node]:
        """Of these, which have lost their lock or their lease, those that reach the database or
        soon may: they have lost a session, or are busy."""
        answers = await self._asked(missing)
        fresh = {n for (n,) in await self.rows(_FRESH, list(answers))} if answers else set[int]()
        alive = {n for n, reaches in answers.items() if reaches or n in fresh}
        return {node.number: node for node in missing if node.number in alive}

    async def _gone(self, quiet: Collection[Node]) -> list[int]:
        """Of these, whose lease runs, those that do not answer: from now on it does not. One that
        has no address yet starts."""
        others = [node for node in quiet if node.address and node.number != self.number]
        answers = await self._asked(others)
        silent = [node.number for node in others if node.number not in answers]
        return [n for (n,) in await self.rows(_GONE, silent)] if silent else []

    async def _asked(self, nodes: Collection[Node]) -> dict[int, bool]:
        """By the number of each that answers, whether it reaches the database."""

        async def ask(node: Node) -> None:
            with suppress(OSError):
                async with asyncio.timeout(max(ANSWER_S, QUIET / 2 * self._lease_s)):
                    answers[node.number] = await self._reaches(node)

        answers = dict[int, bool]()
        await asyncio.gather(*map(ask, nodes))
        return answers

    async def _listen(self, for_s: float) -> None:
        """Until somebody tells something, or so long."""

        def hear(connection: Bounded) -> list[str]:
            return [told.payload for told in connection.notifies(timeout=for_s, stop_after=1)]

        for topic in await self._session.use(hear):
            self._tell(topic)

    def _tell(self, topic: str) -> None:
        if topic == NODES:
            self._renew_s = 0.0
        elif topic in self.told:
            self.told[topic].set()


# What an operator sees of all nodes, and the word by which one stops; from any machine that
# reaches the database.


def nodes(connection: SqlConnection) -> list[dict[str, Any]]:
    """All nodes, those that are gone as long as matches of theirs are unclaimed."""
    rows = connection.execute(
        "SELECT id, CASE WHEN number NOT IN (SELECT number FROM living) THEN 'gone' "
        "WHEN stopping THEN 'stops' ELSE 'lives' END, address, "
        "extract(epoch FROM began)::bigint, "
        "(SELECT count(*) FROM match WHERE owner = node.number AND held = 1) "
        "FROM node ORDER BY id, number"
    )
    columns = ("node", "state", "address", "since", "matches")
    return [dict(zip(columns, row, strict=True)) for row in rows.fetchall()]


def claims(connection: SqlConnection, node: str = "") -> list[dict[str, Any]]:
    """The matches that go on, by node; of this one alone if it is named. "" = nobody plays it."""
    rows = connection.execute(
        "SELECT coalesce(node.id, ''), match.id, game, \"table\", epoch, version FROM match "
        "LEFT JOIN node ON node.number = owner WHERE held = 1 AND (? = '' OR node.id = ?) "
        "ORDER BY 1, match.number",
        (node, node),
    )
    columns = ("node", "match", "game", "table", "claims", "entries")
    found = [dict(zip(columns, row, strict=True)) for row in rows.fetchall()]
    return [{**one, "table": code_in(one["table"])} for one in found]


def drain(connection: SqlConnection, node: str) -> int | None:
    """Let this node stop, and hand its matches over. Returns how many it has; None: no such node
    lives."""
    rows = connection.execute(
        "UPDATE node SET stopping = true WHERE number IN (SELECT number FROM living WHERE id = ?) "
        "RETURNING (SELECT count(*) FROM match WHERE owner = node.number AND held = 1)",
        (node,),
    ).fetchall()
    connection.execute("SELECT pg_notify(?, ?)", (CHANNEL, NODES))
    return int(rows[0][0]) if rows else None
