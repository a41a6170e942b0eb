"""Callers at the SSH door who take long to log in, or never answer."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import TypeAlias

import asyncssh
import pytest
from msgspec.structs import replace

from server.doors.certificate import ssh_fingerprint
from server.guests import ssh
from server.guests.guest import STOPPED
from server.guests.guests import Guests
from server.guests.passing import Handed, Setup
from server.guests.ssh import SshDoor
from tests.stage.guests import ASKS, SshServer, needs_ssh
from tests.stage.house import eventually
from tests.stage.jumping_clock import passes
from tests.stage.pseudo_terminal import PseudoTerminal
from tests.stage.shell_client import COMMAND
from tests.stage.web_page import ECHO, LIMITS

pytestmark = pytest.mark.usefixtures("shells")

Line: TypeAlias = socket.socket

PLACES = 3
HELLO_S = 60.0
"""As long as anybody here waits for what must happen."""


class Thinking(asyncssh.SSHClient):
    """Somebody who never answers when they are asked for a key or a password."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def public_key_auth_requested(self) -> None:
        self.asked.set()
        await asyncio.get_running_loop().create_future()


class Ready(asyncssh.SSHClient):
    """Somebody who answers every question."""

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: object
    ) -> list[str]:
        return []


class Front:
    """A door, and who calls there: from ever another address."""

    def __init__(self, folder: Path, *, asks_password: bool) -> None:
        setup = Setup(str(folder), replace(LIMITS, hello_s=HELLO_S), asks_password)
        (folder / COMMAND).write_text(ECHO)
        self.door = SshDoor(setup, Guests(setup))
        self._folder = folder
        self.silent: list[asyncio.StreamWriter] = []
        self._hosts = count(1)
        self._served: list[asyncio.Task[None]] = []
        self.callers: list[asyncio.Task[asyncssh.SSHClientConnection]] = []

    def socket(self) -> socket.socket:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            ours = socket.create_connection(listening.getsockname())
            its, _ = listening.accept()
        ours.setblocking(False)
        self._is_led(its)
        return ours

    def _is_led(self, its: Line) -> None:
        its.setblocking(False)
        address = f"192.0.2.{next(self._hosts)}"
        handed = Handed("ssh", address, elsewhere="[2001:db8::1]:7777")
        self._served.append(asyncio.ensure_future(self.door.serve(its, handed)))

    async def says_nothing(self, first: bytes = b"SSH-2.0-foe\r\n") -> asyncio.StreamReader:
        """After the first line; they have read the door's."""
        reader, writer = await asyncio.open_connection(sock=self.socket())
        writer.write(first)
        self.silent.append(writer)
        assert await reader.readline() == b"SSH-2.0-clocktowers\r\n"
        return reader

    async def dials_for_the_first_time(self) -> PseudoTerminal:
        """With OpenSSH, which asks about the key."""
        with socket.create_server(("127.0.0.1", 0)) as listening:
            listening.setblocking(False)
            host = SshServer(self._folder, self._folder, listening.getsockname()[1], pid=0)
            terminal = host.dial("ann", more=ASKS)
            its, _ = await asyncio.get_running_loop().sock_accept(listening)
        self._is_led(its)
        return terminal

    def calls(
        self, make: Callable[[], asyncssh.SSHClient] = Ready
    ) -> "asyncio.Task[asyncssh.SSHClientConnection]":
        """Ends when they are logged in."""
        dialled = asyncssh.connect(
            sock=self.socket(), client_factory=make, username="ann", known_hosts=None, config=None
        )
        self.callers.append(asyncio.ensure_future(_connection(dialled)))
        return self.callers[-1]

    async def thinks(self) -> "asyncio.Task[asyncssh.SSHClientConnection]":
        """Is asked, and does not answer."""
        thinking = Thinking()
        calling = self.calls(lambda: thinking)
        await thinking.asked.wait()
        return calling


async def _connection(dialled: object) -> asyncssh.SSHClientConnection:
    return await dialled  # type: ignore[misc,no-any-return]


@asynccontextmanager
async def front(folder: Path, *, asks_password: bool = False) -> AsyncIterator[Front]:
    at = Front(folder, asks_password=asks_password)
    try:
        yield at
    finally:
        for caller in at.callers:
            caller.cancel()
        for end in await asyncio.gather(*at.callers, return_exceptions=True):
            if isinstance(end, asyncssh.SSHClientConnection):
                end.abort()
        for writer in at.silent:
            writer.close()
        await eventually(lambda: len(at.door.strangers) + len(at.door.guests) == 0)


async def test_callers_who_never_answer_keep_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh, "STRANGERS", PLACES)
    async with front(tmp_path) as at:
        first = await at.thinks()
        silent = [await at.says_nothing() for _ in range(PLACES - 1)]
        await at.calls()
        with pytest.raises(asyncssh.DisconnectError, match="you took longest: connect again"):
            await first
        await at.calls()
        assert b"you took longest" in await silent[0].read()
        assert len(at.door.strangers) == PLACES


async def test_a_place_is_given_back_once_however_a_caller_ends(tmp_path: Path) -> None:
    """Else places would be lost, or more than there are be given."""
    async with front(tmp_path) as at:
        for _ in range(3):
            at.socket().close()
        (await at.calls()).abort()
        (await at.thinks()).cancel()
        await at.says_nothing()
        at.silent[0].close()
        await eventually(lambda: len(at.door.strangers) == 0)
    assert not at.door.strangers._taken


async def test_a_guest_of_a_server_that_stops_is_told_of_another_one(tmp_path: Path) -> None:
    async with front(tmp_path) as at:
        (tmp_path / COMMAND).write_text(f"exit {STOPPED}")
        process = await (await at.calls()).create_process(term_type="xterm")
        told = await process.stderr.read()
        assert re.search(r"is held. Go on at another one: ssh -p 7777 back-\w+@2001:db8::1\r", told)


@needs_ssh
async def test_a_friend_has_time_to_compare_the_host_s_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of what OpenSSH's server gives: then callers who came later and have not said a word are
    hung up on."""
    assert ssh.LOGIN_S == 2 * HELLO_S == 120
    async with front(tmp_path) as at, await at.dials_for_the_first_time() as terminal:
        await terminal.sees(ssh_fingerprint(tmp_path), "continue connecting (yes")
        silent = await at.says_nothing(b"")
        passes(HELLO_S, monkeypatch)
        assert await silent.read() == b""
        terminal.press("yes\r")
        await terminal.says(b"in\r\n")
        terminal.press("hello\r")
        await terminal.sees("heard hello")
        assert len(at.door.strangers) == 0


@pytest.mark.parametrize("asks_password", [True, False])
async def test_nobody_logs_in_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asks_password: bool
) -> None:
    async with front(tmp_path, asks_password=asks_password) as at:
        thinking, silent = await at.thinks(), await at.says_nothing()
        passes(ssh.LOGIN_S, monkeypatch)
        with pytest.raises((OSError, asyncssh.Error)):
            await thinking
        await silent.read()
