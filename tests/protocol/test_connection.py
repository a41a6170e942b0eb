import pytest
from hypothesis import given, strategies as st
from msgspec import Struct

from protocol import from_client as client, from_server as server
from protocol.connection import Connection
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.framing import MAX_FRAME_BYTES, MAX_HELLO_BYTES, frame
from protocol.state import Side, State
from tests.stage import samples
from tests.stage.samples import golden_frames

HELLO = client.Hello(magic="clocktowers", versions=[1], name="Ann")
WELCOME = server.Welcome(version=1, name="Ann")
GARBAGE = (
    b"\xff\xff\xff\xff",
    b"\x00\x00\x00\x01\xc1",
    b"\x00\x00\x00\x00",
    b"GET / HTTP/1.1\r\n\r\n",
)


def open_server() -> Connection:
    end = Connection(Side.SERVER)
    end.receive_bytes(Connection(Side.CLIENT).send(HELLO))
    assert end.next_message() == HELLO
    end.send(WELCOME)
    return end


def open_client() -> Connection:
    end = Connection(Side.CLIENT)
    end.send(HELLO)
    end.receive_bytes(b"".join(greeted_server()))
    assert end.next_message() == WELCOME
    return end


def greeted_server() -> list[bytes]:
    end = Connection(Side.SERVER)
    end.receive_bytes(Connection(Side.CLIENT).send(HELLO))
    end.next_message()
    return [end.send(WELCOME)]


def drained(end: Connection) -> list[Struct]:
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
        received += drained(end)
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
    messages = drained(good)
    for cut in range(len(stream)):
        end = open_server()
        end.receive_bytes(stream[:cut] + garbage + stream[cut:])
        whole = sum(len(b"".join(frames[: n + 1])) <= cut for n in range(len(frames)))
        assert [end.next_message() for _ in range(whole)] == messages[:whole]
        try:
            drained(end)
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
            drained(end)
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
    for end in (open_server(), open_client()):
        end.receive_bytes(MAX_FRAME_BYTES.to_bytes(4, "big"))
        assert end.next_message() is None
    for end in (open_server(), open_client()):
        end.receive_bytes((MAX_FRAME_BYTES + 1).to_bytes(4, "big"))
        assert code_of(end) is GoodbyeCode.FRAME_TOO_LONG


def test_the_limit_stays_until_the_server_has_said_welcome() -> None:
    end = Connection(Side.SERVER)
    end.receive_bytes(Connection(Side.CLIENT).send(HELLO))
    end.next_message()
    end.receive_bytes((MAX_HELLO_BYTES + 1).to_bytes(4, "big"))
    assert code_of(end) is GoodbyeCode.FRAME_TOO_LONG


def code_of(end: Connection) -> GoodbyeCode:
    with pytest.raises(RemoteProtocolError) as caught:
        end.next_message()
    return caught.value.code


def test_nothing_is_heard_after_a_goodbye() -> None:
    end = open_client()
    end.receive_bytes(b"".join(golden_frames("server")))
    heard = drained(end)
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
