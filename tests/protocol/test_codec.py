"""Messages come out as they went in, and as golden frames have them."""

import json
from typing import Any, get_args

import msgpack
import pytest
from hypothesis import given, settings, strategies as st
from msgspec import Struct
from msgspec.structs import fields

from protocol import from_client, from_server
from protocol.codec import encode, encode_frame, read_as, read_whole
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.games.registry import GAMES
from tests.stage import samples
from tests.stage.strategies import values_of

READ = samples.READ
SAMPLES = [("client", message) for message in samples.FROM_CLIENT] + [
    ("server", message) for message in samples.FROM_SERVER
]
KINDS: list[tuple[str, type[Struct]]] = [
    *(("client", kind) for kind in from_client.FROM_CLIENT),
    *(("server", kind) for kind in from_server.FROM_SERVER),
]


# Round trips -------------------------------------------------------------------------------------


@settings(max_examples=8 * settings().max_examples)
@given(st.sampled_from(KINDS), st.data())
def test_every_message_comes_out_as_it_went_in(
    wanted: tuple[str, type[Struct]], data: st.DataObject
) -> None:
    side, kind = wanted
    message = data.draw(values_of(kind))
    assert READ[side](encode(message)) == message


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("part", ["event", "view", "outcome"])
@given(data=st.data())
def test_all_that_is_told_of_a_game_survives_the_envelope(
    game: str, part: str, data: st.DataObject
) -> None:
    kind = getattr(GAMES[game], part)
    value = data.draw(values_of(kind))
    update = from_server.Update(match="m", version=0, ply=0, view=value, events=[value])
    received = READ["server"](encode(update))
    assert isinstance(received, from_server.Update)
    assert read_as(received.view, kind) == value
    assert read_as(received.events[0], kind) == value


def test_text_is_not_taken_for_bytes() -> None:
    """msgspec would read a string as base64 unless told that bytes are bytes."""
    act = {"type": "act", "id": 1, "version": 1, "action": None}
    assert READ["client"](repacked({**act, "key": b"aGk="}))
    with pytest.raises(RemoteProtocolError):
        READ["client"](repacked({**act, "key": "aGk="}))
    with pytest.raises(RemoteProtocolError):
        read_as(["dealt", 0, "AQEB", "AQEB", {}], GAMES["clocktowers"].event)


# Golden frames -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "message"), SAMPLES, ids=[f"{side}-{type(m).__name__}" for side, m in SAMPLES]
)
def test_the_shape_on_the_wire_is_the_golden_one(side: str, message: Struct) -> None:
    tag = message.__struct_config__.tag
    golden = samples.golden(f"{side}_{tag}")
    assert encode_frame(samples.in_types(message, "clocktowers")).hex() == golden.hex()
    assert set(msgpack.unpackb(golden[4:])) == {"type", *message.__struct_fields__}


def test_every_message_has_a_golden_frame_and_nothing_else_has() -> None:
    wanted = {f"{side}_{kind.__struct_config__.tag}" for side, kind in KINDS}
    of_games = {name for _game, name in samples.OF_GAMES}
    assert {path.stem for path in samples.GOLDENS.iterdir()} == wanted | of_games
    for game in set(GAMES) - {"clocktowers"}:
        assert of_games >= {f"{game}_{tag}" for tag in ("history", "update", "ended")}


def decode_plainly(payload: bytes) -> dict[str, Any]:
    value: dict[str, Any] = msgpack.unpackb(payload)
    return value


@pytest.mark.parametrize(("game", "name"), samples.OF_GAMES)
def test_a_games_words_are_the_golden_ones(game: str, name: str) -> None:
    payload = samples.golden(name)[4:]
    side = "client" if decode_plainly(payload)["type"] == "act" else "server"
    message = samples.in_types(READ[side](payload), game)
    assert encode(message).hex() == payload.hex()
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
        assert READ["client"](payload) == sample
        return
    with pytest.raises(RemoteProtocolError) as caught:
        READ["client"](payload)
    assert caught.value.code is GoodbyeCode.MALFORMED


@pytest.mark.parametrize("sample", samples.FROM_SERVER, ids=lambda m: type(m).__name__)
def test_a_client_reads_over_fields_that_it_does_not_know(sample: Struct) -> None:
    assert READ["server"](with_field(encode(sample), "news", 1)) == sample


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
                READ[side](less)
        else:
            assert getattr(READ[side](less), name) != getattr(message, name)


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
            READ["client"](repacked(value))
        assert caught.value.code is code, value


def test_error_texts_can_be_logged() -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        READ["client"](repacked({"type": "\x1b]0;x\x07" + "y" * 5000}))
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
@given(data=st.data())
def test_the_server_reads_over_nothing_that_is_wished(
    game: str, part: str, data: st.DataObject
) -> None:
    kind = getattr(GAMES[game], part)
    wish = data.draw(values_of(kind))
    assert read_whole(encode(wish), kind) == wish
    assert read_as(newer(wish), kind) == wish  # the control
    with pytest.raises(RemoteProtocolError) as caught:
        read_whole(encode(newer(wish)), kind)
    assert caught.value.code is GoodbyeCode.MALFORMED


def test_an_action_may_lack_what_has_a_default_and_nothing_in_it_may_have_more() -> None:
    kind = GAMES["wild_wild_pattern"].action

    def read(*action: Any) -> Any:
        return read_whole(encode(action), kind)

    assert read("shoot", 3) == read("shoot", 3, False)
    assert read("declare", ["before", 7, 11])
    for more in (["shoot", 3, False, 0], ["declare", ["before", 7, 11, 0]]):
        with pytest.raises(RemoteProtocolError):
            read(*more)


def test_words_may_be_written_in_other_bytes() -> None:
    """By a client whose MessagePack takes more of them for a number or a text than ours."""
    for game, words in (
        ("architetti_attenti", b"\x92\xd9\x03buy\xd2\x00\x00\x00\x03"),
        ("wild_wild_pattern", b"\xdc\x00\x02\xdb\x00\x00\x00\x05shoot\xcd\x00\x03"),
    ):
        kind = GAMES[game].action
        assert read_whole(words, kind) == read_whole(encode(msgpack.unpackb(words)), kind)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("part", ["event", "view", "outcome"])
@given(data=st.data())
def test_the_client_reads_over_what_a_newer_server_adds(
    game: str, part: str, data: st.DataObject
) -> None:
    """At any depth: in the options of an event, in an action that a view lists."""
    kind = getattr(GAMES[game], part)
    told = data.draw(values_of(kind))
    assert read_as(newer(told), kind) == told


def test_no_repr_shows_a_secret() -> None:
    """It may come into a log; what is not secret stands there."""
    secrets = {"password", "identity", "invitation", "token", "ticket", "address", "code"}
    hidden = 0
    for message in samples.FROM_CLIENT:
        for field in fields(message):
            value, told = getattr(message, field.name), repr(message)
            if value:
                assert (repr(value) in told) != (field.name in secrets), field.name
                hidden += field.name in secrets
    assert hidden >= 3
