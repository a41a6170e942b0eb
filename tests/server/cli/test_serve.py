"""`clocktowers-server serve` as a process: what it prints, how it stops, and what it says when it
cannot begin, in a folder that it cannot work with or where its log cannot be written."""

import asyncio
import os
import shutil
import signal
import socket
import sys
from pathlib import Path
from random import Random
from typing import Final

import pytest

from protocol.errors import GoodbyeCode
from protocol.from_client import Join
from protocol.from_server import Ended, Notice, NoticeCode
from server.cli.serve import announcement
from server.config import Config, Limits
from server.guests import keeping
from server.net.listener import Address
from server.store.sqlite import FILE_NAME, connect_to
from server.store.statements import migrate
from tests.stage.changed_server import changed
from tests.stage.house import READY, START, eventually
from tests.stage.processes import PROGRAM, alive, children, needs_proc, outcome, started

HERE = ("serve", "--host", "127.0.0.1", "--port", "0")


def one_sentence(stderr: str) -> str:
    """The sentence, after checking that there is nothing else."""
    assert stderr.startswith("clocktowers-server: "), stderr
    assert stderr.count("\n") == 1, stderr
    return stderr


async def test_every_address_is_printed(tmp_path: Path) -> None:
    hosts = [host for host in ("127.0.0.1", "::1") if host == "127.0.0.1" or has_ipv6()]
    async with started(tmp_path, "serve", "--port", "0") as server:
        await server.listens()
        for host in hosts[1:]:
            assert await server.line() == f"listening on [{host}]:{server.port}"
        assert await server.line() == f"room for {Limits().connections} connections"
        for host in hosts:
            async with await server.dial(host) as peer:
                await peer.come("Ann")


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_stops_in_good_order(tmp_path: Path, number: signal.Signals) -> None:
    """In the lobby and in the middle of a match with bots, everybody is told."""
    async with started(tmp_path, *HERE, "--bot-pace-s", "0") as server:
        await server.listens()
        ann, ben = await server.peer("Ann"), await server.peer("Ben")
        await ann.create(seats=3, bots="normal")
        await ann.done(START)
        await ann.play(Random(1), 10)
        silent = await server.dial()
        server.signal(number)
        for peer in (ann, ben):
            word = await peer.until(Notice, lambda n: n.code == NoticeCode.SERVER_STOPS)
            assert word.params == {}
            assert (await peer.goodbye()).code == GoodbyeCode.SHUTDOWN
        await silent.closed()
        assert await server.ends() == 0
        errors = await server.errors()
        for bad in ("Traceback", "Warning", "never", '"level": "error"'):
            assert bad not in errors
        assert (await server.line()).startswith("room for ")
        journal = tmp_path / "state" / "clocktowers" / "serve" / "journal.db"
        assert await server.line() == f"matches are kept in {journal}"
        assert await server.line() == "stopping"


@needs_proc
async def test_its_bots_end_with_it_when_it_is_killed(tmp_path: Path) -> None:
    async with started(tmp_path, *HERE, "--bot-pace-s", "0") as server:
        await server.listens()
        ann = await server.peer("Ann")
        await ann.create(seats=3, bots="normal")
        await ann.done(START)
        await ann.play(Random(1), 4)
        below = children(server.pid)
        assert below
        server.signal(signal.SIGKILL)
        await server.ends()
        await eventually(lambda: not any(map(alive, below)))
        ann.abort()


def test_a_host_is_told_which_doors_need_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere = [Address("0.0.0.0", 7777)]
    assert not [line for line in announcement(everywhere, Config(), "") if "no way" in line]
    monkeypatch.setattr(keeping, "find_spec", lambda _name: None)
    assert [line[:17] for line in announcement(everywhere, Config(), "") if "no way" in line] == [
        "no way in by ssh:",
        "no way in by web:",
    ]


async def test_the_second_signal_kills(tmp_path: Path) -> None:
    """Also a server that hangs."""
    async with started(tmp_path, *HERE, program=changed("hanging")) as server:
        await server.listens()
        server.signal(signal.SIGTERM)
        while await server.line() != "hanging":
            pass
        server.signal(signal.SIGHUP)
        server.signal(signal.SIGTERM)
        assert await server.ends() == -signal.SIGTERM


