"""A node claims the names of its people and the codes of its tables, so that no other gives them.

Laws: a name is claimed in the database before its bearer is welcomed. A thousand who come back at
once wait for two claims. While the database is away, names are told apart within each node alone. A
node takes codes from a store that the database has given to it; when it is empty, no table is made.
"""

import asyncio
from collections.abc import Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import psycopg
import structlog

from protocol.errors import RefusalCode
from protocol.ids import TableCode
from server.nodes.asking import Asking, Together
from server.nodes.directory import TABLES, Directory
from server.store.connecting import NAMES_LOCK, Bounded
from server.store.journal import JournalError
from server.tables.access import Impossible
from server.tables.lobby import CODE_LENGTH, HIDDEN_LENGTH, random_code
from server.tables.names import keys

if TYPE_CHECKING:
    from server.server import Server

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
    """Of one node and the people at its `server`."""

    def __init__(self, asking: Asking, directory: Directory, server: "Server") -> None:
        self._asking: Final = asking
        self._directory: Final = directory
        self._server: Final = server
        self._claims: Final = Together[str, Collection[str]](self._taken)
        self._told: Final[set[str]] = set()
        """Keys that are held now and were not, or the other way round."""
        self._claimed: Final[set[str]] = set()
        """Keys of names that nobody has been promised yet."""
        self.codes: Final = Codes(asking, directory)

    def changed(self, key: str) -> None:
        """This key is held now and was not, or the other way round."""
        self._told.add(key)
        self._directory.told[TABLES].set()

    async def claim(self, wish: str) -> str | None:
        """As `Names.claim`, among the names of all nodes. While the database is away, among those
        of this node."""
        names, elsewhere = self._server.names, set[str]()
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
        """What the database knows of this node went with its former number."""
        self._told.update(self._server.names.keys())
        self.codes.clear()

    async def turn(self) -> None:
        """Have codes in store, and tell which names are held. Raises JournalError."""
        await self.codes.fill()
        await self._tell()

    async def _tell(self) -> None:
        """Let the database know which names are held and which are free now; what is being claimed
        may be another node's, and is told later. Raises JournalError."""
        if not self._told:
            return
        told, names = self._told - self._claimed, self._server.names
        number = self._directory.number
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


# Codes of tables ---------------------------------------------------------------------------------

STORE: Final = 200
"""At least so many of each length lie in store, and as a rule twice as many."""

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

    def take(self, length: int) -> TableCode:
        """A code of so many letters, for a new table. Raises Impossible."""
        store = self._store[length]
        if len(store) <= STORE:
            self._directory.told[TABLES].set()  # more is fetched with the next turn
        if not store:
            raise Impossible(RefusalCode.BUSY)
        return store.pop()

    def clear(self) -> None:
        """Those in store went with the node's former number."""
        for store in self._store.values():
            store.clear()

    async def fill(self) -> None:
        """Have enough in store for a while. Raises JournalError."""
        for length, store in self._store.items():
            if len(store) < STORE:
                wanted = [random_code(length) for _ in range(2 * STORE - len(store))]
                found = await self._asking.rows(_RESERVE, self._directory.number, wanted)
                store += [TableCode(code) for (code,) in found]
