"""A guest's client as a browser has it: what it paints goes into a WebSocket, what is typed comes
out of it.

Messages with bytes are what is painted and typed. A text from the browser is the size of its
terminal, `[columns, rows]`; a text to it is the last sentence, behind which the line ends.
"""

import asyncio
from contextlib import suppress
from typing import Annotated, Final

import msgspec
from aiohttp import WSMsgType, web
from msgspec import Meta

from server.guests.guest import STOPPED, Guest, Size

HEARTBEAT_S: Final = 20.0
"""A browser that does not answer for half of it has lost its line."""
MESSAGE_BYTES: Final = 16 * 1024
UNSENT_BYTES: Final = 32 * 1024
"""What waits for a slow browser; then the client waits."""
FAILED: Final = "Your client has failed; your seat is held."
_SIZE: Final = msgspec.json.Decoder(
    tuple[Annotated[int, Meta(ge=0, le=9999)], Annotated[int, Meta(ge=0, le=9999)]]
)


def terminal() -> web.WebSocketResponse:
    """The server's end of a new WebSocket."""
    return web.WebSocketResponse(
        heartbeat=HEARTBEAT_S, compress=False, max_msg_size=MESSAGE_BYTES, writer_limit=UNSENT_BYTES
    )


class Tab:
    """A `Screen`. `left`: set by the door when it is through with it."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.left: Final = asyncio.Event()
        self._socket: Final = socket
        self._painted: Final[asyncio.Queue[bytes]] = asyncio.Queue()
        """b"" = nothing more comes."""
        self._unsent = 0
        self._last: str | None = None
        self._guest: Guest | None = None

    async def run(self, guest: Guest) -> None:
        """Until the client or the line ends."""
        self._guest = guest
        sending = asyncio.ensure_future(self._send(guest))
        try:
            await self._hear(guest)
        finally:
            guest.hang_up()
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending

    async def end(self) -> None:
        """The guest is here again, in place of this; returns when they have no client here."""
        if self._guest is None:
            await self.left.wait()
        else:
            self._guest.hang_up()
            await self._guest.ended.wait()
            await self._socket.close()

    async def end_with(self, sentence: str | None) -> None:
        """None: the page shall come back."""
        if sentence is not None:
            await self._socket.send_str(sentence)
        await self._socket.close()

    def show(self, output: bytes) -> None:
        assert self._guest is not None
        self._painted.put_nowait(output)
        self._unsent += len(output)
        if self._unsent >= UNSENT_BYTES:
            self._guest.pause()

    def take_on(self) -> None:
        """A browser waits for nothing."""

    def over(self, status: int | None) -> None:
        if status != STOPPED:
            self._last = FAILED if status is None or status < 0 else ""
        self._painted.put_nowait(b"")

    async def _hear(self, guest: Guest) -> None:
        async for message in self._socket:
            if message.type is WSMsgType.BINARY:
                guest.type(message.data)
            elif message.type is WSMsgType.TEXT:
                try:
                    guest.resize(Size(*_SIZE.decode(message.data)))
                except msgspec.DecodeError:
                    return

    async def _send(self, guest: Guest) -> None:
        with suppress(ConnectionError):
            while output := await self._painted.get():
                await self._socket.send_bytes(output)
                self._unsent -= len(output)
                if self._unsent < UNSENT_BYTES:
                    guest.resume()
            await self.end_with(self._last)
