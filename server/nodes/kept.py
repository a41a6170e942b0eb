"""The files that all nodes share: keys, bans, invitations, the password's hash. The database has
them, and each node has a copy in its folder, where the rest of the program reads them.

Laws: a file changes on all nodes or on none; of two who change one at the same time, the second
makes its change of what the first has made. What one node changes, the others read within a second.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import structlog

from server.admission.gate import ServerPassword
from server.guests.folders import secret
from server.nodes.directory import CHANNEL, FILES, Directory
from server.nodes.keys import AUTHORITY, new_authority
from server.store.backup import GUESTS, SSH, TLS
from server.store.bans import BANS
from server.store.invitations import INVITATIONS
from server.store.journal import JournalError
from server.store.migrating import Unusable
from server.store.whole import Shelf, replace_file, written

if TYPE_CHECKING:
    from server.nodes.cluster import Cluster

PASSWORD: Final = "password.hash"
SHARED: Final = (AUTHORITY, TLS, *SSH, GUESTS, PASSWORD, BANS, INVITATIONS)
MOST_BYTES: Final = 4 << 20
TRIES: Final = 10
T = TypeVar("T")

_PUT: Final = """
WITH put AS (
    INSERT INTO kept (name, version, content) VALUES (%s, 1, %s)
    ON CONFLICT (name) DO UPDATE SET version = kept.version + 1, content = excluded.content
    WHERE kept.version = %s
    RETURNING version
)
SELECT version, pg_notify(%s, %s) FROM put
"""


class Files(Shelf):
    """Of one node. `folder`: its own. `cluster`: told what other nodes have changed."""

    def __init__(self, folder: Path, directory: Directory, cluster: "Cluster") -> None:
        super().__init__(folder)
        self._cluster: Final = cluster
        self._directory: Final = directory
        self._versions: Final[dict[str, int]] = {}
        self._turn: Final = asyncio.Lock()

    async def fetch(self) -> None:
        """Take what the cluster has into the folder. Raises Unusable."""
        try:
            await self._look()
            if not (authority := self.folder / AUTHORITY).exists():
                replace_file(authority, new_authority())
            await asyncio.to_thread(secret, self.folder / GUESTS)
        except (JournalError, OSError) as error:
            raise Unusable(f"cannot share the files of this cluster: {error}") from None

    async def share(self) -> bool:
        """Give the cluster what it does not have yet. Returns whether all of it was taken: else
        another node was quicker, and `fetch` brings what it gave. Raises Unusable."""
        try:
            for name in SHARED:
                if name not in self._versions and (file := self.folder / name).exists():
                    content = await asyncio.to_thread(file.read_bytes)
                    if not await self._give(name, content, 0):
                        return False
        except (JournalError, OSError) as error:
            raise Unusable(f"cannot share the files of this cluster: {error}") from None
        return True

    async def password(self, word: ServerPassword) -> ServerPassword:
        """What everybody must show: what this node was told, from now on on all nodes; or else what
        the cluster has. Raises Unusable."""
        if word.kept is not None:
            try:
                await self._replace(PASSWORD, word.kept.encode())
            except (JournalError, OSError) as error:
                raise Unusable(f"cannot share the password: {error}") from None
        return ServerPassword(self.asked(), word.secret)

    def asked(self) -> str | None:
        """The hash of the cluster's password; None = it has none."""
        file = self.folder / PASSWORD
        return file.read_text() if file.exists() else None

    async def put(self, name: str, make: Callable[[], T], hold: Callable[[T], None]) -> None:
        async with self._turn:  # until it is held, so that nothing newer is held before
            try:
                for _ in range(TRIES):
                    value = make()
                    if await self._replace(name, written(value)):
                        await asyncio.to_thread(hold, value)
                        return
                    await self._look()
            except JournalError as error:
                raise OSError(0, str(error)) from None
        raise OSError(0, "other nodes change them again and again: try again")

    async def _replace(self, name: str, content: bytes) -> bool:
        if kept := await self._give(name, content, self._versions.get(name, 0)):
            await asyncio.to_thread(replace_file, self.folder / name, content)
        return kept

    async def _give(self, name: str, content: bytes, before: int) -> bool:
        found = await self._directory.rows(_PUT, name, content, before, CHANNEL, FILES)
        if found:
            self._versions[name] = found[0][0]
        return bool(found)

    async def look(self) -> None:
        """Take what other nodes have changed. Raises JournalError."""
        async with self._turn:
            await self._look()

    async def _look(self) -> None:
        names, versions = list(self._versions), list(self._versions.values())
        found = await self._directory.rows(
            "SELECT name, version, content FROM kept LEFT JOIN unnest(%s::text[], %s::bigint[]) "
            "AS known (name, known) USING (name) WHERE version > coalesce(known, 0)",
            names,
            versions,
        )
        changed = list[str]()
        for name, version, content in found:
            if name in SHARED and len(content) <= MOST_BYTES:
                await asyncio.to_thread(replace_file, self.folder / name, bytes(content))
                self._versions[name] = version
                changed.append(name)
        for name in changed:
            await asyncio.to_thread(self._cluster.file_changed, name)
        if changed:
            structlog.get_logger().info("files of the cluster taken", names=changed)
