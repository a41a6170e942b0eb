"""Bytes become frames, a connection allows what its states allow, and says what is wrong."""

import pytest
from hypothesis import given, strategies as st
from msgspec import Struct

from protocol import from_client as client, from_server as server
from protocol.codec import encode_frame
from protocol.connection import Connection
from protocol.errors import GoodbyeCode, LocalProtocolError, RemoteProtocolError
from protocol.framing import MAX_FRAME_BYTES, MAX_HELLO_BYTES, FrameDecoder, frame
from protocol.state import TRANSITIONS, Side, State
from tests.stage import samples
from tests.stage.line import Line
from tests.stage.samples import golden_frames

# Frames -------------------------------------------------------------------------------------------

payloads = st.lists(st.binary(max_size=40), max_size=8)


def drained(decoder: FrameDecoder) -> list[bytes]:
    found = []
    while (payload := decoder.next_frame()) is not None:
        found.append(payload)
    return found


def test_a_frame_is_its_length_big_endian_and_its_payload() -> None:
    assert frame(b"abc") == b"\x00\x00\x00\x03abc"
    assert frame(b"x" * 258)[:4] == b"\x00\x00\x01\x02"


@given(payloads, st.data())
def test_frames_do_not_depend_on_how_the_bytes_were_cut(
    sent: list[bytes], data: st.DataObject
) -> None:
    stream = b"".join(map(frame, sent))
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=12).map(sorted))
    decoder = FrameDecoder(40)
    received = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        decoder.feed(stream[start:end])
        received += drained(decoder)
    assert received == sent
    assert not decoder.started


def test_a_limit_that_is_raised_holds_from_the_next_frame_on() -> None:
    decoder = FrameDecoder(2)
    decoder.feed(frame(b"ab") + frame(b"abc"))
    assert decoder.next_frame() == b"ab"
    decoder.limit_bytes = 3
    assert decoder.next_frame() == b"abc"


def test_a_cleared_decoder_has_forgotten_the_part_it_had() -> None:
    decoder = FrameDecoder(10)
    decoder.feed(frame(b"abc")[:5])
    decoder.clear()
    assert not decoder.started
    decoder.feed(frame(b"d"))
    assert decoder.next_frame() == b"d"


# States -------------------------------------------------------------------------------------------

SAMPLES = {Side.CLIENT: samples.FROM_CLIENT, Side.SERVER: samples.FROM_SERVER}
WAY_THERE: dict[State, tuple[tuple[Side, Struct], ...]] = {
    State.OPENING: (),
    State.GREETED: ((Side.CLIENT, samples.FROM_CLIENT[0]),),
    State.OPEN: ((Side.CLIENT, samples.FROM_CLIENT[0]), (Side.SERVER, samples.FROM_SERVER[0])),
    State.CLOSED: ((Side.CLIENT, client.Bye()),),
}


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


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("side", Side)
def test_every_message_in_every_state(side: Side, state: State) -> None:
    """The table of moves is held against that of PROTOCOL.md in `test_protocol_md`."""
    for message in SAMPLES[side]:
        said_in(state, side, message)


def said_in(state: State, side: Side, message: Struct) -> None:
    ends = both_in(state)
    after = TRANSITIONS[side][state].get(type(message))
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


@pytest.mark.parametrize("side", Side)
def test_nobody_says_what_only_the_other_side_says(side: Side) -> None:
    ends = both_in(State.OPEN)
    for message in SAMPLES[other(side)]:
        with pytest.raises(LocalProtocolError):
            ends[side].send(message)


# A connection -------------------------------------------------------------------------------------

HELLO = client.Hello(magic="clocktowers", versions=[1], name="Ann")
GARBAGE = (
    b"\xff\xff\xff\xff",
    b"\x00\x00\x00\x01\xc1",
    b"\x00\x00\x00\x00",
    b"GET / HTTP/1.1\r\n\r\n",
)


def open_server() -> Connection:
    return Line(changes=False).server


def open_client() -> Connection:
    return Line(changes=False).client


def messages_of(end: Connection) -> list[Struct]:
    found = []
    while (message := end.next_message()) is not None:
        found.append(message)
    return found


def requests() -> list[bytes]:
    """Everything an open connection may carry from a client, `bye` last."""
    end = open_client()
    wishes = [m for m in samples.FROM_CLIENT if not isinstance(m, client.Hello | client.Bye)]
    return [end.send(message) for message in [*wishes, client.Bye()]]


