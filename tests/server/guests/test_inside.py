"""Clients of guests come in through the Unix socket as those whom the door has named; who a guest
is, and where their things are; what two processes of one server hand each other."""

import asyncio
import os
import socket
import stat
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from clocktowers_tui.net import house as our_house
from protocol.errors import GoodbyeCode
from protocol.from_server import Welcome
from protocol.guests import MOST_PATH_BYTES, SOCKET_NAME, House as Told, introduction
from server.admission.gate import NO_PASSWORD
from server.config import Limits
from server.guests import folders, keeping, passing as inside_module
from server.guests.folders import CODE_BEGINS, Folders, Lodging
from server.guests.keeping import WAITING_BYTES
from server.guests.passing import Handed, hand_over, inside, take_over
from server.net.callers import Addresses, Caller
from server.store.backup import GUESTS
from server.store.lists import Ban
from tests.stage.house import AT_HOME, PATIENCE_S, House, Peer, eventually, house
from tests.stage.processes import needs_proc, open_files

pytestmark = pytest.mark.usefixtures("freeze")
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
        at.server.peers.banned.replace([Ban(identity=sha256(ANN).hexdigest())])
        async with await dial(tmp_path) as ann:
            ann.write(introduction("192.0.2.8", ANN))
            ann.say_hello("Ann")
            assert (await ann.goodbye()).code == GoodbyeCode.BANNED


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\0\0\0\1\xc0",
        b"\0\0\x10\0",
        introduction("x" * 65, ANN),
        introduction(THERE, b"short"),
        b"SSH-2.0-client\r\n",
    ],
)
async def test_nobody_is_let_in_who_does_not_say_for_whom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    """Nor is anybody held who says nothing."""
    monkeypatch.setattr(inside_module, "INTRODUCING_S", PATIENCE_S if said else 0.05)
    async with house() as at, let_in(at, tmp_path), await dial(tmp_path) as peer:
        peer.write(said)
        await peer.closed()
        assert not at.server.peers.connected


@needs_proc
async def test_a_folder_with_a_long_path_lets_guests_in(tmp_path: Path) -> None:
    """By the way that their client takes."""
    folder = tmp_path / ("x" * 80) / ("y" * 80)
    folder.mkdir(parents=True)
    assert len(str(folder)) > MOST_PATH_BYTES
    async with house() as at, let_in(at, folder):
        our_house.move_in(Told(str(folder / SOCKET_NAME), address=THERE, identity=ANN))
        try:
            async with Peer(*await our_house.dial()) as ann:
                await ann.come("Ann")
        finally:
            our_house.move_in(None)


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


def test_a_code_leads_back_and_its_folder_stays_while_a_seat_waits(tmp_path: Path) -> None:
    kept = Folders(tmp_path)
    first, second = kept.passing(), kept.passing()
    assert first.code != second.code and first.code.startswith(CODE_BEGINS)
    seat_in(first)
    for one in (first, second):
        kept.left(one)
    assert kept.passing(first.code) == first
    assert not second.home.exists()
    assert kept.passing(second.code) == second  # a seat may wait at another node
    for wrong in (first.code[:-1], "back-../../etc", "back-", "ann"):
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


