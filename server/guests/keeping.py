"""The process of the doors for guests: the server starts it, also again, and tells it who calls.

Laws: the server imports neither its libraries nor the client; what a guest sends is read there, and
if it ends no match does: each seat is held, as when a line breaks.
"""

import asyncio
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
import structlog

from server.admission.gate import Word
from server.config import Config
from server.guests.passing import Full, Passing, TakeFile
from server.guests.words import FROM_DOORS, Handed, Kind, Note, Setup
from server.net.caller import Caller

_PROGRAM: Final = (sys.executable, "-P", "-m", "server.guests")
_LIBRARIES: Final[dict[Kind, str]] = {"ssh": "asyncssh"}
FIRST_WAIT_S: Final = 0.2
LONGEST_WAIT_S: Final = 30.0
STEADY_S: Final = 60.0
"""A process that has run for so long is started again at once."""


def lacks(kind: Kind) -> str:
    """The library that a door needs and that is not installed; "" = none."""
    library = _LIBRARIES[kind]
    return "" if find_spec(library) is not None else library


class Keeping:
    """Of one server. `run` is a task for as long as the server runs."""

    def __init__(self, config: Config, folder: Path, doors: Sequence[Kind], word: Word) -> None:
        limits = config.limits
        self._setup: Final = Setup(
            state=str(folder),
            doors=list(doors),
            guests=limits.guests,
            guests_per_address=limits.guests_per_address,
            guests_per_identity=limits.guests_per_identity,
            guest_idle_s=limits.guest_idle_s,
            hello_s=limits.hello_s,
            loopback_counts=limits.loopback_counts,
            asks_password=word.kept is not None,
        )
        self._passing: Passing | None = None

    async def listen(self, kind: Kind, listening: socket.socket) -> None:
        """Let in who calls on a port of this door's own, for ever. Closes the socket at the end."""
        loop = asyncio.get_running_loop()
        with listening:
            listening.setblocking(False)
            while True:
                try:
                    accepted, peer = await loop.sock_accept(listening)
                except OSError:
                    await asyncio.sleep(1)
                    continue
                self.hand_over(kind, accepted, Caller(str(peer[0])))

    def hand_over(self, kind: Kind, sock: socket.socket, caller: Caller) -> None:
        """Lead a caller to this door. Owns the socket."""
        with sock, suppress(Full, OSError):
            if self._passing is not None:
                handed = Handed(kind, caller.address)
                self._passing.send(msgspec.msgpack.encode(handed), sock.fileno())

    async def run(self) -> None:
        loop, wait_s = asyncio.get_running_loop(), FIRST_WAIT_S
        while True:
            began_s = loop.time()
            await self._run_once()
            steady = loop.time() - began_s >= STEADY_S
            wait_s = FIRST_WAIT_S if steady else min(wait_s * 2, LONGEST_WAIT_S)
            structlog.get_logger().error("the doors for guests have ended", again_in_s=wait_s)
            await asyncio.sleep(wait_s)

    async def _run_once(self) -> None:
        ours, its = socket.socketpair()
        over = asyncio.Event()
        try:
            process = subprocess.Popen(  # noqa: ASYNC220  (asyncio would kill it with the loop)
                [*_PROGRAM, str(its.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[its.fileno()],
            )
        except OSError as error:
            ours.close()
            structlog.get_logger().error("no doors for guests", why=error.strerror)
            return
        finally:
            its.close()
        self._passing = Passing(ours, self._heard, over.set)
        try:
            self._passing.send(msgspec.msgpack.encode(self._setup))
            await over.wait()
        finally:
            self._passing.close()
            self._passing = None
            await asyncio.to_thread(_ended, process)

    def _heard(self, payload: bytes, _take: TakeFile) -> None:
        note: Note = FROM_DOORS.decode(payload)
        getattr(structlog.get_logger(), note.level)(note.event, **note.about)


def _ended(process: "subprocess.Popen[bytes]") -> None:
    """Its socket is closed, so it ends by itself; or is made to."""
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
