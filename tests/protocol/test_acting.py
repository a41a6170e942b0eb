"""The short way to read an act gives what the long way gives, or declines."""

from typing import Any

import msgpack
import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from protocol.acting import read_act
from protocol.codec import MAX_CLIENT_ELEMENTS, decode, encode, read_whole, tags_of
from protocol.from_client import FROM_CLIENT, Act
from protocol.games.registry import GAMES
from tests.stage.strategies import values_of

TAGS = tags_of(FROM_CLIENT)
PLAYS = GAMES["clocktowers"].action
ACT = {"type": "act", "id": 1, "version": 2, "key": b"k", "action": ["play", 1, None]}

numbers = st.integers(-(2**63), 2**64 - 1)
words = st.none() | st.booleans() | numbers | st.floats() | st.text(max_size=3) | st.binary()


def both_ways(payload: bytes, kind: Any = PLAYS) -> Act | None:
    """What the short way makes of it; the long way makes the same."""
    act = read_act(payload, kind)
    if act is not None:
        long = decode(payload, TAGS, MAX_CLIENT_ELEMENTS)
        assert isinstance(long, Act)
        long = replace(long, action=read_whole(long.action, kind))
        short = Act(id=act.id, version=act.version, key=act.key, action=act.action)
        # True equals 1, and must not become it.
        assert (short, repr(short)) == (long, repr(long))
    return act


@pytest.mark.parametrize("game", GAMES)
def test_every_action_of_a_game_goes_the_short_way(game: str) -> None:
    kind = GAMES[game].action

    @given(values_of(kind))
    def short(action: Any) -> None:
        payload = encode(Act(id=1, version=2, key=b"k", action=action))
        assert both_ways(payload, kind) is not None

    short()


@given(
    st.fixed_dictionaries(
        {name: st.just(value) | words for name, value in ACT.items()}, optional={"more": words}
    )
)
def test_whatever_the_fields_are(fields: dict[str, Any]) -> None:
    both_ways(msgpack.packb(fields))


@given(st.sampled_from(list(GAMES)), st.lists(words | st.just("play"), max_size=5))
def test_whatever_the_action_is(game: str, action: list[Any]) -> None:
    both_ways(msgpack.packb(ACT | {"action": action}), GAMES[game].action)


def test_what_an_action_has_no_place_for_goes_the_long_way() -> None:
    actions: list[Any] = [["play", 1, None, 2], ["discard", 1, ["discard", 1]], ["draw", 1.0], {}]
    for action in actions:
        assert both_ways(msgpack.packb(ACT | {"action": action})) is None
    assert both_ways(msgpack.packb(ACT)) is not None
    assert both_ways(msgpack.packb(ACT) + b"\xc0") is None
    assert both_ways(msgpack.packb({name: ACT[name] for name in sorted(ACT)})) is None


def pair(name: str, value: Any) -> bytes:
    packed: bytes = msgpack.packb(name) + msgpack.packb(value)
    return packed


@given(st.data())
def test_whatever_became_of_the_bytes(data: st.DataObject) -> None:
    payload = bytearray(msgpack.packb(ACT))
    for _ in range(data.draw(st.integers(1, 3))):
        payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    both_ways(bytes(payload[: data.draw(st.integers(len(payload) - 3, len(payload)))]))


@pytest.mark.parametrize("name", ["id", "key", "type"])
def test_of_a_field_that_comes_twice_the_same_one_counts(name: str) -> None:
    packed = msgpack.packb(ACT)
    for value in (7, b"x", "act", "ping", None):
        # Five fields are announced and one of them comes twice, or six.
        both_ways(packed.replace(b"\xa6action\x93\xa4play\x01\xc0", b"") + pair(name, value))
        both_ways(b"\x86" + packed[1:] + pair(name, value))