async def test_who_only_looked_pushes_out_nobody_who_played_nor_they_a_seat_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many of them come, each with a new cookie."""
    kept = Folders(tmp_path)
    names = ("waits", "before", "played", "looked")
    waits, before, played, looked = (kept.of(f"web {name}") for name in names)
    for one in (waits, before, played):
        seat_in(one, waits=one is waits)
    aged(looked, played, before, waits)
    flood = [kept.of(f"web {number}") for number in range(10)]
    for most, left, looking in ((5, [waits, before, played], 2), (2, [waits, played], 0)):
        monkeypatch.setattr(folders, "MOST", most)
        await kept.prune(())
        assert [one for one in (waits, before, played, looked) if one.home.exists()] == left
        assert sum(one.home.exists() for one in flood) == looking


# Between processes --------------------------------------------------------------------------------


def caller_who_says(content: bytes) -> socket.socket:
    theirs, ours = socket.socketpair()
    theirs.send(content)
    theirs.close()
    return ours


def line() -> tuple[socket.socket, socket.socket]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WAITING_BYTES)
    return ours, theirs


def all_that_came(theirs: socket.socket) -> list[tuple[str, bytes]]:
    """From where, and what they say."""
    found = list[tuple[str, bytes]]()
    with suppress(BlockingIOError):
        while True:
            handed, caller = take_over(theirs)
            with caller:
                found.append((handed.address, caller.recv(100)))
    return found


def test_each_caller_comes_with_their_own_connection() -> None:
    ours, theirs = line()
    before, expected, came = open_files(), list[tuple[str, bytes]](), list[tuple[str, bytes]]()
    for number in range(4000):  # more than the system keeps
        content = b"%d" % number
        handed = Handed("ssh", str(number) * (number % 16), secure=bool(number % 2))
        with caller_who_says(content) as caller:
            try:
                hand_over(ours, handed, caller.fileno())
            except OSError:
                came += all_that_came(theirs)
                hand_over(ours, handed, caller.fileno())
        expected.append((handed.address, content))
    assert came
    assert came + all_that_came(theirs) == expected
    assert open_files() == before
    ours.close()
    with pytest.raises(ValueError):
        take_over(theirs)
    theirs.close()


def test_an_end_that_takes_nothing_is_not_waited_for_and_keeps_nothing_open() -> None:
    before = open_files()
    ours, theirs = line()
    sent = 0
    with caller_who_says(b"x") as caller:
        with pytest.raises(OSError):
            while True:
                hand_over(ours, Handed("ssh", "192.0.2.7"), caller.fileno())
                sent += 1
        assert sent > 200, "as many as come while it starts"
        theirs.close()
        with pytest.raises(OSError):
            hand_over(ours, Handed("ssh", "192.0.2.7"), caller.fileno())
    ours.close()
    assert open_files() == before


@needs_proc
@pytest.mark.parametrize("silent", [0, 1])
async def test_who_does_not_read_is_hung_up_on(
    monkeypatch: pytest.MonkeyPatch, silent: int
) -> None:
    """A caller, or the other process; both keep their own end open."""
    monkeypatch.setattr(keeping, "STUCK_S", 0.05)
    before, (caller, ours), led = open_files(), socket.socketpair(), list[socket.socket]()
    await asyncio.get_running_loop().connect_accepted_socket(
        lambda: keeping.relay(led.append, counting(1), "192.0.2.7"), ours
    )
    await eventually(lambda: bool(led))
    _, talking = await asyncio.open_connection(sock=(led[0], caller)[silent])
    talking.write(bytes(1 << 22))
    await eventually(lambda: open_files() == before + 1)
    (caller, led[0])[silent].close()


def counting(most: int) -> Addresses:
    return Addresses(most, loopback_counts=True)


async def test_one_too_many_of_an_address_is_told_so_and_not_led() -> None:
    loop, led, counted = asyncio.get_running_loop(), list[socket.socket](), counting(2)

    async def calls(address: str) -> socket.socket:
        caller, ours = socket.socketpair()
        await loop.connect_accepted_socket(
            lambda: keeping.relay(led.append, counted, address), ours
        )
        return caller

    lines = [await calls(address) for address in ("192.0.2.7", "192.0.2.7", "192.0.2.8")]
    await eventually(lambda: len(led) == 3)
    said, one_more = await asyncio.open_connection(sock=await calls("192.0.2.7"))
    assert (await said.read()).startswith(b"HTTP/1.1 503")
    one_more.close()
    led[0].close()  # the other process hangs up on them
    await eventually(lambda: counted.admit("192.0.2.7"))
    counted.release("192.0.2.7")
    lines.append(await calls("192.0.2.7"))
    await eventually(lambda: len(led) == 4)
    for end in (*lines, *led):
        end.close()
    await eventually(lambda: not len(counted))


NO_FILE: Final = msgspec.json.encode(Handed("ssh", "192.0.2.7"))


@pytest.mark.parametrize("said", [b"\xff" * 300, NO_FILE])
def test_the_doors_take_no_nonsense(said: bytes) -> None:
    ours, theirs = line()
    ours.send(said)
    with pytest.raises(ValueError):
        take_over(theirs)
    ours.close()
    theirs.close()


EVENT_TWICE: Final = b'{"level": "info", "event": "a", "about": {"event": "b"}}\n'
FOES: Final = """
import socket, sys
line = socket.socket(fileno=int(sys.argv[1]))
line.send(%r)
assert line.recv(1, socket.MSG_PEEK)
while line.recv(1000): pass
"""
"""In the place of the doors; they end when the server does not hear them any more."""


@pytest.mark.parametrize(
    ("said", "heard"),
    [(b'{"level": "info", "event": "hello", "about": {"a": 1}}\n', True)]
    + [
        (nonsense, False)
        for nonsense in (b"{\n", b"x" * 20_000, b'{"level": "bind"}\n', b'"\xff"\n', EVENT_TWICE)
    ],
)
async def test_the_server_writes_down_what_the_doors_say_and_hears_no_nonsense(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes, heard: bool
) -> None:
    monkeypatch.setattr(keeping, "_PROGRAM", (sys.executable, "-c", FOES % said))
    kept = keeping.Keeping(replace(AT_HOME, doors=("plain", "web")), tmp_path, NO_PASSWORD)
    ours, theirs = socket.socketpair()
    with capture_logs() as logs, ours:
        await kept.ssh(lambda: "", theirs, Caller("192.0.2.7"))
        await eventually(lambda: bool(logs))
        (log,) = logs
        assert log == (
            {"event": "hello", "a": 1, "log_level": "info"}
            if heard
            else {"event": "the doors for guests have ended", "rest_s": 0.4, "log_level": "error"}
        )
        kept.close()
