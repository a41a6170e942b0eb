"""Whatever comes in is a message or the peer's fault: no other error, no great memory."""

import tracemalloc
from typing import Any

import msgpack
import pytest
from hypothesis import given, strategies as st

from protocol import from_client
from protocol.codec import MAX_CLIENT_ELEMENTS, MAX_ELEMENTS, decode, encode_frame, read_as, tags_of
from protocol.elements import more_than
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.framing import MAX_FRAME_BYTES, MAX_HELLO_BYTES, frame
from protocol.from_client import FROM_CLIENT, Act, Ping
from protocol.from_server import FROM_SERVER, History
from protocol.games.registry import GAMES
from tests.stage.line import Line
from tests.stage.samples import golden_frames
from tests.stage.strategies import plain

TAGS = {**tags_of(FROM_SERVER), **tags_of(FROM_CLIENT)}
GOLDENS = [frame[4:] for side in ("client", "server") for frame in golden_frames(side)]
MEGABYTE = 1 << 20


def survives(payload: bytes) -> object | None:
    """The message, or None if the payload is the peer's fault; anything else is raised."""
    try:
        return decode(payload, TAGS)
    except RemoteProtocolError as error:
        assert error.code in (GoodbyeCode.MALFORMED, GoodbyeCode.UNKNOWN_TYPE)
        return None


def malformed(payload: bytes) -> bool:
    with pytest.raises(RemoteProtocolError) as caught:
        decode(payload, TAGS)
    return caught.value.code is GoodbyeCode.MALFORMED


def head(count: int, *pairs: tuple[str, Any]) -> bytes:
    """A map that announces `count` pairs and has these; the rest is for the caller to append."""
    packed = b"".join(msgpack.packb(key) + msgpack.packb(value) for key, value in pairs)
    return bytes((0x80 | count,)) + packed


ACT = (("type", "act"), ("id", 1), ("version", 2), ("key", b"k"))


@given(st.binary(max_size=200))
def test_random_bytes(payload: bytes) -> None:
    survives(payload)


@given(plain)
def test_random_values(value: Any) -> None:
    survives(msgpack.packb(value))


@given(st.sampled_from(sorted(TAGS)), st.dictionaries(st.text(max_size=8), plain, max_size=5))
def test_random_fields_under_a_known_type(tag: str, fields: dict[str, Any]) -> None:
    survives(msgpack.packb({**fields, "type": tag}))


@given(st.sampled_from(GOLDENS), st.data())
def test_golden_frames_with_a_field_of_another_type(payload: bytes, data: st.DataObject) -> None:
    fields = msgpack.unpackb(payload)
    name = data.draw(st.sampled_from(sorted(fields)))
    survives(msgpack.packb({**fields, name: data.draw(plain)}))


