"""A server whose log cannot be written: matches begin and end, and it stops in good order."""

import asyncio
import os
import signal
from pathlib import Path
from random import Random

import pytest

from protocol.errors import GoodbyeCode
from protocol.from_client import Join
from protocol.from_server import Ended
from tests.stage.house import READY, START, Peer
from tests.stage.processes import PROGRAM, Process, needs_proc, started

HERE = ("serve", "--host", "127.0.0.1", "--port", "0", "--log-level", "debug")


async def two_matches(server: Process) -> tuple[Peer, Peer]:
    ann, ben = await server.peer("Ann"), await server.peer("Ben")
    code = await ann.create(seats=2)
    await ben.done(Join(id=0, table=code))
    for seed in (1, 2):
        await ben.done(READY)
        await ann.done(START)
        ends = await asyncio.gather(ann.play(Random(seed)), ben.play(Random(seed)))
        assert all(isinstance(end, Ended) and end.outcome is not None for end in ends)
    return ann, ben


def gone_reader() -> int:
    """The end of a pipe that nobody reads any more."""
    ours, theirs = os.pipe()
    os.close(ours)
    return theirs


def stdin_of(server: Process) -> str:
    return str(Path(f"/proc/{server.pid}/fd/0").readlink())


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
    async with started(tmp_path, *HERE, program=program, stderr=stderr) as server:
        os.close(stderr)
        await server.listens()
        ann, ben = await two_matches(server)
        assert stdin_of(server).startswith("pipe:" if full else "/dev/null")
        server.signal(number)
        for peer in (ann, ben):
            assert (await peer.goodbye()).code == GoodbyeCode.SHUTDOWN
        assert await server.ends() == 0
