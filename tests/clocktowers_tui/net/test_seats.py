"""Seats on disk: the owner's alone, invisible while somebody plays them, never without a token."""

import asyncio
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from clocktowers_tui.net.own_seat import OwnSeat
from clocktowers_tui.net.seats import Progress, Seat, Seats, unfinished

LIMIT_S = 60

SEAT = Seat(
    host="192.168.1.5",
    port=7777,
    name="Ann",
    match="m1",
    table="ABCD",
    game="clocktowers",
    token="11" * 32,
)


def files(home: Path) -> list[Path]:
    return sorted(home.rglob("*.seat"))


async def test_what_is_kept_is_there_when_the_client_is_gone(home: Path) -> None:
    seats = Seats()
    await seats.keep(SEAT)
    seats.release()
    (found,) = unfinished()
    assert replace(found, kept_at=0) == SEAT
    assert found.kept_at > 0


async def test_only_the_owner_may_read_it(home: Path) -> None:
    old = os.umask(0)
    try:
        await Seats().keep(SEAT)
    finally:
        os.umask(old)
    (file,) = files(home)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


async def test_the_newest_token_counts_and_a_torn_line_does_not(home: Path) -> None:
    seats = Seats()
    for token in ("22" * 32, "33" * 32):
        await seats.keep(replace(SEAT, token=token))
    seats.release()
    (file,) = files(home)
    whole = file.read_bytes()
    for cut in range(whole.index(b"\n{", 1) + 1, len(whole)):
        file.write_bytes(whole[:cut])
        assert [seat.token for seat in unfinished()] == ["22" * 32]
    file.write_bytes(whole + b'{"host": 7}\n\xff\xfe\n')
    assert [seat.token for seat in unfinished()] == ["33" * 32]
    file.write_bytes(b"")
    assert unfinished() == []


async def test_a_torn_line_does_not_spoil_the_next(home: Path) -> None:
    seats = Seats()
    await seats.keep(SEAT)
    seats.release()
    (file,) = files(home)
    with file.open("ab") as end:
        end.write(b'{"host":"h","por')  # a crash in the middle of a write
    assert seats.take(SEAT) is not None
    await seats.keep(replace(SEAT, token="22" * 32))
    seats.release()
    assert [seat.token for seat in unfinished()] == ["22" * 32]


