"""Guests through the SSH door: a real server, real OpenSSH, real terminals."""

import asyncio
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import cycle
from pathlib import Path

import asyncssh
import pytest
from asyncssh.channel import SSHClientChannel

from protocol.from_server import Welcome
from server.doors.certificate import ssh_fingerprint
from server.guests import ssh
from server.guests.folders import CODE_BEGINS
from server.net.listener import Address
from server.store.backup import SSH
from tests.stage.guests import ASKS, SshServer, needs_ssh, ssh_server
from tests.stage.hostile_texts import HOSTILE, harmless
from tests.stage.house import PATIENCE_S, START, Peer, begin, eventually
from tests.stage.postgres import needs_postgres
from tests.stage.processes import needs_proc, open_files
from tests.stage.pseudo_terminal import PseudoTerminal, untouched

pytestmark = [needs_ssh, needs_proc]

HELLO_S = 3.0


def environ_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    limits = f"[limits]\nhello_s = {HELLO_S}\ngrace_s = 600\n"
    with ssh_server(tmp_path_factory.mktemp("ssh"), settings=limits) as server:
        yield server


async def player(server: SshServer, name: str) -> Peer:
    """Somebody with a program of their own."""
    peer = Peer(*await asyncio.open_connection(*Address("127.0.0.1", server.port)))
    peer.say_hello(name)
    await peer.until(Welcome)
    return peer


async def ready(terminal: PseudoTerminal) -> None:
    """At Ben's table."""
    await terminal.sees("not ready")
    terminal.press("r")
    await terminal.sees("you, ready")


async def seated(terminal: PseudoTerminal, ben: Peer) -> None:
    """The same, and the match begins."""
    await ready(terminal)
    await ben.done(START)
    await terminal.sees("(you)")


async def leaves_match(terminal: PseudoTerminal) -> None:
    terminal.press("q")
    await terminal.sees("Give up your seat")
    terminal.press("\x1b[B\x1b[B\r")
    await terminal.sees("New table")


async def left(terminal: PseudoTerminal) -> None:
    """The guest leaves the lobby."""
    terminal.press("q")
    assert await terminal.ends() == 0


def said(server: SshServer, *asked: str, more: tuple[str, ...] = ()) -> tuple[int, str]:
    """What a caller without a terminal is told."""
    command = [*server.command("ann", "ann", more), *asked]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


async def test_a_guest_is_in_the_lobby_and_leaves_with_a_clean_terminal(server: SshServer) -> None:
    async with server.dial("ann", "ann") as terminal:
        await terminal.sees("this server as ann", "New table", "when you press nothing for 30 min")
        terminal.press("\x1b[27u")  # one step back is no way out of the root
        await terminal.sees("q: leave")
        terminal.resize(60, 20)
        for pid in (server.doors, server.forking, *server.guests):
            told = environ_of(pid)
            assert b"LANG=C.UTF-8" in told and b"CLOCKTOWERS" not in told, "the operator's"
        assert "\x1b[?1049h" in terminal.painted.decode()
        terminal.press("\x1a")  # Ctrl+Z would stop a client whom nobody could wake
        await left(terminal)
        assert terminal.attributes() == untouched()
    painted = terminal.painted
    assert painted.rfind(b"\x1b[?1049l") > painted.rfind(b"\x1b[?1049h")
    assert painted.rfind(b"\x1b[?25h") > painted.rfind(b"\x1b[?25l")
    assert painted.rfind(b"\x1b[?1000l") > painted.rfind(b"\x1b[?1000h")


async def test_a_key_has_its_own_seat_and_another_with_the_same_name_has_not(
    server: SshServer,
) -> None:
    """A client is killed in mid-move; the next guest of that name gets nothing of it."""
    ben = await player(server, "Ben")
    code = await ben.create(seats=2)
    async with server.dial("ann", "ann", code) as terminal:
        await seated(terminal, ben)
        terminal.press("1")
        os.kill(server.guests[0], signal.SIGKILL)
        assert await terminal.ends() == 1
        assert b"your seat is held" in terminal.painted
        assert terminal.painted.rfind(b"\x1b[?1049l") > terminal.painted.rfind(b"\x1b[?1049h")
    async with server.dial("ann", "other") as terminal:
        await terminal.sees("this server as ann 2", "playing")
        assert "You have a seat" not in terminal.text()
        await left(terminal)
    async with server.dial("ann", "ann") as terminal:
        await terminal.sees("(you)", "ann")
        terminal.hang_up()
    await ben.close()


