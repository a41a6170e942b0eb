"""The short way to read an act gives what the long way gives, or declines."""

from typing import Any

import msgpack
import pytest
from hypothesis import given, strategies as st

from protocol.acting import read_act
from protocol.codec import decode, encode, tags_of
from protocol.from_client import FROM_CLIENT, Act
from protocol.games.registry import GAMES
from tests.stage.strategies import values_of

TAGS = tags_of(FROM_CLIENT)
ACT = {"type": "act", "id": 1, "version": 2, "key": b"k", "action": ["play", 1, None]}

numbers = st.integers(-(2**63), 2**64 - 1)
words = st.none() | st.booleans() | numbers | st.floats() | st.text(max_size=3) | st.binary()


def both_ways(payload: bytes) -> Act | None:
    """What the short way makes of it; the long way makes the same."""
    act = read_act(payload)
    if act is not None:
        assert act == decode(payload, TAGS)
        # True equals 1, and must not become it.
        assert repr(act) == repr(decode(payload, TAGS))
    return act


@pytest.mark.parametrize("game", GAMES)
def test_every_action_of_a_game_goes_the_short_way(game: str) -> None:
    @given(values_of(GAMES[game].action))
    def short(action: Any) -> None:
        assert both_ways(encode(Act(id=1, version=2, key=b"k", action=action))) is not None

    short()


@given(
    st.fixed_dictionaries(
        {name: st.just(value) | words for name, value in ACT.items()}, optional={"more": words}
    )
)
def test_whatever_the_fields_are(fields: dict[str, Any]) -> None:
    both_ways(msgpack.packb(fields))


@given(st.lists(words, max_size=20))
def test_whatever_the_action_is(action: list[Any]) -> None:
    both_ways(msgpack.packb(ACT | {"action": action}))


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
