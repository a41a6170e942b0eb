"""A client on a pseudo-terminal, with programs of the system in the client's place; and both ways
to start the real one lead a guest into the lobby, and out of it."""

import asyncio
import os
import subprocess
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Final

import msgspec
import pyte
import pytest

from protocol.guests import MAX_ORDER_BYTES, Order
from server.guests import guest as guest_module
from server.guests.clients import FORKS, CannotStart, Clients, End, Forked, Over, Spawned
from server.guests.folders import Folders
from server.guests.guest import Event, Guest, Size, State
from server.guests.guests import TOLD, Arriving, Guests, TurnedAway
from server.guests.words import Setup
from tests.stage.house import PATIENCE_S, eventually, house, new_folder_with_key
from tests.stage.processes import alive, needs_proc, open_files


class Programs:
    """Runs a shell's command for each guest."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.environs: list[dict[str, str]] = []
        self.fails = False

    def begin(self, environ: Mapping[str, str], terminal: int, over: Over) -> End:
        if self.fails:
            raise CannotStart
        self.environs.append(dict(environ))
        process = subprocess.Popen(
            ["setsid", *(["-c"] if os.isatty(terminal) else []), "sh", "-c", self.command],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
        )
        waiting = asyncio.ensure_future(asyncio.to_thread(process.wait))
        waiting.add_done_callback(lambda _: over(process.returncode))
        return lambda at_once: process.kill() if at_once else process.terminate()

    def close(self) -> None:
        """They end with their terminals."""


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


def guests(folder: Path, clients: Clients, most: tuple[int, int, int] = (10, 10, 10)) -> Guests:
    """`most`: in all, from one address, with one key."""
    setup = Setup(
        state=str(folder),
        guests=most[0],
        guests_per_address=most[1],
        guests_per_identity=most[2],
        guest_idle_s=1800,
        hello_s=5,
        loopback_counts=True,
    )
    return Guests(setup, Folders(folder), clients)


ANN: Final = Arriving("192.0.2.7", proof="ssh ann", environ={"TERM": "xterm"}, size=Size(90, 30))


async def test_bytes_and_sizes_go_in_and_what_is_painted_comes_out(tmp_path: Path) -> None:
    caller = Caller()
    all_guests = guests(tmp_path, Programs("stty size; read line; stty size; echo $line; exit 7"))
    guest = all_guests.open(ANN, caller)
    await eventually(lambda: b"30 90\r\n" in caller.shown)
    guest.resize(Size(10_000, 10_000))
    guest.type(b"hallo\n")
    await eventually(lambda: caller.status == [7])
    assert caller.shown.endswith(b"200 500\r\nhallo\r\n"), "not larger than a terminal may be"
    assert len(all_guests) == 0


async def test_all_is_shown_before_the_end_is_told(tmp_path: Path) -> None:
    caller = Caller()
    guests(tmp_path, Programs("seq 20000")).open(ANN, caller)
    await eventually(lambda: bool(caller.status))
    assert caller.shown.endswith(b"\n20000\r\n")


async def test_a_caller_who_takes_nothing_keeps_the_client_waiting(tmp_path: Path) -> None:
    """Long after another has done the same."""
    callers, done = (Caller(), Caller()), (tmp_path / "slow", tmp_path / "quick")
    slow, quick = (
        guests(tmp_path, Programs(f"seq 20000; touch {file}; read line")).open(ANN, caller)
        for caller, file in zip(callers, done, strict=True)
    )
    slow.pause()
    await eventually(done[1].exists)
    assert len(callers[0].shown) < 100_000 and not done[0].exists()
    slow.resume()
    await eventually(done[0].exists)
    for guest in (slow, quick):
        guest.hang_up()


async def test_a_client_whose_caller_has_gone_ends_or_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that will not; until then the guest counts."""
    monkeypatch.setattr(guest_module, "PARTING_S", 0.05)
    stubborn = Programs("trap '' HUP TERM; echo up; while :; do sleep 0.02; done")
    for programs in (Programs("echo up; cat"), stubborn):
        all_guests = guests(tmp_path, programs)
        caller = Caller()
        guest = all_guests.open(ANN, caller)
        await eventually(lambda seen=caller: b"up" in seen.shown)  # type: ignore[misc]
        guest.hang_up()
        assert len(all_guests) == 1
        await eventually(lambda every=all_guests: len(every) == 0)  # type: ignore[misc]
        assert not caller.status


