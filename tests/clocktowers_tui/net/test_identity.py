"""The player's secret on disk, and what each server is shown of it."""

import asyncio
import contextlib
import os
import re
import stat
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from clocktowers_tui.config.log_file import log_file
from clocktowers_tui.net import identity
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.identity import derived, secret, server_name, shown_to
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.state.store import Store
from protocol.from_client import Hello
from tests.stage.document import section
from tests.stage.scripted_server import Peer, scripted

HERE = Address("games.example", 7777)


def file_in(home: Path) -> Path:
    return home / "xdg_data_home" / "clocktowers" / "identity"


@contextlib.contextmanager
def open_again(folder: Path) -> Iterator[int]:
    held = os.open(folder, os.O_RDONLY)
    try:
        yield held
    finally:
        os.close(held)


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
    assert not logged()


def test_a_secret_that_others_could_read_is_closed_to_them(home: Path) -> None:
    first = secret()
    file_in(home).chmod(0o644)
    assert secret() == first
    assert stat.S_IMODE(file_in(home).stat().st_mode) == 0o600


@pytest.mark.parametrize("broken", [b"", b"short", bytes(33)])
def test_a_broken_file_is_replaced_with_a_sentence_in_the_log(home: Path, broken: bytes) -> None:
    first = secret()
    file_in(home).write_bytes(broken)
    assert secret() == secret() != first
    assert "was broken and has been replaced" in logged()
    assert first.hex() not in logged()


def test_what_a_crash_left_behind_is_in_nobodys_way(home: Path) -> None:
    file_in(home).parent.mkdir(parents=True)
    file_in(home).with_name("identity.new").write_bytes(b"half")
    assert len(secret()) == 32
    assert list(file_in(home).parent.iterdir()) == [file_in(home)]


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


def test_without_the_lock_they_would_not(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A control."""
    folder = file_in(home).parent
    folder.mkdir(parents=True)
    monkeypatch.setattr(identity, "_locked", lambda _: open_again(folder))
    monkeypatch.setattr(identity, "_write", lambda file, made: None)
    assert len(secrets_of_two_programs(monkeypatch)) == 2


async def test_without_a_disk_there_is_no_identity(home: Path) -> None:
    (home / "xdg_data_home").write_bytes(b"in the way")
    assert await shown_to(HERE) is None
    assert "no identity is shown to servers" in logged()


async def test_each_server_is_shown_another_value(home: Path) -> None:
    others = [Address("games.example", 7778), Address("other.example", 7777)]
    shown = [await shown_to(HERE), *[await shown_to(other) for other in others]]
    shown += [await shown_to(HERE, 1), await shown_to(HERE, 2)]
    assert len(set(shown)) == len(shown) and secret() not in shown
    assert await shown_to(HERE) == shown[0]


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


def test_a_server_of_the_players_own_has_its_folders_name_whatever_its_port() -> None:
    assert server_name(Address("127.0.0.1", 4000), 3) == server_name(Address("127.0.0.1", 5000), 3)
    assert server_name(Address("127.0.0.1", 4000), 3) != server_name(Address("127.0.0.1", 4000))


def test_the_document_shows_the_derivation() -> None:
    shown = dict(re.findall(r"^    (\w+) +(\S+)$", section("hello, welcome"), re.MULTILINE))
    value = derived(bytes.fromhex(shown["secret"]), shown["server"])
    assert value.hex() == shown["identity"]
    assert derived(bytes(32), shown["server"]) != value  # a control: the secret matters


async def test_every_line_to_a_server_shows_its_value(home: Path) -> None:
    heard: list[Hello] = []

    async def script(peer: Peer) -> None:
        hello = await peer.welcomes()
        assert isinstance(hello, Hello)
        heard.append(hello)
        await peer.hears()

    async with scripted(script) as address:
        for _ in range(2):
            link = await LastingLink.open(address, "Ann")
            running = asyncio.create_task(link.run(Store(lambda: None)))
            await link.close()
            await running
        assert [hello.identity for hello in heard] == [await shown_to(address)] * 2