async def test_a_disk_that_takes_a_few_bytes_at_a_time_gets_all(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, seats = os.write, Seats()
    monkeypatch.setattr("os.write", lambda held, line: real(held, line[:7]))
    await seats.keep(SEAT)
    seats.release()
    assert [seat.token for seat in unfinished()] == [SEAT.token]


async def test_the_newest_token_counts_in_a_file_of_any_length(home: Path) -> None:
    seats = Seats()
    await seats.keep(SEAT)
    (file,) = files(home)
    old = file.read_bytes()
    with file.open("ab") as end:
        end.write(old * ((2 << 20) // len(old)))
    await seats.keep(replace(SEAT, token="22" * 32))
    seats.release()
    assert [seat.token for seat in unfinished()] == ["22" * 32]


class SlowDisk:
    """Stands in for `os.fsync`: nothing is on disk before `go_on`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began, self._may = threading.Event(), threading.Event()
        monkeypatch.setattr("os.fsync", self)

    def __call__(self, _held: int) -> None:
        self.began.set()
        assert self._may.wait(LIMIT_S), "nothing went on while the disk was slow"

    def go_on(self) -> None:
        self._may.set()


async def test_a_slow_disk_stops_nothing_but_its_own_token(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is written all the same, and before the next one, when the seat is let go meanwhile."""
    disk, seats = SlowDisk(monkeypatch), Seats()
    first = asyncio.create_task(seats.keep(SEAT))
    await asyncio.to_thread(disk.began.wait, LIMIT_S)
    second = asyncio.create_task(seats.keep(replace(SEAT, token="22" * 32)))
    for _ in range(5):
        await asyncio.sleep(0)
    assert not first.done() and not second.done()
    disk.go_on()
    await asyncio.gather(first, second)
    seats.release()
    assert [seat.token for seat in unfinished()] == ["22" * 32]


async def test_who_lets_a_seat_go_leaves_it_unlocked_though_more_was_to_be_written(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, seats = SlowDisk(monkeypatch), Seats()
    keeping = [
        asyncio.create_task(seats.keep(replace(SEAT, token=token)))
        for token in ("22" * 32, "33" * 32)
    ]
    await asyncio.to_thread(disk.began.wait, LIMIT_S)
    own = OwnSeat("Ann", seats, seat=SEAT)
    letting_go = asyncio.create_task(own.release())
    await asyncio.sleep(0)
    late = asyncio.create_task(own.note(Progress(turn=7)))
    disk.go_on()
    await asyncio.gather(*keeping, letting_go, late)
    assert [seat.token for seat in unfinished()] == ["33" * 32]


@pytest.mark.parametrize("forgets", [False, True])
async def test_a_seat_that_is_let_go_while_it_is_written(
    home: Path, monkeypatch: pytest.MonkeyPatch, forgets: bool
) -> None:
    """Nobody else sees it until it is whole; what is forgotten does not come back."""
    disk, seats = SlowDisk(monkeypatch), Seats()
    keeping = asyncio.create_task(seats.keep(SEAT))
    await asyncio.to_thread(disk.began.wait, LIMIT_S)
    keeping.cancel()
    if forgets:
        seats.forget(SEAT)
    else:
        seats.release()
    assert unfinished() == []
    disk.go_on()
    await seats.settled()
    assert len(unfinished()) == (0 if forgets else 1)


async def test_a_second_client_never_sees_what_the_first_one_plays(home: Path) -> None:
    first, second = Seats(), Seats()
    await first.keep(SEAT)
    assert second.unfinished() == []
    assert second.take(SEAT) is None
    await second.keep(replace(SEAT, token="99" * 32))
    first.release()
    (found,) = second.unfinished()
    assert found.token == SEAT.token
    assert second.take(found) == found
    assert first.unfinished() == [] and first.take(found) is None


async def test_looking_takes_nothing_away(home: Path) -> None:
    seats = Seats()
    await seats.keep(SEAT)
    seats.release()
    for _ in range(3):
        assert len(unfinished()) == 1
    assert Seats().take(SEAT) is not None


async def test_what_is_forgotten_is_gone(home: Path) -> None:
    seats = Seats()
    await seats.keep(SEAT)
    seats.forget(SEAT)
    assert files(home) == [] and unfinished() == []
    seats.forget(SEAT)
    await seats.keep(SEAT)
    seats.release()
    assert len(unfinished()) == 1


async def test_servers_and_matches_are_kept_apart_newest_first(home: Path) -> None:
    seats = Seats()
    others = [SEAT, replace(SEAT, match="m2"), replace(SEAT, port=7778), replace(SEAT, host="b")]
    for seat in others:
        await seats.keep(seat)
    seats.forget(others[1])
    seats.release()
    found = [replace(seat, kept_at=0) for seat in unfinished()]
    assert found == [others[3], others[2], others[0]]


@pytest.mark.parametrize("match", ["../../etc/passwd", "/", "x" * 5000, "\x1b]0;x\x07"])
async def test_a_servers_words_are_no_paths_and_no_escapes(home: Path, match: str) -> None:
    seats = Seats()
    await seats.keep(replace(SEAT, match=match, table="\x1b[2J", name="\x07Ann"))
    seats.release()
    (file,) = files(home)
    assert file.parent == home / "xdg_state_home" / "clocktowers" / "seats"
    (found,) = unfinished()
    assert (found.match, found.table, found.name) == (match, "[2J", "Ann")


async def test_a_home_that_cannot_be_written_costs_nothing_else(home: Path) -> None:
    (home / "xdg_state_home").write_text("not a folder")
    seats = Seats()
    await seats.keep(SEAT)
    assert seats.unfinished() == [] and seats.take(SEAT) is None
    seats.forget(SEAT)
    seats.release()


PLAYING = """
import asyncio, time
from clocktowers_tui.net.seats import Seat, Seats
seat = Seat(host="h", port=1, name="Ann", match="m", table="T", game="g", token="11")
seats = Seats()
asyncio.run(seats.keep(seat))
print("kept", flush=True)
time.sleep(60)
"""


def test_a_client_that_is_killed_leaves_its_seat_to_the_next(home: Path) -> None:
    client = subprocess.Popen(
        [sys.executable, "-P", "-c", PLAYING], stdout=subprocess.PIPE, text=True
    )
    try:
        assert client.stdout is not None and client.stdout.readline() == "kept\n"
        assert unfinished() == []
    finally:
        client.send_signal(signal.SIGKILL)
        client.communicate()
    (found,) = unfinished()
    assert found.token == "11" and Seats().take(found) == found


async def test_a_lock_that_is_none_is_caught(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A control: without the lock a second client would see it."""
    monkeypatch.setattr("fcntl.flock", lambda held, how: None)
    await Seats().keep(SEAT)
    assert len(Seats().unfinished()) == 1
