"""Bytes become frames; a client's end allows what its states allow, and says what is wrong. The
server's end is held to the same table in `tests/server/net/test_wire.py`."""

import pytest
from hypothesis import given, strategies as st
from msgspec import Struct

from protocol import from_client as client, from_server as server
from protocol.codec import MAX_FRAME_BYTES, FrameDecoder, encode_frame, frame
from protocol.connection import TRANSITIONS, Connection, Side, State
from protocol.errors import GoodbyeCode, LocalProtocolError, RemoteProtocolError
from tests.stage import samples
from tests.stage.line import Line
from tests.stage.samples import golden_frames

# Frames -------------------------------------------------------------------------------------------


def test_a_limit_that_is_raised_holds_from_the_next_frame_on() -> None:
    decoder = FrameDecoder(2)
    decoder.feed(frame(b"ab") + frame(b"abc"))
    assert decoder.next_frame() == b"ab"
    decoder.limit_bytes = 3
    assert decoder.next_frame() == b"abc"


# States -------------------------------------------------------------------------------------------

HELLO, WELCOME = samples.FROM_CLIENT[0], samples.FROM_SERVER[0]


def client_in(state: State) -> Connection:
    end = Connection()
    if state is State.CLOSED:
        end.send(client.Bye())
    elif state is not State.OPENING:
        end.send(HELLO)
    if state is State.OPEN:
        end.receive_bytes(encode_frame(WELCOME))
        assert end.next_message() == WELCOME
    assert end.state is state
    return end


@pytest.mark.parametrize("state", State)
def test_a_client_says_what_its_state_allows(state: State) -> None:
    """The table of moves is held against that of PROTOCOL.md in `test_protocol_md`."""
    for message in (*samples.FROM_CLIENT, *samples.FROM_SERVER):
        end = client_in(state)
        after = TRANSITIONS[Side.CLIENT][state].get(type(message))
        if after is None:
            with pytest.raises(LocalProtocolError):
                end.send(message)
        else:
            assert end.send(message) == encode_frame(message)
        assert end.state is (after or state)


@pytest.mark.parametrize("state", State)
def test_a_client_hears_what_its_state_allows(state: State) -> None:
    for message in samples.FROM_SERVER:
        end = client_in(state)
        after = TRANSITIONS[Side.SERVER][state].get(type(message))
        end.receive_bytes(encode_frame(message))
        if after is None and state is not State.CLOSED:
            opening = state is State.OPENING
            with pytest.raises(RemoteProtocolError) as caught:
                end.next_message()
            assert caught.value.code is GoodbyeCode["NOT_HELLO" if opening else "NOT_ALLOWED"]
        else:
            assert type(end.next_message()) is (type(None) if after is None else type(message))
        assert end.state is (after or state)


# A connection -------------------------------------------------------------------------------------

GARBAGE = (
    b"\xff\xff\xff\xff",
    b"\x00\x00\x00\x01\xc1",
    b"\x00\x00\x00\x00",
    b"GET / HTTP/1.1\r\n\r\n",
)


def open_client() -> Connection:
    return Line(changes=False).client


def messages_of(end: Connection) -> list[Struct]:
    found = []
    while (message := end.next_message()) is not None:
        found.append(message)
    return found


def said() -> list[bytes]:
    """Everything an open connection may carry from a server, `goodbye` last."""
    told = [m for m in samples.FROM_SERVER if not isinstance(m, server.Welcome | server.Goodbye)]
    return [encode_frame(message) for message in [*told, server.Goodbye(GoodbyeCode.SILENT)]]


@given(st.lists(st.integers(0, 3000), max_size=10).map(sorted))
def test_messages_do_not_depend_on_how_the_bytes_were_cut(cuts: list[int]) -> None:
    stream = b"".join(said())
    end = open_client()
    received = []
    for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        end.receive_bytes(stream[start:stop])
        received += messages_of(end)
    assert [type(message) for message in received] == [
        *(kind for kind in server.FROM_SERVER if kind not in (server.Welcome, server.Goodbye)),
        server.Goodbye,
    ]
    assert end.state is State.CLOSED


@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_at_every_split_point(garbage: bytes) -> None:
    frames = said()
    stream = b"".join(frames)
    good = open_client()
    good.receive_bytes(stream)
    messages = messages_of(good)
    for cut in range(len(stream)):
        end = open_client()
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


@pytest.mark.parametrize("garbage", GARBAGE)
def test_after_an_error_a_client_is_deaf_and_can_still_say_bye(garbage: bytes) -> None:
    for end in (open_client(), Connection()):
        end.receive_bytes(garbage + frame(b"\x81\xa4type\xa4ping"))
        with pytest.raises(RemoteProtocolError):
            messages_of(end)
        assert_deaf(end)
        end.send(client.Bye())
        assert end.state is State.CLOSED


def test_the_limit_is_sixty_four_kilobytes() -> None:
    for end in (Connection(), open_client()):
        end.receive_bytes(MAX_FRAME_BYTES.to_bytes(4, "big"))
        assert end.next_message() is None
    for end in (Connection(), open_client()):
        end.receive_bytes((MAX_FRAME_BYTES + 1).to_bytes(4, "big"))
        with pytest.raises(RemoteProtocolError) as caught:
            end.next_message()
        assert caught.value.code is GoodbyeCode.FRAME_TOO_LONG


def test_nothing_is_heard_after_a_goodbye() -> None:
    end = open_client()
    end.receive_bytes(b"".join(said()) + golden_frames("server")[-1])
    assert isinstance(messages_of(end)[-1], server.Goodbye)
    assert end.state is State.CLOSED
    end.receive_bytes(golden_frames("server")[-1])
    assert end.next_message() is None
