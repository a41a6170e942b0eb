"""Messages come out as they went in, and as golden frames have them; a move is also read in a short
way, which gives what the long way gives."""

import json
from typing import Any, get_args

import msgpack
import pytest
from hypothesis import given, settings, strategies as st
from msgspec import Struct
from msgspec.structs import fields, replace

from protocol import from_client, from_server
from protocol.acting import read_act
from protocol.codec import (
    MAX_CLIENT_ELEMENTS,
    Tags,
    decode,
    encode,
    encode_frame,
    read_as,
    read_whole,
    tags_of,
)
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.from_client import Act
from protocol.games.registry import GAMES
from tests.stage import samples
from tests.stage.strategies import values_of

TAGS: dict[str, Tags] = {
    "client": tags_of(from_client.FROM_CLIENT),
    "server": tags_of(from_server.FROM_SERVER),
}
SAMPLES = [("client", message) for message in samples.FROM_CLIENT] + [
    ("server", message) for message in samples.FROM_SERVER
]
OF_GAMES = [(game, name) for game, messages in samples.OF_GAMES.items() for name in messages]
KINDS = [(side, kind) for side, tags in TAGS.items() for kind in tags.values()]


def plain(message: Struct) -> Any:
    """A message with its open fields as the envelope's reader leaves them."""
    return decode(encode(message), tags_of([type(message)]))


# Round trips -------------------------------------------------------------------------------------


@settings(max_examples=8 * settings().max_examples)
@given(st.sampled_from(KINDS), st.data())
def test_every_message_comes_out_as_it_went_in(
    wanted: tuple[str, type[Struct]], data: st.DataObject
) -> None:
    side, kind = wanted
    message = data.draw(values_of(kind))
    assert decode(encode(message), TAGS[side]) == message


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("part", ["options", "action", "event", "view", "outcome"])
def test_every_word_of_a_game_survives_the_envelope(game: str, part: str) -> None:
    kind = getattr(GAMES[game], part)

    @given(values_of(kind))
    def round_trip(value: Struct) -> None:
        update = from_server.Update(match="m", version=0, ply=0, view=value, events=[value])
        received = decode(encode(update), TAGS["server"])
        assert isinstance(received, from_server.Update)
        assert read_as(received.view, kind) == value
        assert read_as(received.events[0], kind) == value

    round_trip()


def test_text_is_not_taken_for_bytes() -> None:
    """msgspec would read a string as base64 unless told that bytes are bytes."""
    act = {"type": "act", "id": 1, "version": 1, "action": None}
    assert decode(repacked({**act, "key": b"aGk="}), TAGS["client"])
    with pytest.raises(RemoteProtocolError):
        decode(repacked({**act, "key": "aGk="}), TAGS["client"])
    with pytest.raises(RemoteProtocolError):
        read_as(["dealt", 0, "AQEB", "AQEB", {}], GAMES["clocktowers"].event)


# Golden frames -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "message"), SAMPLES, ids=[f"{side}-{type(m).__name__}" for side, m in SAMPLES]
)
def test_the_shape_on_the_wire_is_the_golden_one(side: str, message: Struct) -> None:
    golden = bytes.fromhex(samples.golden_path(side, message).read_text())
    assert encode_frame(message).hex() == golden.hex()
    assert decode(golden[4:], TAGS[side]) == plain(message)


def test_every_message_has_a_golden_frame_and_nothing_else_has() -> None:
    wanted = {f"{side}_{tag}.hex" for side, tags in TAGS.items() for tag in tags}
    of_games = {f"{game}_{name}.hex" for game, name in OF_GAMES}
    assert {path.name for path in samples.GOLDENS.iterdir()} == wanted | of_games
    assert set(samples.OF_GAMES) == set(GAMES) - {"clocktowers"}
    assert [type(m) for m in samples.FROM_CLIENT] == list(from_client.FROM_CLIENT)
    assert [type(m) for m in samples.FROM_SERVER] == list(from_server.FROM_SERVER)


def test_samples_set_every_field() -> None:
    for _side, message in SAMPLES:
        sent = decode_plainly(encode(message))
        assert set(sent) == {"type", *message.__struct_fields__}


def decode_plainly(payload: bytes) -> dict[str, Any]:
    value: dict[str, Any] = msgpack.unpackb(payload)
    return value


@pytest.mark.parametrize(("game", "name"), OF_GAMES)
def test_a_games_words_are_the_golden_ones(game: str, name: str) -> None:
    side, message = samples.OF_GAMES[game][name]
    golden = bytes.fromhex(samples.golden_of_a_game(game, name).read_text())
    assert encode_frame(message).hex() == golden.hex()
    assert decode(golden[4:], TAGS[side]) == plain(message)
    if isinstance(message, from_server.Update):
        assert set(decode_plainly(encode(message.view))) == set(message.view.__struct_fields__)
    if isinstance(message, from_server.History):
        assert {*map(type, message.events)} == {*get_args(GAMES[game].event)}


# Tolerance ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", from_client.FROM_CLIENT, ids=lambda kind: kind.__name__)
def test_only_hello_may_have_fields_that_the_server_does_not_know(kind: type[Struct]) -> None:
    [sample] = [message for message in samples.FROM_CLIENT if type(message) is kind]
    payload = with_field(encode(sample), "news", 1)
    if kind is from_client.Hello:
        assert decode(payload, TAGS["client"]) == sample
        return
    with pytest.raises(RemoteProtocolError) as caught:
        decode(payload, TAGS["client"])
    assert caught.value.code is GoodbyeCode.MALFORMED