@given(st.sampled_from(GOLDENS), st.data())
def test_golden_frames_with_bytes_changed(payload: bytes, data: st.DataObject) -> None:
    changed = bytearray(payload)
    for _ in range(data.draw(st.integers(1, 4))):
        changed[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    survives(bytes(changed))


def test_a_message_cut_short_or_with_more_behind_it_is_malformed() -> None:
    for payload in GOLDENS:
        for end in range(len(payload)):
            assert malformed(payload[:end]), payload
        for more in (b"\x00", b"\xc0", b"\xc1", b"\x81\xa4type\xa3bye"):
            assert malformed(payload + more), payload


@pytest.mark.parametrize("depth", [1023, 1024, 1025, 10**5])
@pytest.mark.parametrize("level", [b"\x91", b"\x81\xa1a"], ids=["arrays", "maps"])
def test_deep_nesting(depth: int, level: bytes) -> None:
    assert malformed(level * depth + b"\x00")
    survives(head(5, *ACT) + msgpack.packb("action") + level * depth + b"\x00")


@pytest.mark.parametrize("depth", [100, 1000])
def test_a_deep_action_is_refused_by_the_games_reader(depth: int) -> None:
    act = decode(head(5, *ACT) + msgpack.packb("action") + b"\x91" * depth + b"\x00", TAGS)
    assert isinstance(act, Act)
    with pytest.raises(RemoteProtocolError):
        read_as(act.action, GAMES["clocktowers"].action)


@given(plain)
def test_any_value_for_an_action_is_read_or_the_peers_fault(value: Any) -> None:
    for game in GAMES.values():
        for kind in (game.action, game.options):
            try:
                read_as(value, kind)
            except RemoteProtocolError as error:
                assert error.code is GoodbyeCode.MALFORMED


HUGE = {
    "array16": b"\xdc\xff\xff",
    "array32": b"\xdd\xff\xff\xff\xff",
    "map16": b"\xde\xff\xff",
    "map32": b"\xdf\xff\xff\xff\xff",
    "str16": b"\xda\xff\xff",
    "str32": b"\xdb\xff\xff\xff\xff",
    "bin16": b"\xc5\xff\xff",
    "bin32": b"\xc6\xff\xff\xff\xff",
    "ext8": b"\xc7\x00\x01",
    "ext8 of time": b"\xc7\x00\xff",
    "ext32": b"\xc9\xff\xff\xff\xff\x01",
    "fixext1": b"\xd4\x01\x00",
    "timestamp": b"\xd6\xff\x00\x00\x00\x00",
}


@pytest.mark.parametrize("header", HUGE.values(), ids=HUGE)
def test_lengths_that_are_announced_but_do_not_come(header: bytes) -> None:
    tracemalloc.start()
    try:
        assert malformed(header)
        assert malformed(header + bytes(100))
        assert malformed(head(5, *ACT) + msgpack.packb("action") + header)
        assert tracemalloc.get_traced_memory()[1] < MEGABYTE
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("frame_bytes", "most_bytes"),
    [(MAX_HELLO_BYTES, 4 * MEGABYTE), (MAX_FRAME_BYTES, 10 * MEGABYTE)],
)
@pytest.mark.parametrize("elements", [MAX_ELEMENTS, 65535])
def test_arrays_in_arrays_that_announce_much_take_little(
    frame_bytes: int, most_bytes: int, elements: int
) -> None:
    """Each header makes the reader set room aside; depth times width is what it can cost."""
    level = b"\xdc" + elements.to_bytes(2, "big")
    payload = level * (frame_bytes // len(level))
    tracemalloc.start()
    try:
        assert malformed(payload)
        assert tracemalloc.get_traced_memory()[1] < most_bytes
    finally:
        tracemalloc.stop()


def test_the_most_elements_that_are_allowed() -> None:
    def act(elements: int) -> bytes:
        packed: bytes = msgpack.packb({**dict(ACT), "action": [0] * elements})
        return packed

    assert isinstance(decode(act(MAX_ELEMENTS), TAGS), Act)
    assert malformed(act(MAX_ELEMENTS + 1))


@pytest.mark.parametrize(
    "key",
    [b"\x01", b"\xc0", b"\xc3", b"\xcb" + bytes(8), b"\x91\x01", b"\x80", b"\xc4\x01a"],
    ids=["int", "nil", "true", "float", "array", "map", "bin"],
)
def test_keys_that_are_no_strings(key: bytes) -> None:
    assert malformed(b"\x82\xa4type\xa3bye" + key + b"\x00")
    assert malformed(b"\x81" + key + b"\xa3bye")


def test_of_a_key_that_comes_twice_one_counts() -> None:
    assert decode(b"\x82\xa4type\xa3bye\xa4type\xa4ping", TAGS) == Ping()
    assert decode(head(3, ("type", "ping"), ("n", 1), ("n", 2)), tags_of(FROM_CLIENT)) == Ping(2)


@pytest.mark.parametrize(
    "text", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80"]
)
def test_text_that_is_no_utf8(text: bytes) -> None:
    bad = bytes((0xA0 | len(text),)) + text
    assert malformed(b"\x81\xa4type" + bad)
    assert malformed(b"\x81" + bad + b"\xa3bye")
    assert malformed(head(2, ("type", "join")) + msgpack.packb("table") + bad)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1.0, 1.5, True, -1, 2**53])
def test_numbers_that_are_no_ids(number: Any) -> None:
    assert malformed(msgpack.packb({"type": "leave", "id": number}))


@pytest.mark.parametrize("number", [float("nan"), float("-inf"), 0.5, 2**64 - 1, -(2**63)])
def test_numbers_in_open_fields_are_for_the_game_to_refuse(number: Any) -> None:
    act = decode(msgpack.packb({**dict(ACT), "action": ["play", number, None]}), TAGS)
    assert isinstance(act, from_client.Act)
    with pytest.raises(RemoteProtocolError):
        read_as(act.action, GAMES["clocktowers"].action)


@pytest.mark.parametrize(
    "payload",
    [b"", b"\xc0", b"\xc1", b"\x80", b"\x90", b"GET / HTTP/1.1\r\n", b"\x16\x03\x01\x02\x00\x01"],
)
def test_what_is_no_message_at_all(payload: bytes) -> None:
    assert malformed(payload)


# Elements are counted as a reader would build them, whatever it says ------------------------------

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
    line = Line(changes=False)
    server, client = line.server, line.client
    server.receive_bytes(hall_of_arrays())
    with pytest.raises(RemoteProtocolError) as refused:
        server.next_message()
    assert refused.value.code == GoodbyeCode.MALFORMED
    assert str(MAX_CLIENT_ELEMENTS) in refused.value.why
    events: list[Any] = [[[]] * 1000] * 5
    client.receive_bytes(encode_frame(History(match="m", version=1, events=events, taken_back=0)))
    assert isinstance(client.next_message(), History)
