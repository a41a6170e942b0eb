"""The browser door in this loop, on a real socket, for tests with the fixture `shells`."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientSession, CookieJar

from server.config import Limits
from server.guests.guests import Guests
from server.guests.passing import Handed, Setup
from server.guests.web import WebDoor
from tests.stage.house import eventually
from tests.stage.shell_client import COMMAND

HERE = Handed("web", "127.0.0.1")
OVER_TLS = Handed("web", "192.0.2.7", secure=True)
TAB = "0123456789abcdef" * 2
ECHO: Final = 'echo in; while read -r line; do echo "heard $line"; done'
"""What clients do by default."""


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


LIMITS = Limits(
    guests=8,
    guests_per_address=8,
    guests_per_identity=2,
    guest_idle_s=60.0,
    hello_s=60.0,
    loopback_counts=True,
)


@asynccontextmanager
async def page(folder: Path, handed: Handed = HERE, command: str = ECHO) -> AsyncIterator[Page]:
    (folder / COMMAND).write_text(command)
    setup = Setup(str(folder), LIMITS)
    door = WebDoor(setup, Guests(setup))
    loop = asyncio.get_running_loop()
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setblocking(False)

    async def accept() -> None:
        while True:
            sock, _ = await loop.sock_accept(listening)
            sock.setblocking(False)
            await door.serve(sock, handed)

    accepting = asyncio.ensure_future(accept())
    try:
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as browser:
            yield Page(f"http://127.0.0.1:{listening.getsockname()[1]}", door, browser)
        await eventually(lambda: not len(door.guests))
        await eventually(lambda: not door.strangers)
    finally:
        accepting.cancel()
        listening.close()