@pytest.mark.parametrize("sample", samples.FROM_SERVER, ids=lambda m: type(m).__name__)
def test_a_client_reads_over_fields_that_it_does_not_know(sample: Struct) -> None:
    assert decode(with_field(encode(sample), "news", 1), TAGS["server"]) == plain(sample)


@pytest.mark.parametrize(
    ("side", "message"), SAMPLES, ids=[f"{side}-{type(m).__name__}" for side, m in SAMPLES]
)
def test_a_missing_field_is_its_default_or_malformed(side: str, message: Struct) -> None:
    whole = decode_plainly(encode(message))
    required = {
        field
        for field in message.__struct_fields__
        if field in whole and not has_default(type(message), field)
    }
    for name in message.__struct_fields__:
        less = repacked({key: value for key, value in whole.items() if key != name})
        if name in required:
            with pytest.raises(RemoteProtocolError):
                decode(less, TAGS[side])
        else:
            assert getattr(decode(less, TAGS[side]), name) != getattr(plain(message), name)


def has_default(kind: type[Struct], name: str) -> bool:
    [field] = [field for field in fields(kind) if field.name == name]
    return not field.required


def with_field(payload: bytes, name: str, value: Any) -> bytes:
    return repacked({**decode_plainly(payload), name: value})


def repacked(value: Any) -> bytes:
    packed: bytes = msgpack.packb(value)
    return packed


def test_an_unknown_type_is_told_apart_from_a_broken_message() -> None:
    for code, value in (
        (GoodbyeCode.UNKNOWN_TYPE, {"type": "sing"}),
        (GoodbyeCode.UNKNOWN_TYPE, {"type": ""}),
        (GoodbyeCode.UNKNOWN_TYPE, {"type": "welcome"}),
        (GoodbyeCode.MALFORMED, {"type": 3}),
        (GoodbyeCode.MALFORMED, {"kind": "bye"}),
        (GoodbyeCode.MALFORMED, ["bye"]),
    ):
        with pytest.raises(RemoteProtocolError) as caught:
            decode(repacked(value), TAGS["client"])
        assert caught.value.code is code, value


def test_error_texts_can_be_logged() -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        decode(repacked({"type": "\x1b]0;x\x07" + "y" * 5000}), TAGS["client"])
    assert "\x1b" not in caught.value.why
    assert len(caught.value.why) < 100
    json.dumps(str(caught.value))


# More than there is a place for ------------------------------------------------------------------


def newer(value: Any) -> Any:
    """The value as one who knows more fields would write it: each Struct in it has one more."""
    if isinstance(value, list | tuple):
        return [newer(one) for one in value]
    if not isinstance(value, Struct):
        return value
    config = value.__struct_config__
    inside = {name: newer(getattr(value, name)) for name in value.__struct_fields__}
    if not config.array_like:
        return {**inside, "news": 1}
    return [*([config.tag] if config.tag else []), *inside.values(), 1]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("part", ["action", "options"])
def test_the_server_reads_over_nothing_that_is_wished(game: str, part: str) -> None:
    kind = getattr(GAMES[game], part)

    @given(values_of(kind))
    def shaped(wish: Struct) -> None:
        assert read_whole(msgpack.unpackb(encode(wish)), kind) == wish
        assert read_as(newer(wish), kind) == wish  # the control
        with pytest.raises(RemoteProtocolError) as caught:
            read_whole(newer(wish), kind)
        assert caught.value.code is GoodbyeCode.MALFORMED

    shaped()


def test_an_action_may_lack_what_has_a_default_and_nothing_in_it_may_have_more() -> None:
    kind = GAMES["wild_wild_pattern"].action
    assert read_whole(["shoot", 3], kind) == read_whole(["shoot", 3, False], kind)
    assert read_whole(["declare", ["before", 7, 11]], kind)
    with pytest.raises(RemoteProtocolError):
        read_whole(["declare", ["before", 7, 11, 0]], kind)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("part", ["event", "view", "outcome"])
def test_the_client_reads_over_what_a_newer_server_adds(game: str, part: str) -> None:
    """At any depth: in the options of an event, in an action that a view lists."""
    kind = getattr(GAMES[game], part)

    @given(values_of(kind))
    def tolerant(told: Struct) -> None:
        assert read_as(newer(told), kind) == told

    tolerant()


def test_no_repr_shows_a_secret() -> None:
    """It may come into a log; what is not secret stands there."""
    secrets = {"password", "identity", "invitation", "token"}
    hidden = 0
    for message in samples.FROM_CLIENT:
        for field in fields(message):
            value, told = getattr(message, field.name), repr(message)
            if value:
                assert (repr(value) in told) != (field.name in secrets), field.name
                hidden += field.name in secrets
    assert hidden >= 3


# The short way to read an act gives what the long way gives, or declines --------------------------

PLAYS = GAMES["clocktowers"].action
ACT = {"type": "act", "id": 1, "version": 2, "key": b"k", "action": ["play", 1, None]}

numbers = st.integers(-(2**63), 2**64 - 1)
words = st.none() | st.booleans() | numbers | st.floats() | st.text(max_size=3) | st.binary()


def both_ways(payload: bytes, kind: Any = PLAYS) -> Act | None:
    """What the short way makes of it; the long way makes the same."""
    act = read_act(payload, kind)
    if act is not None:
        long = decode(payload, TAGS["client"], MAX_CLIENT_ELEMENTS)
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
