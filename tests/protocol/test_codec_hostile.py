"""Whatever comes in is a message or the peer's fault: no other error, no great memory, no long
work for a server."""

import tracemalloc
from collections.abc import Callable
from time import perf_counter
from typing import Any

import msgpack
import pytest
from hypothesis import given, strategies as st
from msgspec import inspect

from protocol.codec import (
    MAX_FRAME_BYTES,
    MAX_HELLO_BYTES,
    MAX_WORDS_BYTES,
    encode,
    from_server,
    read_as,
    read_whole,
)
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.from_client import FROM_CLIENT, Act, CreateTable, Hello, Ping, Say
from protocol.from_server import FROM_SERVER
from protocol.games.registry import GAMES
from tests.stage.samples import golden_frames
from tests.stage.server_end import from_client
from tests.stage.strategies import plain

TAGS = sorted(str(kind.__struct_config__.tag) for kind in (*FROM_SERVER, *FROM_CLIENT))
READERS = {"client": from_client, "server": from_server}
GOLDENS = [(side, frame[4:]) for side in READERS for frame in golden_frames(side)]
MEGABYTE = 1 << 20


def survives(payload: bytes) -> None:
    """Each side's reader makes a message of it, or says that it is the peer's fault."""
    for read in READERS.values():
        try:
            read(payload)
        except RemoteProtocolError as error:
            assert error.code in (GoodbyeCode.MALFORMED, GoodbyeCode.UNKNOWN_TYPE)


def malformed(payload: bytes, *sides: str) -> bool:
    """For these readers, or for both."""
    codes = set()
    for side in sides or READERS:
        with pytest.raises(RemoteProtocolError) as caught:
            READERS[side](payload)
        codes.add(caught.value.code)
    return codes == {GoodbyeCode.MALFORMED}


def head(count: int, *pairs: tuple[str, Any]) -> bytes:
    """A map that announces `count` pairs and has these; the rest is for the caller to append."""
    packed = b"".join(msgpack.packb(key) + msgpack.packb(value) for key, value in pairs)
    return bytes((0x80 | count,)) + packed


ACT = (("type", "act"), ("id", 1), ("version", 2), ("key", b"k"))


fields_of_a_type = st.builds(
    lambda tag, fields: {**fields, "type": tag},
    st.sampled_from(TAGS),
    st.dictionaries(st.text(max_size=8), plain, max_size=5),
)


@given(st.binary(max_size=200) | (plain | fields_of_a_type).map(msgpack.packb))
def test_random_bytes_values_and_fields_under_a_known_type(payload: bytes) -> None:
    survives(payload)


@given(st.sampled_from(GOLDENS), st.data())
def test_golden_frames_with_a_field_of_another_type(
    golden: tuple[str, bytes], data: st.DataObject
) -> None:
    _side, payload = golden
    fields = msgpack.unpackb(payload)
    name = data.draw(st.sampled_from(sorted(fields)))
    survives(msgpack.packb({**fields, name: data.draw(plain)}))


def test_a_message_cut_short_or_with_more_behind_it_is_malformed() -> None:
    for side, payload in GOLDENS:
        for end in range(len(payload)):
            assert malformed(payload[:end], side), payload
        for more in (b"\x00", b"\xc0", b"\xc1", b"\x81\xa4type\xa3bye"):
            assert malformed(payload + more, side), payload


@pytest.mark.parametrize("depth", [1023, 1024, 1025, 10**5])
@pytest.mark.parametrize("level", [b"\x91", b"\x81\xa1a"], ids=["arrays", "maps"])
def test_deep_nesting(depth: int, level: bytes) -> None:
    assert malformed(level * depth + b"\x00")
    survives(acting(level * depth + b"\x00"))


def acting(action: bytes) -> bytes:
    """The payload of an act with this action."""
    return head(5, *ACT) + encode("action") + action


def read_action(action: bytes, game: str = "clocktowers") -> Any:
    act = from_client(acting(action))
    assert isinstance(act, Act)
    return read_whole(act.action, GAMES[game].action)


@given(plain)
def test_any_value_for_an_action_is_read_or_the_peers_fault(value: Any) -> None:
    for game in GAMES.values():
        for kind in (game.action, game.options):
            for read in (read_as, lambda value, kind: read_whole(encode(value), kind)):
                try:
                    read(value, kind)
                except RemoteProtocolError as error:
                    assert error.code is GoodbyeCode.MALFORMED


@given(st.sampled_from(sorted(GAMES)), st.binary(max_size=40))
def test_any_bytes_for_an_action_are_read_or_the_peers_fault(game: str, words: bytes) -> None:
    for kind in (GAMES[game].action, GAMES[game].options):
        try:
            read_whole(words, kind)
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
        with pytest.raises(RemoteProtocolError):
            read_action(header)
        assert tracemalloc.get_traced_memory()[1] < MEGABYTE
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("frame_bytes", "most_bytes"),
    [(MAX_HELLO_BYTES, 4 * MEGABYTE), (MAX_FRAME_BYTES, 10 * MEGABYTE)],
)
@pytest.mark.parametrize("elements", [1024, 65535])
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


