"""Guests through the SSH door without a terminal: plain mode, line by line, with real OpenSSH."""

import asyncio
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from server.guests.folders import CODE_BEGINS
from tests.server.guests.test_ssh import player
from tests.stage.guests import SshServer, needs_ssh, ssh_server
from tests.stage.house import START, Peer, eventually
from tests.stage.processes import needs_proc
from tests.stage.pseudo_terminal import PseudoTerminal

pytestmark = [needs_ssh, needs_proc]

IDLE_S: Final = 2.0
LIMIT_S: Final = 60.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    limits = "[limits]\ngrace_s = 600\n"
    with ssh_server(tmp_path_factory.mktemp("ssh"), settings=limits) as server:
        yield server


class Caller:
    """Somebody at `ssh -T`, line by line."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process: Final = process
        self.heard = ""
        self._hearing: Final = asyncio.ensure_future(self._hear())

    async def _hear(self) -> None:
        assert self.process.stdout is not None
        while some := await self.process.stdout.read(4096):
            self.heard += some.decode()

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def end(self) -> None:
        """Type nothing more."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    async def hears(self, *words: str) -> None:
        try:
            await eventually(lambda: all(word in self.heard for word in words))
        except TimeoutError:
            raise AssertionError(f"waited for {words} in vain:\n{self.heard}") from None

    async def ends(self) -> int:
        async with asyncio.timeout(LIMIT_S):
            status = await self.process.wait()
        await self._hearing
        return status


@asynccontextmanager
async def calling(
    server: SshServer, user: str, key: str = "", *asked: str, more: tuple[str, ...] = ()
) -> AsyncIterator[Caller]:
    command = [*server.command(user, key, ("-T", *more)), *asked]
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    caller = Caller(process)
    try:
        yield caller
    finally:
        if process.returncode is None:
            process.kill()
        await caller.ends()


async def seated(server: SshServer, caller: Caller, ben: Peer) -> None:
    """Both play; Ben is the host."""
    await caller.hears("Type ready to tell the host that you are ready.")
    caller.type("ready")
    await caller.hears(", you, ready.")
    await ben.done(START)
    await caller.hears("look tells what is where")


async def test_a_guest_without_a_terminal_is_in_the_lobby_line_by_line(server: SshServer) -> None:
    async with calling(server, "ann", "ann") as ann:
        await ann.hears(
            "You are at this server, as ann.", "when you press nothing for 30 min", "tables lists"
        )
        ann.type("menu", "help", "matches", "host", "join 127.0.0.1")
        await ann.hears(
            "There is no command matches", "command host", "command join", "lobby (b): "
        )
        ann.type("lobby", "tables", "new clocktowers", "leave end", "quit", "look")
        assert await ann.ends() == 1  # three commands could not be done
    assert "Friends come to this server as you did, and join table" in ann.heard
    assert all(char.isprintable() or char == "\n" for char in ann.heard)
    assert "127.0.0.1" not in ann.heard and "Traceback" not in ann.heard


def test_a_file_of_moves_plays_alone(server: SshServer) -> None:
    """`ssh -T HOST < moves`; the second line waits for the bot. More than waits in any buffer is
    read, too."""
    moves = server.folder / "moves"
    many = f"help quit {900 * 'x'}\n" * 300
    moves.write_text(f"menu\npace at_once\nplay 1\nplay 1 new\nfloors\nlog\n{many}settings\n")
    with moves.open() as file:
        done = subprocess.run(
            server.command("ann", "ann", ("-T",)),
            stdin=file,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[-500:]
    assert "You started tower 1" in done.stdout and "waits for you." in done.stdout
    assert done.stdout.count("quit: leave") == 300 and "name: ann." in done.stdout


@pytest.mark.parametrize(("user", "how"), [("hal", "hangs up"), ("ina", "ends its input")])
async def test_the_seat_is_held(server: SshServer, user: str, how: str) -> None:
    """The end of the input says so; Ctrl+C cuts the line."""
    ben = await player(server, "Ben")
    code = await ben.create(seats=2)
    async with calling(server, user, user, code) as ann:
        await seated(server, ann, ben)
        if how == "hangs up":
            ann.process.send_signal(signal.SIGINT)
            assert await ann.ends() != 0
        else:
            ann.end()
            assert await ann.ends() == 0
            assert "waits for you: ina at" in ann.heard
    await eventually(lambda: not server.guests)
    async with calling(server, user, user) as ann:
        await ann.hears("Clocktowers with Ben")
        ann.type("leave end", "yes", "quit")
        assert await ann.ends() == 0
    await ben.close()


async def test_without_a_key_or_a_name(server: SshServer) -> None:
    """The first line is the name; nothing behind it is lost. The code leads back to the seat."""
    ben = await player(server, "Ben")
    code = await ben.create(seats=2)
    async with calling(server, "play", "", code) as cleo:
        cleo.type("Cleo", "ready")
        await cleo.hears("2: Cleo, you, ready.")
        await ben.done(START)
        await cleo.hears("look tells what is where")
        back = cleo.heard.split("log in as ")[1].split(".")[0]
        assert back.startswith(CODE_BEGINS)
    async with calling(server, back) as cleo:
        await cleo.hears("Clocktowers with Ben")
        cleo.type("leave end", "yes", "quit")
        assert await cleo.ends() == 0
    await ben.close()


async def test_a_terminal_without_a_screen_gets_plain_mode(server: SshServer) -> None:
    """`TERM=dumb ssh -t`: with a prompt, and Ctrl+C leaves."""
    environ = {"PATH": "/usr/bin:/bin", "TERM": "dumb", "HOME": str(server.folder)}
    command = server.command("kim", "kim", ("-t",))
    async with PseudoTerminal.run_program(command, environ) as terminal:
        await terminal.sees("cannot show a full screen", "tables lists the tables", ">")
        terminal.press("settings\r")
        await terminal.sees("name: kim.")
        terminal.press("\x03")
        assert await terminal.ends() == 128 + signal.SIGINT
    assert b"\x1b" not in terminal.painted


async def test_who_says_nothing_is_told_and_ends(tmp_path: Path) -> None:
    settings = f"[limits]\nguest_idle_s = {IDLE_S}\n"
    with ssh_server(tmp_path, settings=settings) as server:
        async with calling(server, "ann", "ann") as ann:
            assert await ann.ends() == 0
        assert "Press Enter, or your connection ends soon." in ann.heard
        assert ann.heard.splitlines()[-1].endswith("the connection has ended. Connect again.")
