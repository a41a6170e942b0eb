"""What comes too fast waits and is lost in no case; what a match waits for does not wait."""

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import msgspec
import pytest

from protocol.codec import encode_frame
from protocol.connection import Connection
from protocol.errors import GoodbyeCode
from protocol.from_client import Act, Hello, ListTables, Pong as PongBack, Say
from protocol.from_server import Done, Ended, Goodbye, Listing, Ping, Refused, Update
from protocol.refusal import RefusalCode
from protocol.state import Side
from protocol.version import MAGIC, PROTOCOL_VERSIONS
from server.config import Config, Limits
from server.net.caller import Caller
from server.net.pace import Pace
from server.net.session import Session
from server.server import Server
from server.store.memory import MemoryJournal
from tests.stage import jumping_clock
from tests.stage.house import LENIENT, Peer, eventually, house, seated_pair, some_act

BURST, RATE_S = 40, 20.0


class Line(asyncio.Transport):
    """A transport whose peer reads everything at once."""

    def __init__(self) -> None:
        super().__init__()
        self.reading = True
        self.closed = False
        self._peer = Connection(Side.CLIENT)
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


Scene = Callable[[Session, Line, Server], Coroutine[Any, Any, None]]


def play(scene: Scene, limits: Limits | None = None) -> None:
    """One session that has been welcomed, on a clock that jumps."""

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            config = Config(limits=limits or Limits())
            server = Server(config, MemoryJournal(), group)
            session, line = server.session(Caller("192.0.2.1")), Line()
            session.connection_made(line)
            session.data_received(line.hello)
            await asyncio.sleep(0)  # what the scene asks for has a turn's whole share
            await scene(session, line, server)
            session.close()
            server.brains.close()

    jumping_clock.run(main())


def lists(first: int, last: int) -> bytes:
    return b"".join(encode_frame(ListTables(id=number)) for number in range(first, last + 1))


def test_what_comes_too_fast_is_served_in_order_at_the_pace() -> None:
    async def scene(session: Session, line: Line, server: Server) -> None:
        began_s = session.loop.time()
        session.data_received(lists(1, 200))
        for _ in range(420):
            await asyncio.sleep(0.02)
            passed_s = session.loop.time() - began_s
            assert len(line.answers()) <= BURST + RATE_S * passed_s
            assert line.reading == (len(line.answers()) == 200)
        assert line.answers() == list(range(1, 201))

    play(scene)


def test_a_pace_that_is_switched_off_holds_nothing() -> None:
    async def scene(session: Session, line: Line, server: Server) -> None:
        session.data_received(lists(1, 200))
        for _ in range(200):
            await asyncio.sleep(0)
        assert line.answers() == list(range(1, 201))

    play(scene, Limits(commands_s=1e9, commands_burst=10**6))


def test_who_keeps_to_the_rate_is_never_held() -> None:
    async def scene(session: Session, line: Line, server: Server) -> None:
        for number in range(1, 500):
            session.data_received(lists(number, number))
            await asyncio.sleep(0)
            assert line.reading
            assert line.answers()[-1] == number
            await asyncio.sleep(1 / RATE_S)

    play(scene)


SWEEP_S = 1.0


async def swept(session: Session, seconds: int) -> None:
    for _ in range(seconds):
        await asyncio.sleep(SWEEP_S)
        session.check(session.loop.time())


def test_who_is_held_is_not_taken_for_silent_nor_its_frame_for_slow() -> None:
    """Its pong lies behind what it has asked for; half a frame lies behind that."""

    async def scene(session: Session, line: Line, server: Server) -> None:
        half = encode_frame(ListTables(id=9))
        session.data_received(lists(1, 1000) + encode_frame(PongBack(1)) + half[:5])
        await swept(session, 47)
        assert not line.reading
        await swept(session, 3)
        assert line.reading
        assert line.answers() == list(range(1, 1001))
        assert not line.goodbyes()
        assert not [message for message in line.heard if isinstance(message, Ping)]
        # From now on it is the peer's frame again that does not end.
        await swept(session, 12)
        assert line.goodbyes() == [GoodbyeCode.TOO_SLOW]

    play(scene)


def test_who_was_held_and_then_says_nothing_is_silent() -> None:
    async def scene(session: Session, line: Line, server: Server) -> None:
        session.data_received(lists(1, 500))
        await swept(session, 24)
        assert line.reading
        await swept(session, 30)
        assert [message for message in line.heard if isinstance(message, Ping)]
        assert not line.goodbyes()
        await swept(session, 40)
        assert line.goodbyes() == [GoodbyeCode.SILENT]

    play(scene)


