"""The files that all nodes share, and the keys by which nodes know each other.

They are keys, bans, invitations, the password's hash. The database has
them, and each node has a copy in its folder, where the rest of the program reads them.

Laws: a file changes on all nodes or on none; of two who change one at the same time, the second
makes its change of what the first has made. What one node changes, the others read within a second.
"""

import asyncio
import ssl
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import structlog

from server.admission.gate import ServerPassword
from server.doors.certificate import as_pem, certificate_of, new_key
from server.nodes.directory import CHANNEL, FILES, Directory
from server.store.backup import GUESTS, RECORDS, SSH, TLS
from server.store.journal import JournalError
from server.store.lists import BANS, INVITATIONS
from server.store.private import Shelf, replace_file, secret, written
from server.store.statements import Unusable

if TYPE_CHECKING:
    from cryptography import x509

    from server.nodes.cluster import Cluster

# The keys by which the nodes of a cluster know each other: the cluster has an authority, and each
# node makes a key of its own when it starts and has the authority vouch for it.
#
# Law: only a node whose certificate this authority has signed gets a word in, and a node that dials
# another speaks with that one alone, wherever its address leads.


AUTHORITY: Final = "nodes.pem"
"""What the authority's key and certificate are called among the files that the nodes share."""
_OWN: Final = "node.pem"


def new_authority() -> bytes:
    """A key and its own certificate, as PEM."""
    from cryptography import x509

    key = new_key()
    ca = (x509.BasicConstraints(ca=True, path_length=0), True)
    return as_pem(key, certificate_of("clocktowers cluster", key, None, key, ca))


def named(node: str) -> str:
    """What a node is called in its certificate; any text can be the name of a node."""
    return f"{sha256(node.encode()).hexdigest()[:40]}.node"


class Keys:
    """Of one node. `serving`: for those that dial it; `calling`: for those that it dials."""

    def __init__(self, authority: bytes, node: str, folder: Path) -> None:
        """`folder`: the node's own. Raises ValueError and OSError."""
        from cryptography import x509
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        signer: Any = load_pem_private_key(authority, None)
        root = x509.load_pem_x509_certificate(authority)
        key = new_key()
        its = (x509.SubjectAlternativeName([x509.DNSName(named(node))]), False)
        own = folder / _OWN
        replace_file(own, as_pem(key, certificate_of(named(node), key, root, signer, its)))
        try:
            self.serving: Final = _context(ssl.PROTOCOL_TLS_SERVER, own, root)
            self.calling: Final = _context(ssl.PROTOCOL_TLS_CLIENT, own, root)
        finally:
            own.unlink()  # the next start makes another


def _context(protocol: int, own: Path, root: "x509.Certificate") -> ssl.SSLContext:
    from cryptography.hazmat.primitives.serialization import Encoding

    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cadata=root.public_bytes(Encoding.DER))
    context.load_cert_chain(own)
    if protocol == ssl.PROTOCOL_TLS_SERVER:
        context.num_tickets = 0
    return context


PASSWORD: Final = "password.hash"
SHARED: Final = (AUTHORITY, TLS, *SSH, GUESTS, RECORDS, PASSWORD, BANS, INVITATIONS)
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

    async def put(self, name: str, make: Callable[[], T], use: Callable[[T], None]) -> T:
        async with self._turn:  # until it is in use, so that nothing newer is before
            try:
                for _ in range(TRIES):
                    value = make()
                    if await self._replace(name, written(value)):
                        await asyncio.to_thread(use, value)
                        return value
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
