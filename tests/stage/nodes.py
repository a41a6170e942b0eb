"""Several servers in this loop that send callers on to each other, without a database."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

from msgspec import structs

from protocol.ids import TableCode
from server.config import Config, Limits
from server.net.listener import bind
from server.nodes.asking import Asking
from server.nodes.claiming import Claiming
from server.nodes.cluster import Cluster, Joined, joined
from server.nodes.directory import Directory, Node
from server.nodes.kept import AUTHORITY, Files
from server.nodes.naming import Naming
from server.nodes.port import Keys, new_authority
from server.store import private
from server.store.connecting import Age
from server.store.fenced import FencedJournal
from server.store.state_folder import LOCK_NAME
from tests.stage.house import AT_HOME, LENIENT, House, Peer, house
from tests.stage.memory_journal import MemoryJournal

authority = cache(new_authority)


def keys_of(node: str) -> Keys:
    with TemporaryDirectory() as folder:
        return Keys(authority(), node, Path(folder))


class LoopDirectory(Directory):
    """Of one of these `nodes`."""

    def __init__(self, name: str, nodes: "list[LoopNode]") -> None:
        config = structs.replace(AT_HOME, node=name)
        super().__init__(config, cast(FencedJournal, None), Age())
        self._nodes: Final = nodes
        self.number = len(nodes) + 1

    async def home_of(self, match: str) -> Node | None:
        await asyncio.sleep(0)
        has = (one.node for one in self._nodes if one.at.server.lobby.has_match(match))
        return next(has, None)

    async def dues(self, matches: Sequence[str]) -> list[tuple[Any, ...]]:
        """Nothing sleeps."""
        return []

    async def home_of_table(self, code: str) -> Node | None:
        await asyncio.sleep(0)
        has = (one.node for one in self._nodes if TableCode(code) in one.at.server.lobby.tables)
        return next(has, None)


class LoopNode(Cluster):
    """One of them, which knows what the other `nodes` have without a database. `node`: what they
    know of it."""

    def __init__(self, name: str, at: House, nodes: "list[LoopNode]") -> None:
        self.name, self.at = name, at
        directory = LoopDirectory(name, nodes)
        with TemporaryDirectory() as folder:
            (Path(folder) / AUTHORITY).write_bytes(authority())
            files = Files(Path(folder), directory)
            super().__init__(at.server, Joined(directory, files, Asking("", Age())))
        self.naming, self.claiming = cast(Naming, self), cast(Claiming, self)  # type: ignore[misc]
        at.server.cluster = self  # type: ignore[misc]
        (bound,) = bind(AT_HOME)
        self._port.listen(bound.sock)
        self.node = Node(directory.number, name, str(bound.address), str(at.address))
        self._open = True

    def close(self) -> None:
        """Stop being a node; once or again."""
        if self._open:
            self._open = False
            self._port.close()
            self.pipes.close()

    async def claim(self, wished: str) -> str | None:
        """Each has its own names."""
        return self.at.server.names.claim(wished)

    def roomier(self) -> None:
        """Each makes its own tables."""

    async def bring(self, match: str) -> Node | None:
        return await self.directory.home_of(match)

    async def hand_over(self) -> None:
        """No database has matches, and its end is that of the test."""

    async def peer(self, name: str, **hello: Any) -> Peer:
        return await self.at.peer(name, **hello)


@asynccontextmanager
async def nodes(count: int = 2, limits: Limits = LENIENT) -> AsyncIterator[list[LoopNode]]:
    """So many servers, each with its own journal in memory."""
    async with AsyncExitStack() as stack:
        made = list[LoopNode]()
        for number in range(count):
            at = await stack.enter_async_context(house(limits=limits, journal=MemoryJournal()))
            made.append(LoopNode("abcdef"[number], at, made))
            stack.callback(made[-1].close)
        for one in made:
            one.directory.living = {other.node.number: other.node for other in made}
        yield made


@asynccontextmanager
async def node_on(
    url: str, name: str, folder: Path, config: Config = AT_HOME, lease_s: float = 60.0, **more: Any
) -> AsyncIterator[House]:
    """A server of this loop that is a node of the cluster on this database. `lease_s`: so long that
    none runs out on a busy machine. `more`: as in `house`."""
    config = structs.replace(config, journal=url, node=name, node_lease_s=lease_s)
    private.make_folder(folder, LOCK_NAME)
    async with (
        joined(config, folder) as node,
        house(
            config=config, journal=node.directory.journal, node=node, folder=folder, **more
        ) as at,
    ):
        yield at
