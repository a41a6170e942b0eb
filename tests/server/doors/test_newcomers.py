"""Callers who have not begun to talk: how long, how many, and that they cost the loop nothing."""

import asyncio
import errno
import os
import socket
import time
from typing import Any

import pytest
from msgspec.structs import replace

from protocol.errors import GoodbyeCode
from server.config import Limits
from server.doors import accepting
from server.doors.accepting import Accepting
from server.doors.newcomers import Newcomer
from tests.stage.house import AT_HOME, Peer, eventually, house, new_folder_with_key


async def is_closed(peer: Peer) -> bool:
    try:
        async with asyncio.timeout(0.05):
            return await peer._reader.read() == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


async def test_beyond_the_limit_the_first_silent_caller_goes() -> None:
    async with house(limits=Limits(arriving=3)) as at:
        silent = [await at.dial() for _ in range(5)]
        async with await at.peer("Ann"):
            assert [await is_closed(peer) for peer in silent] == [True, True, True, False, False]
        assert at.server.peers.hits["arriving"] == 3
        for peer in silent:
            peer.abort()


async def test_one_address_has_so_many_silent_callers() -> None:
    async with house(limits=Limits(per_address=2, loopback_counts=True)) as at:
        silent = [await at.dial() for _ in range(4)]
        assert [await is_closed(peer) for peer in silent] == [True, True, False, False]
        silent[2].abort()
        await eventually(lambda: len(at.server.newcomers) == 1)
        assert at.server.peers.hits["per_address"] == 2
        async with await at.peer("Ann"):
            pass
        silent[3].abort()


@pytest.mark.parametrize("tls", [False, True])
async def test_a_silent_caller_is_told_that_time_is_up(tls: bool) -> None:
    """Where there is no door for SSH, whose clients may wait for the server's word."""
    without = replace(AT_HOME, doors=("plain", "tls"))
    limits, folder = Limits(hello_s=0.05), new_folder_with_key()
    async with house(config=without, limits=limits, folder=folder) as at:
        peer = await at.dial(tls=tls)
        began_s = time.monotonic()
        assert (await peer.goodbye()).code == GoodbyeCode.TOO_SLOW
        assert time.monotonic() - began_s < 30
        assert at.server.peers.hits["hello_s"] == 1


async def test_half_a_handshake_is_not_waited_for() -> None:
    async with house(limits=Limits(hello_s=0.05), folder=new_folder_with_key()) as at:
        peer = await at.dial(first=b"\x16\x03\x01\x02")
        await peer.closed()


async def looks(monkeypatch: pytest.MonkeyPatch, *, spoilt: bool = False) -> int:
    """How often a server looks at a caller who says a little, and then nothing."""
    looked = 0
    look = Newcomer._look

    def counted(newcomer: Newcomer) -> None:
        nonlocal looked
        looked += 1
        if looked < 1000:
            look(newcomer)
        else:
            newcomer.end()

    monkeypatch.setattr(Newcomer, "_look", counted)
    async with house(folder=new_folder_with_key()) as at, await at.dial() as silent:
        await silent._writer.drain()
        async with await at.peer("Ann"):
            pass
        before, looked = looked, 0
        assert before <= 4
        if spoilt:
            monkeypatch.setattr(Newcomer, "_enter", lambda newcomer, door: None)
        silent.write(b"\x16")
        for _ in range(200):
            await asyncio.sleep(0)
        silent.abort()
    return looked


async def test_an_unread_byte_does_not_spin(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await looks(monkeypatch) == 1


async def test_a_look_that_goes_on_would_spin(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await looks(monkeypatch, spoilt=True) > 50


class Full(socket.socket):
    """No file is free for who calls here."""

    full = True
    asked = 0

    def accept(self) -> Any:
        self.asked += 1
        if self.full:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return super().accept()


async def asks_while_full(rest_s: float) -> int:
    """How often the system is asked for a connection that it has no file for; then it has one."""
    came: list[socket.socket] = []
    listening = Full()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    door = Accepting(listening, lambda sock, _address: came.append(sock))
    try:
        with socket.create_connection(listening.getsockname()):
            await eventually(lambda: listening.asked > 0)
            for _ in range(100):
                await asyncio.sleep(0)
            asked, listening.full = listening.asked, False
            await eventually(lambda: bool(came))
    finally:
        door.close()
        for sock in came:
            sock.close()
    return asked


async def test_without_a_free_file_accepting_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accepting, "REST_S", 0.2)
    assert await asks_while_full(0.2) == 1


async def test_accepting_that_never_rests_would_spin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Accepting, "_rest", lambda self, error: None)
    assert await asks_while_full(0) > 50
