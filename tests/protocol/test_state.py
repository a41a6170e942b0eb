"""The table of PROTOCOL.md, written out here once more and driven through both ends."""

from collections.abc import Iterator

import pytest
from msgspec import Struct

from protocol import from_client as client, from_server as server
from protocol.codec import encode_frame
from protocol.connection import Connection
from protocol.errors import GoodbyeCode, LocalProtocolError, RemoteProtocolError
from protocol.state import TRANSITIONS, Side, State
from tests.stage import samples

SAMPLES = {Side.CLIENT: samples.FROM_CLIENT, Side.SERVER: samples.FROM_SERVER}
WAY_THERE: dict[State, tuple[tuple[Side, Struct], ...]] = {
    State.OPENING: (),
    State.GREETED: ((Side.CLIENT, samples.FROM_CLIENT[0]),),
    State.OPEN: ((Side.CLIENT, samples.FROM_CLIENT[0]), (Side.SERVER, samples.FROM_SERVER[0])),
    State.CLOSED: ((Side.CLIENT, client.Bye()),),
}
SPECIAL = {
    (Side.CLIENT, State.OPENING, client.Hello): State.GREETED,
    (Side.CLIENT, State.OPENING, client.Bye): State.CLOSED,
    (Side.CLIENT, State.GREETED, client.Bye): State.CLOSED,
    (Side.CLIENT, State.OPEN, client.Bye): State.CLOSED,
    (Side.CLIENT, State.OPEN, client.Hello): None,
    (Side.SERVER, State.OPENING, server.Goodbye): State.CLOSED,
    (Side.SERVER, State.GREETED, server.Welcome): State.OPEN,
    (Side.SERVER, State.GREETED, server.Goodbye): State.CLOSED,
    (Side.SERVER, State.OPEN, server.Goodbye): State.CLOSED,
    (Side.SERVER, State.OPEN, server.Welcome): None,
}


def expected(side: Side, state: State, kind: type[Struct]) -> State | None:
    """The state after, or None where the message is not allowed."""
    otherwise = State.OPEN if state is State.OPEN else None
    return SPECIAL.get((side, state, kind), otherwise)


def triples() -> Iterator[tuple[Side, State, Struct]]:
    for side in Side:
        for state in State:
            for message in SAMPLES[side]:
                yield side, state, message


TRIPLES = list(triples())
NAMES = [f"{side.value}-{state.value}-{type(m).__name__}" for side, state, m in TRIPLES]


def both_in(state: State) -> dict[Side, Connection]:
    ends = {side: Connection(side) for side in Side}
    for speaker, message in WAY_THERE[state]:
        pass_on(ends, speaker, message)
    assert {end.state for end in ends.values()} == {state}
    return ends


def other(side: Side) -> Side:
    return Side.SERVER if side is Side.CLIENT else Side.CLIENT


def pass_on(ends: dict[Side, Connection], speaker: Side, message: Struct) -> Struct | None:
    listener = ends[other(speaker)]
    listener.receive_bytes(ends[speaker].send(message))
    return listener.next_message()


@pytest.mark.parametrize(("side", "state", "message"), TRIPLES, ids=NAMES)
def test_every_message_in_every_state(side: Side, state: State, message: Struct) -> None:
    ends = both_in(state)
    after = expected(side, state, type(message))
    assert TRANSITIONS[side][state].get(type(message)) is after
    if after is not None:
        received = pass_on(ends, side, message)
        assert type(received) is type(message)
        assert {end.state for end in ends.values()} == {after}
        return
    with pytest.raises(LocalProtocolError):
        ends[side].send(message)
    listener = ends[other(side)]
    listener.receive_bytes(encode_frame(message))
    if state is State.CLOSED:
        assert listener.next_message() is None
    else:
        with pytest.raises(RemoteProtocolError) as caught:
            listener.next_message()
        opening = state is State.OPENING
        assert caught.value.code is (GoodbyeCode.NOT_HELLO if opening else GoodbyeCode.NOT_ALLOWED)
    assert {end.state for end in ends.values()} == {state}


def test_no_state_and_no_side_is_missing_from_the_table() -> None:
    assert set(TRANSITIONS) == set(Side)
    for moves in TRANSITIONS.values():
        assert set(moves) == set(State)


@pytest.mark.parametrize("side", Side)
def test_nobody_says_what_only_the_other_side_says(side: Side) -> None:
    ends = both_in(State.OPEN)
    for message in SAMPLES[other(side)]:
        with pytest.raises(LocalProtocolError):
            ends[side].send(message)