async def test_a_guest_without_a_key_comes_back_by_a_code_and_leaves_nothing(
    server: SshServer,
) -> None:
    ben = await player(server, "Ben")
    code = await ben.create(seats=2)
    folders = server.state / "guests"
    async with server.dial("play", "", code) as terminal:
        await terminal.sees("Your name")
        terminal.press("Cleo\r")
        await seated(terminal, ben)
        await terminal.sees("log in as")
        back = re.search(rf"{CODE_BEGINS}\w+", terminal.text())
        assert back is not None
        terminal.hang_up()
    await eventually(lambda: not server.guests)
    assert len(list(folders.glob("passing-*"))) == 1
    async with server.dial(back[0]) as terminal:
        await terminal.sees("Cleo (you)")
        await ben.close()
        await leaves_match(terminal)
        await left(terminal)
    await eventually(lambda: not list(folders.glob("passing-*")))


@needs_postgres
async def test_who_comes_back_at_another_node_has_the_seat(tmp_path: Path, url: str) -> None:
    """By key or code, though the token is in the folder of a node that was killed; at that node it
    is too old afterwards, and they have the seat nevertheless."""
    with ExitStack() as stack:

        def node(name: str) -> SshServer:
            (tmp_path / name).mkdir(exist_ok=True)
            server = ssh_server(tmp_path / name, "--node", name, settings=f'journal = "{url}"')
            return stack.enter_context(server)._replace(folder=tmp_path)

        a, b, c = map(node, "abc")
        ben = await player(c, "Ben")
        code = await ben.create(seats=3)
        async with a.dial("ann", "ann", code) as ann, a.dial("dee", "", code) as dee:
            await ready(ann)
            await ready(dee)
            await ben.done(START)
            await ann.sees("(you)")
            await dee.sees("log in as")
            back = re.search(rf"{CODE_BEGINS}\w+", dee.text())
            assert back is not None
            os.kill(a.pid, signal.SIGKILL)
            await ann.ends()
            await dee.ends()
        async with b.dial("ann", "ann") as ann, b.dial(back[0]) as dee:
            await ann.sees("ann (you)", "Ben")
            await dee.sees("Your name")
            dee.press("dee\r")
            await dee.sees("dee (you)", "Ben")
            ann.hang_up()
            dee.hang_up()
        a = node("a")
        async with a.dial("ann", "ann") as ann, a.dial(back[0]) as dee:
            await ann.sees("ann (you)", "Ben")
            await dee.sees("dee (you)", "Ben")
            ann.hang_up()
            dee.hang_up()
        await ben.close()


async def test_a_command_is_a_table_to_join_or_watch(server: SshServer) -> None:
    ben, cleo = await player(server, "Ben"), await player(server, "Cleo")
    code = await begin(ben, cleo)
    async with server.dial("ann", "ann", "watch", code.lower()) as terminal:
        await terminal.sees("Ben", "Cleo", "watching")
        terminal.hang_up()
    async with server.dial("ann", "ann", "NOSUCH") as terminal:
        await terminal.sees("New table", "That table is gone")
        terminal.hang_up()
    for peer in (ben, cleo):
        await peer.close()


def test_nothing_else_is_run_or_forwarded(server: SshServer) -> None:
    for asked in ("cat /etc/passwd", "watch A B", "A;B"):
        status, told = said(server, asked)
        assert status == 2 and "no commands are run here" in told
    assert said(server, "sftp", more=("-s",))[0] != 0
    refused = {
        ("-N", "-R", "0:127.0.0.1:1"): "remote port forwarding failed",
        ("-W", f"127.0.0.1:{server.port}"): "forwarding failed",
    }
    for flags, sentence in refused.items():
        more = ("-o", "ExitOnForwardFailure=yes", "-o", "LogLevel=INFO", *flags)
        assert sentence in said(server, more=more)[1]
    assert not server.guests


def test_the_fingerprint_is_the_one_that_clients_see(server: SshServer) -> None:
    file = server.state / SSH[1]
    told = subprocess.run(
        ["ssh-keygen", "-lf", str(file)], capture_output=True, text=True, check=True
    )
    assert ssh_fingerprint(server.state) in told.stdout
    assert (server.state / SSH[0]).stat().st_mode & 0o777 == 0o600
    assert ssh_fingerprint(server.folder) == ""


async def test_a_hostile_user_name_is_cleaned_or_refused(server: SshServer) -> None:
    """Some of them OpenSSH itself refuses to send."""
    async with server.dial(HOSTILE["turns the line around"], "ann") as terminal:
        assert await terminal.ends() == 255
    async with server.dial(HOSTILE["breaks markup"], "ann") as terminal:
        await terminal.sees("this server as [/nope]Ann")
        await left(terminal)
    assert harmless((server.folder / "log").read_text())