@given(st.lists(st.integers(0, 2000), max_size=10).map(sorted))
def test_messages_do_not_depend_on_how_the_bytes_were_cut(cuts: list[int]) -> None:
    stream = b"".join(requests())
    end = open_server()
    received = []
    for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        end.receive_bytes(stream[start:stop])
        received += messages_of(end)
    assert [type(message) for message in received] == [
        *(kind for kind in client.FROM_CLIENT if kind not in (client.Hello, client.Bye)),
        client.Bye,
    ]
    assert end.state is State.CLOSED


@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_at_every_split_point(garbage: bytes) -> None:
    frames = requests()
    stream = b"".join(frames)
    good = open_server()
    good.receive_bytes(stream)
    messages = messages_of(good)
    for cut in range(len(stream)):
        end = open_server()
        end.receive_bytes(stream[:cut] + garbage + stream[cut:])
        whole = sum(len(b"".join(frames[: n + 1])) <= cut for n in range(len(frames)))
        assert [end.next_message() for _ in range(whole)] == messages[:whole]
        try:
            messages_of(end)
        except RemoteProtocolError:
            assert_deaf(end)


def assert_deaf(end: Connection) -> None:
    for data in (b"\x00\x00\x00\x00", frame(b"\x81\xa4type\xa4ping"), bytes(10)):
        end.receive_bytes(data)
        assert end.next_message() is None
        assert not end.frame_started


@pytest.mark.parametrize("garbage", GARBAGE)
def test_after_an_error_a_side_is_deaf_and_can_still_say_goodbye(garbage: bytes) -> None:
    for end, farewell in (
        (open_server(), server.Goodbye(GoodbyeCode.MALFORMED)),
        (Connection(Side.SERVER), server.Goodbye(GoodbyeCode.MALFORMED)),
        (open_client(), client.Bye()),
        (Connection(Side.CLIENT), client.Bye()),
    ):
        end.receive_bytes(garbage + frame(b"\x81\xa4type\xa4ping"))
        with pytest.raises(RemoteProtocolError):
            messages_of(end)
        assert_deaf(end)
        end.send(farewell)
        assert end.state is State.CLOSED


def test_the_limit_is_one_kilobyte_until_the_welcome_and_sixty_four_after() -> None:
    end = Connection(Side.SERVER)
    end.receive_bytes((MAX_HELLO_BYTES + 1).to_bytes(4, "big"))
    assert code_of(end) is GoodbyeCode.FRAME_TOO_LONG
    end = Connection(Side.SERVER)
    end.receive_bytes(MAX_HELLO_BYTES.to_bytes(4, "big"))
    assert end.next_message() is None
    end = Connection(Side.SERVER)
    end.receive_bytes(Connection(Side.CLIENT).send(HELLO))
    end.next_message()
    end.receive_bytes((MAX_HELLO_BYTES + 1).to_bytes(4, "big"))
    assert code_of(end) is GoodbyeCode.FRAME_TOO_LONG
    for end in (open_server(), open_client()):
        end.receive_bytes(MAX_FRAME_BYTES.to_bytes(4, "big"))
        assert end.next_message() is None
    for end in (open_server(), open_client()):
        end.receive_bytes((MAX_FRAME_BYTES + 1).to_bytes(4, "big"))
        assert code_of(end) is GoodbyeCode.FRAME_TOO_LONG


def code_of(end: Connection) -> GoodbyeCode:
    with pytest.raises(RemoteProtocolError) as caught:
        end.next_message()
    return caught.value.code


def test_nothing_is_heard_after_a_goodbye() -> None:
    end = open_client()
    end.receive_bytes(b"".join(golden_frames("server")))
    heard = messages_of(end)
    assert isinstance(heard[-1], server.Goodbye)
    assert end.state is State.CLOSED
    end.receive_bytes(golden_frames("server")[-1])
    assert end.next_message() is None
    assert not end.frame_started


def test_a_frame_under_way_is_seen() -> None:
    end = open_server()
    assert not end.frame_started
    end.receive_bytes(requests()[0][:-1])
    assert end.next_message() is None
    assert end.frame_started
    end.receive_bytes(requests()[0][-1:])
    assert end.next_message() is not None
    assert not end.frame_started
