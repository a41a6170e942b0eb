"""Several servers in this loop that lead callers to each other, without a database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import structs

from server.config import Limits
from server.net.listener import bind
from server.nodes.front import Home
from server.nodes.keys import Keys, new_authority
from server.nodes.splicing import Splicing
from server.store import private
from server.store.state_folder import LOCK_NAME
from tests.stage.house import AT_HOME, LENIENT, House, Peer, house
from tests.stage.memory_journal import MemoryJournal

authority = cache(new_authority)


def keys_of(node: str) -> Keys:
    with TemporaryDirectory() as folder:
        return Keys(authority(), node, Path(folder))


class LoopNode:
    """One of them. `splicing`: its way to the others; `address`: where they reach it."""

    def __init__(self, name: str, at: House, homes: "Known") -> None:
        self.name, self.at = name, at
        (bound,) = bind(AT_HOME)
        self.address = str(bound.address)
        server = at.server
        self.splicing = Splicing(name, homes, server.service, server.session)
        self.splicing.listen(keys_of(name), bound.sock)

    async def peer(self, name: str, **hello: Any) -> Peer:
        return await self.at.peer(name, **hello)

    @property
    def fronts(self) -> int:
        return len(self.splicing.fronts)


class Known:
    """What is where, as the servers themselves know it."""

    def __init__(self) -> None:
        self.nodes: list[LoopNode] = []

    async def of_table(self, code: str) -> Home | None:
        await asyncio.sleep(0)
        return self._first(lambda node: code in node.at.server.lobby.tables)

    async def of_match(self, match: str) -> Home | None:
        await asyncio.sleep(0)
        return self._first(
            lambda node: any(
                table.match is not None and table.match.id == match
                for table in node.at.server.lobby.tables.values()
            )
        )

    def knows(self, address: str) -> bool:
        return False

    def _first(self, has: Any) -> Home | None:
        for node in self.nodes:
            if has(node):
                return Home(node.name, node.address)
        return None


@asynccontextmanager
async def nodes(count: int = 2, limits: Limits = LENIENT) -> AsyncIterator[list[LoopNode]]:
    """So many servers, each with its own journal in memory."""
    async with AsyncExitStack() as stack:
        known = Known()
        for number in range(count):
            at = await stack.enter_async_context(house(limits=limits, journal=MemoryJournal()))
            node = LoopNode("abcdef"[number], at, known)
            known.nodes.append(node)
            stack.callback(node.splicing.close)
        yield known.nodes


@asynccontextmanager
async def node_on(
    url: str, name: str, folder: Path, limits: Limits = LENIENT, **more: Any
) -> AsyncIterator[House]:
    """A server of this loop that is a node of the cluster on this database. `more`: as in
    `house`."""
    from server.nodes.cluster import joined

    config = structs.replace(AT_HOME, journal=url, node=name, node_lease_s=1.0)
    private.make_folder(folder, LOCK_NAME)
    async with (
        joined(config) as cluster,
        house(
            config=config,
            journal=cluster.journal,
            cluster=cluster,
            folder=folder,
            limits=limits,
            **more,
        ) as at,
    ):
        yield at
