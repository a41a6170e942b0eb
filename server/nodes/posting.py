"""One lobby on all nodes: what they tell each other of their tables, and what is named once, tables
by codes that lie in store, and people.

Laws: what changes is told in batches, the latest state alone; a node that has missed some reads
what is newer. A node takes codes from a store that the database has given to it alone. When the
store is empty, those who want a table wait until there is more, and are refused where there is
none. No two people have names that look alike: a name is claimed in the database before its bearer
is welcomed. A thousand who come back at once wait for two claims.
"""

import asyncio
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, Final

import msgspec
import psycopg
import structlog

from protocol.errors import Refusal, RefusalCode
from protocol.from_client import CreateTable, Request
from protocol.from_server import Refused
from protocol.ids import TableCode
from server.net.session import Session
from server.nodes.asking import Asking, Together
from server.nodes.directory import CHANNEL, TABLES, Directory
from server.store.connecting import NAMES_LOCK, Bounded
from server.store.journal import JournalError
from server.tables.access import Impossible
from server.tables.lobby import CODE_LENGTH, HIDDEN_LENGTH, Lobby, random_code
from server.tables.names import Names, keys
from server.tables.table_list import Posted
from server.tasks import few

# Codes of tables


STORE: Final = 40
"""At least so many of each length lie in store, and as a rule twice as many."""
WAITING: Final = 1000
"""So many may wait for a code at once."""

_RESERVE: Final = """
INSERT INTO open_table (code, node, row, version) SELECT code, %s, '', 0
FROM unnest(%s::text[]) AS code ON CONFLICT (code) DO NOTHING RETURNING code
"""


class Codes:
    """Those of one node."""

    def __init__(self, asking: Asking, directory: Directory) -> None:
        self._asking: Final = asking
        self._directory: Final = directory
        self._store: Final[dict[int, list[TableCode]]] = {CODE_LENGTH: [], HIDDEN_LENGTH: []}
        self._waiting: list[tuple[Session, CreateTable]] = []

    def take(self, length: int) -> TableCode:
        """A code of so many letters, for a new table. Raises Impossible."""
        store = self._store[length]
        if len(store) <= STORE:
            self._directory.told[TABLES].set()  # more is fetched with the next turn
        if not store:
            raise Impossible(RefusalCode.BUSY)
        return store.pop()

    def later(self, session: Session, request: Request, refusal: Refusal) -> bool:
        """Serve a wish for a table again when there are codes (`Cluster.elsewhere`)."""
        if not isinstance(request, CreateTable) or refusal.code != RefusalCode.BUSY:
            return False
        if self._store[_length(request)] or len(self._waiting) >= WAITING:
            return False
        self._waiting.append((session, request))
        return True

    def forget(self) -> None:
        """Those in store went with the node's former number."""
        for store in self._store.values():
            store.clear()

    async def fill(self) -> None:
        """Have enough in store for a while, and for all who wait. Raises JournalError."""
        try:
            for length in self._store:
                await self._fill(length)
        finally:
            self._serve()

    async def _fill(self, length: int) -> None:
        store = self._store[length]
        missing = sum(_length(wish) == length for _, wish in self._waiting) - len(store)
        if missing > -STORE:
            wanted = [random_code(length) for _ in range(missing + 2 * STORE)]
            found = await self._asking.rows(_RESERVE, self._directory.number, wanted)
            store += [TableCode(code) for (code,) in found]

    def _serve(self) -> None:
        waiting, self._waiting = self._waiting, []
        for session, request in waiting:
            if self._store[_length(request)]:
                session.serve_again(request)
            else:
                session.send(Refused(id=request.id, code=RefusalCode.BUSY))


def _length(wish: CreateTable) -> int:
    return HIDDEN_LENGTH if wish.hidden else CODE_LENGTH


# Names of people


CLAIM_S: Final = 2.0
"""So long a caller waits for the database; then, and while it is away, their name is told apart
from those of this node alone."""

