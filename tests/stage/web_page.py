"""The browser door in this loop, on a real socket, with clients that only echo."""

import asyncio
import socket
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientSession, CookieJar
from msgspec.structs import replace

from server.guests.clients import Clients, End, Over
from server.guests.folders import Folders
from server.guests.guests import Guests
from server.guests.web import WebDoor
from server.guests.words import Handed, Setup
from tests.stage.house import eventually

HERE = Handed("web", "127.0.0.1")
OVER_TLS = Handed("web", "192.0.2.7", secure=True)
TAB = "0123456789abcdef" * 2
_ECHO: Final = 'echo in; while read -r line; do echo "heard $line"; done'


class Echoing:
    """`Clients` whose clients say what they are told, a line each."""

    def begin(self, environ: Mapping[str, str], terminal: int, over: Over) -> End:
        command = ["sh", "-c", _ECHO]
        process = subprocess.Popen(
            command, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True
        )
        waiting = asyncio.ensure_future(asyncio.to_thread(process.wait))
        waiting.add_done_callback(lambda done: over(done.result()))
        return lambda now: process.kill() if now else process.terminate()

    def close(self) -> None: ...


class Page:
    """A door, and a browser in front of it that keeps its cookies."""

    def __init__(self, address: str, door: WebDoor, browser: ClientSession) -> None:
        self.address: Final = address
        self.door: Final = door
        self.browser: Final = browser

    async def enter(self, said: str = "", **headers: str) -> Any:
        told = {"Origin": self.address, **headers}
        async with self.browser.post(f"{self.address}/enter", data=said, headers=told) as answer:
            await answer.read()
            return answer

    def terminal(self, tab: str = TAB, **headers: str) -> Any:
        """The context of a WebSocket."""
        told = {"Origin": self.address, **headers}
        asked = f"{self.address}/terminal?tab={tab}&columns=80&rows=24"
        return self.browser.ws_connect(asked, headers=told)


SETUP = Setup(
    state="",
    guests=8,
    guests_per_address=8,
    guests_per_identity=2,
    guest_idle_s=60.0,
    hello_s=60.0,
    loopback_counts=True,
)


@asynccontextmanager
async def page(
    folder: Path, handed: Handed = HERE, clients: Clients | None = None
) -> AsyncIterator[Page]:
    setup = replace(SETUP, state=str(folder))
    door = WebDoor(setup, Guests(setup, Folders(folder), clients or Echoing()))
    loop = asyncio.get_running_loop()
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setblocking(False)

    async def accept() -> None:
        while True:
            sock, _ = await loop.sock_accept(listening)
            door.take(sock, handed)

    accepting = asyncio.ensure_future(accept())
    try:
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as browser:
            yield Page(f"http://127.0.0.1:{listening.getsockname()[1]}", door, browser)
        await eventually(lambda: not len(door.guests))
        await eventually(lambda: not door.strangers)
    finally:
        accepting.cancel()
        listening.close()