class Nobody(Programs):
    """Starts nothing, and keeps how it was told to end what it did not start."""

    def __init__(self) -> None:
        super().__init__("")
        self.at_once: list[bool] = []

    def begin(self, environ: Mapping[str, str], terminal: int, over: Over) -> End:
        return self.at_once.append


async def test_in_whatever_order_all_ends_each_is_told_once() -> None:
    """The caller unless they have gone, the house in any case; and nothing lasts for ever."""
    before = open_files()
    for order in product(Event, repeat=5):
        nobody, caller, gone = Nobody(), Caller(), list[str]()
        guest = Guest(nobody, {}, Size(), caller, lambda told=gone: told.append("gone"))  # type: ignore[misc]
        happened = [event for event in order if _is_possible(guest, event)]
        for _ in range(3):
            if guest._state is not State.RUNS:
                guest._happens(Event.LATE)
        if guest._state is State.RUNS:
            guest.hang_up()
            assert not gone
            continue
        assert guest._state is State.OVER and gone == ["gone"] and guest.ended.is_set()
        assert len(caller.status) == (Event.HANGS_UP not in happened)
        lived = [*happened, Event.LATE, Event.ENDS]
        killed = Event.LATE in lived[: lived.index(Event.ENDS)]
        assert nobody.at_once == [True] * killed
    assert open_files() == before


def _is_possible(guest: Guest, event: Event) -> bool:
    """Let this happen, if it does anything."""
    before = guest._state
    guest._happens(event)
    return guest._state is not before


async def test_whatever_a_caller_says_fits_into_an_order(tmp_path: Path) -> None:
    programs = Programs("cat")
    all_guests = guests(tmp_path, programs)
    worst = "\x01" * 128
    said = ANN._replace(name=worst[:100], password=worst, environ=dict.fromkeys(TOLD, "x" * 64))
    all_guests.open(said, Caller()).hang_up()
    order = Order(1, programs.environs[0])
    assert len(msgspec.msgpack.encode(order)) <= MAX_ORDER_BYTES
    for characters in (129, 20_000):
        with pytest.raises(TurnedAway, match="128 characters at most"):
            all_guests.open(ANN._replace(password="x" * characters), Caller())
    await eventually(lambda: len(all_guests) == 0)


async def test_too_many_are_told_so(tmp_path: Path) -> None:
    programs = Programs("cat")
    all_guests = guests(tmp_path, programs, (3, 2, 1))
    inside = [all_guests.open(ANN, Caller())]
    with pytest.raises(TurnedAway, match="You are here 1 times"):
        all_guests.open(ANN._replace(address="192.0.2.8"), Caller())
    ben = ANN._replace(proof="ssh ben")
    inside.append(all_guests.open(ben, Caller()))
    with pytest.raises(TurnedAway, match="2 guests from your address"):
        all_guests.open(ANN._replace(proof="ssh cleo"), Caller())
    programs.fails = True
    elsewhere = ANN._replace(proof="", address="192.0.2.9")
    with pytest.raises(TurnedAway, match="cannot start"):
        all_guests.open(elsewhere, Caller())
    programs.fails = False
    inside.append(all_guests.open(elsewhere, Caller()))
    with pytest.raises(TurnedAway, match="All places"):
        all_guests.open(elsewhere, Caller())
    assert len(list((tmp_path / "guests").glob("passing-*"))) == 1
    for guest in inside:
        guest.hang_up()
    await eventually(lambda: len(all_guests) == 0)
    assert not list((tmp_path / "guests").glob("passing-*"))
    all_guests.open(ANN, Caller()).hang_up()


