"""A node says that it lives, and looks which others do, and which node has a match or a table.

A node lives while its session holds its lock and its lease runs; both are told by the database, so
that no machine's own clock counts. A node that has lost its lock, or has not said for a while that
it lives, is asked; without an answer it is gone. Law: these only say when to try something; who may
write, the fence of the journal says (`server.store.fenced`).
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import structlog

from server.config import Config
from server.nodes.asking import Asking, Together
from server.store.connecting import LIFE_LOCK, Age, Bounded, name_of
from server.store.fenced import CHANNEL, PEOPLE, FencedJournal
from server.store.journal import JournalError
from server.store.statements import Unusable
from server.tables.record import read_record

if TYPE_CHECKING:
    from server.nodes.cluster import Cluster

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
UPDATE node SET seen = clock_timestamp(), address = %s, players = %s, tables = %s
FROM node AS old WHERE node.number = %s AND old.number = node.number
RETURNING node.stopping, old.seen + old.lease < clock_timestamp()
"""
_LIVING: Final = f"""
SELECT extract(epoch FROM clock_timestamp())::float8,
    living.seen + {QUIET} * lease < clock_timestamp(), tables,
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
_MATCHES: Final = """
SELECT id, owner, owner IN (SELECT number FROM living) FROM match WHERE id = ANY (%s) AND held = 1
"""
_TABLES: Final = """
SELECT code, owner, owner IN (SELECT number FROM living)
FROM asleep JOIN match ON number = match WHERE held = 1 AND awake = 0 AND code = ANY (%s)
UNION ALL SELECT code, node, node IN (SELECT number FROM living)
FROM open_table WHERE code = ANY (%s) AND gone IS NULL
"""
"""Where much sleeps, not all of it may have been told yet; what is told comes after it."""
_DUES: Final = """
SELECT id, code, due, due_at FROM asleep JOIN match ON number = match
WHERE held = 1 AND awake = 0 AND (id = ANY (%s) OR code = ANY (%s))
"""
_SEATS: Final = """
SELECT id, "table", ARRAY(SELECT seat FROM token WHERE token.match = match.number) FROM match
WHERE held = 1
AND EXISTS (SELECT FROM unnest(%s::bytea[]) AS one WHERE position(one IN "table") > 0)
ORDER BY number DESC
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


def _log_change(before: Mapping[int, Node], now: Mapping[int, Node]) -> None:
    log = structlog.get_logger()
    for number in before.keys() - now.keys():
        log.info("a node is gone", node=before[number].id)
    for number in now.keys() - before.keys():
        log.info("a node has come", node=now[number].id, players=now[number].players)


_Homes: TypeAlias = Together[str, Mapping[str, tuple[int, bool]]]


