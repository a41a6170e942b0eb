"""What nodes tell each other of their lobbies: which tables each has, and which names.

Laws: a code is one table's in the whole cluster: it is taken from a store of codes that the
database has given to this node alone. A name is claimed in the database before its bearer is
welcomed. What changes is told in batches, the latest state alone; who has missed some reads what is
newer.
"""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Final

import msgspec
import psycopg
import structlog

from protocol.ids import TableCode
from protocol.refusal import RefusalCode
from server.nodes.asking import Asking
from server.nodes.directory import CHANNEL, Directory
from server.nodes.front import Home
from server.store.journal import JournalError
from server.tables.likeness import keys
from server.tables.lobby import CODE_LENGTH, HIDDEN_LENGTH, Lobby, random_code
from server.tables.readers import Told
from server.tables.refusals import Impossible
from server.tasks import few

TOPIC: Final = "tables"
BATCH_S: Final = 0.2
LOOK_S: Final = 1.0
"""How often a node reads without being told."""
MOST_TABLES: Final = 100
"""So many are told at once, which takes the loop a millisecond or two."""
CODES: Final = 40
"""So many of each length a node has in store: a hundred tables a second can be made."""
_KEPT_S: Final = 600
"""So long the row of a table that is gone says so."""
_NAMES_LOCK: Final = 0x0C10C4

_RESERVE: Final = """
INSERT INTO open_table (code, node, row, version) SELECT code, %s, '', %s
FROM unnest(%s::text[]) AS code ON CONFLICT (code) DO NOTHING RETURNING code
"""
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
_FIND: Final = """
SELECT living.id, living.address FROM open_table LEFT JOIN living ON living.number = node
WHERE code = %s AND gone IS NULL
"""
# Under a lock, so that of two nodes one looks after the other has written.
_TAKE: Final = b"""
SELECT pg_advisory_xact_lock(%(lock)s, hashtext(current_schema()));
INSERT INTO name (key, node) SELECT key, %(node)s FROM unnest(%(keys)s::text[]) AS key
WHERE NOT EXISTS (
    SELECT FROM name JOIN living ON living.number = name.node
    WHERE name.key = ANY(%(keys)s) AND name.node <> %(node)s
)
ON CONFLICT DO NOTHING;
SELECT DISTINCT key FROM name JOIN living ON living.number = name.node
WHERE key = ANY(%(keys)s) AND name.node <> %(node)s
"""
_NAMES: Final = """
WITH held AS (
    INSERT INTO name (key, node) SELECT key, %s FROM unnest(%s::text[]) AS key
    ON CONFLICT DO NOTHING
)
DELETE FROM name WHERE node = %s AND key = ANY(%s)
"""


