"""Frames and open files between two processes of one server."""

import asyncio
import os
import socket
from typing import Final

import pytest

from server.guests import passing
from server.guests.passing import Full, Passing, TakeFile
from tests.stage.house import eventually
from tests.stage.processes import open_files

FILE: Final = b"with a file"


class End:
    """Keeps what it hears, and what each file holds."""

    def __init__(self, end: socket.socket) -> None:
        self.heard: list[bytes] = []
        self.over = 0
        self.passing = Passing(end, self._hear, self._end)

    def _hear(self, payload: bytes, take: TakeFile) -> None:
        if payload == FILE:
            file = take()
            payload = os.pread(file, 100, 0)
            os.close(file)
        self.heard.append(payload)

    def _end(self) -> None:
        self.over += 1


def pair() -> tuple[End, End]:
    ours, theirs = socket.socketpair()
    return End(ours), End(theirs)


def file_with(content: bytes) -> int:
    file = os.memfd_create("test")
    os.write(file, content)
    return file


async def test_each_file_comes_with_its_frame() -> None:
    one, other = pair()
    expected = []
    before = open_files()
    for number in range(300):  # more than the system takes at once
        content = b"%d" % number
        file = file_with(content) if number % 3 else None
        one.passing.send(content * 50 if file is None else FILE, file)
        expected.append(content * 50 if file is None else content)
        if file is not None:
            os.close(file)
    await eventually(lambda: len(other.heard) == 300)
    assert other.heard == expected
    assert open_files() == before
    one.passing.close()
    await eventually(lambda: other.over == 1)
    assert one.over == 0


async def test_an_end_that_takes_nothing_is_full_and_keeps_no_file_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(passing, "MOST_WAITING", 20)
    ours, theirs = socket.socketpair()
    one = End(ours)
    file = file_with(b"x")
    before = open_files()
    with pytest.raises(Full):
        while True:
            one.passing.send(FILE + bytes(8000), file)
    one.passing.close()
    with pytest.raises(Full):
        one.passing.send(b"more")
    theirs.close()
    os.close(file)
    assert open_files() == before - 3


@pytest.mark.parametrize("said", [b"\xff\xff\xff\xff", b"\0\0\0\x0b" + FILE])
async def test_nonsense_ends_it(said: bytes) -> None:
    """A frame too long, and one whose file is missing."""
    ours, theirs = socket.socketpair()
    end = End(ours)
    theirs.send(said)
    await asyncio.wait_for(eventually(lambda: end.over == 1), 10)
    theirs.close()