async def test_its_output_may_be_closed(tmp_path: Path) -> None:
    """As by `serve | head -1`."""
    async with started(tmp_path, *HERE) as server:
        await server.listens()
        server.process._transport.get_pipe_transport(1).close()  # type: ignore[attr-defined]
        await asyncio.sleep(0)
        server.signal(signal.SIGTERM)
        assert await server.ends() == 0
        assert "Traceback" not in await server.errors()


# Folders that it cannot work with ----------------------------------------------------------------

MODEST: Final = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", *PROGRAM)
"""For root, whom no permission stops."""
CRAMPED: Final = ("sh", "-c", 'ulimit -f 0; exec "$0" "$@"', *PROGRAM)
"""No file may grow, as on a full disk."""

as_others = pytest.mark.skipif(
    os.geteuid() == 0 and shutil.which("setpriv") is None, reason="nothing is forbidden to root"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir(mode=0o700)
    return made


def a_journal(folder: Path) -> Path:
    """An empty one of today's shape."""
    file = folder / FILE_NAME
    connection = connect_to(file)
    migrate(connection)
    connection.close()
    return file


async def refused(tmp_path: Path, folder: Path, program: tuple[str, ...] = PROGRAM) -> str:
    """The sentence, after checking that what lies in the folder is as it was."""
    before = contents(folder)
    code, errors = await outcome(tmp_path, *HERE, "--state", str(folder), program=program)
    assert code == 2, errors
    assert contents(folder) == before
    return one_sentence(errors)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "lock"}


@as_others
@pytest.mark.parametrize("what", ["folder", "journal"])
async def test_what_may_only_be_read(tmp_path: Path, folder: Path, what: str) -> None:
    journal = a_journal(folder)
    (folder if what == "folder" else journal).chmod(0o500)
    program = MODEST if os.geteuid() == 0 else PROGRAM
    told = f"cannot write to {folder}" if what == "folder" else "Permission denied"
    assert told in await refused(tmp_path, folder, program)


@pytest.mark.skipif(sys.platform == "darwin", reason="its shell counts otherwise")
async def test_a_full_disk(tmp_path: Path, folder: Path) -> None:
    file = a_journal(folder)
    sentence = await refused(tmp_path, folder, CRAMPED)
    assert str(file) in sentence and "room" in sentence
    async with started(tmp_path, *HERE, "--state", str(folder)) as server:
        await server.listens()


# A log that cannot be written --------------------------------------------------------------------

WITH_LOG = ("serve", "--host", "127.0.0.1", "--port", "0", "--log-level", "debug")


def gone_reader() -> int:
    """The end of a pipe that nobody reads any more."""
    ours, theirs = os.pipe()
    os.close(ours)
    return theirs


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_a_log_that_cannot_be_written_harms_nobody(
    tmp_path: Path, number: signal.Signals
) -> None:
    """A full disk, and a pipe that is closed, with stdin closed as well: its number is not given to
    a connection."""
    full = number is signal.SIGTERM
    stderr = os.open("/dev/full", os.O_WRONLY) if full else gone_reader()
    program = PROGRAM if full else ("/bin/sh", "-c", 'exec "$@" <&-', "sh", *PROGRAM)
    async with started(tmp_path, *WITH_LOG, program=program, stderr=stderr) as server:
        os.close(stderr)
        await server.listens()
        ann, ben = await server.peer("Ann"), await server.peer("Ben")
        code = await ann.create(seats=2)
        await ben.done(Join(id=0, table=code))
        for seed in (1, 2):
            await ben.done(READY)
            await ann.done(START)
            ends = await asyncio.gather(ann.play(Random(seed)), ben.play(Random(seed)))
            assert all(isinstance(end, Ended) and end.outcome is not None for end in ends)
        stdin = os.readlink(f"/proc/{server.pid}/fd/0")  # noqa: PTH115  (nothing waits for a disk)
        assert stdin.startswith("pipe:" if full else "/dev/null")
        server.signal(number)
        for peer in (ann, ben):
            assert (await peer.goodbye()).code == GoodbyeCode.SHUTDOWN
        assert await server.ends() == 0
