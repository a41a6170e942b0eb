"""Clients of guests come in through the Unix socket as those whom the door has named."""

import asyncio
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from protocol.errors import GoodbyeCode
from protocol.from_server import Welcome
from protocol.guests import SOCKET_NAME, introduction
from server.config import Limits
from server.guests import inside as inside_module
from server.guests.inside import inside
from server.store.bans import Ban
from tests.stage.house import House, Peer, eventually, house

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
