"""`python -P -m server.guests SOCKET SETUP`: the process of the doors for guests. `SOCKET`: the
number of the open socket to the server; `SETUP`: as JSON.

What guests send is read here and nowhere else. If it ends, the server starts it again, and every
seat is held.
"""

import asyncio
import signal
import socket
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import msgspec
import structlog

from server.guests.guest import make_ready
from server.guests.guests import Guests
from server.guests.passing import Note, Setup, take_over
from server.tasks import Tasks

if TYPE_CHECKING:
    from server.guests.ssh import SshDoor
    from server.guests.web import WebDoor

PRUNE_S: Final = 3600.0
LAST_WORDS_S: Final = 0.2
"""What callers are told last needs a moment to go out."""


class GuestDoors:
    """Hears the server, and hands each caller to their door, which is made for its first one."""

    def __init__(self, end: socket.socket, setup: Setup, tasks: Tasks) -> None:
        """Raises OSError."""
        self._over: Final = asyncio.Event()
        self._setup: Final = setup
        self._tasks: Final = tasks
        self._server: Final = end
        end.setblocking(False)
        asyncio.get_running_loop().add_reader(end, self._hear)
        structlog.configure(processors=[structlog.processors.add_log_level, self._note])
        self._guests: Final = Guests(setup)

    def _hear(self) -> None:
        """A caller comes, or the server has gone."""
        try:
            handed, sock = take_over(self._server)
        except BlockingIOError:
            return
        except (OSError, ValueError):
            asyncio.get_running_loop().remove_reader(self._server)
            self._over.set()
            return
        sock.setblocking(False)
        door = self._ssh if handed.door == "ssh" else self._web
        self._tasks.spawn(door.serve(sock, handed))

    @cached_property
    def _ssh(self) -> "SshDoor":
        from server.guests.ssh import SshDoor

        return SshDoor(self._setup, self._guests)

    @cached_property
    def _web(self) -> "WebDoor":
        from server.guests.web import WebDoor

        return WebDoor(self._setup, self._guests)

    def _note(self, _logger: Any, _method: str, event: MutableMapping[str, Any]) -> str:
        """A structlog processor: the server writes the log."""
        if event.pop("exc_info", None) and (error := sys.exc_info()[1]) is not None:
            event["error"] = f"{type(error).__name__}: {error}"
        about = {
            name: value if isinstance(value, str | int | float | bool | None) else str(value)
            for name, value in event.items()
        }
        note = Note(about.pop("level"), str(about.pop("event", "")), about)  # type: ignore[arg-type]
        line = msgspec.json.encode(note) + b"\n"
        with suppress(OSError):
            if self._server.send(line) < len(line):
                self._over.set()  # what would come next could not be told from the rest
        raise structlog.DropEvent

    async def run(self) -> None:
        try:
            while not self._over.is_set():
                await self._guests.prune()
                try:
                    async with asyncio.timeout(PRUNE_S):
                        await self._over.wait()
                except TimeoutError:
                    continue
        finally:
            await self._guests.end()
            await asyncio.sleep(LAST_WORDS_S)


async def _main() -> None:
    end, setup = socket.socket(fileno=int(sys.argv[1])), sys.argv[2]
    async with asyncio.TaskGroup() as group:
        tasks = Tasks(group)
        await GuestDoors(end, msgspec.json.decode(setup, type=Setup), tasks).run()
        tasks.cancel()


def main() -> None:
    # A terminal's Ctrl+C is for the server, whose end ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        make_ready()  # the first callers wait in the socket meanwhile: no time runs out for them
    except OSError as error:  # of the socket at which clients are asked for
        sys.exit(
            f"no guest can come in: {error}; let TMPDIR name a short folder that can be written"
        )
    # uvloop closes the socket of a caller who goes at once twice, the second time as another's.
    asyncio.run(_main())


if __name__ == "__main__":
    main()
