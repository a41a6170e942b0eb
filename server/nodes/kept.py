"""All nodes share some files: keys, bans, invitations, the password's hash.

The database has them, and each node has a copy in its folder, where the rest of the program reads
them. Laws: a file changes on all nodes or on none; of two who change one at the same time, the
second makes its change of what the first has made. What one node changes, the others read within a
second.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import structlog

from server.admission.gate import ServerPassword
from server.nodes.directory import FILES, Directory
from server.nodes.port import new_authority
from server.operating.banning import turn_out_banned
from server.store.backup import GUESTS, RECORDS, SSH, TLS
from server.store.fenced import CHANNEL
from server.store.journal import JournalError
from server.store.lists import BANS, INVITATIONS, load_bans, load_invitations
from server.store.private import Shelf, load_file, replace_file, secret, written
from server.store.statements import Unusable

if TYPE_CHECKING:
    from server.server import Server

AUTHORITY: Final = "nodes.pem"
"""The key and the certificate by which nodes know each other."""
PASSWORD: Final = "password.hash"
SHARED: Final = (AUTHORITY, TLS, *SSH, GUESTS, RECORDS, PASSWORD, BANS, INVITATIONS)
TRIES: Final = 10
AGAIN_S: Final = 1.0
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
    """Of one node. `folder`: its own."""

    def __init__(self, folder: Path, directory: Directory) -> None:
        super().__init__(folder)
        self._directory: Final = directory
        self._versions: Final[dict[str, int]] = {}
        self._changed: Final[set[str]] = set()
        """By other nodes, and not in use here."""
        self._turn: Final = asyncio.Lock()

    async def share(
        self, word: ServerPassword, kept_in: Callable[[ServerPassword], T]
    ) -> tuple[ServerPassword, T]:
        """Have what the cluster has, and give it what it does not have. `word`: what this node was
        told that everybody must show. Returns what they must show, and what `kept_in` returns,
        which makes what is missing in the folder. Raises Unusable."""
        try:
            await self._fetch()
            word = await self._password(word)
            own = kept_in(word)
            while not await self._give_all():
                await self._fetch()
                word = ServerPassword(self.asked(), word.secret)
                own = kept_in(word)
        except (JournalError, OSError) as error:
            raise Unusable(f"cannot share the files of this cluster: {error}") from None
        self._changed.clear()
        return word, own

    async def _fetch(self) -> None:
        """Take what the cluster has into the folder."""
        await self._look()
        if not (authority := self.folder / AUTHORITY).exists():
            replace_file(authority, new_authority())
        await asyncio.to_thread(secret, self.folder / GUESTS)

    async def _give_all(self) -> bool:
        """Returns whether all of it was taken: else another node was quicker."""
        for name in SHARED:
            if name not in self._versions and (file := self.folder / name).exists():
                content = await asyncio.to_thread(file.read_bytes)
                if not await self._give(name, content, 0):
                    return False
        return True

    async def _password(self, word: ServerPassword) -> ServerPassword:
        """What this node was told is the password of all nodes from now on; else it is what the
        cluster has, which may have none any more."""
        if word.kept is not None:
            while not await self._replace(PASSWORD, word.kept.encode()):
                await self._look()  # another node was quicker: this one is the last
        elif PASSWORD not in self._versions and (file := self.folder / PASSWORD).exists():
            file.unlink()
            structlog.get_logger().warning("the cluster asks for no password any more")
        return ServerPassword(self.asked(), word.secret)

    def asked(self) -> str | None:
        """The hash of the cluster's password; None = it has none."""
        file = self.folder / PASSWORD
        return file.read_text() if file.exists() else None

    async def put(self, name: str, make: Callable[[], T], use: Callable[[T], None]) -> T:
        async with self._turn:  # until it is in use, so that nothing newer is before
            try:
                for _ in range(TRIES):
                    value = make()
                    if await self._replace(name, written(value)):
                        await asyncio.to_thread(use, value)
                        return value
                    await self._look()
                    newer = partial(load_file, self.folder / name, type(value), name)
                    use(await asyncio.to_thread(newer))
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

    async def run(self, server: "Server") -> None:
        """Take what other nodes change, and have the `server` use it, for ever."""
        told = self._directory.told[FILES]
        told.set()  # something may have been told before
        while True:
            await told.wait()
            told.clear()
            try:
                async with self._turn:  # until it is in use, no file changes
                    await self._look()
                    for name in self._changed:
                        await self._use(name, server)
                    self._changed.clear()
            except Exception as error:
                structlog.get_logger().error("files of the cluster are late", why=str(error))
                told.set()
                await asyncio.sleep(AGAIN_S)

    async def _use(self, name: str, server: "Server") -> None:
        """Another node has changed this file, of which ours is a copy now."""
        desk = server.desk
        assert desk is not None  # a node has a folder
        if name == BANS:
            desk.banned.replace(await asyncio.to_thread(load_bans, self.folder))
            server.tasks.spawn(turn_out_banned(desk))
        elif name == INVITATIONS:
            desk.invitations.replace(await asyncio.to_thread(load_invitations, self.folder))
        elif name == PASSWORD:
            server.admission.ask(self.asked())

    async def _look(self) -> None:
        names, versions = list(self._versions), list(self._versions.values())
        found = await self._directory.rows(
            "SELECT name, version, content FROM kept LEFT JOIN unnest(%s::text[], %s::bigint[]) "
            "AS known (name, known) USING (name) WHERE version > coalesce(known, 0)",
            names,
            versions,
        )
        taken = [row for row in found if row[0] in SHARED]
        for name, version, content in taken:
            await asyncio.to_thread(replace_file, self.folder / name, bytes(content))
            self._versions[name] = version
            self._changed.add(name)
        if taken:
            names = [name for name, *_ in taken]
            structlog.get_logger().info("files of the cluster taken", names=names)
