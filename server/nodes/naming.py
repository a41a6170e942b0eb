"""The names of people on all nodes: no two people have names that look alike.

Law: a name is claimed in the database before its bearer is welcomed. Those who come while a claim
is under way share the next one: a thousand who come back at once wait for two.
"""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import psycopg
import structlog

from server.nodes.asking import Asking
from server.nodes.directory import TABLES, Directory
from server.store.journal import JournalError
from server.tables.names import Names, keys

_LOCK: Final = 0x0C10C4

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
_TELL: Final = b"""
WITH held AS (
    INSERT INTO name (key, node) SELECT key, %s FROM unnest(%s::text[]) AS key
    ON CONFLICT DO NOTHING
)
DELETE FROM name WHERE node = %s AND key = ANY(%s)
"""


@dataclass
class _Claim:
    """Of several names at once. `taken`: those of its keys that other nodes hold, once asked."""

    keys: set[str] = field(default_factory=set)
    taken: Collection[str] | None = None


class Naming:
    """Of one node, where people have these `names`."""

    def __init__(self, asking: Asking, directory: Directory, names: Names) -> None:
        self._asking: Final = asking
        self._directory: Final = directory
        self._names: Final = names
        self._next = _Claim()
        self._turn: Final = asyncio.Lock()
        self._fails = False
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
                taken = await self._taken(wanted)
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

    async def _taken(self, wanted: Collection[str]) -> Collection[str]:
        """Hold these keys here, but for those that another node holds; returns these."""
        claim = self._next
        claim.keys.update(wanted)
        async with self._turn:
            if claim.taken is None:
                self._next = _Claim()
                try:
                    claim.taken = await self._asking.use(partial(self._take, sorted(claim.keys)))
                    self._fails = False
                except JournalError as error:
                    self._say(error)
                    claim.taken = ()
        return claim.taken

    def _say(self, error: JournalError) -> None:
        if not self._fails:
            structlog.get_logger().error("names are not claimed", why=str(error))
        self._fails = True

    async def _take(
        self, wanted: Collection[str], session: "psycopg.AsyncConnection[Any]"
    ) -> Collection[str]:
        given = {"lock": _LOCK, "node": self._directory.number, "keys": list(wanted)}
        cursor = psycopg.AsyncClientCursor(session)  # one way there and back, and one transaction
        await cursor.execute(_TAKE, given)
        while cursor.nextset():
            pass
        return [key for (key,) in await cursor.fetchall()]

    def tell_all(self) -> None:
        """The database may know none of them any more."""
        self._told.update(self._names.keys())

    async def tell(self) -> None:
        """Let the database know which names are held and which are free. Raises JournalError."""
        if self._told:
            await self._asking.use(self._tell)

    async def _tell(self, session: "psycopg.AsyncConnection[Any]") -> None:
        """As they are now. What is being claimed may be another node's: that is told later."""
        told, names, number = self._told - self._claimed, self._names, self._directory.number
        held = [key for key in told if names.has(key)]
        free = [key for key in told if not names.has(key)]
        self._told.difference_update(told)
        try:
            await session.execute(_TELL, (number, held, number, free))
        except BaseException:
            self._told.update(told)
            raise
