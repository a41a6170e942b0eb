"""A balancer in front of several servers: it hands each caller's bytes to the next of them that
takes a line, and knows nothing of what is said."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from protocol.from_server import Welcome
from tests.stage.house import Peer

_READ_BYTES: Final = 65536


class Balancer:
    """`ports`: of the servers, on this machine. `lines`: how many each has been handed."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.port = 0
        self.lines: Final = dict.fromkeys(ports, 0)
        self._ports: Final = list(ports)
        self._callers: Final[set[asyncio.StreamWriter]] = set()

    async def dial(self) -> Peer:
        return Peer(*await asyncio.open_connection("127.0.0.1", self.port))

    async def peer(self, name: str, **hello: Any) -> Peer:
        peer = await self.dial()
        peer.say_hello(name, **hello)
        peer.name = (await peer.until(Welcome)).name
        return peer

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Until either end has closed."""
        self._callers.add(writer)
        try:
            theirs, ours = await self._next()
            async with asyncio.TaskGroup() as both:
                both.create_task(_copy(reader, ours))
                both.create_task(_copy(theirs, writer))
        except* OSError:
            pass
        finally:
            self._callers.discard(writer)
            writer.close()

    async def _next(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Raises OSError where no server takes a line."""
        for _ in self._ports:
            port = self._ports.pop(0)
            self._ports.append(port)
            with suppress(OSError):
                line = await asyncio.open_connection("127.0.0.1", port)
                self.lines[port] += 1
                return line
        raise ConnectionRefusedError

    def close(self) -> None:
        for writer in self._callers:
            writer.transport.abort()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Ends by an error, so that the other direction ends, too."""
    try:
        while said := await reader.read(_READ_BYTES):
            writer.write(said)
            await writer.drain()
    finally:
        writer.close()
    raise ConnectionResetError


@asynccontextmanager
async def balancing(*ports: int) -> AsyncIterator[Balancer]:
    balancer = Balancer(ports)
    server = await asyncio.start_server(balancer.serve, "127.0.0.1", 0)
    balancer.port = server.sockets[0].getsockname()[1]
    try:
        yield balancer
    finally:
        server.close()
        balancer.close()
