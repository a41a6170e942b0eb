"""The operator's door: who may come in, and that nobody who comes harms a match."""

import asyncio
import os
import shutil
import socket
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from msgspec import msgpack

from protocol.codec import frame, framed
from protocol.from_server import Ended
from protocol.guests import MOST_PATH_BYTES, reachable
from server.operating import banning, commands, door, words
from server.operating.door import NAME
from server.operating.words import Command, CouldNot, Reply
from server.server import Server
from server.store import private
from tests.stage.house import PATIENCE_S, eventually, house, seated_pair
from tests.stage.own_log import own_log

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="SO_PEERCRED and /proc are Linux's")


async def ask(folder: Path, asked: Command) -> Reply:
    """What the operator's command is answered."""
    return await door.call(folder, asked)


async def sentence(folder: Path, asked: Command) -> str:
    """Why it could not be done."""
    answer = await ask(folder, asked)
    assert not answer.done
    return answer.said


@contextmanager
def line_to(folder: Path, *sent: bytes) -> Iterator[socket.socket]:
    """A connection of our own, over which this was said."""
    with socket.socket(socket.AF_UNIX) as line, reachable(folder / NAME) as path:
        line.settimeout(60)
        line.connect(path)
        for one in sent:
            line.sendall(one)
        yield line


def heard(line: socket.socket) -> Reply:
    content = b""
    while data := line.recv(65536):
        content += data
    return words.reply_in(content[4:])


async def test_its_file_is_its_owners_alone_and_gone_after_the_server(tmp_path: Path) -> None:
    async with house(folder=tmp_path):
        mode = (tmp_path / NAME).lstat().st_mode
        assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600
        assert (await ask(tmp_path, commands.Status())).done
    assert not (tmp_path / NAME).exists()
    with pytest.raises(CouldNot, match="no server runs"):
        await ask(tmp_path, commands.Status())


async def test_nobody_waits_for_a_call_at_a_closed_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that takes its time to stop, just after a call."""
    stop = Server.stop

    async def slowly(server: Server) -> None:
        await stop(server)
        await asyncio.sleep(2 * door.GAP_S)

    monkeypatch.setattr(Server, "stop", slowly)
    with own_log() as log:
        async with house(folder=tmp_path):
            await ask(tmp_path, banning.Bans())
        assert not (tmp_path / NAME).exists()
        assert "cannot call" not in log.told()


async def test_what_a_crash_left_behind_is_no_hindrance(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left, reachable(tmp_path / NAME) as path:
        left.bind(path)
    with pytest.raises(CouldNot, match="no server runs"):
        await ask(tmp_path, commands.Status())
    async with house(folder=tmp_path):
        assert (await ask(tmp_path, commands.Status())).done


async def test_without_a_door_matches_are_played(tmp_path: Path) -> None:
    """A folder stands where the socket should be."""
    (tmp_path / NAME).mkdir()
    async with house(folder=tmp_path) as at:
        ann, ben, _ = await seated_pair(at)
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
    assert (tmp_path / NAME).is_dir()


@ON_LINUX
async def test_a_folder_with_a_long_path_has_one_too(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 80) / ("y" * 80)
    folder.parent.mkdir()
    assert len(str(folder)) > MOST_PATH_BYTES
    private.make_folder(folder, NAME)
    async with house(folder=folder):
        assert (await ask(folder, commands.Status())).done


@ON_LINUX
async def test_another_account_is_not_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system says that another one calls. Then, as a control, a door that does not ask."""
    async with house(folder=tmp_path):
        monkeypatch.setattr(door, "user_of", lambda line: 54321)
        assert "only the account" in await sentence(tmp_path, commands.Status())
        monkeypatch.setattr(door, "allowed", lambda: {54321})
        assert (await ask(tmp_path, commands.Status())).done


NOBODY = 65534
ASK_STATUS = """
import socket, sys
line = socket.socket(socket.AF_UNIX)
line.connect(sys.argv[1])
try:
    line.sendall(bytes.fromhex(sys.argv[2]))
except BrokenPipeError:
    pass
while data := line.recv(65536):
    sys.stdout.buffer.write(data)
"""


