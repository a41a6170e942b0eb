"""Callers on their way in: how long, how many, and that they cost the loop nothing; one port, where
the first byte leads to the door, in clear and inside TLS; and those whom a door leads to another
process."""

import asyncio
import errno
import os
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from protocol.errors import GoodbyeCode
from server.admission.gate import NO_PASSWORD
from server.config import Config, Limits
from server.doors import entrance
from server.doors.certificate import for_server
from server.doors.door import OneAnswer, speaking
from server.doors.entrance import accept
from server.doors.tls import Handshakes, inside_tls
from server.guests import keeping
from server.guests.keeping import Keeping, relay
from server.net.callers import Addresses, Caller
from tests.stage.house import (
    AT_HOME,
    PATIENCE_S,
    House,
    Peer,
    dial,
    eventually,
    house,
    new_folder_with_key,
)
from tests.stage.jumping_clock import passes

LONG_S: Final = 600.0
"""It passes when a test says so."""


async def tells_who_goes(silent: Sequence[Peer], gone: Sequence[bool]) -> None:
    """Those who are to go have been hung up on, and the others have not."""
    for peer, goes in zip(silent, gone, strict=True):
        if goes:
            await peer.closed()
    assert [peer._reader.at_eof() for peer in silent] == list(gone)


async def test_beyond_the_limit_the_first_silent_caller_goes() -> None:
    async with house(limits=Limits(arriving=3)) as at:
        silent = [await at.dial() for _ in range(5)]
        async with await at.peer("Ann"):
            await tells_who_goes(silent, [True, True, True, False, False])
        assert at.server.peers.hits["arriving"] == 3
        for peer in silent:
            peer.abort()


async def test_one_address_has_so_many_silent_callers() -> None:
    async with house(limits=Limits(per_address=2, loopback_counts=True)) as at:
        silent = [await at.dial() for _ in range(4)]
        await tells_who_goes(silent, [True, True, False, False])
        silent[2].abort()
        await eventually(lambda: len(at.server.entrance) == 1)
        assert at.server.peers.hits["per_address"] == 2
        async with await at.peer("Ann"):
            pass
        silent[3].abort()


