"""Peers that are slow, silent, deaf or too many, and bugs of ours: each costs one peer."""

import asyncio
import socket
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from protocol.codec import encode_frame
from protocol.errors import GoodbyeCode
from protocol.framing import frame
from protocol.from_client import Hello, ListTables, Pong
from protocol.from_server import Ended, Goodbye, Listing, Ping, Welcome
from protocol.listing import Filter
from protocol.version import MAGIC
from server.config import Limits
from server.net import line, peers, session
from tests.stage.house import House, Peer, eventually, house, seated_pair

HELLO = Hello(magic=MAGIC, versions=[1], name="Eve")


@pytest.fixture
def fast_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "SWEEP_S", 0.01)


@pytest.mark.usefixtures("fast_sweep")
@pytest.mark.parametrize("said", [b"", encode_frame(HELLO)[:-1]])
async def test_who_does_not_say_hello_is_too_slow(said: bytes) -> None:
    async with house(limits=Limits(hello_s=0.05)) as at:
        peer = await at.dial()
        peer.write(said)
        assert (await peer.goodbye()).code == GoodbyeCode.TOO_SLOW


@pytest.mark.usefixtures("fast_sweep")
async def test_a_hello_that_trickles_is_too_slow_however_long_its_frame_may_take() -> None:
    async with house(limits=Limits(hello_s=0.05)) as at:
        peer = await at.dial()
        trickle = asyncio.create_task(_trickle(peer, encode_frame(HELLO)))
        assert (await peer.until(Goodbye)).code == GoodbyeCode.TOO_SLOW
        trickle.cancel()


@pytest.mark.usefixtures("fast_sweep")
async def test_one_who_is_given_time_may_be_slow() -> None:
    """A byte after the other, in many looks at all sessions."""
    async with house(limits=Limits(hello_s=60, frame_s=60)) as at:
        peer = await at.dial()
        await _trickle(peer, peer.worded(HELLO))
        await peer.until(Welcome)
        await _trickle(peer, peer.worded(ListTables(id=7)))
        await peer.answer(7)
        await peer.close()


@pytest.mark.usefixtures("fast_sweep")
async def test_a_frame_that_does_not_end_is_too_slow_however_it_trickles() -> None:
    async with house(limits=Limits(frame_s=0.1)) as at:
        peer = await at.peer("Eve")
        trickle = asyncio.create_task(_trickle(peer, frame(b"x" * 60_000)))
        assert (await peer.until(Goodbye)).code == GoodbyeCode.TOO_SLOW
        trickle.cancel()
        await peer.closed()


async def _trickle(peer: Peer, data: bytes) -> None:
    for byte in data:
        peer.write(bytes([byte]))
        await asyncio.sleep(0.01)


async def test_frames_that_always_end_are_not_too_slow() -> None:
    """Each chunk ends in the middle of the next frame, for longer than one frame may take."""
    limits = Limits(frame_s=1.0)
    async with house(limits=limits) as at:
        peer = await at.peer("Eve")
        (there,) = at.server.peers.admitted
        one = encode_frame(Pong(1))
        peer.write(one[:5])
        await eventually(lambda: there._connection.frame_started)
        now_s = there._frame_since_s or 0.0
        there._frame_since_s = now_s - limits.frame_s * 2
        peer.write(one[5:] + one[:5])
        await eventually(lambda: there._frame_since_s != now_s - limits.frame_s * 2)
        there.check(there.loop.time())
        assert there in at.server.peers.admitted
        await peer.close()


@pytest.mark.usefixtures("fast_sweep")
async def test_who_is_silent_is_asked_and_then_let_go() -> None:
    async with house(limits=Limits(ping_s=0.05, silence_s=0.3)) as at:
        peer = await at.peer("Eve")
        await peer.until(Ping)
        assert (await peer.goodbye()).code == GoodbyeCode.SILENT


@pytest.mark.usefixtures("fast_sweep")
async def test_who_answers_stays() -> None:
    limits = Limits(ping_s=0.02, silence_s=0.2)
    async with house(limits=limits) as at, await at.peer("Eve") as peer:
        for _ in range(15):
            ping = await peer.until(Ping)
            peer.send(Pong(ping.n))


@pytest.mark.usefixtures("fast_sweep")
async def test_who_is_silent_and_may_be_stays() -> None:
    limits = Limits(ping_s=0.02, silence_s=60)
    async with house(limits=limits) as at, await at.peer("Eve") as peer:
        for _ in range(5):
            await peer.until(Ping)
        await peer.answered()