# Under a lock, so that of two nodes one looks after the other has written.
_TAKE: Final = b"""
SELECT pg_advisory_xact_lock(%(lock)s, hashtext(current_schema()));
INSERT INTO name (key, node) SELECT key, %(node)s FROM unnest(%(keys)s::text[]) AS key
WHERE key NOT IN (
    SELECT key FROM name JOIN living ON living.number = name.node
    WHERE key = ANY(%(keys)s) AND name.node <> %(node)s
)
ON CONFLICT DO NOTHING;
SELECT DISTINCT key FROM name JOIN living ON living.number = name.node
WHERE key = ANY(%(keys)s) AND name.node <> %(node)s
"""
_TELL: Final = """
WITH held AS (
    INSERT INTO name (key, node) SELECT key, %s FROM unnest(%s::text[]) AS key
    ON CONFLICT DO NOTHING
)
DELETE FROM name WHERE node = %s AND key = ANY(%s)
"""


class Naming:
    """Of one node, where people have these `names`."""

    def __init__(self, asking: Asking, directory: Directory, names: Names) -> None:
        self._asking: Final = asking
        self._directory: Final = directory
        self._names: Final = names
        self._claims: Final = Together[str, Collection[str]](self._taken)
        self._told: Final[set[str]] = set()
        """Keys that are held now and were not, or the other way round."""
        self._claimed: Final[set[str]] = set()
        """Keys of names that nobody has been promised yet."""

    def changed(self, key: str) -> None:
        """This key is held now and was not, or the other way round."""
        self._told.add(key)
        self._directory.told[TABLES].set()

    async def claim(self, wish: str) -> str | None:
        """As `Names.claim`, among the names of all nodes. While the database is away, among those
        of this node."""
        names, elsewhere = self._names, set[str]()
        while (name := names.claim(wish, elsewhere)) is not None:
            wanted = keys(name)
            self._claimed.update(wanted)
            try:
                taken = await self._claims.about(*wanted)
            except BaseException:
                names.release(name)
                raise
            finally:
                self._claimed.difference_update(wanted)
            if wanted.isdisjoint(taken):
                return name
            names.release(name)
            elsewhere.update(taken)
        return None

    async def _taken(self, wanted: list[str]) -> Collection[str]:
        """Hold these keys here, but for those that another node holds; returns these. A caller
        waits for their welcome, and says no name again if it takes long."""
        if self._asking.away:
            return ()
        given = {"lock": NAMES_LOCK, "node": self._directory.number, "keys": sorted(wanted)}
        try:
            async with asyncio.timeout(CLAIM_S):
                return await self._asking.use(partial(_take, given))
        except (JournalError, TimeoutError) as error:
            structlog.get_logger().error("names are not claimed", why=str(error) or "no answer")
            return ()

    def tell_all(self) -> None:
        """The database may know none of them any more."""
        self._told.update(self._names.keys())

    async def tell(self) -> None:
        """Let the database know which names are held and which are free now; what is being claimed
        may be another node's, and is told later. Raises JournalError."""
        if not self._told:
            return
        told, names, number = self._told - self._claimed, self._names, self._directory.number
        held = [key for key in told if names.has(key)]
        free = [key for key in told if not names.has(key)]
        self._told.difference_update(told)
        try:
            await self._asking.rows(_TELL, number, held, number, free)
        except BaseException:
            self._told.update(told)
            raise


def _take(given: Mapping[str, Any], connection: Bounded) -> Collection[str]:
    cursor = psycopg.ClientCursor(connection)  # one way there and back, and one transaction
    cursor.execute(_TAKE, given)
    while cursor.nextset():
        pass
    return [key for (key,) in cursor.fetchall()]


# Tables


BATCH_S: Final = 0.2
LOOK_S: Final = 1.0
"""How often a node reads without being told."""
MOST_TABLES: Final = 100
"""So many are told at once, which takes the loop a millisecond or two."""
_KEPT_S: Final = 600
"""So long the row of a table that is gone says so."""

_POST: Final = """
WITH posted AS (
    INSERT INTO open_table (code, node, row, version, gone)
    SELECT code, %s, row, %s, CASE WHEN gone THEN clock_timestamp() END
    FROM unnest(%s::text[], %s::bytea[], %s::bool[]) AS told (code, row, gone)
    ON CONFLICT (code) DO UPDATE
    SET node = excluded.node, row = excluded.row, version = excluded.version, gone = excluded.gone
    WHERE open_table.node = excluded.node OR (excluded.gone IS NULL AND (
        open_table.gone IS NOT NULL OR open_table.node NOT IN (SELECT number FROM living)))
    RETURNING code
), swept AS (
    DELETE FROM open_table WHERE node = %s AND gone < clock_timestamp() - make_interval(secs => %s)
)
SELECT code, pg_notify(%s, %s) FROM posted
"""
_READ: Final = """
SELECT code, open_table.node, row, version FROM open_table JOIN living ON living.number = node
LEFT JOIN unnest(%s::bigint[], %s::bigint[]) AS known (node, known) ON known.node = open_table.node
WHERE open_table.node <> %s AND version > coalesce(known, -1)
AND (known IS NOT NULL OR (gone IS NULL AND row <> '')) ORDER BY version
"""