async def test_colours_are_those_that_the_caller_s_terminal_has(server: SshServer) -> None:
    for told, colours in (("COLORTERM=truecolor", b"38;2;"), ("NO_COLOR=1", b"\x1b[?1049h")):
        async with server.dial("eve", "eve", more=("-o", f"SetEnv={told}")) as terminal:
            await terminal.sees("New table")
            await left(terminal)
        assert colours in terminal.painted
        assert (b"38;5;" in terminal.painted) is False


async def calls_and_says(server: SshServer, words: bytes, address: str) -> asyncio.StreamWriter:
    """Nothing else; ends when the door has said its first line, or hung up."""
    to = Address("127.0.0.1", server.port)
    reader, writer = await asyncio.open_connection(*to, local_addr=(address, 0))
    writer.write(words)
    with suppress(ConnectionError):
        await reader.read(1)
    return writer


async def test_hundreds_who_say_nothing_cost_nobody_anything(tmp_path: Path) -> None:
    """300 from one address and 300 from 30; half of them not even which protocol they speak: where
    no browser comes they may wait for the server's version. Who still looks at the host's key
    stays, too."""
    limits = 'doors = ["plain", "tls", "ssh"]\n[limits]\nloopback_counts = true\nhello_s = 600\n'
    crowd = ["127.0.0.2"] * 300 + [f"127.0.1.{n % 30}" for n in range(300)]
    with ssh_server(tmp_path, settings=limits) as server:
        async with server.dial("fay", "fay", more=ASKS) as friend:
            await friend.sees(ssh_fingerprint(server.state), "continue connecting (yes")
            before, of_server = open_files(server.doors), open_files(server.pid)
            calling = [
                asyncio.create_task(calls_and_says(server, words, address))
                for address, words in zip(crowd, cycle((b"", b"SSH-2.0-foe\r\n")), strict=False)
            ]
            async with server.dial("gus", "gus") as guest:
                await guest.sees("New table")
                await left(guest)
            silent = await asyncio.gather(*calling)
            friend.press("yes\r")
            await friend.sees("New table")
            await left(friend)
            await eventually(lambda: open_files(server.doors) < before + ssh.STRANGERS)
            await eventually(lambda: open_files(server.pid) <= of_server)
            await (await player(server, "Ben")).close()
            async with server.dial("gus", "gus") as guest:
                await guest.sees("New table")
                await left(guest)
            for one in silent:
                one.close()
            await eventually(lambda: open_files(server.doors) < before)
        assert "doors for guests have ended" not in (server.folder / "log").read_text()


async def test_a_session_that_asks_nothing_does_not_hold_the_line_without_a_client(
    server: SshServer,
) -> None:
    line = await asyncssh.connect(
        "127.0.0.1",
        server.port,
        known_hosts=None,
        username="eve",
        client_keys=[asyncssh.generate_private_key("ssh-ed25519")],
        config=None,
    )
    idle: SSHClientChannel[bytes] = SSHClientChannel(
        line, asyncio.get_running_loop(), "strict", None, "strict", 2**20, 2**15
    )
    asks_nothing = asyncio.create_task(idle._open(b"session"))
    async with line.create_process(term_type="xterm", encoding=None) as client:
        assert await client.stdout.read(1)
        assert server.guests
        client.close()
    await eventually(line.is_closed)
    asks_nothing.cancel()


async def test_callers_who_hang_up_at_once_close_no_other_s_socket(server: SshServer) -> None:
    """One closed twice is the next caller's the second time, and is counted for ever."""
    async with server.dial("gus", "gus") as terminal:
        await terminal.sees("New table")
        before = open_files(server.doors)
        for number in range(600):
            with socket.create_connection(("127.0.0.1", server.port)) as caller:
                caller.sendall(b"SSH-2.0-foe\r\n" if number % 2 else b"S")
                caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                await asyncio.sleep(0.002 * (number % 3 == 0))
        await eventually(lambda: open_files(server.doors) <= before)
        await left(terminal)
    assert "Bad file descriptor" not in (server.folder / "log").read_text()


@pytest.mark.parametrize("killed", ["doors", pytest.param("forking", marks=pytest.mark.soak)])
async def test_the_doors_are_opened_again_and_the_guest_s_seat_is_held(
    server: SshServer, killed: str
) -> None:
    """And so is the process that forks."""
    ben = await player(server, "Ben")
    code = await ben.create(seats=2)
    async with server.dial("gus", "gus", code) as terminal:
        await seated(terminal, ben)
        os.kill(getattr(server, killed), signal.SIGKILL)
        if killed == "doors":
            assert await terminal.ends() == 255
        else:
            terminal.press("L")  # the client has not noticed
            await terminal.sees("Close")
            terminal.hang_up()
    async with asyncio.timeout(60):
        while True:
            async with server.dial("gus", "gus") as terminal:
                try:
                    await terminal.sees("(you)")
                except AssertionError:  # the doors were not open yet
                    continue
                await leaves_match(terminal)
                break
    await ben.close()


