"""A client on a pseudo-terminal, with shells in the client's place; and both ways to start the real
one lead a guest into the lobby, and out of it."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import permutations
from multiprocessing import forkserver
from pathlib import Path
from typing import Any, Final

import pyte
import pytest
from msgspec.structs import replace

from protocol.guests import GIVEN_BACK, House
from server.config import Limits
from server.guests import guest as guest_module
from server.guests.guest import FORKS, Guest, Size
from server.guests.guests import TOLD, Arriving, Guests, TurnedAway
from server.guests.passing import Setup
from tests.server.guests import full_machine
from tests.stage.house import PATIENCE_S, eventually, house, new_folder_with_key
from tests.stage.jumping_clock import run
from tests.stage.processes import alive, needs_proc, open_files
from tests.stage.shell_client import COMMAND

pytestmark = pytest.mark.usefixtures("freeze")
HOUSE: Final = House("nowhere", "/", "192.0.2.7", bytes(32))


class Caller:
    """Keeps what is shown."""

    def __init__(self) -> None:
        self.shown = b""
        self.taken = 0
        self.status: list[int | None] = []

    def show(self, output: bytes) -> None:
        self.shown += output

    def take_on(self) -> None:
        self.taken += 1

    def over(self, status: int | None) -> None:
        self.status.append(status)


def guests(folder: Path, command: str = "", most: tuple[int, int, int] = (10, 10, 10)) -> Guests:
    """`command`: of the shells that they get. `most`: in all, from one address, with one key."""
    (folder / COMMAND).write_text(command)
    limits = Limits(
        guests=most[0],
        guests_per_address=most[1],
        guests_per_identity=most[2],
        loopback_counts=True,
    )
    return Guests(Setup(str(folder), limits))


def calls(caller: Arriving, **says: Any) -> Arriving:
    """The same who says this, too."""
    return caller._replace(says=replace(caller.says, **says))


ANN: Final = Arriving(
    House(address="192.0.2.7"), proof="ssh ann", environ={"TERM": "xterm"}, size=Size(90, 30)
)

with_shells = pytest.mark.usefixtures("shells")


@with_shells
async def test_bytes_and_sizes_go_in_and_what_is_painted_comes_out(tmp_path: Path) -> None:
    """All of it, before the end is told."""
    caller = Caller()
    shell = "stty size; read line; stty size; echo $line; seq 20000; exit 7"
    all_guests = guests(tmp_path, shell)
    guest = all_guests.open(ANN, caller)
    await eventually(lambda: b"30 90\r\n" in caller.shown)
    guest.resize(Size(10_000, 10_000))
    guest.type(b"hallo\n")
    await eventually(lambda: caller.status == [7])
    assert b"200 500\r\nhallo\r\n1\r\n" in caller.shown, "not larger than a terminal may be"
    assert caller.shown.endswith(b"\n20000\r\n")
    assert len(all_guests) == 0


@with_shells
async def test_a_caller_who_takes_nothing_keeps_the_client_waiting(tmp_path: Path) -> None:
    """Long after another has done the same."""
    callers, done = (Caller(), Caller()), (tmp_path / "slow", tmp_path / "quick")
    begun = list[Guest]()
    for caller, file in zip(callers, done, strict=True):
        all_guests = guests(tmp_path, f"echo up; read line; seq 20000; touch {file}; read line")
        begun.append(all_guests.open(ANN, caller))
        await eventually(lambda seen=caller: b"up" in seen.shown)  # type: ignore[misc]
    slow, quick = begun
    slow.pause()
    for guest in begun:
        guest.type(b"\n")
    await eventually(done[1].exists)
    assert len(callers[0].shown) < 100_000 and not done[0].exists()
    slow.resume()
    await eventually(done[0].exists)
    for guest in (slow, quick):
        guest.hang_up()


@with_shells
async def test_a_client_whose_caller_has_gone_ends_or_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that will not; until then the guest counts."""
    monkeypatch.setattr(guest_module, "PARTING_S", 0.05)
    stubborn = "trap '' HUP TERM; echo up; while :; do sleep 0.02; done"
    for command in ("echo up; cat", stubborn):
        all_guests = guests(tmp_path, command)
        caller = Caller()
        guest = all_guests.open(ANN, caller)
        await eventually(lambda seen=caller: b"up" in seen.shown)  # type: ignore[misc]
        guest.hang_up()
        assert len(all_guests) == 1
        await eventually(lambda every=all_guests: len(every) == 0)  # type: ignore[misc]
        assert not caller.status


