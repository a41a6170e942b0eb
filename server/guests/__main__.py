"""`python -P -m server.guests SOCKET`: the process of the doors for guests. `SOCKET`: the number of
the open socket to the server.

What guests send is read here and nowhere else. If it ends, the server starts it again, and every
seat is held.
"""

import asyncio
import signal
import socket
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import structlog

from server.guests.clients import clients
from server.guests.folders import Folders
from server.guests.guests import Guests
from server.guests.passing import Full, Passing, TakeFile
from server.guests.words import FROM_SERVER, Handed, Note, Setup

if TYPE_CHECKING:
    from server.guests.ssh import SshDoor
    from server.guests.web import WebDoor

PRUNE_S: Final = 3600.0
LAST_WORDS_S: Final = 0.2
"""What callers are told last needs a moment to go out."""


class Doors:
    """Hears the server, and hands each caller to their door."""

    def __init__(self, end: socket.socket) -> None:
        self.over: Final = asyncio.Event()
        self._server: Final = Passing(end, self._heard, self.over.set)
        self._setup: Setup | None = None
        self._guests: Guests | None = None
        self._ssh: SshDoor | None = None
        self._web: WebDoor | None = None
        structlog.configure(processors=[self._note])

    def _heard(self, payload: bytes, take: TakeFile) -> None:
        match FROM_SERVER.decode(payload):
            case Setup() as setup:
                self._setup = setup
                self._guests = Guests(setup, Folders(Path(setup.state)), clients())
            case Handed(door="ssh", address=address):
                self._ssh_door().take(socket.socket(fileno=take()), address)
            case Handed(door="web") as handed:
                self._web_door().take(socket.socket(fileno=take()), handed)

    def _ssh_door(self) -> "SshDoor":
        """Made for its first caller."""
        if self._ssh is None:
            from server.guests.ssh import SshDoor

            assert self._setup is not None and self._guests is not None
            self._ssh = SshDoor(self._setup, self._guests)
        return self._ssh

    def _web_door(self) -> "WebDoor":
        """Made for its first caller."""
        if self._web is None:
            from server.guests.web import WebDoor

            assert self._setup is not None and self._guests is not None
            self._web = WebDoor(self._setup, self._guests)
        return self._web

    def _note(self, _logger: Any, method: str, event: MutableMapping[str, Any]) -> str:
        """A structlog processor: the server writes the log."""
        level = {"exception": "error", "critical": "error", "warn": "warning"}.get(method, method)
        if event.pop("exc_info", None) and (error := sys.exc_info()[1]) is not None:
            event["error"] = f"{type(error).__name__}: {error}"
        about = {
            name: value if isinstance(value, str | int | float | bool | None) else str(value)
            for name, value in event.items()
            if name != "event"
        }
        try:
            note = Note(level, str(event.get("event", "")), about)  # type: ignore[arg-type]
            self._server.send(msgspec.msgpack.encode(note))
        except Full:
            pass
        raise structlog.DropEvent

    async def run(self) -> None:
        while not self.over.is_set():
            if self._guests is not None:
                await self._guests.prune()
            try:
                async with asyncio.timeout(PRUNE_S):
                    await self.over.wait()
            except TimeoutError:
                continue
        if self._guests is not None:
            await self._guests.end()
            await asyncio.sleep(LAST_WORDS_S)


async def _main() -> None:
    doors = Doors(socket.socket(fileno=int(sys.argv[1])))
    await doors.run()


def main() -> None:
    # A terminal's Ctrl+C is for the server, whose end ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # uvloop closes the socket of a caller who goes at once twice, the second time as another's.
    asyncio.run(_main())


if __name__ == "__main__":
    main()