@pytest.mark.parametrize("times", [3, pytest.param(200, marks=pytest.mark.soak)])
async def test_nothing_is_left_of_guests_who_have_gone(server: SshServer, times: int) -> None:
    await come_and_go(server, times // 20 + 1)
    before = open_files(server.doors), open_files(server.forking), memory(server.doors)
    await come_and_go(server, times)
    assert (open_files(server.doors), open_files(server.forking)) == before[:2]
    assert memory(server.doors) < before[2] + 8 * 1024


def memory(pid: int) -> int:
    """In KiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


async def come_and_go(server: SshServer, times: int) -> None:
    """With a key and without; some leave, others hang up."""
    for number in range(times):
        async with server.dial("dora", "" if number % 2 else "dora") as terminal:
            await terminal.sees("New table")
            if number % 3:
                await left(terminal)
            else:
                terminal.hang_up()
    await eventually(lambda: not server.guests)
    await eventually(lambda: not list((server.state / "guests").glob("passing-*")))


# A server with a password asks every guest for it; a key does not stand for it -------------------


@pytest.fixture(scope="module")
def with_password(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    folder = tmp_path_factory.mktemp("password")
    word = folder / "word"
    word.write_text("sesame\n")
    word.chmod(0o600)
    with ssh_server(folder, "--password-file", str(word)) as server:
        yield server


async def test_a_key_does_not_stand_for_the_password(with_password: SshServer) -> None:
    async with with_password.dial("ann", "ann") as terminal:
        for tries, typed in enumerate(("tomato", "sesame")):
            await asked_again(terminal, tries)
            terminal.press(f"{typed}\r")
        await terminal.sees("New table")
        assert b"sesame" not in terminal.painted and b"tomato" not in terminal.painted
        terminal.press("b")
        await terminal.sees("To the lobby")
        terminal.press("q")  # it is said once for everything that follows
        await terminal.sees("New table")
        terminal.press("q")
        assert await terminal.ends() == 0


async def test_without_a_key_ssh_asks_for_it_and_an_invitation_stands_for_it(
    with_password: SshServer,
) -> None:
    command = [sys.executable, "-P", "-m", "server", "invite", "friend", "--json"]
    command += ["--state", str(with_password.state)]
    told = await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True)
    line = json.loads(told.stdout)["invitation"]
    for method, typed in (("keyboard-interactive", line), ("password", "sesame")):
        more = ("-o", f"PreferredAuthentications={method}")
        async with with_password.dial("ben", more=more) as terminal:
            await terminal.sees("password")
            terminal.press(f"{typed}\r")
            await terminal.sees("New table")
            terminal.press("q")
            assert await terminal.ends() == 0
    async with with_password.dial(line) as terminal:  # nothing is asked but the name
        await terminal.sees("Your name at the table:")
        terminal.press("Cleo\r")
        await terminal.sees("New table", "Cleo")
        terminal.press("q")
        assert await terminal.ends() == 0


async def test_a_wrong_one_leads_nowhere(with_password: SshServer) -> None:
    async with with_password.dial("cleo", "cleo") as terminal:
        for tries in range(3):
            await asked_again(terminal, tries)
            terminal.press("wrong\r")
        assert await terminal.ends() == 1
    assert "New table" not in terminal.text()


async def test_a_server_that_stops_gives_each_guest_the_terminal_back(
    with_password: SshServer,
) -> None:
    """The last of these, for it ends the server."""
    async with with_password.dial("ann", "ann") as terminal:
        await asked_again(terminal, 0)
        terminal.press("sesame\r")
        await terminal.sees("New table")
        os.kill(with_password.pid, signal.SIGTERM)
        assert await terminal.ends() == 128 + signal.SIGTERM
    for mode in (b"?1049", b"?1000"):
        assert terminal.painted.rfind(mode + b"l") > terminal.painted.rfind(mode + b"h")
    assert b"the server has stopped; a seat that you have is held" in terminal.painted


async def asked_again(terminal: PseudoTerminal, times: int) -> None:
    """What is typed before the question would be seen."""
    async with asyncio.timeout(PATIENCE_S):
        while terminal.painted.count(b"The server's password") <= times:
            terminal._came.clear()
            await terminal._came.wait()
