"""The codes of tables: each is one table's in the whole cluster.

Law: a node takes codes from a store that the database has given to it alone. Who wants a table when
the store is empty waits until there is more, and is refused where there is none.
"""

from typing import Final

from protocol.errors import Refusal, RefusalCode
from protocol.from_client import CreateTable, Request
from protocol.from_server import Refused
from protocol.ids import TableCode
from server.net.session import Session
from server.nodes.asking import Asking
from server.nodes.directory import TABLES, Directory
from server.tables.access import Impossible
from server.tables.lobby import CODE_LENGTH, HIDDEN_LENGTH, random_code

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
        self._number = 0
        """Of the node to which the database has given them."""
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

    async def fill(self) -> None:
        """Have enough in store for a while, and for all who wait. Raises JournalError."""
        if self._number != self._directory.number:  # the codes went with the former number
            self._number = self._directory.number
            for store in self._store.values():
                store.clear()
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
            found = await self._asking.rows(_RESERVE, self._number, wanted)
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
