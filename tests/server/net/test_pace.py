"""What comes too fast waits and is lost in no case; what a match waits for does not wait; and
however much one peer asks for at once, the others are served in between."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any, NamedTuple
from unittest.mock import Mock

import msgspec
import pytest

from protocol.codec import encode_frame
from protocol.connection import Connection
from protocol.errors import GoodbyeCode, RefusalCode
from protocol.from_client import Act, Hello, ListTables, Pong as PongBack, Say
from protocol.from_server import Ended, Goodbye, Listing, Refused, ServerPing, Update
from protocol.ids import MAGIC, PROTOCOL_VERSIONS
from server.config import Config, Limits
from server.net import peers as peers_module
from server.net.callers import Caller
from server.net.peers import Peers
from server.net.session import Session
from server.server import Server
from tests.stage.house import LENIENT, eventually, house, seated_pair
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.memory_journal import MemoryJournal

BURST, RATE_S = 40, 20.0


class SlowTransport(asyncio.Transport):
    """A transport whose peer reads everything at once."""

    def __init__(self) -> None:
        super().__init__()
        self.reading = True
        self.closed = False
        self._peer = Connection()
        self.hello = self._peer.send(
            Hello(magic=MAGIC, versions=list(PROTOCOL_VERSIONS), name="Eve")
        )
        self.heard: list[msgspec.Struct] = []

    def write(self, data: Any) -> None:
        self._peer.receive_bytes(bytes(data))
        while (message := self._peer.next_message()) is not None:
            self.heard.append(message)

    def answers(self) -> list[int]:
        return [message.id for message in self.heard if isinstance(message, Listing)]

    def goodbyes(self) -> list[str]:
        return [message.code for message in self.heard if isinstance(message, Goodbye)]

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0


class LonePeer(NamedTuple):
    """The only session of a server, and the line to its peer."""

    session: Session
    line: SlowTransport
    server: Server


@asynccontextmanager
async def one_session(
    limits: Limits | None = None, *, welcomed: bool = True
) -> AsyncIterator[LonePeer]:
    """For the clock that jumps. `welcomed`: the peer has said hello."""
    async with asyncio.TaskGroup() as group:
        server = Server(Config(limits=limits or Limits()), MemoryJournal(), group)
        session, line = server.session(Caller("192.0.2.1")), SlowTransport()
        session.connection_made(line)
        if welcomed:
            session.data_received(line.hello)
        await asyncio.sleep(0)  # what is asked for has a turn's whole share
        yield LonePeer(session, line, server)
        session.close()
        server.brains.close()


def lists(first: int, last: int) -> bytes:
    return b"".join(encode_frame(ListTables(id=number)) for number in range(first, last + 1))


@on_jumping_clock
async def test_what_comes_too_fast_is_served_in_order_at_the_pace() -> None:
    async with one_session() as on:
        began_s = on.session.loop.time()
        on.session.data_received(lists(1, 200))
        for _ in range(420):
            await asyncio.sleep(0.02)
            passed_s = on.session.loop.time() - began_s
            assert len(on.line.answers()) <= BURST + RATE_S * passed_s
            assert on.line.reading == (len(on.line.answers()) == 200)
        assert on.line.answers() == list(range(1, 201))


SWEEP_S = 1.0


async def swept(session: Session, seconds: int) -> None:
    for _ in range(seconds):
        await asyncio.sleep(SWEEP_S)
        session.check(session.loop.time())


@on_jumping_clock
async def test_who_is_held_is_not_taken_for_silent_nor_its_frame_for_slow() -> None:
    """Its pong lies behind what it has asked for; half a frame lies behind that."""
    async with one_session() as on:
        half = encode_frame(ListTables(id=9))
        on.session.data_received(lists(1, 1000) + encode_frame(PongBack(1)) + half[:5])
        await swept(on.session, 47)
        assert not on.line.reading
        await swept(on.session, 3)
        assert on.line.reading
        assert on.line.answers() == list(range(1, 1001))
        assert not on.line.goodbyes()
        assert not [message for message in on.line.heard if isinstance(message, ServerPing)]
        # From now on it is the peer's frame again that does not end.
        await swept(on.session, 12)
        assert on.line.goodbyes() == [GoodbyeCode.TOO_SLOW]


@on_jumping_clock
async def test_who_was_held_and_then_says_nothing_is_silent() -> None:
    async with one_session() as on:
        on.session.data_received(lists(1, 500))
        await swept(on.session, 24)
        assert on.line.reading
        await swept(on.session, 30)
        assert [message for message in on.line.heard if isinstance(message, ServerPing)]
        assert not on.line.goodbyes()
        await swept(on.session, 40)
        assert on.line.goodbyes() == [GoodbyeCode.SILENT]


@on_jumping_clock
async def test_nobody_is_held_for_ever() -> None:
    async with one_session() as on:
        on.session.data_received(lists(1, 5000))
        await swept(on.session, 60)
        assert not on.line.goodbyes()
        await swept(on.session, 2)
        assert on.line.goodbyes() == [GoodbyeCode.FLOOD]
        assert on.line.closed
        served = len(on.line.answers())
        await asyncio.sleep(100)
        assert len(on.line.answers()) == served


@on_jumping_clock
async def test_a_line_that_is_lost_while_it_is_held_leaves_nothing() -> None:
    async with one_session() as on:
        on.session.data_received(lists(1, 300))
        await asyncio.sleep(1)
        on.session.connection_lost(None)
        served = len(on.line.answers())
        assert not on.server.peers.admitted
        assert len(on.server.peers.addresses) == 0
        await asyncio.sleep(100)
        assert len(on.line.answers()) == served


# In a match -------------------------------------------------------------------------------------

FEW = msgspec.structs.replace(LENIENT, commands_s=0.001, commands_burst=6)
"""Enough to sit down, and no more for a quarter of an hour."""


async def test_a_whole_match_takes_no_token() -> None:
    async with house(limits=FEW) as at:
        ann, ben, _code = await seated_pair(at)
        for result in await asyncio.gather(ann.play(Random(3)), ben.play(Random(4))):
            assert isinstance(result, Ended)


async def test_one_action_after_an_update_is_free_and_no_more() -> None:
    """The refused ones of a flood are paid for, until nothing is left."""
    async with house(limits=FEW) as at:
        ann, ben, _code = await seated_pair(at)
        first = await ann.until(Update)
        mine = ann if first.view["turn"] == first.view["seat"] else ben
        there = at.session(mine.name)
        left = int(there.allowance._tokens)
        nonsense = Act(id=0, version=0, key=b"k", action=["draw", 0])
        for number in range(10):
            mine.send(msgspec.structs.replace(nonsense, id=100 + number))
        for number in range(left + 1):
            answer = await mine.answer(100 + number)
            assert isinstance(answer, Refused)
            assert answer.code != RefusalCode.BUSY
        await eventually(lambda: there._postponed is not None)


@on_jumping_clock
async def test_long_messages_wait_for_their_bytes_and_short_ones_only_behind_them() -> None:
    """Not even unpacked: they keep no more memory than their bytes."""
    async with one_session(Limits(bytes_s=4096.0, bytes_burst=10_000)) as on:
        long = encode_frame(Say(id=1, text="x" * 4096))
        on.session.data_received(long * 10 + lists(1, 1))
        began_s = on.session.loop.time()
        while not on.line.answers():  # noqa: ASYNC110  (the clock jumps)
            await asyncio.sleep(0.1)
        passed_s = on.session.loop.time() - began_s
        assert abs(passed_s - 7) < 1
        on.session.data_received(lists(2, 7))
        await asyncio.sleep(0)
        assert on.line.answers() == list(range(1, 8))


# The look at all of them -------------------------------------------------------------------------


async def test_thousands_who_are_let_go_keep_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only so many are looked at between two turns of everybody else."""
    monkeypatch.setattr(peers_module, "SWEEP_S", 0.001)
    turn, seen = 0, list[int]()
    peers = Peers(Limits())
    for _ in range(200):
        session = Mock()
        session.check = lambda now_s: seen.append(turn)
        peers.admitted.add(session)
    sweeping = asyncio.create_task(peers.sweep())
    while len(seen) < 200:
        turn += 1
        await asyncio.sleep(0)
    sweeping.cancel()
    assert max(Counter(seen).values()) == peers_module.SWEPT_A_TURN