def test_nobody_is_held_for_ever() -> None:
    async def scene(session: Session, line: Line, server: Server) -> None:
        session.data_received(lists(1, 5000))
        await swept(session, 60)
        assert not line.goodbyes()
        await swept(session, 2)
        assert line.goodbyes() == [GoodbyeCode.FLOOD]
        assert line.closed
        served = len(line.answers())
        await asyncio.sleep(100)
        assert len(line.answers()) == served

    play(scene)


def test_a_line_that_is_lost_while_it_is_held_leaves_nothing() -> None:
    async def scene(session: Session, line: Line, server: Server) -> None:
        session.data_received(lists(1, 300))
        await asyncio.sleep(1)
        session.connection_lost(None)
        served = len(line.answers())
        assert not server.peers.admitted
        assert len(server.peers.addresses) == 0
        await asyncio.sleep(100)
        assert len(line.answers()) == served

    play(scene)


# In a match -------------------------------------------------------------------------------------

FEW = msgspec.structs.replace(LENIENT, commands_s=0.001, commands_burst=6)
"""Enough to sit down, and no more for a quarter of an hour."""


async def test_a_whole_match_takes_no_token() -> None:
    async with house(limits=FEW) as at:
        ann, ben, _code = await seated_pair(at)
        for result in await asyncio.gather(ann.play(Random(3)), ben.play(Random(4))):
            assert isinstance(result, Ended)
        for peer in (ann, ben):
            await peer.close()


async def test_a_match_whose_actions_cost_tokens_would_be_held_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Pace, "passes", lambda *_: False)
    async with house(limits=FEW) as at:
        ann, ben, _code = await seated_pair(at)
        playing = [asyncio.create_task(peer.play(Random(3))) for peer in (ann, ben)]
        await eventually(
            lambda: any(one._pace.wait_s is not None for one in at.server.peers.admitted)
        )
        for task in playing:
            task.cancel()
        for peer in (ann, ben):
            peer.abort()


async def test_one_action_of_a_version_is_free_and_no_more() -> None:
    """The refused ones of a flood are paid for, until nothing is left."""
    async with house(limits=FEW) as at:
        ann, ben, _code = await seated_pair(at)
        first = await ann.until(Update)
        mine = ann if first.view["turn"] == first.view["seat"] else ben
        there = next(one for one in at.server.peers.admitted if one.name == mine.name)
        left = int(there._pace._bucket._tokens)
        nonsense = Act(id=0, version=0, key=b"k", action=["draw", 0])
        for number in range(10):
            mine.send(msgspec.structs.replace(nonsense, id=100 + number))
        for number in range(left + 1):
            answer = await mine.answer(100 + number)
            assert isinstance(answer, Refused)
            assert answer.code != RefusalCode.BUSY
        await eventually(lambda: there._pace.wait_s is not None)
        for peer in (ann, ben):
            peer.abort()


async def test_the_same_seat_is_served_free_on_every_new_version() -> None:
    async with house(limits=FEW) as at:
        ann, ben, _code = await seated_pair(at)
        tokens = {one.name: one._pace._bucket._tokens for one in at.server.peers.admitted}
        rng = Random(5)
        for _ in range(20):
            await one_action(ann, ben, rng)
        for one in at.server.peers.admitted:
            assert one._pace._bucket._tokens <= tokens[one.name] + 0.1
            assert one._pace.wait_s is None
        for peer in (ann, ben):
            await peer.close()


async def one_action(ann: Peer, ben: Peer, rng: Random) -> None:
    for peer in (ann, ben):
        update = await peer.until(Update)
        if update.view["turn"] == update.view["seat"]:
            assert isinstance(await peer.done(some_act(update, rng)), Done)


def longs(count: int) -> bytes:
    """Messages of 4 kB each, in which nothing is wrong."""
    return encode_frame(Say(id=1, text="x" * 4096)) * count


@pytest.mark.parametrize(("bytes_s", "seconds"), [(4096.0, 7), (1e9, 0)])
def test_long_messages_wait_for_their_bytes_and_short_ones_only_behind_them(
    bytes_s: float, seconds: int
) -> None:
    """Not even unpacked: they keep no more memory than their bytes."""

    async def scene(session: Session, line: Line, server: Server) -> None:
        session.data_received(longs(10) + lists(1, 1))
        began_s = session.loop.time()
        while not line.answers():  # noqa: ASYNC110  (the clock jumps)
            await asyncio.sleep(0.1)
        passed_s = session.loop.time() - began_s
        assert abs(passed_s - seconds) < 1
        session.data_received(lists(2, 7))
        await asyncio.sleep(0)
        assert line.answers() == list(range(1, 8))

    play(scene, Limits(bytes_s=bytes_s, bytes_burst=10_000))
