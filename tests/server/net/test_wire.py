"""A session allows what its states allow, says what is wrong, and takes frames of the length that
PROTOCOL.md names. `tests/protocol/test_connection.py` holds the client's end to the same."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import msgspec
import pytest

from protocol.codec import MAX_FRAME_BYTES, MAX_HELLO_BYTES, FrameDecoder, encode_frame, from_server
from protocol.connection import TRANSITIONS, Side, State
from protocol.errors import GoodbyeCode
from protocol.from_client import Act, ListTables, Pong, Ready, Say
from protocol.from_server import Goodbye
from server.net.session import Session
from tests.server.net.test_pace import SlowTransport, one_session
from tests.stage import jumping_clock, samples
from tests.stage.jumping_clock import on_jumping_clock

WRONG = {GoodbyeCode.NOT_HELLO, GoodbyeCode.NOT_ALLOWED}


class Paper(SlowTransport):
    """What is said to the peer, as it was written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""

    def write(self, data: Any) -> None:
        self.written += data

    def codes(self) -> list[str]:
        """Of goodbyes."""
        frames, found = FrameDecoder(MAX_FRAME_BYTES), list[str]()
        frames.feed(self.written)
        while (payload := frames.next_frame()) is not None:
            if isinstance(message := from_server(payload), Goodbye):
                found.append(message.code)
        return found


@asynccontextmanager
async def one_in(state: State) -> AsyncIterator[tuple[Session, Paper]]:
    """A session in this state, however it got there."""
    async with one_session(welcomed=False) as on:
        on.session.transport = paper = Paper()
        on.session._move_to(state)
        yield on.session, paper


@pytest.mark.parametrize("state", State)
@on_jumping_clock
async def test_a_server_hears_what_its_state_allows(state: State) -> None:
    for message in samples.FROM_CLIENT:
        async with one_in(state) as (session, paper):
            session.data_received(encode_frame(message))
            await asyncio.sleep(0)
            told = {*paper.codes()} & WRONG
            if state is State.CLOSED or type(message) in TRANSITIONS[Side.CLIENT][state]:
                assert not told, message
            else:
                opening = state is State.OPENING
                assert told == {GoodbyeCode["NOT_HELLO" if opening else "NOT_ALLOWED"]}, message


@pytest.mark.parametrize("state", State)
@on_jumping_clock
async def test_a_server_says_what_its_state_allows(state: State) -> None:
    for message in (*samples.FROM_SERVER, *samples.FROM_CLIENT):
        async with one_in(state) as (session, paper):
            after = TRANSITIONS[Side.SERVER][state].get(type(message))
            session.send(message)
            session.write()
            assert paper.written == (b"" if after is None else encode_frame(message))
            assert session._state is (after or state)


@pytest.mark.parametrize("state", [State.OPENING, State.GREETED, State.OPEN])
@on_jumping_clock
async def test_the_limit_is_one_kilobyte_until_the_welcome_and_sixty_four_after(
    state: State,
) -> None:
    most = MAX_FRAME_BYTES if state is State.OPEN else MAX_HELLO_BYTES
    for announced, codes in ((most, []), (most + 1, [GoodbyeCode.FRAME_TOO_LONG])):
        async with one_in(state) as (session, paper):
            session.data_received(announced.to_bytes(4, "big"))
            await asyncio.sleep(0)
            assert paper.codes() == codes


# However bytes are cut on their way in ------------------------------------------------------------

MESSAGES = 80
"""More than may be asked for at once."""


class Clocked(SlowTransport):
    """`told`: what is said to the peer, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[float, bytes]] = []

    def write(self, data: Any) -> None:
        self.told.append((asyncio.get_running_loop().time(), bytes(data)))


def asked(rng: Random) -> bytes:
    """So many messages, and a last one that breaks the wire."""
    kinds = (
        lambda number: ListTables(id=number),
        lambda number: Ready(id=number),
        lambda number: Say(id=number, text="ж" * rng.randrange(1, 700)),
        lambda number: Act(id=number, version=0, key=rng.randbytes(8), action=("draw", 0)),
        lambda number: Pong(n=number),
    )
    wishes: list[msgspec.Struct] = [rng.choice(kinds)(number) for number in range(MESSAGES)]
    return b"".join(map(encode_frame, wishes)) + b"\0\0\0\1\xc1"


async def told(data: bytes, cuts: list[int]) -> list[tuple[float, bytes]]:
    """Cut there, in one turn of the loop."""
    async with one_session() as on:
        on.session.transport = line = Clocked()
        began_s = on.session.loop.time()
        for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
            on.session.data_received(data[start:end])
        await asyncio.sleep(60)
        at: dict[float, bytes] = {}
        for time_s, said in line.told:
            when = round(time_s - began_s, 6)
            at[when] = at.get(when, b"") + said
        return [*at.items()]


@pytest.mark.parametrize("seed", range(6))
def test_how_bytes_are_cut_makes_no_difference(seed: int) -> None:
    rng = Random(seed)
    data = asked(rng)
    whole = jumping_clock.run(told(data, []))
    assert len(whole) > 20, "most of it had to wait"
    assert b"goodbye" in whole[-1][1]
    for pieces in (1, 9, 300):
        cuts = sorted(rng.randrange(len(data)) for _ in range(pieces))
        assert jumping_clock.run(told(data, cuts)) == whole