async def test_one_too_many_is_told_that_it_is_full() -> None:
    async with house(limits=Limits(connections=2)) as at, await at.peer("Ann"):
        silent = await at.peer("Ben")
        third = await at.dial()
        third.say_hello("Cia")
        assert (await third.goodbye()).code == GoodbyeCode.FULL
        await silent.close()
        await eventually(lambda: len(at.server.peers.connected) == 1)
        async with await at.peer("Cia"):
            assert len(at.server.peers.admitted) == 2


async def _deaf(at: House) -> Peer:
    """Somebody who has stopped reading, behind small socket buffers."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    peer = await at.dial(sock=sock)
    peer.say_hello("Deaf")
    await eventually(lambda: any(one.name == "Deaf" for one in at.server.peers.admitted))
    for one in at.server.peers.connected:
        if one.name == "Deaf" and one._line.transport is not None:
            there = one._line.transport.get_extra_info("socket")
            there.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    peer.stop_reading()
    return peer


async def test_who_does_not_read_is_cut_when_the_outbox_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And what was asked meanwhile costs no more memory than that."""
    limits = Limits(outbox_bytes=64 * 1024, commands_s=1e6)
    async with house(limits=limits) as at, await at.peer("Ann") as ann:
        await ann.create(title="x" * 40)
        peer = await _deaf(at)
        (there,) = (one for one in at.server.peers.admitted if one.name == "Deaf")
        served = []
        page = at.server.lobby.list.page

        def counted(*how: Any) -> Any:
            served.append(1)
            return page(*how)

        monkeypatch.setattr(at.server.lobby.list, "page", counted)
        with capture_logs() as logs:
            # As one chunk, the worst that a socket can bring.
            there.data_received(encode_frame(ListTables(id=1)) * 20_000)
            await eventually(lambda: there not in at.server.peers.connected)
        answer_bytes = len(encode_frame(await ann.request(ListTables(id=0))))
        assert len(served) * answer_bytes < 8 * limits.outbox_bytes
        assert len(served) > 1
        assert "cut: does not read" in [log["event"] for log in logs]
        peer.abort()


async def test_who_asks_for_much_at_once_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A chunk full of requests is served in portions and in order, and others in between."""
    async with house() as at, await at.peer("Ann") as ann:
        eve = await at.peer("Eve")
        (there,) = (one for one in at.server.peers.admitted if one.name == "Eve")
        many = session.MESSAGES_A_TURN * 50
        served: list[int] = []
        page = at.server.lobby.list.page

        def counted(filter_: Filter, number: int) -> Any:
            served.append(number)
            return page(filter_, number)

        monkeypatch.setattr(at.server.lobby.list, "page", counted)
        there.data_received(
            b"".join(encode_frame(ListTables(id=n, page=n)) for n in range(1, many + 1))
        )
        assert len(served) <= session.MESSAGES_A_TURN
        await ann.request(ListTables(id=0, page=0))
        assert len(served) < many, "Ann was served last"
        for number in range(1, many + 1):
            assert (await eve.until(Listing)).id == number
        await eve.close()


async def test_last_words_that_nobody_reads_are_not_kept_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(line, "LAST_WORDS_S", 0.05)
    async with house() as at, await at.peer("Ann") as ann:
        await ann.create(title="x" * 40)
        peer = await _deaf(at)
        peer.write(encode_frame(ListTables(id=1)) * 200)
        (there,) = (one for one in at.server.peers.admitted if one.name == "Deaf")
        transport = there._line.transport
        assert transport is not None
        await eventually(lambda: transport.get_write_buffer_size() > 0)
        peer.write(frame(b"\x80"))
        await eventually(lambda: there not in at.server.peers.admitted)
        assert there in at.server.peers.connected
        await eventually(lambda: there not in at.server.peers.connected)
        peer.abort()


async def test_a_bug_in_a_handler_costs_that_peer_and_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with house() as at:
        ann, ben, _code = await seated_pair(at)
        eve = await at.peer("Eve")
        monkeypatch.setattr(at.server.lobby.list, "page", None)
        with capture_logs() as logs:
            eve.send(ListTables(id=1))
            await eve.closed()
        assert not any(isinstance(message, Goodbye) for message in eve.seen)
        assert [log["event"] for log in logs if log["log_level"] == "error"] == ["session failed"]
        monkeypatch.undo()
        for result in await asyncio.gather(ann.play(Random(3)), ben.play(Random(4))):
            assert isinstance(result, Ended)
        for one in (ann, ben):
            await one.close()