class Posting:
    """Of one node and its lobby."""

    def __init__(
        self,
        asking: Asking,
        directory: Directory,
        lobby: Lobby,
        naming: Naming,
    ) -> None:
        self._asking: Final = asking
        self._naming: Final = naming
        self._directory: Final = directory
        self._lobby: Final = lobby
        self._number = 0
        """Of this node, when it last told what it has."""
        self._version = 0
        self._tables: Final[set[TableCode]] = set()
        """Those that are to be told."""
        self._known: Final[dict[int, int]] = {}
        """By node, the version up to which its tables are known."""
        self._shown: Final[dict[TableCode, int]] = {}
        """The tables of other nodes, and whose they are."""
        self._wanted: Final = directory.told[TABLES]
        self._fails = False
        self.codes: Final = Codes(asking, directory)

    def post(self, table: TableCode) -> None:
        """What other nodes know of the table may have changed."""
        self._tables.add(table)
        self._wanted.set()

    # What runs beside the server ------------------------------------------------------------------

    async def run(self) -> None:
        """Tell and read, for ever."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._wanted.wait()
            self._wanted.clear()
            try:
                await self.turn()
                self._fails = False
            except JournalError as error:
                if not self._fails:
                    structlog.get_logger().error("other nodes are not told", why=str(error))
                self._fails = True
                self._known.clear()  # what was told meanwhile may not have come
            await asyncio.sleep(BATCH_S)

    async def turn(self) -> None:
        """Tell what is new, and know what there is. Raises JournalError."""
        if self._number != self._directory.number:  # the rows went with the former number
            self._number = self._directory.number
            self._tables.update(self._lobby.tables)
            self._naming.tell_all()
            self.codes.forget()
        await self.codes.fill()
        await self._naming.tell()
        await self._tell_tables()
        await self._read()

    async def _tell_tables(self) -> None:
        codes = sorted(islice(self._tables, MOST_TABLES))  # two nodes write rows in one order
        if not codes:
            return
        if len(codes) < len(self._tables):
            self._wanted.set()
        self._tables.difference_update(codes)
        self._version += 1
        told = [self._lobby.posted(code) for code in codes]
        rows = [b"" if one is None else msgspec.msgpack.encode(one) for one in told]
        gone = [not self._lobby.keeps(code) for code in codes]
        given = (self._number, self._version, codes, rows, gone)
        try:
            posted = await self._asking.rows(_POST, *given, self._number, _KEPT_S, CHANNEL, TABLES)
        except BaseException:
            self._tables.update(codes)
            raise
        # A node that hands a table over may still have its row.
        self._tables.update(set(filter(self._lobby.keeps, codes)) - {code for code, _ in posted})

    async def _read(self) -> None:
        nodes, versions = list(self._known), list(self._known.values())
        whole = not nodes
        found = await self._asking.rows(_READ, nodes, versions, self._number)
        living = self._directory.living.keys() | {node for _code, node, *_ in found}
        seen = set[TableCode]()
        async for code, node, row, version in few(found):
            self._known[node] = version
            seen.add(code)
            self._show(TableCode(code), node, bytes(row))
        for code, node in list(self._shown.items()):
            if node not in living or (whole and code not in seen):
                self._show(code, node, b"")
        for node in self._known.keys() - living:
            del self._known[node]

    def _show(self, code: TableCode, node: int, row: bytes) -> None:
        told = None
        if row:
            try:
                told = msgspec.msgpack.decode(row, type=Posted)
            except msgspec.DecodeError as error:  # of a node of a newer version
                structlog.get_logger().warning("a table is not shown", table=code, why=str(error))
        if told is not None:
            self._shown[code] = node
        elif self._shown.pop(code, None) is None:
            return
        self._lobby.list.stands_elsewhere(code, told)
