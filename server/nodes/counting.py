"""What callers have at the other nodes, for the limits that are a caller's and not a machine's: how
many connections and wrong tries an address has, and how many tables and bots, also an identity.

Laws: nothing of it is on the way of a caller or a move: once a second a node tells what it counts,
and reads what the others count. A node that is gone counts for nothing; while the database is away
each node counts alone.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import structlog
from msgspec import Struct

from server.admission.passwords import Tries
from server.net.callers import Addresses
from server.nodes.asking import Asking
from server.nodes.directory import Directory
from server.store.journal import JournalError
from server.tables.shares import Had, Shares

EVERY_S: Final = 1.0

_TELL: Final = """
INSERT INTO counted (node, counts) VALUES (%s, %s)
ON CONFLICT (node) DO UPDATE SET counts = excluded.counts
"""
_READ: Final = """
SELECT node, counts FROM counted JOIN living ON living.number = node
WHERE node <> %s ORDER BY node
"""


class Counts(Struct, frozen=True, array_like=True):
    """Of one node. `connections`: by `Addresses.origin`; `tables`, `bots`: as `Had`; `tries`: as
    `Tries.taken`."""

    connections: Mapping[str, int]
    tables: Mapping[Any, int]
    bots: Mapping[Any, int]
    tries: Mapping[Any, int]


class Counting:
    """Of one node, which has these."""

    def __init__(
        self,
        asking: Asking,
        directory: Directory,
        addresses: Addresses,
        shares: Shares,
        tries: Tries,
    ) -> None:
        self._asking: Final = asking
        self._directory: Final = directory
        self._addresses: Final = addresses
        self._shares: Final = shares
        self._tries: Final = tries
        self._told = (0, b"")
        """What the database has of this node, by its number."""
        self._read: list[tuple[int, bytes]] = []

    async def run(self) -> None:
        """Tell and read, for ever."""
        well = True
        while True:
            try:
                await self._turn()
                well = True
            except (
                JournalError,
                msgspec.DecodeError,
            ) as error:
                if well:
                    structlog.get_logger().error("limits are of this node alone", why=str(error))
                well = False
                self._hold(_sum([]))
            await asyncio.sleep(EVERY_S)

    async def _turn(self) -> None:
        number, had = self._directory.number, self._shares.had
        own = Counts(self._addresses.counted, had.tables, had.bots, self._tries.taken)
        told = (number, msgspec.msgpack.encode(own))
        if told != self._told:
            await self._asking.rows(_TELL, *told)
            self._told = told
        read = [(node, bytes(counts)) for node, counts in await self._asking.rows(_READ, number)]
        if read != self._read:
            self._hold(await asyncio.to_thread(_sum, read))  # milliseconds where thousands play
            self._read = read

    def _hold(self, others: "_Sum") -> None:
        """Count what other nodes count, too."""
        self._addresses.hold(others.connections)
        self._shares.count_elsewhere(others.had)
        self._tries.hear(others.tries)
        self._read = []


class _Sum(NamedTuple):
    """Of several nodes. `tries`: of each, by its number."""

    connections: Mapping[str, int]
    had: Had
    tries: Mapping[int, Mapping[Any, int]]


def _sum(read: Sequence[tuple[int, bytes]]) -> _Sum:
    """Of what these nodes have told. Raises msgspec.DecodeError."""
    connections, tables, bots = Counter[str](), Counter[Any](), Counter[Any]()
    tries = dict[int, Mapping[Any, int]]()
    for node, told in read:
        counts = msgspec.msgpack.decode(told, type=Counts)
        connections.update(counts.connections)
        tables.update(counts.tables)
        bots.update(counts.bots)
        tries[node] = counts.tries
    return _Sum(connections, Had(tables, bots), tries)