async def test_a_client_gets_of_its_caller_s_words_only_those_about_the_terminal(
    tmp_path: Path,
) -> None:
    programs = Programs("cat")
    told = {
        "TERM": "xterm-256color",
        "LANG": "it_IT.UTF-8",
        "COLORTERM": "x" * 65,
        "LC_ALL": "../../\x1b[2J",
        "LD_PRELOAD": "evil.so",
        "HOME": "evil",
        "CLOCKTOWERS_HOUSE": "{}",
    }
    guests(tmp_path, programs).open(ANN._replace(environ=told), Caller()).hang_up()
    environ = programs.environs[0]
    assert '"identity"' in environ.pop("CLOCKTOWERS_HOUSE")
    assert environ == {"TERM": "xterm-256color", "LANG": "it_IT.UTF-8"}


async def test_without_a_terminal_nothing_is_changed_or_dropped_and_the_end_is_heard(
    tmp_path: Path,
) -> None:
    """A client that is slow to read gets all of it: the caller is told when to go on."""
    house, caller = guests(tmp_path, Programs("sleep 0.3; wc -c; echo end")), Caller()
    guest = house.open(Arriving("192.0.2.1", size=None), caller)
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


async def test_a_client_without_a_terminal_ends_when_its_caller_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told to, as no terminal closes; here it does not even listen to its line."""
    monkeypatch.setattr(guest_module, "PARTING_S", 1e6)
    house, caller = guests(tmp_path, Programs("sleep 600")), Caller()
    guest = house.open(Arriving("192.0.2.1", size=None), caller)
    guest.resize(Size(80, 24))
    guest.hang_up()
    async with asyncio.timeout(PATIENCE_S):
        await guest.ended.wait()
    assert len(house) == 0


# The real client ----------------------------------------------------------------------------------


NAMED = Arriving(
    "192.0.2.7", "cookie ann", name="Ann", environ={"TERM": "xterm"}, size=Size(80, 24)
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


@pytest.mark.parametrize(
    "make",
    [
        Spawned,
        pytest.param(Forked, marks=pytest.mark.skipif(not FORKS, reason="forks on Linux only")),
    ],
)
async def test_a_guest_comes_and_goes(make: Callable[[], Clients]) -> None:
    """No door takes part: what it does is all here."""
    folder: Path = new_folder_with_key()
    async with house(folder=folder) as at:
        clients = make()
        everybody = guests(folder, clients)
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
        everybody.open(NAMED._replace(invitation=bytes(12)), other)
        await eventually(lambda: other.sees("New table"))
        await eventually(lambda: other.sees("does not know that invitation"))
        await everybody.end()
        assert len(everybody) == 0
        clients.close()


@needs_proc
@pytest.mark.skipif(not FORKS, reason="forks on Linux only")
async def test_a_client_is_ended_also_when_another_process_forks_now() -> None:
    folder: Path = new_folder_with_key()
    async with house(folder=folder):
        clients = Forked()
        everybody = guests(folder, clients)
        terminal, other = GuestTerminal(), GuestTerminal()
        ann = everybody.open(NAMED, terminal)
        await eventually(lambda: terminal.sees("this server as Ann"))
        forking = clients._forking
        (pid,) = forking._pids.values()
        forking._process.kill()
        await eventually(lambda: forking.gone)
        everybody.open(NAMED._replace(proof="cookie ben", name="Ben"), other)
        await eventually(lambda: other.sees("this server as Ben"))
        assert alive(pid)
        ann.end()
        await eventually(lambda: not alive(pid))
        await everybody.end()
        await eventually(lambda: len(everybody) == 0)
        clients.close()
