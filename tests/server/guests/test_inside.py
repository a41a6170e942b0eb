"""Clients of guests come in through the Unix socket as those whom the door has named; who a guest
is, and where their things are; frames and open files between two processes of one server."""

import asyncio
import os
import socket
import stat
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
import pytest

from protocol.errors import GoodbyeCode
from protocol.framing import frame
from protocol.from_server import Welcome
from protocol.guests import SOCKET_NAME, introduction
from server.config import Limits
from server.guests import folders, inside as inside_module
from server.guests.folders import CODE_BEGINS, Folders, Lodging
from server.guests.inside import inside
from server.guests.passing import Handed, Passing
from server.store.backup import GUESTS
from server.store.bans import Ban
from tests.stage.house import House, Peer, eventually, house
from tests.stage.processes import open_files

THERE = "192.0.2.7"
ANN = b"\1" * 32


@asynccontextmanager
async def let_in(at: House, folder: Path) -> AsyncIterator[None]:
    serving = asyncio.ensure_future(inside(folder, at.server.session))
    await eventually((folder / SOCKET_NAME).exists)
    try:
        yield
    finally:
        serving.cancel()


async def dial(folder: Path) -> Peer:
    return Peer(*await asyncio.open_unix_connection(str(folder / SOCKET_NAME)))


async def test_a_guest_is_where_and_who_the_door_says(tmp_path: Path) -> None:
    async with house(limits=Limits(per_address=1)) as at, let_in(at, tmp_path):
        mode = stat.S_IMODE(os.stat(tmp_path / SOCKET_NAME).st_mode)  # noqa: PTH116
        assert mode == 0o600
        async with await dial(tmp_path) as ann, await dial(tmp_path) as second:
            for byte in introduction(THERE, ANN):  # however it is cut up
                ann.write(bytes([byte]))
                await asyncio.sleep(0)
            ann.say_hello("Ann", identity=b"\2" * 32)
            await ann.until(Welcome)
            session = next(iter(at.server.peers.admitted))
            assert session.who()["address"] == session.origin == THERE
            assert session.identity == sha256(ANN).digest()
            assert not session.dials_from_here
            second.write(introduction(THERE, b"\3" * 32))
            assert (await second.goodbye()).code == GoodbyeCode.ADDRESS_FULL
        at.server.peers.banned.hold([Ban(identity=sha256(ANN).hexdigest())])
        async with await dial(tmp_path) as ann:
            ann.write(introduction("192.0.2.8", ANN))
            ann.say_hello("Ann")
            assert (await ann.goodbye()).code == GoodbyeCode.BANNED


@pytest.mark.parametrize(
    "said",
    [
        b"\0\0\0\1\xc0",
        b"\0\0\x10\0",
        introduction("x" * 65, ANN),
        introduction(THERE, b"short"),
        b"SSH-2.0-client\r\n",
    ],
)
async def test_nobody_is_let_in_who_does_not_say_for_whom(tmp_path: Path, said: bytes) -> None:
    async with house() as at, let_in(at, tmp_path), await dial(tmp_path) as peer:
        peer.write(said)
        await peer.closed()
        assert not at.server.peers.connected


async def test_who_says_nothing_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inside_module, "INTRODUCING_S", 0.05)
    async with house() as at, let_in(at, tmp_path), await dial(tmp_path) as peer:
        await peer.closed()
        assert not at.server.peers.connected


# Folders ------------------------------------------------------------------------------------------


def aged(*lodgings: Lodging, step_s: float = 3600) -> None:
    """The first was used a step ago, the next one two steps, and so on."""
    now_s = time.time()
    for steps, one in enumerate(lodgings, 1):
        os.utime(one.home, (now_s - steps * step_s, now_s - steps * step_s))


def seat_in(lodging: Lodging, *, waits: bool = True) -> None:
    seats = lodging.home / ".local" / "state" / "clocktowers" / "seats"
    seats.mkdir(parents=True)
    if waits:
        (seats / "1.seat").write_text("{}")


def test_a_proof_leads_to_one_folder_and_no_other_proof_does(tmp_path: Path) -> None:
    ann, ben = (Folders(tmp_path).of(proof) for proof in ("ssh SHA256:ann", "ssh SHA256:ben"))
    assert ann.home != ben.home and ann.identity != ben.identity
    assert Folders(tmp_path).of("ssh SHA256:ann") == ann
    Folders(tmp_path).left(ann)
    assert ann.home.is_dir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert Folders(elsewhere).of("ssh SHA256:ann").identity != ann.identity
    for path in (ann.home, ann.home.parent, tmp_path / GUESTS):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_no_proof_is_another_guest_s_code(tmp_path: Path) -> None:
    """A user name and a key are told apart, whatever they are."""
    kept = Folders(tmp_path)
    passing = kept.passing()
    assert kept.of(f"code {passing.code}").identity != passing.identity
    assert kept.of(passing.code).home != passing.home