@pytest.mark.parametrize("how", [{}, {"tls": True}, {"first": b"\x16\x03\x01\x02"}])
async def test_a_silent_caller_goes_without_a_word(
    how: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be a line that a browser keeps ready. Half a handshake is not waited for either."""
    limits, folder = Limits(hello_s=LONG_S), new_folder_with_key()
    async with house(limits=limits, folder=folder) as at:
        peer = await at.dial(**how)
        await (await at.peer("Ann")).close()  # by then the server has heard what the peer said
        passes(LONG_S, monkeypatch)
        await peer.closed()
        assert not peer.seen
        assert at.server.peers.hits["hello_s"] == 1


async def test_an_unread_byte_does_not_spin(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server looks once at a caller who says a little, and then nothing."""
    looked, readable = 0, entrance._readable

    async def counted(sock: socket.socket, until_s: float) -> None:
        nonlocal looked
        await readable(sock, until_s)
        looked += 1

    monkeypatch.setattr(entrance, "_readable", counted)
    async with house(folder=new_folder_with_key()) as at, await at.dial() as silent:
        async with await at.peer("Ann"):
            pass
        assert looked <= 4
        looked = 0
        silent.write(b"\x16")
        for _ in range(200):
            await asyncio.sleep(0)
        silent.abort()
    assert looked == 1


class Full(socket.socket):
    """No file is free for who calls here."""

    full = True
    asked = 0

    def accept(self) -> Any:
        self.asked += 1
        if self.full:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return super().accept()


async def test_without_a_free_file_accepting_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system is asked once for a connection that it has no file for; then it has one."""
    monkeypatch.setattr("server.doors.entrance.REST_S", LONG_S)
    came: list[socket.socket] = []
    listening = Full()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    door = asyncio.ensure_future(accept(listening, lambda sock, _address: came.append(sock)))
    try:
        with socket.create_connection(listening.getsockname()):
            await eventually(lambda: listening.asked > 0)
            for _ in range(100):
                await asyncio.sleep(0)
            assert listening.asked == 1
            listening.full = False
            passes(LONG_S, monkeypatch)
            await eventually(lambda: bool(came))
    finally:
        door.cancel()
        for sock in (listening, *came):
            sock.close()


# One port -----------------------------------------------------------------------------------------


CLUB = b"This is a Clocktowers server"


async def answer(peer: Peer, said: bytes) -> bytes:
    """What comes, to the end."""
    peer.write(said)
    async with asyncio.timeout(PATIENCE_S):
        return await peer._reader.read()


@pytest.mark.parametrize("tls", [False, True])
async def test_who_speaks_http_reads_how_to_join(tls: bool) -> None:
    config = replace(AT_HOME, doors=("plain", "tls"))
    async with house(folder=new_folder_with_key(), config=config) as at:
        page = await answer(await at.dial(tls=tls), b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        head, _, body = page.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 404 ")
        assert body.startswith(CLUB)
        assert b"Content-Length: %d" % len(body) in head


@pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an SSH client")
async def test_an_ssh_client_shows_how_to_join() -> None:
    async with house() as at:
        where = ("-p", str(at.address.port), "-o", "StrictHostKeyChecking=no", "-F", "/dev/null")
        ssh = await asyncio.create_subprocess_exec(
            *("ssh", *where, "ann@127.0.0.1"), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        _, told = await ssh.communicate()
        assert CLUB in told


@pytest.mark.parametrize("tls", [False, True])
async def test_what_no_door_knows_is_told_that_it_is_wrong(tls: bool) -> None:
    async with house(folder=new_folder_with_key()) as at:
        peer = await at.dial(tls=tls)
        peer.write(b"\xff" * 9)
        assert (await peer.goodbye()).code == GoodbyeCode.FRAME_TOO_LONG


async def enters(at: House, port: int, *, tls: bool) -> bool:
    try:
        peer = await dial(at.addresses[port], tls=tls)
        await peer.come("Ann")
    except (AssertionError, OSError):
        return False
    there = at.session(peer.name)
    assert (there.caller.address, there.caller.encrypted) == ("127.0.0.1", tls)
    await peer.close()
    return True


@pytest.mark.parametrize(
    ("doors", "in_clear", "in_tls"),
    [
        (("plain", "tls"), [True], [True]),
        (("plain",), [True], [False]),
        (("tls",), [False], [True]),
        (("tls", "plain=0"), [False, True], [True, False]),
        (("plain=0", "tls=0"), [True], [True]),
    ],
)
async def test_a_door_can_be_shut_or_have_a_port_of_its_own(
    doors: tuple[str, ...], in_clear: list[bool], in_tls: list[bool]
) -> None:
    config: Config = replace(AT_HOME, doors=doors)
    async with house(config=config, folder=new_folder_with_key()) as at:
        assert len(at.addresses) == len(in_clear)
        ports = range(len(in_clear))
        assert [await enters(at, port, tls=False) for port in ports] == in_clear
        assert [await enters(at, port, tls=True) for port in ports] == in_tls


# Another process ----------------------------------------------------------------------------------


MUCH = bytes(range(256)) * 16 * 1024


class Elsewhere:
    """The other process, in this one. It takes nothing until it is asked."""

    def __init__(self) -> None:
        self.led: asyncio.Queue[socket.socket] = asyncio.Queue()

    async def caller(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(sock=await self.led.get())


@asynccontextmanager
async def relaying(elsewhere: Elsewhere, *, tls: bool) -> AsyncIterator[Peer]:
    """Somebody has called and is led there."""
    counted = Addresses(1, loopback_counts=True)

    def speak(_caller: Caller) -> asyncio.Protocol:
        return relay(elsewhere.led.put_nowait, counted, "127.0.0.1")

    door = speaking(speak)
    if tls:
        certificate = for_server(AT_HOME, Path(new_folder_with_key()))
        assert certificate is not None
        door = inside_tls(certificate, lambda first: speak, 20, Handshakes(Limits()))
    loop = asyncio.get_running_loop()
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setblocking(False)
    accepting = asyncio.ensure_future(loop.sock_accept(listening))
    dialling = asyncio.ensure_future(dial(listening.getsockname(), tls=tls))
    sock, _ = await accepting
    letting_in = asyncio.ensure_future(door(sock, Caller("127.0.0.1", since_s=loop.time())))
    peer = await dialling
    peer.write(b"GET ")
    await letting_in
    yield peer
    with suppress(ConnectionError):
        await peer.close()
    listening.close()


@pytest.mark.parametrize("tls", [False, True])
async def test_all_arrives_both_ways_however_slowly_it_is_read(tls: bool) -> None:
    elsewhere = Elsewhere()
    async with asyncio.timeout(PATIENCE_S), relaying(elsewhere, tls=tls) as peer:
        peer.write(MUCH)
        reader, writer = await elsewhere.caller()
        assert await reader.readexactly(4 + len(MUCH)) == b"GET " + MUCH
        writer.write(MUCH)
        assert await peer._reader.readexactly(len(MUCH)) == MUCH
        writer.close()
        assert await peer._reader.read() == b""


@pytest.mark.parametrize("tls", [False, True])
async def test_who_is_not_read_is_held_up_until_hung_up_on(
    tls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits stays in the caller's own machine."""
    monkeypatch.setattr(keeping, "STUCK_S", 0.05)
    elsewhere = Elsewhere()
    async with asyncio.timeout(PATIENCE_S), relaying(elsewhere, tls=tls) as peer:
        sock = await elsewhere.led.get()
        taken = 0
        with pytest.raises(ConnectionError):
            while taken < 64 * len(MUCH):
                peer.write(MUCH)
                await peer._writer.drain()
                taken += len(MUCH)
        assert taken < 8 * len(MUCH)
        sock.close()


@pytest.mark.parametrize(
    ("caller", "led"),
    [
        (Caller("192.0.2.7"), False),
        (Caller("192.0.2.7", encrypted=True), True),
        (Caller("192.0.2.7", proxied=True), True),
        (Caller("127.0.0.1", here=True), True),
    ],
)
async def test_pages_are_in_clear_for_this_machine_and_proxies_only(
    tmp_path: Path, caller: Caller, led: bool
) -> None:
    keeping = Keeping(replace(AT_HOME, doors=("plain", "web")), tmp_path, NO_PASSWORD)
    assert isinstance(keeping.web(caller), OneAnswer) is not led
