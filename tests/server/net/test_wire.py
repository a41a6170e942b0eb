"""A session allows what its states allow, says what is wrong, and takes frames of the length that
PROTOCOL.md names. `tests/protocol/test_connection.py` holds the client's end to the same."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from protocol.codec import MAX_FRAME_BYTES, MAX_HELLO_BYTES, FrameDecoder, encode_frame, from_server
from protocol.connection import TRANSITIONS, Side, State
from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from server.net.session import Session
from tests.server.net.test_pace import SlowTransport, one_session
from tests.stage import samples
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
