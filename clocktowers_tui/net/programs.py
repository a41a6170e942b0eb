"""Programs of our own, and the player's own server: this client starts each with a pipe to it and
a pipe from it. When it ends a program, it ends all processes that this one has started, too."""

import asyncio
import os
import secrets
import signal
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, Self

import msgspec

from clocktowers_tui.config.files import log_file, open_log
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.trust import Ticket
from protocol.invitation import Ways
from protocol.text import clean


def program(module: str, *arguments: str) -> Sequence[str]:
    """The command that runs this module."""
    return (sys.executable, "-P", "-m", module, *arguments)


async def started(command: Sequence[str], errors: int = DEVNULL) -> Process:
    """To be `ended`. `errors`: where its stderr goes. Raises OSError."""
    return await asyncio.create_subprocess_exec(
        *command,
        stdin=PIPE,
        stdout=PIPE,
        stderr=errors,
        start_new_session=True,  # the terminal's Ctrl+C is for the client
    )


async def ended(process: Process) -> None:
    """It runs no longer then, nor does what it has started."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    await to_its_end(process.wait())


async def to_its_end(doing: Coroutine[Any, Any, object]) -> None:
    """Wait for it, even where the caller is cancelled meanwhile: at its end Textual cancels each
    task of a screen twice."""
    task = asyncio.ensure_future(doing)
    try:
        await asyncio.shield(task)
    finally:
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({task})


# The player's own server: a real process on this machine, for playing alone or as a host.
#
# It reads a line from its standard input, a password and the player's name, which an argument could
# not hold in every locale. The input then stays open: end-of-file tells it that the client is gone,
# however the client ended. It prints one line of JSON, which says where it listens.

START_S: Final = 15
STOP_S: Final = 3
_MOMENT_S: Final = 0.5
_MOST_BYTES: Final = 65_536
"""Of the line that it prints."""
_DIALLED: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""How this machine reaches a server that listens to all of it."""
_LOG: Final = "local-server"


class Purpose(StrEnum):
    """`SOLO` listens to this machine only, asks everybody for the password and ends with the
    client; `HOST` listens to the network and goes on for friends who still sit there."""

    SOLO = "solo"
    HOST = "host"


class _Report(msgspec.Struct, frozen=True):
    """The line that the process prints. `taken`: the port that it was to have and that somebody
    else has, 0 = none; `by_own`: another server of this player. `secret`: by which the client comes
    in where that is not the password that it wrote. `key`: the hash of its public key, in hex; "" =
    it has none."""

    listening: list[tuple[str, int]] = []
    lan: list[str] = []
    folder: int = 0
    taken: int = 0
    by_own: bool = False
    secret: str = ""
    ways: Ways = Ways()
    key: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")] = ""
    error: str = ""


class LocalServer:
    """The process and its two pipes. Made by `start`; `stop` at the end.

    asyncio would kill a process of its own together with the loop, but friends may still play on
    this server.
    """

    address: Address
    """Where this machine reaches it."""
    friends: tuple[str, ...]
    """The addresses that others on the network can dial."""
    folder: int
    """As in `Seat`: others dial a hosted server by its address."""
    key: bytes
    """As in `Trust`."""

    def __init__(self, process: "subprocess.Popen[bytes]", *, outlives: bool) -> None:
        self.process: Final = process
        assert process.stdin is not None and process.stdout is not None
        self._keyboard, self._output = process.stdin, process.stdout
        self._outlives: Final = outlives

    @property
    def log(self) -> Path:
        """The file where it writes what goes wrong."""
        return log_file(_LOG)

    @classmethod
    async def start(
        cls,
        purpose: Purpose,
        flags: tuple[str, ...] = (),
        *,
        player: str = "",
        folder: int = 0,
        instead: bool = False,
        key: bytes = b"",
    ) -> Self:
        """Start the process and wait until it listens. Raises LinkError, and leaves no process.

        `flags`: settings, as `clocktowers-server serve` takes them. `player`: whose it is called on
        the network. `folder`: where a match waits; 0 = any. `instead`: that match ends. `key`: only
        the server that has it, which runs or has run here.
        """
        where = ("--folder", str(folder)) if folder else ()
        ends = ("--instead",) if instead else ()
        only = ("--key", key.hex()) if key else ()
        command = program("server", "local", "--for", purpose.value, *where, *ends, *only, *flags)
        return await cls.start_command(command, START_S, player, outlives=purpose is Purpose.HOST)

    @classmethod
    async def start_command(
        cls, command: Sequence[str], limit_s: float, player: str = "", *, outlives: bool = False
    ) -> Self:
        """Like `start`, with any program that behaves as described above."""
        server = cls(_launch(command), outlives=outlives)
        try:
            async with asyncio.timeout(limit_s):
                await server._introduce(secrets.token_urlsafe(16), player)
        except BaseException as error:
            server._kill()
            if isinstance(error, TimeoutError):
                raise LinkError(Fault.LOCAL_SLOW) from None
            raise
        return server

    async def _introduce(self, password: str, player: str) -> None:
        """Say the password and the player's name, and hear where it listens."""
        with suppress(OSError):  # it has ended: its output says why
            self._keyboard.write(f"{password} {player}\n".encode(errors="replace"))
            self._keyboard.flush()
        line = await asyncio.to_thread(self._output.readline, _MOST_BYTES)
        try:
            report = msgspec.json.decode(line, type=_Report)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise LinkError(Fault.LOCAL_FAILED, reason="it printed no address") from None
        if not report.listening:
            raise LinkError(Fault.LOCAL_FAILED, reason=report.error or "it listens nowhere")
        host, port = report.listening[0]
        self.address = Address(_DIALLED.get(host, host), port)
        self.friends = tuple(str(Address(clean(other), port)) for other in report.lan)
        self.ticket = Ticket(report.secret or password)
        self.ways, self.key = report.ways, bytes.fromhex(report.key)
        self.folder = 0 if self._outlives else report.folder
        self.taken, self.taken_by_own = report.taken, report.by_own

    async def has_ended(self) -> bool:
        """Whether the process has ended, or ends within a moment."""
        return await self._ends_within(_MOMENT_S)

    async def stop(self) -> None:
        """Let it end in good order; kill it if it does not."""
        with suppress(OSError):
            self._keyboard.close()
        if self._outlives:
            self._output.close()
            return
        try:
            await self._ends_within(STOP_S)
        finally:
            self._kill()

    async def _ends_within(self, limit_s: float) -> bool:
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(self.process.wait, limit_s)
        return self.process.poll() is not None

    def _kill(self) -> None:
        with suppress(OSError), self.process:  # its pipes are closed, and it is waited for
            if self.process.returncode is None:  # what it has started may hold its output open, too
                os.killpg(self.process.pid, signal.SIGKILL)


def _launch(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    with open_log(_LOG) as log:
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                # The terminal's Ctrl+C is for the client; this ends when its input does.
                start_new_session=True,
            )
        except OSError as error:
            raise LinkError(Fault.LOCAL_FAILED, reason=str(error)) from None
