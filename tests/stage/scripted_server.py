"""A server that does just what a test says, over the real protocol or beside it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from clocktowers_tui.net.address import Address
from protocol.from_server import Welcome
from tests.stage.server_end import ServerEnd

WELCOME: Final = Welcome(version=1, name="Ann", games=["clocktowers"], levels=["easy"])


class ScriptedPeer:
    """The server's end of a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._connection = ServerEnd()

    async def hears(self) -> Struct:
        """The client's next message; EOFError when it is gone."""
        while (message := self._connection.next_message()) is None:
            if not (received := await self.reader.read(1024)):
                raise EOFError
            self._connection.receive_bytes(received)
        return message

    def says(self, *messages: Struct) -> None:
        for message in messages:
            self.writer.write(self._connection.send(message))

    async def welcomes(self, *nodes: str) -> Struct:
        """Read the hello and answer it."""
        hello = await self.hears()
        self.says(replace(WELCOME, nodes=list(nodes)))
        return hello


Script = Callable[[ScriptedPeer], Awaitable[None]]


def saying(*messages: Struct) -> Script:
    """A server that welcomes this player, says this, and hears on."""

    async def script(peer: ScriptedPeer) -> None:
        await peer.hears()
        peer.says(WELCOME, *messages)
        while True:
            await peer.hears()

    return script


@asynccontextmanager
async def scripted(script: Script) -> AsyncIterator[Address]:
    """Runs `script` for each connection, which is closed at its end."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await script(ScriptedPeer(reader, writer))
        except (EOFError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()