def test_a_code_leads_back_only_while_a_seat_waits(tmp_path: Path) -> None:
    kept = Folders(tmp_path)
    first, second = kept.passing(), kept.passing()
    assert first.code != second.code and first.code.startswith(CODE_BEGINS)
    seat_in(first)
    for one in (first, second):
        kept.left(one)
    assert kept.passing(first.code) == first
    assert not second.home.exists()
    for wrong in (second.code, first.code[:-1], "back-../../etc", "back-", "ann"):
        assert kept.passing(wrong).code not in (first.code, wrong)


async def test_what_nobody_needs_is_pruned(tmp_path: Path) -> None:
    kept = Folders(tmp_path)
    old, new, here = (kept.of(name) for name in ("old", "new", "here"))
    waits = kept.passing()
    seat_in(waits)
    aged(old, here, step_s=200 * 86_400)
    aged(waits, step_s=2 * 86_400)
    assert await kept.prune({here.home}) == 2
    assert here.home.exists() and new.home.exists()
    assert not old.home.exists() and not waits.home.exists()
    assert Folders(tmp_path).of("new") == new, "the secret stays"


async def test_who_only_looked_pushes_out_nobody_who_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many of them come, each with a new cookie."""
    monkeypatch.setattr(folders, "MOST", 4)
    kept = Folders(tmp_path)
    waits, played, looked = (kept.of(f"web {name}") for name in ("waits", "played", "looked"))
    seat_in(waits)
    seat_in(played, waits=False)
    aged(looked, played, waits)
    flood = [kept.of(f"web {number}") for number in range(10)]
    assert await kept.prune(()) == 9
    assert waits.home.exists() and played.home.exists() and not looked.home.exists()
    assert sum(one.home.exists() for one in flood) == 2


async def test_where_all_have_played_a_seat_that_waits_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "MOST", 2)
    kept = Folders(tmp_path)
    ann, ben, cleo = (kept.of(f"ssh {name}") for name in ("ann", "ben", "cleo"))
    for one in (cleo, ben, ann):
        seat_in(one, waits=one is ann)
    aged(cleo, ben, ann)
    assert await kept.prune(()) == 1
    assert ann.home.exists() and cleo.home.exists() and not ben.home.exists()


# Between processes --------------------------------------------------------------------------------


class End:
    """Keeps for whom it hears that they come, and what each file holds."""

    def __init__(self, end: socket.socket) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.over = 0
        self.passing = Passing(end, self._hear, self._end)

    def _hear(self, payload: bytes, files: deque[int]) -> None:
        handed = msgspec.msgpack.decode(payload, type=Handed)
        content = b""
        if handed.secure:
            content = os.pread(files[0], 100, 0)
            os.close(files.popleft())
        self.heard.append((handed.address, content))

    def _end(self) -> None:
        self.over += 1


def file_with(content: bytes) -> int:
    file = os.memfd_create("test")
    os.write(file, content)
    return file


async def test_each_file_comes_with_its_frame() -> None:
    ours, theirs = socket.socketpair()
    one, other = End(ours), End(theirs)
    expected = []
    before = open_files()
    for number in range(1000):  # more than the system keeps
        has_file = number % 3 != 0
        content = b"%d" % number if has_file else b""
        handed = Handed("ssh", str(number), secure=has_file)
        file = file_with(content) if has_file else None
        while True:
            try:
                one.passing.send(handed, file)
                break
            except BlockingIOError:
                await asyncio.sleep(0)
        expected.append((handed.address, content))
        if file is not None:
            os.close(file)
    await eventually(lambda: len(other.heard) == 1000)
    assert other.heard == expected
    assert open_files() == before
    one.passing.close()
    await eventually(lambda: other.over == 1)
    assert one.over == 0


async def test_an_end_that_takes_nothing_is_not_waited_for_and_keeps_no_file_open() -> None:
    ours, theirs = socket.socketpair()
    one = End(ours)
    file = file_with(b"x")
    before, sent = open_files(), 0
    with pytest.raises(OSError):
        while True:
            one.passing.send(Handed("ssh", "192.0.2.7"), file)
            sent += 1
    assert sent > 200, "as many as come while it starts"
    one.passing.close()
    with pytest.raises(OSError):
        one.passing.send(Handed("ssh", "192.0.2.7"))
    theirs.close()
    os.close(file)
    assert open_files() == before - 3


NO_FILE: Final = frame(msgspec.msgpack.encode(Handed("ssh", "192.0.2.7", secure=True)))


@pytest.mark.parametrize("said", [b"\xff\xff\xff\xff", NO_FILE, frame(b"\xc1")])
async def test_nonsense_ends_it(said: bytes) -> None:
    """A frame too long, one whose file is missing, and no message."""
    ours, theirs = socket.socketpair()
    end = End(ours)
    theirs.send(said)
    await eventually(lambda: end.over == 1)
    theirs.close()
