"""The names of people among all nodes: no two people have names that look alike.

Laws: a name is claimed in the database before its bearer is welcomed. A thousand who come back at
once wait for two claims. While the database is away, names are told apart within each node alone.
"""

import asyncio
from collections.abc import Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import psycopg
import structlog

from server.nodes.asking import Asking, Together
from server.nodes.directory import TABLES, Directory
from server.store.connecting import NAMES_LOCK, Bounded
from server.store.journal import JournalError
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
        """The database may know none of them any more."""
        self._told.update(self._server.names.keys())

    async def tell(self) -> None:
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