def test_the_most_that_is_allowed() -> None:
    """Bytes of a game's words for a server."""
    long = b"\xc5" + (MAX_WORDS_BYTES - 3).to_bytes(2, "big") + bytes(MAX_WORDS_BYTES - 3)
    for words, why in ((long, "array"), (long + b"\x00", "bytes")):
        with pytest.raises(RemoteProtocolError, match=why):
            read_whole(words, GAMES["clocktowers"].action)


def test_of_a_key_that_comes_twice_one_counts() -> None:
    assert from_client(head(3, ("type", "ping"), ("n", 1), ("n", 2))) == Ping(2)
    survives(b"\x82\xa4type\xa3bye\xa4type\xa4ping")


@pytest.mark.parametrize(
    "text", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80"]
)
def test_text_that_is_no_utf8(text: bytes) -> None:
    bad = bytes((0xA0 | len(text),)) + text
    assert malformed(b"\x81\xa4type" + bad)
    assert malformed(b"\x81" + bad + b"\xa3bye")
    assert malformed(head(2, ("type", "join")) + msgpack.packb("table") + bad, "client")


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1.0, 1.5, True, -1, 2**53])
def test_numbers_that_are_no_ids(number: Any) -> None:
    assert malformed(msgpack.packb({"type": "leave", "id": number}), "client")


# What a stranger can make a server do ---------------------------------------------------------

MANY = b"\xdc\xea\x60"
"""An array of 60 000 elements."""
MAKE = encode(CreateTable(id=1, game="clocktowers", seats=2, options={"a": 1}))
assert MAKE.count(b"\x81\xa1a\x01") == 1


def optioned(options: bytes) -> bytes:
    """The payload of a wish for a table with these options."""
    made: bytes = MAKE.replace(b"\x81\xa1a\x01", options)
    return made


HOSTILE = {
    "announced elements": b"\xdd\xee\x6b\x28\x00",
    "announced pairs": b"\xdf\xee\x6b\x28\x00",
    "announced in an action": acting(b"\xdd\xee\x6b\x28\x00"),
    "announced options": optioned(b"\xdf\xee\x6b\x28\x00"),
    "announced in an option": optioned(b"\x81\xa1a\xdd\xee\x6b\x28\x00"),
    "nested": b"\x91" * 60_000,
    "nested in an action": acting(b"\x91" * 60_000),
    "nested in an option": optioned(b"\x81\xa1a" + b"\x91" * 60_000),
    "announced in nested ones": acting(b"\xdc\xff\xff" * 20_000),
    "an action of small maps": acting(MANY + b"\x80" * 60_000),
    "many options": optioned(b"\xde\x4e\x20" + b"\xa1a\x01" * 20_000),
    "an option of small maps": optioned(b"\x81\xa1a" + MANY + b"\x80" * 60_000),
    "bots": optioned(b"\x80").replace(b"\xa4bots\x90", b"\xa4bots" + MANY + b"\x90" * 60_000),
}
DEAR_BYTES = 200_000
DEAR = 1000
"""Times what an honest act takes, about a microsecond."""


def read_all(payload: bytes) -> None:
    """As a server does, up to the game's words."""
    try:
        message = from_client(payload)
        if isinstance(message, Act):
            read_whole(message.action, GAMES["wild_wild_pattern"].action)
        if isinstance(message, CreateTable):
            for name, value in message.options.items():
                read_whole(encode({name: value}), GAMES["clocktowers"].options)
    except RemoteProtocolError:
        pass


def least_s(work: Callable[[bytes], None], payload: bytes) -> float:
    took_s = []
    for _ in range(20):
        begun_s = perf_counter()
        work(payload)
        took_s.append(perf_counter() - begun_s)
    return min(took_s)


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hostile_costs_a_server_little(name: str) -> None:
    payload = HOSTILE[name]
    assert len(payload) <= MAX_FRAME_BYTES
    read_all(payload)
    tracemalloc.start()
    try:
        read_all(payload)
        assert tracemalloc.get_traced_memory()[1] < DEAR_BYTES
    finally:
        tracemalloc.stop()
    assert least_s(read_all, payload) < DEAR * least_s(read_all, acting(b"\x92\xa5shoot\x03"))


def test_every_text_and_list_of_a_request_has_a_most() -> None:
    """But those of the hello, whose frame is short, and the line of the chat, for which the server
    has a refusal."""
    for kind in FROM_CLIENT:
        if kind not in (Hello, Say):
            assert not list(without_most(inspect.type_info(kind))), kind


def without_most(info: Any) -> Any:
    match info:
        case inspect.StructType(fields=fields):
            for field in fields:
                yield from without_most(field.type)
        case inspect.UnionType(types=types):
            for one in types:
                yield from without_most(one)
        case inspect.DictType(key_type=key, value_type=value, max_length=most):
            yield from [info] * (most is None)
            yield from without_most(key)
            yield from without_most(value)
        case inspect.ListType(item_type=item, max_length=most):
            yield from [info] * (most is None)
            yield from without_most(item)
        case inspect.StrType() | inspect.BytesType():
            yield from [info] * (info.max_length is None)
        case inspect.AnyType():
            yield info