@ON_LINUX
@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root, to be somebody else"
)
async def test_a_real_other_account_is_not_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rights keep them out; where somebody widened these, the door asks whose process it is.
    Without that question, the control, they are served."""

    async def nobody(folder: Path) -> bytes:
        process = await asyncio.create_subprocess_exec(
            *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
            *("/usr/bin/env", "-i", "python3", "-c", ASK_STATUS, str(folder / NAME)),
            framed(commands.Status()).hex(),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd="/",
        )
        told, errors = await process.communicate()
        return told[4:] or errors

    with TemporaryDirectory(dir="/tmp") as short:
        folder = Path(short)
        async with house(folder=folder):
            assert b"PermissionError" in await nobody(folder)
            os.chmod(folder, 0o755)  # noqa: PTH101
            os.chmod(folder / NAME, 0o666)  # noqa: PTH101
            assert "only the account" in words.reply_in(await nobody(folder)).said
            monkeypatch.setattr(door, "user_of", lambda line: 0)
            assert words.reply_in(await nobody(folder)).done


STATUS = framed(commands.Status())
NONSENSE = {
    "no such command": frame(msgpack.encode({"type": "dance"})),
    "does not understand": frame(b"\xc1"),
    "speaks version 1": frame(msgpack.encode({"type": "status", "version": 2})),
    "too long": frame(bytes(words.MAX_ASKED_BYTES + 1))[:100],
    "does not understand that: Expected": frame(msgpack.encode({"type": "say", "text": 7})),
}


async def test_nonsense_is_answered_by_a_sentence(tmp_path: Path) -> None:
    async with house(folder=tmp_path):
        for expected, sent in NONSENSE.items():
            with line_to(tmp_path, sent) as line:
                answer = await asyncio.to_thread(heard, line)
            assert not answer.done and expected in answer.said
        with line_to(tmp_path, STATUS[:5]) as line:
            line.shutdown(socket.SHUT_WR)
            assert "breaks off" in (await asyncio.to_thread(heard, line)).said


async def test_a_request_byte_by_byte_is_served_and_a_silent_one_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(folder=tmp_path):
        with line_to(tmp_path, *(STATUS[i : i + 1] for i in range(len(STATUS)))) as line:
            assert (await asyncio.to_thread(heard, line)).done
        monkeypatch.setattr(door, "ASKING_S", 0.05)
        with line_to(tmp_path) as line:
            assert "too long" in (await asyncio.to_thread(heard, line)).said


async def test_silent_and_flooding_operators_hold_up_no_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All places are taken by connections that say nothing, or that break off, and more wait.
    Matches go on, and no more are served at a time than there are places."""
    monkeypatch.setattr(door, "ASKING_S", PATIENCE_S)
    monkeypatch.setattr(door, "GAP_S", 0)
    async with house(folder=tmp_path) as at:
        ann, ben, _ = await seated_pair(at)
        before, lines = len(at.server.tasks), list[socket.socket]()

        def served() -> int:
            return len(at.server.tasks) - before

        for number in range(door.WAITING):
            line = socket.socket(socket.AF_UNIX)
            lines.append(line)
            with reachable(tmp_path / NAME) as path:
                line.connect(path)
            if number % 2:
                line.sendall(STATUS[:6])
        await eventually(lambda: served() >= door.AT_ONCE)
        ends = await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        assert all(isinstance(end, Ended) for end in ends)
        assert served() == door.AT_ONCE
        for line in lines:
            line.close()


async def test_a_caller_waits_for_a_place_at_a_busy_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_UNIX) as listening, reachable(tmp_path / NAME) as path:
        listening.bind(path)
        listening.listen(0)
        listening.setblocking(False)
        with line_to(tmp_path):
            with monkeypatch.context() as impatient, pytest.raises(CouldNot, match="busy: try"):
                impatient.setattr(door, "PATIENCE_S", 0.2)
                await door.call(tmp_path, commands.Status())
            waits = asyncio.create_task(door.call(tmp_path, commands.Status()))
            await asyncio.sleep(0)
            (await loop.sock_accept(listening))[0].close()  # leaves a place
            with (await loop.sock_accept(listening))[0] as line:
                assert await loop.sock_recv(line, len(STATUS)) == STATUS
            with pytest.raises(CouldNot, match="stopped before it answered"):
                await waits


async def test_a_flood_is_taken_in_turns(tmp_path: Path) -> None:
    """However many ask at once, between two of them the loop has its time."""
    async with house(folder=tmp_path):
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        answers = await asyncio.gather(*(ask(tmp_path, commands.Who()) for _ in range(8)))
        assert all(answer.done for answer in answers)
        assert loop.time() - began_s >= 7 * door.GAP_S


async def test_a_bug_is_a_sentence_and_the_door_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(folder=tmp_path) as at:
        monkeypatch.setattr(at.server.drain, "begin", lambda within_s: 1 / 0)
        assert "the server's log says how" in await sentence(tmp_path, commands.Drain())
        assert (await ask(tmp_path, commands.Who())).done

        def fail(_within_s: int) -> None:
            raise OSError("not of the caller's line")

        monkeypatch.setattr(at.server.drain, "begin", fail)
        assert "the server's log says how" in await sentence(tmp_path, commands.Drain())
