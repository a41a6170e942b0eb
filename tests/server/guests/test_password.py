"""A server with a password asks every guest for it; a key does not stand for it."""

import os
import signal
from collections.abc import Iterator

import pytest

from bench.pseudo_terminal import PseudoTerminal
from tests.stage.guests import SshServer, needs_ssh, ssh_server

pytestmark = needs_ssh


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    folder = tmp_path_factory.mktemp("password")
    word = folder / "word"
    word.write_text("sesame\n")
    word.chmod(0o600)
    with ssh_server(folder, "--password-file", str(word)) as server:
        yield server


async def test_a_key_does_not_stand_for_the_password(server: SshServer) -> None:
    async with server.dial("ann", "ann") as terminal:
        for tries, typed in enumerate(("tomato", "sesame")):
            await asked_again(terminal, tries)
            await terminal.settles()
            terminal.press(f"{typed}\r")
        await terminal.sees("New table")
        assert b"sesame" not in terminal.painted and b"tomato" not in terminal.painted
        terminal.press("b")
        await terminal.sees("To the lobby")
        terminal.press("q")  # it is said once for everything that follows
        await terminal.sees("New table")
        terminal.press("q")
        assert await terminal.ends() == 0


async def test_without_a_key_ssh_asks_for_it(server: SshServer) -> None:
    for method in ("keyboard-interactive", "password"):
        more = ("-o", f"PreferredAuthentications={method}")
        async with server.dial("ben", more=more) as terminal:
            await terminal.sees("password:")
            terminal.press("sesame\r")
            await terminal.sees("New table")
            terminal.press("q")
            assert await terminal.ends() == 0


async def test_a_wrong_one_leads_nowhere(server: SshServer) -> None:
    async with server.dial("cleo", "cleo") as terminal:
        for tries in range(3):
            await asked_again(terminal, tries)
            terminal.press("wrong\r")
        assert await terminal.ends() == 1
    assert "New table" not in terminal.text()


async def test_a_server_that_stops_gives_each_guest_the_terminal_back(server: SshServer) -> None:
    """The last of this file, for it ends the server."""
    async with server.dial("ann", "ann") as terminal:
        await asked_again(terminal, 0)
        terminal.press("sesame\r")
        await terminal.sees("New table")
        os.kill(server.pid, signal.SIGTERM)
        assert await terminal.ends() == 128 + signal.SIGTERM
    for mode in (b"?1049", b"?1000"):
        assert terminal.painted.rfind(mode + b"l") > terminal.painted.rfind(mode + b"h")
    assert b"the server has stopped; a seat that you have is held" in terminal.painted


async def asked_again(terminal: PseudoTerminal, times: int) -> None:
    """What is typed before the question would be seen."""
    while terminal.painted.count(b"The server's password:") <= times:
        terminal._came.clear()
        await terminal._came.wait()
