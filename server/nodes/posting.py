"""Nodes tell each other of their tables in the database, so that all are in one lobby.

Laws: what changes is told in batches, the latest state alone; a node that has missed some reads
what is newer.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec
import structlog

from protocol.ids import MatchId, TableCode
from server.nodes.asking import Asking
from server.nodes.directory import TABLES, Directory
from server.nodes.naming import Naming
from server.store.connecting import Bounded
from server.store.fenced import CHANNEL
from server.store.journal import JournalError
from server.tables.table_list import Posted
from server.tasks import few

if TYPE_CHECKING:
    from server.server import Server

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

_STILL: Final = b"""
UPDATE match SET still = CASE WHEN %s THEN clock_timestamp() END, still_epoch = epoch
WHERE id = %s AND owner = %s AND (still IS NOT NULL) <> %s
"""


class Posting:
    """Of one node, with the lobby of its `server`."""

    def __init__(
        self, asking: Asking, directory: Directory, server: "Server", naming: Naming
    ) -> None:
        self._asking: Final = asking
        self._naming: Final = naming
        self._directory: Final = directory
        self._server: Final = server
        self._number = 0
        """Of this node, when it last told what it has."""
        self._version = 0
        self._tables: Final[set[TableCode]] = set()
        """Those that are to be told."""
        self._known: Final[dict[int, int]] = {}
        """By node, the version up to which its tables are known."""
        self._shown: Final[dict[TableCode, int]] = {}
        """The tables of other nodes, and whose they are."""
        self._still: Final[dict[TableCode, tuple[MatchId, bool]]] = {}
        """By table what the database knows: its match, and whether nobody is there."""
        self._wanted: Final = directory.told[TABLES]
        self._fails = False

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
            self._tables.update(self._server.lobby.tables)
            self._naming.tell_all()
            self._still.clear()
        await self._naming.turn()
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
        lobby = self._server.lobby
        told = [lobby.posted(code) for code in codes]
        rows = [b"" if one is None else msgspec.msgpack.encode(one) for one in told]
        gone = [not lobby.keeps(code) for code in codes]
        given = (self._number, self._version, codes, rows, gone)
        try:
            posted = await self._asking.rows(_POST, *given, self._number, _KEPT_S, CHANNEL, TABLES)
            await self._tell_still(codes)
        except BaseException:
            self._tables.update(codes)
            raise
        # A node that hands a table over may still have its row.
        self._tables.update(set(filter(lobby.keeps, codes)) - {code for code, _ in posted})

    async def _tell_still(self, codes: Sequence[TableCode]) -> None:
        """Let the database know at which of these nobody is any more, for the node that claims
        their matches. Raises JournalError."""
        lobby, changed = self._server.lobby, dict[TableCode, tuple[MatchId, bool]]()
        for code in codes:
            if not lobby.keeps(code):
                self._still.pop(code, None)
            elif (table := lobby.tables.get(code)) is not None and table.match is not None:
                now = table.match.id, table.presence.stands_still
                if self._still.get(code) != now:
                    changed[code] = now
        if changed:
            told = [*changed.values()]
            await self._asking.use(partial(_tell_of_each, self._number, told))
            self._still.update(changed)

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
        self._server.lobby.list.stands_elsewhere(code, told)


def _tell_of_each(node: int, told: Sequence[tuple[MatchId, bool]], connection: Bounded) -> None:
    """One after the other: a statement that waits for several matches may wait for one that waits
    for it."""
    for match, still in told:
        connection.execute(_STILL, (still, match, node, still))
