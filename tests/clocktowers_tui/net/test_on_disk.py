"""What the client keeps for its player: the secret of which each server is shown another value,
and the seats: the owner's alone, invisible while somebody plays them, never without a token."""

import asyncio
import contextlib
import os
import re
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.files import log_file
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.identity import derived, secret, server_name, shown_to
from clocktowers_tui.net.seats import OwnSeat, Progress, Seats, unfinished
from tests.clocktowers_tui.locale.walk import WAITS
from tests.stage.document import section

LIMIT_S = 60

SEAT = replace(WAITS, token="11" * 32, folder=0, progress=Progress())


def seat_files(home: Path) -> list[Path]:
    return sorted(home.rglob("*.seat"))


async def test_what_is_kept_is_there_when_the_client_is_gone_and_is_its_owners_alone(
    home: Path,
) -> None:
    old, seats = os.umask(0), Seats()
    try:
        await seats.keep(SEAT)
    finally:
        os.umask(old)
    seats.release()
    for _ in range(2):
        (found,) = unfinished()
        assert replace(found, kept_at=0) == SEAT
        assert found.kept_at > 0
    assert Seats().take(SEAT) is not None, "looking takes nothing away"
    (file,) = seat_files(home)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


async def test_the_newest_token_counts_and_a_torn_line_does_not(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = Seats()
    for token in ("22" * 32, "33" * 32):
        await seats.keep(replace(SEAT, token=token))
    seats.release()
    (file,) = seat_files(home)
    whole = file.read_bytes()
    for cut in range(whole.index(b"\n{", 1) + 1, len(whole)):
        file.write_bytes(whole[:cut])
        assert [seat.token for seat in unfinished()] == ["22" * 32]
    file.write_bytes(whole + b'{"host": 7}\n\xff\xfe\n')
    assert [seat.token for seat in unfinished()] == ["33" * 32]
    file.write_bytes(b"")
    assert unfinished() == []
    monkeypatch.setenv(
        "XDG_STATE_HOME", str(home / ("x" * 300))
    )  # no folder can be looked at there
    assert unfinished() == []


async def test_a_disk_that_takes_a_few_bytes_at_a_time_gets_all(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, seats = os.write, Seats()
    monkeypatch.setattr("os.write", lambda held, line: real(held, line[:7]))
    await seats.keep(SEAT)
    seats.release()
    assert [seat.token for seat in unfinished()] == [SEAT.token]


async def test_the_newest_token_counts_in_a_file_of_any_length_and_after_a_torn_line(
    home: Path,
) -> None:
    seats = Seats()
    await seats.keep(SEAT)
    (file,) = seat_files(home)
    old = file.read_bytes()
    with file.open("ab") as end:
        end.write(old * ((2 << 20) // len(old)))
        end.write(b'{"host":"h","por')  # a crash in the middle of a write
    seats.release()
    assert seats.take(SEAT) is not None
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
    for _time in range(5):  # Textual does so twice at its end
        keeping.cancel()
        await asyncio.sleep(0)
    assert not keeping.done()
    late = asyncio.create_task(seats.keep(SEAT))
    await asyncio.sleep(0)
    if forgets:
        seats.forget(SEAT)
    else:
        seats.release()
    assert unfinished() == []
    disk.go_on()
    with contextlib.suppress(asyncio.CancelledError):
        await keeping
    await late
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


async def test_servers_and_matches_are_kept_apart_newest_first(home: Path) -> None:
    """What is forgotten is gone, once and for all."""
    seats = Seats()
    for _time in range(2):
        await seats.keep(SEAT)
        seats.forget(SEAT)
        assert seat_files(home) == [] and unfinished() == []
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
    (file,) = seat_files(home)
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


# The secret ---------------------------------------------------------------------------------------


SERVER = Address("games.example", 7777)


def file_in(home: Path) -> Path:
    return home / "xdg_data_home" / "clocktowers" / "identity"


def logged() -> str:
    log = log_file("client")
    return log.read_text() if log.exists() else ""


def test_the_secret_is_made_once_and_is_the_owners_alone(home: Path) -> None:
    old = os.umask(0)
    try:
        first = secret()
    finally:
        os.umask(old)
    file = file_in(home)
    assert file.read_bytes() == first == secret() and len(set(first)) > 8
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert list(file.parent.iterdir()) == [file]
    file.chmod(0o644)
    assert secret() == first and stat.S_IMODE(file.stat().st_mode) == 0o600, "closed again"
    assert not logged()


@pytest.mark.parametrize("broken", [b"", b"short", bytes(33)])
def test_a_broken_file_is_replaced_with_a_sentence_in_the_log(home: Path, broken: bytes) -> None:
    first = secret()
    file_in(home).write_bytes(broken)
    file_in(home).with_name(".identity.new").write_bytes(b"left behind by a crash")
    assert secret() == secret() != first and [*file_in(home).parent.iterdir()] == [file_in(home)]
    assert "was broken and has been replaced" in logged()
    assert first.hex() not in logged()


def secrets_of_two_programs(monkeypatch: pytest.MonkeyPatch) -> set[bytes]:
    """Two programs that need the secret at the same moment, and are slow to make one. A lock on a
    file holds threads apart as it does programs, since each opens the folder for itself."""
    both, random = threading.Barrier(2), os.urandom

    def slowly(size: int) -> bytes:
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(0.2)
        return random(size)

    monkeypatch.setattr("secrets.token_bytes", slowly)
    with ThreadPoolExecutor(2) as programs:
        return {one.result() for one in [programs.submit(secret) for _ in range(2)]}


@pytest.mark.parametrize("before", [None, b"broken"])
def test_programs_that_start_at_once_have_the_same_secret(
    home: Path, monkeypatch: pytest.MonkeyPatch, before: bytes | None
) -> None:
    file_in(home).parent.mkdir(parents=True)
    if before is not None:
        file_in(home).write_bytes(before)
    assert secrets_of_two_programs(monkeypatch) == {file_in(home).read_bytes()}


async def test_without_a_disk_there_is_no_identity(home: Path) -> None:
    (home / "xdg_data_home").write_bytes(b"in the way")
    assert await shown_to(SERVER) is None
    assert "no identity is shown to servers" in logged()


async def test_each_server_is_shown_another_value(home: Path) -> None:
    others = [Address("games.example", 7778), Address("other.example", 7777)]
    shown = [await shown_to(SERVER), *[await shown_to(other) for other in others]]
    shown += [await shown_to(SERVER, 1), await shown_to(SERVER, 2)]
    assert len(set(shown)) == len(shown) and secret() not in shown
    assert await shown_to(others[0], 1) == shown[3], "the player's own may have any port"
    assert await shown_to(SERVER) == shown[0]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        (Address("Games.Example.", 7777), "games.example:7777"),
        (Address("192.168.1.5", 7), "192.168.1.5:7"),
        (Address("0:0::0:1", 7), "[::1]:7"),
        (Address("::ffff:10.0.0.1", 7), "10.0.0.1:7"),
        (Address("FE80::1", 7), "[fe80::1]:7"),
    ],
)
def test_one_address_has_one_name_however_it_is_typed(typed: Address, name: str) -> None:
    assert server_name(typed) == name


def test_the_document_shows_the_derivation() -> None:
    shown = dict(re.findall(r"^    (\w+) +(\S+)$", section("hello, welcome"), re.MULTILINE))
    value = derived(bytes.fromhex(shown["secret"]), shown["server"])
    assert value.hex() == shown["identity"]
    assert derived(bytes(32), shown["server"]) != value  # a control: the secret matters