class Directory:
    """One node's view of all. `journal`: the node's, which is told each number that it gets."""

    def __init__(self, config: Config, journal: FencedJournal, age: Age) -> None:
        self.journal: Final = journal
        self._cluster: Cluster | None = None
        """None: no other node can be asked yet."""
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
        self.loads: Mapping[int, int] = {}
        """How many tables each of them has that takes new ones, by number."""
        self._url: Final = config.journal
        self._lease_s: Final = config.node_lease_s
        self._loop: Final = asyncio.get_running_loop()
        self._session: Final = Asking(config.journal, age, self._begin)
        self._asking: Final = Asking(config.journal, age)
        self._looks: Final = Together[None, Mapping[int, Node]](self._look)
        self._matches: Final = _Homes(partial(self._homes, _MATCHES))
        self._tables: Final = _Homes(partial(self._homes, _TABLES))
        self._seats: Final = Together[bytes, list[tuple[Any, ...]]](self._seats_of)
        self.told: Final = {topic: asyncio.Event() for topic in (CLAIMS, TABLES, FILES, PEOPLE)}
        """By topic: set when some node tells of it, and after news may have been lost."""
        self.changed: Final[set[bytes]] = set()
        """The people of whom something has; b"": it may be any."""
        self._renew_s = 0.0
        """When it says again that it lives, on the loop's clock."""
        self._reached_s = self._loop.time()
        """When the database last answered, on the loop's clock."""
        self._steady_s = 0.0
        """Until then others may not have found the database again, on the loop's clock."""

    # What others ask ------------------------------------------------------------------------------

    @property
    def own(self) -> Node:
        """This node."""
        return Node(self.number, self.id, self.address, self.players)

    @property
    def others(self) -> list[Node]:
        """The other nodes that live."""
        return [node for number, node in self.living.items() if number != self.number]

    @property
    def database_s(self) -> float:
        """What its clock says, in seconds since 1970: those of the nodes may differ."""
        return self._loop.time() + self._database_ahead_s

    @property
    def away_s(self) -> float:
        """For how long this node has not reached the database; 0 = it does."""
        if self._session.away or self._asking.away:
            return self._loop.time() - self._reached_s
        return 0.0

    async def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask the database something, with `%s` for each value. Raises JournalError."""
        return await self._asking.rows(statement, *values)

    def knows(self, address: str) -> bool:
        """Whether a node that lives has this address."""
        nodes = self.living.values()
        return any(node.address.rpartition(":")[0].strip("[]") == address for node in nodes)

    async def reaching(self) -> list[Node]:
        """The other nodes that reach the database, as they say."""
        others = self.others
        answers = await self._asked(others)
        return [node for node in others if answers.get(node.number)]

    async def home_of(self, match: str) -> Node | None:
        """The node that plays this match, or NOBODY; None: the journal does not hold it. Raises
        JournalError."""
        return await self._home(match, self._matches)

    async def home_of_table(self, code: str) -> Node | None:
        """The node that has this table, or NOBODY: it is gone, and another may bring the table
        back; None: there is no such table. Raises JournalError."""
        return await self._home(code, self._tables)

    async def _home(self, what: str, homes: _Homes) -> Node | None:
        if (found := (await homes.about(what)).get(what)) is None:
            return None
        number, lives = found
        if number and not (lives and number in self.living):
            await self.look()  # it may answer nevertheless
        return self.living.get(number, NOBODY)

    async def _homes(self, statement: str, wanted: list[str]) -> Mapping[str, tuple[int, bool]]:
        """By what is wanted the number of its node, and whether that lives by the database."""
        rows = await self.rows(statement, *[wanted] * statement.count("%s"))
        return {what: (number or 0, bool(lives)) for what, number, lives in rows}

    async def dues(self, matches: Sequence[str]) -> list[tuple[Any, ...]]:
        """Of these matches, by id or by the code of the table, those that sleep: both, and whose
        turn it is, and until when, as in `Asleep`. Raises JournalError."""
        return await self.rows(_DUES, list(matches), list(matches))

    async def match_of(self, identity: bytes) -> str:
        """The newest match in which this person has a seat; "" = there is none. Raises
        JournalError."""
        for match, record, seats in await self._seats.about(identity) if identity else ():
            if read_record(bytes(record)).has_owner(identity, seats):
                return str(match)
        return ""

    async def _seats_of(self, identities: list[bytes]) -> list[tuple[Any, ...]]:
        return await self.rows(_SEATS, identities)

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
                if fails:
                    structlog.get_logger().info("the node says again that it lives")
                fails = False
            except JournalError as error:
                if not fails:
                    why = str(error)
                    structlog.get_logger().error("the node cannot say that it lives", why=why)
                fails, self._renew_s = True, loop.time()
                await asyncio.sleep(LOOK_S)

    async def watch(self, cluster: "Cluster") -> None:
        """Look who lives, for ever. The `cluster` asks nodes whether they live, and is told when
        one is gone."""
        self._cluster = cluster
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
        """The database may have been away from all of them."""
        self._steady_s = self._loop.time() + self._lease_s
        self._renew_s = 0.0
        self.changed.add(b"")
        for told in self.told.values():
            told.set()

    async def _renew(self) -> bool:
        """Returns whether the node is to stop."""
        tables = None if self._cluster is None else self._cluster.tables
        told = (self.address, self.players, tables, self.number)
        found = await self._session.rows(_RENEW, *told)
        if not found:
            await self._register()
            return False
        ((stopping, lapsed),) = found
        if lapsed:
            self._wait_for_others()
        await self._session.rows(_SWEEP, self.number)
        return bool(stopping)

    async def _register(self) -> None:
        await self._session.rows("UPDATE node SET seen = '-infinity' WHERE id = %s", self.id)
        own = (self.address, self.players, *self._keeps)
        given = (self.id, self.id, self._lease_s, *own)
        ((self.number,),) = await self._session.rows(_REGISTER, *given)
        self.journal.belong_to(self.number)

    async def look(self) -> None:
        """See who lives now. Raises JournalError."""
        await self._looks.about()

    async def _look(self, _: list[None]) -> Mapping[int, Node]:
        before, rows = self.living, await self.rows(_LIVING)
        self._reached_s = self._loop.time()
        if rows:
            self._database_ahead_s = rows[0][0] - self._reached_s
        found = {node[0]: Node(*node) for _, _, _, *node in rows}
        # One that has no address yet starts.
        quiet = [Node(*node) for _, quiet, _, *node in rows if quiet and node[2]]
        missing = [node for number, node in before.items() if number not in found]
        answers = await self._asked([*quiet, *missing])
        silent = [node.number for node in quiet if node.number not in answers]
        for (number,) in await self.rows(_GONE, silent) if silent else ():
            del found[number]
        spared = await self._spared({node.number: node for node in missing}, answers)
        self.living = {**found, **spared}
        self.loads = {node[0]: has for _, _, has, *node in rows if has is not None}
        _log_change(before, self.living)
        if before.keys() - self.living.keys():
            if self._cluster is not None:
                self._cluster.pipes.lost(self.living)
            self.told[CLAIMS].set()
            self.told[TABLES].set()
        return self.living

    async def _asked(self, nodes: Iterable[Node]) -> dict[int, bool]:
        """By the number of each that answers, whether it reaches the database."""

        async def ask(node: Node) -> None:
            with suppress(OSError):
                async with asyncio.timeout(max(ANSWER_S, QUIET / 2 * self._lease_s)):
                    asked = self._cluster
                    answers[node.number] = asked is None or await asked.operators.reaches(node)

        answers = {self.number: True}
        await asyncio.gather(*(ask(node) for node in nodes if node.number != self.number))
        return answers

    async def _spared(
        self, missing: Mapping[int, Node], answers: Mapping[int, bool]
    ) -> dict[int, Node]:
        """Of these, which have lost their lock or their lease, those that answer: they reach the
        database, and are busy or have lost a session, or may soon reach it."""
        away = [number for number in missing if answers.get(number) is False]
        if away and self._loop.time() >= self._steady_s and not self._session.away:
            fresh = {number for (number,) in await self.rows(_FRESH, away)}
            away = [number for number in away if number in fresh]
        return {
            number: node
            for number, node in missing.items()
            if answers.get(number) or number in away
        }

    async def _listen(self, for_s: float) -> None:
        """Until somebody tells something, or so long."""

        def hear(connection: Bounded) -> list[str]:
            return [told.payload for told in connection.notifies(timeout=for_s, stop_after=1)]

        for topic in await self._session.use(hear):
            if topic == NODES:
                self._renew_s = 0.0
            elif topic.startswith(PEOPLE):
                self.changed.add(bytes.fromhex(topic.removeprefix(PEOPLE)))
                self.told[PEOPLE].set()
            elif topic in self.told:
                self.told[topic].set()
