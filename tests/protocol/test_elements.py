"""Elements are counted as a reader would build them, whatever the payload says."""

from typing import Any

import msgpack
import pytest
from hypothesis import given, strategies as st

from protocol.codec import MAX_CLIENT_ELEMENTS, encode_frame
from protocol.connection import Connection
from protocol.elements import more_than
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.framing import MAX_FRAME_BYTES, frame
from protocol.from_client import Hello
from protocol.from_server import History, Welcome
from protocol.state import Side
from protocol.version import MAGIC, PROTOCOL_VERSIONS

scalars = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text()
) | (
    st.binary()
    | st.text(min_size=30, max_size=300)
    | st.builds(msgpack.ExtType, st.integers(0, 127), st.binary(max_size=20))
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=40) | st.dictionaries(st.text(), inner, max_size=40),
)


def count(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(count(key) + count(inner) for key, inner in value.items())
    return 1 + sum(map(count, value)) if isinstance(value, list) else 1


@given(values)
def test_it_counts_what_a_reader_builds(value: Any) -> None:
    payload, elements = msgpack.packb(value), count(value)
    assert not more_than(payload, elements)
    assert more_than(payload, elements - 1)


@given(st.binary(max_size=300), st.integers(0, 50))
def test_any_bytes_are_counted(payload: bytes, most: int) -> None:
    more_than(payload, most)


@pytest.mark.parametrize("announced", [b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff"])
def test_what_is_announced_counts(announced: bytes) -> None:
    assert more_than(announced, 4)


def hall_of_arrays() -> bytes:
    """As many as a frame can hold, and no array with more than it may have."""
    payload: bytes = msgpack.packb(
        {"type": "act", "id": 1, "version": 0, "key": b"k", "action": [[[]] * 1000] * 60}
    )
    assert len(payload) < MAX_FRAME_BYTES
    return frame(payload)


def test_a_server_refuses_what_would_take_it_long_and_a_client_reads_its_pages() -> None:
    server, client = Connection(Side.SERVER), Connection(Side.CLIENT)
    server.receive_bytes(
        client.send(Hello(magic=MAGIC, versions=list(PROTOCOL_VERSIONS), name="A"))
    )
    server.next_message()
    welcome = Welcome(version=1, name="A", server="", games=[], levels=[])
    client.receive_bytes(server.send(welcome))
    client.next_message()
    server.receive_bytes(hall_of_arrays())
    with pytest.raises(RemoteProtocolError) as refused:
        server.next_message()
    assert refused.value.code == GoodbyeCode.MALFORMED
    assert str(MAX_CLIENT_ELEMENTS) in refused.value.why
    events: list[Any] = [[[]] * 1000] * 5
    client.receive_bytes(encode_frame(History(match="m", version=1, events=events, taken_back=0)))
    assert isinstance(client.next_message(), History)
