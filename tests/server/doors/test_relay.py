"""Callers who are led to another process: all they say arrives, and little waits in between."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.admission.gate import NO_WORD
from server.config import Limits
from server.doors.answers import OneAnswer
from server.doors.certificate import for_server
from server.doors.door import speaking
from server.doors.handshakes import Handshakes
from server.doors.relay import Relay
from server.doors.tls import inside_tls
from server.guests.keeping import Keeping
from server.net.caller import Caller
from tests.stage.house import AT_HOME, Peer, dial, new_folder_with_key

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

    def speak(_caller: Caller) -> asyncio.Protocol:
        return Relay(elsewhere.led.put_nowait)

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
    async with asyncio.timeout(30), relaying(elsewhere, tls=tls) as peer:
        peer.write(MUCH)
        reader, writer = await elsewhere.caller()
        assert await reader.readexactly(4 + len(MUCH)) == b"GET " + MUCH
        writer.write(MUCH)
        assert await peer._reader.readexactly(len(MUCH)) == MUCH
        writer.close()
        assert await peer._reader.read() == b""


@pytest.mark.parametrize("tls", [False, True])
async def test_who_is_not_read_is_held_up(tls: bool) -> None:
    """What waits stays in the caller's own machine."""
    elsewhere = Elsewhere()
    async with asyncio.timeout(30), relaying(elsewhere, tls=tls) as peer:
        sock = await elsewhere.led.get()
        sent = 0
        with pytest.raises(TimeoutError):
            while sent < 64 * len(MUCH):
                peer.write(MUCH)
                async with asyncio.timeout(0.5):
                    await peer._writer.drain()
                sent += len(MUCH)
        assert sent < 8 * len(MUCH)
        sock.close()


async def test_a_caller_who_hangs_up_is_gone_there_too() -> None:
    elsewhere = Elsewhere()
    async with asyncio.timeout(30), relaying(elsewhere, tls=False) as peer:
        reader, writer = await elsewhere.caller()
        await peer.close()
        assert await reader.read() == b"GET "
        writer.close()


@pytest.mark.parametrize(
    ("caller", "led"),
    [
        (Caller("192.0.2.7"), False),
        (Caller("192.0.2.7", encrypted=True), True),
        (Caller("192.0.2.7", proxied=True), True),
        (Caller("127.0.0.1", here=True), True),
    ],
)
def test_pages_are_in_clear_for_this_machine_and_proxies_only(
    tmp_path: Path, caller: Caller, led: bool
) -> None:
    keeping = Keeping(replace(AT_HOME, doors=("plain", "web")), tmp_path, NO_WORD)
    assert isinstance(keeping.web(caller), Relay if led else OneAnswer)