@with_shells
async def test_a_terminal_is_given_back_for_a_client_that_is_killed(tmp_path: Path) -> None:
    caller = Caller()
    guests(tmp_path, "echo up; kill -9 $$").open(ANN, caller)
    await eventually(lambda: caller.status == [-signal.SIGKILL])
    assert caller.shown == b"up\r\n" + GIVEN_BACK


class Nobody:
    """In the place of a client's process and its terminal: they end when the test says so."""

    pid = 1

    def __init__(self, terminal: int) -> None:
        self.sentinel, self._its = os.pipe()
        self._terminal = os.dup(terminal)
        self.exitcode: int | None = None
        os.close(terminal)

    def ends(self) -> None:
        self.exitcode = 0
        os.close(self._its)

    def closes_terminal(self) -> None:
        os.close(self._terminal)

    def close(self) -> None:
        os.close(self.sentinel)


@pytest.mark.parametrize("length", range(1, 5))
def test_in_whatever_order_all_ends_each_is_told_once(
    monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    """The caller unless they have gone, the house in any case; and nothing lasts for ever."""
    before = open_files()
    for order in permutations(("hangs up", "closes", "ends", "late"), length):
        run(all_ends(order, monkeypatch))
    assert open_files() == before


async def all_ends(order: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    caller, gone, sent = Caller(), list[str](), list[int]()
    nobody = list[Nobody]()

    def started(_house: object, _environ: object, terminal: int) -> Nobody:
        nobody.append(Nobody(terminal))
        return nobody[0]

    monkeypatch.setattr(guest_module, "_started", started)
    monkeypatch.setattr(os, "kill", lambda _pid, number: sent.append(number))
    guest = Guest(HOUSE, {}, Size(), caller, lambda: gone.append("gone"))
    told_before = None
    does = {"hangs up": guest.hang_up, "closes": nobody[0].closes_terminal, "ends": nobody[0].ends}
    for event in order:
        if event == "late":
            await asyncio.sleep(60)
        else:
            does[event]()
        if event == "hangs up":
            told_before = len(caller.status)
        for _ in range(9):
            await asyncio.sleep(0)
    if order == ("late",):
        assert not gone and not caller.status
        guest.hang_up()
        told_before = 0
    await asyncio.sleep(60)
    assert gone == ["gone"] and guest.ended.is_set()
    assert len(caller.status) == (1 if told_before is None else told_before)
    happened = [*order[order[0] == "late" :], "late"]
    ended = "ends" in happened and happened.index("ends") < happened.index("late")
    assert sent == [] if ended else [signal.SIGKILL], order
    for event in {"closes", "ends"} - {*order}:
        does[event]()
    for _ in range(9):
        await asyncio.sleep(0)


@with_shells
async def test_whatever_a_caller_says_reaches_their_client(tmp_path: Path) -> None:
    """What it hears of the house has no bound but those of its parts."""
    caller, worst = Caller(), "\x01" * 512
    all_guests = guests(tmp_path, "echo up")
    said = calls(ANN, name=worst[:100], password=worst)
    all_guests.open(said._replace(environ=dict.fromkeys(TOLD, "x" * 64)), caller)
    await eventually(lambda: caller.status == [0])
    for password in ("x" * 513, "鐘" * 171, "x" * 20_000):
        with pytest.raises(TurnedAway, match="512 bytes at most"):
            all_guests.open(calls(ANN, password=password), Caller())
    assert len(all_guests) == 0


@with_shells
async def test_too_many_are_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    all_guests = guests(tmp_path, "cat", (5, 2, 1))
    inside = [all_guests.open(ANN, Caller())]
    with pytest.raises(TurnedAway, match="You are here 1 times"):
        all_guests.open(calls(ANN, address="192.0.2.8"), Caller())
    ben = ANN._replace(proof="ssh ben")
    inside.append(all_guests.open(ben, Caller()))
    with pytest.raises(TurnedAway, match="2 guests from your address"):
        all_guests.open(ANN._replace(proof="ssh cleo"), Caller())
    elsewhere = calls(ANN, address="192.0.2.9")._replace(proof="")
    before = open_files()
    with monkeypatch.context() as patch, pytest.raises(TurnedAway, match="cannot start"):
        patch.setattr(forkserver, "read_signed", _fails)
        all_guests.open(elsewhere, Caller())
    assert open_files() == before
    inside += [all_guests.open(elsewhere, Caller()) for _ in range(2)]
    with pytest.raises(TurnedAway, match="The last places are for people who have none"):
        all_guests.open(elsewhere, Caller())
    last = calls(elsewhere, address="192.0.2.10")
    inside.append(all_guests.open(last, Caller()))
    with pytest.raises(TurnedAway, match="All places"):
        all_guests.open(calls(last, address="192.0.2.11"), Caller())
    assert len(list((tmp_path / "guests").glob("passing-*"))) == 3
    for guest in inside:
        guest.hang_up()
    await eventually(lambda: len(all_guests) == 0)
    assert not list((tmp_path / "guests").glob("passing-*"))
    few = guests(tmp_path, "cat", (2, 2, 2))
    for _ in range(2):
        few.open(ANN, Caller()).hang_up()


def _fails(_descriptor: int) -> int:
    """As when the process that forks has just gone."""
    raise EOFError


@pytest.fixture
async def full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Callable[[bool], None]]:
    """Says whether no client can be forked."""
    file = tmp_path / "full"
    monkeypatch.setenv(full_machine.VARIABLE, str(file))
    preloaded = (*guest_module.PRELOADED, full_machine.__name__)
    monkeypatch.setattr(guest_module, "PRELOADED", preloaded)
    await forking_ends()
    guest_module.make_ready()
    yield lambda is_full: file.touch() if is_full else file.unlink()
    await forking_ends()


async def forking_ends() -> None:
    """The next client is forked by another process."""
    forking = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
    os.kill(forking, signal.SIGKILL)
    await eventually(lambda: not alive(forking))


@needs_proc
@with_shells
@pytest.mark.skipif(not FORKS, reason="forks on Linux only")
async def test_where_none_can_be_forked_one_is_told_the_others_go_on_and_the_next_is_served(
    tmp_path: Path, full: Callable[[bool], None]
) -> None:
    all_guests = guests(tmp_path, "echo up; read line; exit 7")
    callers = Caller(), Caller()
    inside = [all_guests.open(ANN, callers[0])]
    await eventually(lambda: b"up" in callers[0].shown)
    before, forking = open_files(), forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
    full(True)
    with pytest.raises(TurnedAway, match="cannot start a client now; try again"):
        all_guests.open(ANN, Caller())
    full(False)
    await eventually(lambda: not alive(forking) and open_files() <= before)
    inside.append(all_guests.open(ANN, callers[1]))
    await eventually(lambda: b"up" in callers[1].shown)
    for guest in inside:
        guest.type(b"\n")
    await eventually(lambda: callers[1].status == [7])
    await eventually(lambda: callers[0].status == [0])  # nobody knows, so nothing has failed
    assert GIVEN_BACK not in callers[0].shown and len(all_guests) == 0


@needs_proc
@with_shells
async def test_a_client_gets_of_its_caller_s_words_only_those_about_the_terminal(
    tmp_path: Path,
) -> None:
    """And no other guest's terminal, nor anything else that is open."""
    caller = Caller()
    told = {
        "TERM": "xterm-256color",
        "LANG": "it_IT.UTF-8",
        "COLORTERM": "x" * 65,
        "LC_ALL": "../../\x1b[2J",
        "LD_PRELOAD": "evil.so",
        "HOME": "evil",
    }
    all_guests = guests(tmp_path, "cat /proc/self/environ; ls /proc/$$/fd; read line")
    others = [all_guests.open(ANN, Caller()) for _ in range(3)]
    all_guests.open(ANN._replace(environ=told), caller)
    await eventually(lambda: caller.shown.endswith(b"\r\n"))
    environ, files = caller.shown.decode().rsplit("\0", 1)
    said = [word for word in environ.split("\0") if not word.startswith(("PWD=", "OLDPWD="))]
    assert sorted(said) == ["LANG=it_IT.UTF-8", "TERM=xterm-256color"]
    assert files.split() == ["0", "1", "10", "2"], "10 is the shell's own, of its command"
    await all_guests.end()
    assert all(one.ended.is_set() for one in others)


@with_shells
async def test_without_a_terminal_nothing_is_changed_or_dropped_and_the_end_is_heard(
    tmp_path: Path,
) -> None:
    """A client that is slow to read gets all of it: the caller is told when to go on."""
    all_guests, caller = guests(tmp_path, "sleep 0.3; wc -c; echo end"), Caller()
    guest = all_guests.open(Arriving(House(address="192.0.2.1"), size=None), caller)
    waited, typed = 0, b"\x03\x04\x1a\n" * 1024
    for number in range(100):
        guest.type(typed)
        if guest.unread:
            waited += 1
            await eventually(lambda: not guest.unread)
        assert caller.taken >= number
    guest.end_typing()
    await eventually(lambda: caller.status == [0])
    assert caller.shown.split() == [str(100 * len(typed)).encode(), b"end"] and waited


@with_shells
async def test_a_client_without_a_terminal_ends_when_its_caller_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told to, as no terminal closes; here it does not even listen to its line."""
    monkeypatch.setattr(guest_module, "PARTING_S", 1e6)
    all_guests, caller = guests(tmp_path, "exec sleep 600"), Caller()
    guest = all_guests.open(Arriving(House(address="192.0.2.1"), size=None), caller)
    guest.resize(Size(80, 24))
    guest.hang_up()
    async with asyncio.timeout(PATIENCE_S):
        await guest.ended.wait()
    assert len(all_guests) == 0


# The real client ----------------------------------------------------------------------------------


NAMED = Arriving(
    House(address="192.0.2.7", name="Ann"), "cookie ann", {"TERM": "xterm"}, Size(80, 24)
)


class GuestTerminal:
    """A caller's."""

    def __init__(self) -> None:
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self.status: list[int | None] = []

    def show(self, output: bytes) -> None:
        self._stream.feed(output.replace(b"\x1b[>", b"\x1b[?").replace(b"\x1b[<", b"\x1b[?"))

    def take_on(self) -> None:
        """They type little."""

    def over(self, status: int | None) -> None:
        self.status.append(status)

    def sees(self, words: str) -> bool:
        return words in "\n".join(self._screen.display)


@pytest.fixture
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How processes of clients are started."""
    monkeypatch.setattr(guest_module, "_PROCESSES", multiprocessing.get_context(request.param))
    return str(request.param)


@pytest.mark.parametrize("method", ["forkserver", "spawn"], indirect=True)
async def test_a_guest_comes_and_goes(method: str) -> None:
    """No door takes part: what it does is all here."""
    folder: Path = new_folder_with_key()
    async with house(folder=folder) as at:
        everybody = guests(folder)
        terminal = GuestTerminal()
        guest = everybody.open(NAMED, terminal)
        await eventually(lambda: terminal.sees("this server as Ann"))
        (session,) = at.server.peers.admitted
        assert session.who()["address"] == "192.0.2.7"
        guest.type(b"b")
        await eventually(lambda: terminal.sees("To the lobby"))
        assert not terminal.sees("invitation")
        guest.type(b"q")
        await eventually(lambda: terminal.sees("Enter a table's code"))
        guest.type(b"q")
        await eventually(lambda: terminal.status == [0])
        other = GuestTerminal()
        everybody.open(calls(NAMED, invitation=bytes(12)), other)
        await eventually(lambda: other.sees("New table"))
        await eventually(lambda: other.sees("does not know that invitation"))
        await everybody.end()
        assert len(everybody) == 0


@needs_proc
@pytest.mark.skipif(not FORKS, reason="forks on Linux only")
async def test_a_client_goes_on_and_is_ended_also_when_another_process_forks_now() -> None:
    folder: Path = new_folder_with_key()
    async with house(folder=folder):
        everybody = guests(folder)
        terminal, other = GuestTerminal(), GuestTerminal()
        ann = everybody.open(NAMED, terminal)
        await eventually(lambda: terminal.sees("this server as Ann"))
        await forking_ends()
        everybody.open(calls(NAMED, name="Ben")._replace(proof="cookie ben"), other)
        await eventually(lambda: other.sees("this server as Ben"))
        assert alive(ann._pid) and not ann.ended.is_set()
        ann.end()
        await eventually(lambda: not alive(ann._pid))
        await everybody.end()
        await eventually(lambda: len(everybody) == 0)
