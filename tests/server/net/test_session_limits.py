"""Peers that are slow, silent, deaf or too many, and bugs of ours: each costs one peer."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import pytest
from structlog.testing import capture_logs

from protocol.codec import encode_frame, frame
from protocol.errors import GoodbyeCode
from protocol.from_client import ListTables, Pong, Request
from protocol.from_server import Listing, ServerPing
from protocol.table import Filter
from server.config import Limits
from server.net import session
from server.net.session import Session
from server.tasks import Timer
from tests.server.net.test_lines import pings_of
from tests.server.net.test_pace import SlowTransport, one_session, swept
from tests.stage.house import House, Peer, eventually, house
from tests.stage.jumping_clock import on_jumping_clock

# On a clock that jumps ---------------------------------------------------------------------------


async def trickles(session: Session, line: SlowTransport, data: bytes) -> None:
    """A byte a second, for as long as the line stands."""
    for byte in data:
        if line.closed:
            return
        session.data_received(bytes([byte]))
        await swept(session, 1)


@pytest.mark.parametrize("limit", ["hello_s", "frame_s", ""])
@on_jumping_clock
async def test_what_takes_too_long_is_too_slow_however_it_trickles(limit: str) -> None:
    """A hello or a frame; and who is given time for both may be slow."""
    given: dict[str, Any] = {name: 1e6 for name in ("hello_s", "frame_s") if name != limit}
    async with one_session(Limits(**given), welcomed=False) as on:
        await trickles(on.session, on.line, on.line.hello + frame(b"x" * 600))
        assert on.line.goodbyes() == [GoodbyeCode.TOO_SLOW if limit else GoodbyeCode.MALFORMED]


@on_jumping_clock
async def test_frames_that_always_end_are_not_too_slow() -> None:
    """Each chunk ends in the middle of the next frame, for longer than one frame may take."""
    async with one_session() as on:
        one = encode_frame(Pong(1))
        on.session.data_received(one[:5])
        for _ in range(60):
            await swept(on.session, 1)
            on.session.data_received(one[5:] + one[:5])
        assert not on.line.goodbyes()


@on_jumping_clock
async def test_who_answers_stays_and_so_does_one_who_may_be_silent() -> None:
    async with one_session() as on:
        for number in range(1, 11):
            while len(pings_of(on.line)) < number:
                await swept(on.session, 1)
            on.session.data_received(encode_frame(Pong(number)))
        assert not on.line.goodbyes()
    async with one_session(Limits(silence_s=1e6)) as on:
        await swept(on.session, 600)
        assert len(pings_of(on.line)) > 10 and not on.line.goodbyes()


# Over a socket -----------------------------------------------------------------------------------


async def test_who_is_silent_is_asked_and_then_let_go() -> None:
    async with house() as at:
        peer = await at.peer("Eve")
        (there,) = at.server.peers.admitted
        limits, now_s = at.server.config.limits, there.loop.time()
        there.check(now_s + limits.ping_s + 1)
        await peer.until(ServerPing)
        there.check(now_s + limits.silence_s + 1)
        assert (await peer.goodbye()).code == GoodbyeCode.SILENT


async def test_one_too_many_is_told_that_it_is_full() -> None:
    async with house(limits=Limits(connections=2)) as at, await at.peer("Ann"):
        silent = await at.peer("Ben")
        assert (await at.turned_away("Cia")).code == GoodbyeCode.FULL
        await silent.close()
        await eventually(lambda: len(at.server.peers.connected) == 1)
        async with await at.peer("Cia"):
            assert len(at.server.peers.admitted) == 2


async def deaf(at: House, *wishes: Request) -> tuple[Peer, Session]:
    """Somebody who has stopped reading once these wishes were done, behind next to no buffers; and
    the server's end."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    peer = await at.dial(sock=sock)
    await peer.come("Deaf")
    for wish in wishes:
        await peer.done(wish)
    there = at.session("Deaf")
    assert there.transport is not None
    system = there.transport.get_extra_info("socket")
    system.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2048)
    peer.stop_reading()
    return peer, there


async def test_who_does_not_read_is_cut_when_the_outbox_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And what was asked meanwhile costs no more memory than that."""
    limits = Limits(outbox_bytes=64 * 1024, commands_s=1e6)
    async with house(limits=limits) as at, await at.peer("Ann") as ann:
        await ann.create(title="x" * 40)
        peer, there = await deaf(at)
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
        there = at.session("Eve")
        many = session.MESSAGES_A_TURN * 50
        served: list[int] = []
        page = at.server.lobby.list.page

        def counted(filter_: Filter, number: int) -> Any:
            served.append(number)
            return page(filter_, number)

        monkeypatch.setattr(at.server.lobby.list, "page", counted)
        ann.send(ListTables(id=900, page=0))  # is there when Eve's come
        there.data_received(
            b"".join(encode_frame(ListTables(id=n, page=n)) for n in range(1, many + 1))
        )
        assert len(served) <= session.MESSAGES_A_TURN
        await ann.answer(900)
        assert served.index(0) < many / 2, "Ann waited for Eve's"
        for number in range(1, many + 1):
            assert (await eve.until(Listing)).id == number
        await eve.close()


async def test_last_words_that_nobody_reads_are_not_kept_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They may be read for so long, and no longer."""
    began_s = list[float]()

    class Noted(Timer):
        def start(self, delay_s: float, over: Callable[[], None]) -> None:
            began_s.append(asyncio.get_running_loop().time())
            super().start(delay_s, over)

    monkeypatch.setattr(session, "LAST_WORDS_S", 0.05)
    monkeypatch.setattr(session, "Timer", Noted)
    async with house() as at, await at.peer("Ann") as ann:
        await ann.create(title="x" * 40)
        peer, there = await deaf(at)
        peer.write(encode_frame(ListTables(id=1)) * 200)
        transport = there.transport
        assert transport is not None
        await eventually(lambda: transport.get_write_buffer_size() > 0)
        peer.write(frame(b"\x80"))
        await eventually(lambda: there not in at.server.peers.connected)
        assert asyncio.get_running_loop().time() - began_s[0] >= 0.05
        peer.abort()