class Posting:
    """Of one node and its lobby."""

    def __init__(self, asking: Asking, directory: Directory, lobby: Lobby) -> None:
        self._asking: Final = asking
        self._directory: Final = directory
        self._lobby: Final = lobby
        self._number = 0
        """Of this node, when it last told what it has."""
        self._version = 0
        self._codes: Final[dict[int, list[TableCode]]] = {CODE_LENGTH: [], HIDDEN_LENGTH: []}
        self._tables: Final[set[TableCode]] = set()
        """Those that are to be told."""
        self._names: Final[set[str]] = set()
        self._known: Final[dict[int, int]] = {}
        """By node, the version up to which its tables are known."""
        self._shown: Final[dict[TableCode, int]] = {}
        """The tables of other nodes, and whose they are."""
        self._wanted: Final = asyncio.Event()
        self._fails = False
        lobby.code, lobby.posted, lobby.names.changed = self._code, self._table, self._name
        directory.when_told(TOPIC, self._wanted.set)
        directory.when_gone(self._wanted.set)

    def _code(self, length: int) -> TableCode:
        store = self._codes[length]
        if not store:
            self._wanted.set()
            raise Impossible(RefusalCode.BUSY)
        if len(store) < CODES // 2:
            self._wanted.set()
        return store.pop()

    def _table(self, table: TableCode) -> None:
        self._tables.add(table)
        self._wanted.set()

    def _name(self, key: str) -> None:
        self._names.add(key)
        self._wanted.set()

    # Questions ------------------------------------------------------------------------------------

    async def of_table(self, code: str) -> Home | None:
        """Where this table stands. Raises JournalError, and OSError where its node is gone: another
        may bring it back."""
        found = await self._asking.rows(_FIND, code)
        if found and found[0][0] is None:
            raise OSError("nobody has the table now")
        return Home(*found[0]) if found else None

    async def claim(self, wish: str) -> str | None:
        """As `Names.claim`, among the names of all nodes. While the database is away, among those
        of this node."""
        names, elsewhere = self._lobby.names, set[str]()
        while (name := names.claim(wish, elsewhere)) is not None:
            taken: Collection[str] = ()
            try:
                with_keys = sorted(keys(name))
                taken = await self._asking.use(lambda session: self._take(session, with_keys))  # noqa: B023
            except JournalError as error:
                self._say(error)
            except BaseException:
                names.release(name)
                raise
            if not taken:
                return name
            names.release(name)
            elsewhere |= set(taken)
        return None

    async def _take(
        self, session: "psycopg.AsyncConnection[Any]", wanted: Sequence[str]
    ) -> Collection[str]:
        """Hold these keys here. Returns those that another node holds; then none is held."""
        given = {"lock": _NAMES_LOCK, "node": self._directory.number, "keys": list(wanted)}
        cursor = psycopg.AsyncClientCursor(session)  # one way there and back, and one transaction
        await cursor.execute(_TAKE, given)
        while cursor.nextset():
            pass
        return [key for (key,) in await cursor.fetchall()]

    # What runs beside the server ------------------------------------------------------------------

    async def begin(self) -> None:
        """Before anybody comes: know what there is. Raises JournalError."""
        await self._turn()

    async def run(self) -> None:
        """Tell and read, for ever."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._wanted.wait()
            self._wanted.clear()
            try:
                await self._turn()
                self._fails = False
            except JournalError as error:
                self._say(error)
                self._known.clear()  # what was told meanwhile may not have come
            await asyncio.sleep(BATCH_S)

    def _say(self, error: JournalError) -> None:
        if not self._fails:
            structlog.get_logger().error("other nodes are not told", why=str(error))
        self._fails = True

    async def _turn(self) -> None:
        if self._number != self._directory.number:  # the rows went with the former number
            self._number = self._directory.number
            self._tables.update(self._lobby.tables)
            self._names.update(self._lobby.names.held())
            for store in self._codes.values():
                store.clear()
        await self._fill()
        await self._tell_names()
        await self._tell_tables()
        await self._read()

    async def _fill(self) -> None:
        for length, store in self._codes.items():
            if len(store) < CODES:
                wanted = [random_code(length) for _ in range(2 * CODES - len(store))]
                found = await self._asking.rows(_RESERVE, self._number, self._version, wanted)
                store += [TableCode(code) for (code,) in found]

    async def _tell_names(self) -> None:
        told, names = sorted(self._names), self._lobby.names
        if not told:
            return
        self._names.difference_update(told)
        held = [key for key in told if names.holds(key)]
        free = [key for key in told if not names.holds(key)]
        try:
            await self._asking.rows(_NAMES, self._number, held, self._number, free)
        except BaseException:
            self._names.update(told)
            raise

    async def _tell_tables(self) -> None:
        codes = list(islice(self._tables, MOST_TABLES))
        if not codes:
            return
        if len(codes) < len(self._tables):
            self._wanted.set()
        self._tables.difference_update(codes)
        self._version += 1
        told = [self._lobby.told(code) for code in codes]
        rows = [b"" if one is None else msgspec.msgpack.encode(one) for one in told]
        gone = [not self._lobby.keeps(code) for code in codes]
        given = (self._number, self._version, codes, rows, gone)
        try:
            posted = await self._asking.rows(_POST, *given, self._number, _KEPT_S, CHANNEL, TOPIC)
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
                told = msgspec.msgpack.decode(row, type=Told)
            except msgspec.DecodeError as error:  # of a node of a newer version
                structlog.get_logger().warning("a table is not shown", table=code, why=str(error))
        if told is not None:
            self._shown[code] = node
        elif self._shown.pop(code, None) is None:
            return
        self._lobby.list.stands_elsewhere(code, told)
