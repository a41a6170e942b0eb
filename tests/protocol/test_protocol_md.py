"""The document is right: whatever it shows is what the program says, and nothing is left out."""

import re
from typing import Any

import msgpack
import msgspec
import pytest
from msgspec import NODEFAULT, inspect

from protocol import from_server as server
from protocol.codec import (
    MAX_FRAME_BYTES,
    MAX_HELLO_BYTES,
    encode,
    frame,
    from_server,
    read_as,
    tags_of,
)
from protocol.connection import TRANSITIONS, Connection, Side, State
from protocol.dealing import commitment
from protocol.errors import GoodbyeCode, RefusalCode, RemoteProtocolError
from protocol.from_client import FROM_CLIENT
from protocol.from_server import FROM_SERVER, NoticeCode, TableGone
from protocol.games import clocktowers as ct
from protocol.table import (
    HISTORY_BYTES,
    HISTORY_LINES,
    MAX_CHAT_CHARACTERS,
    MAX_RAW_CHARACTERS,
    PAGE_TABLES,
    Filter,
    Phrase,
    SeatInfo,
    SeatKind,
    TableInfo,
    TablePhase,
)
from server.games.clocktowers.game import RULES
from server.games.clocktowers.state import opening, setup
from tests.stage.document import TEXT, Example, examples, rows, section
from tests.stage.samples import in_types
from tests.stage.server_end import ServerEnd, from_client
from tests.stage.spoken import CHAPTERS, SPOKEN, vocabulary_of

TAGS = {"client": tags_of(FROM_CLIENT), "server": tags_of(FROM_SERVER)}
READ = {"client": from_client, "server": from_server}
FRAMES = examples("frames")
TRANSCRIPT = examples("transcript")
ALL = FRAMES + TRANSCRIPT
SEED = bytes(range(32))


def shown_as(example: Example) -> str:
    return f"{example.side}-{example.value['type']}"


# Every frame -------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", ALL, ids=shown_as)
def test_the_real_codec_reads_the_example_and_the_server_would_say_it_just_so(
    example: Example,
) -> None:
    """No field is shown that the server leaves out, none is left out that it sends."""
    message = READ[example.side](msgpack.packb(example.value))
    words = vocabulary_of(example)
    said = in_types(message, words.id)
    if isinstance(message, server.AtTable):
        read_as(message.info.options, words.options)
    if example.side == "server":
        assert msgpack.unpackb(encode(said)) == example.value


@pytest.mark.parametrize("example", [e for e in ALL if e.frame], ids=shown_as)
def test_the_hex_is_the_frame_of_the_notation(example: Example) -> None:
    assert example.frame is not None
    assert example.frame == frame(example.frame[4:])
    assert msgpack.unpackb(example.frame[4:]) == example.value


@pytest.mark.parametrize("side", TAGS)
def test_every_message_has_an_example(side: str) -> None:
    shown = {example.value["type"] for example in FRAMES if example.side == side}
    assert shown == set(TAGS[side])


@pytest.mark.parametrize("kind", [*FROM_CLIENT, *FROM_SERVER], ids=lambda kind: kind.__name__)
def test_every_field_of_a_message_is_explained(kind: type) -> None:
    for field in kind.__struct_fields__:  # type: ignore[attr-defined]
        assert f"`{field}`" in TEXT, field


# Every code --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "codes"),
    [
        ("Goodbyes", GoodbyeCode),
        ("Refusals", RefusalCode),
        ("Notices", NoticeCode),
        *((f"Refused in {game.chapter}", game.words.Refused) for game in SPOKEN),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_code_stands_in_its_table_and_no_other(title: str, codes: type[GoodbyeCode]) -> None:
    assert [row[0] for row in rows(title)[1:]] == [str(code) for code in codes]


def test_the_refusals_lead_to_those_of_every_game() -> None:
    for game in SPOKEN:
        anchor = f"refused-in-{game.chapter.lower().replace(' ', '-')}"
        assert f"(#{anchor})" in section("Refusals")


def test_every_way_to_be_taken_from_a_table_is_named() -> None:
    for code in TableGone:
        assert f"Its `code` is `{code}`" in TEXT


# Numbers and tables ------------------------------------------------------------------------------


def test_the_state_table_is_the_programs() -> None:
    table = {row[0]: row[1:] for row in rows("A connection")[1:]}
    assert set(table) == {state.value for state in State}
    for state in State:
        for side, cell in zip((Side.CLIENT, Side.SERVER), table[state.value], strict=True):
            assert moves_in(cell, side) == {
                str(kind.__struct_config__.tag): after.value
                for kind, after in TRANSITIONS[side][state].items()
            }


def moves_in(cell: str, side: Side) -> dict[str, str]:
    moves: dict[str, str] = {}
    for part in re.split("[,;] ", cell):
        if part.startswith("all but "):
            others = set(TAGS[side.value]) - {part.removeprefix("all but ")}
            moves |= dict.fromkeys(others, State.OPEN.value)
        elif part != "nothing":
            tag, after = part.split(" → ")
            moves[tag] = after
    return moves


def test_the_limits_are_the_programs() -> None:
    [_head, server_row, client_row] = rows("Bytes")
    assert server_row[1:] == [
        f"{MAX_HELLO_BYTES} bytes (1 KiB)",
        f"{MAX_FRAME_BYTES} bytes (64 KiB)",
    ]
    assert client_row[1:] == [f"{MAX_FRAME_BYTES} bytes"] * 2
    assert f"at most {PAGE_TABLES} tables" in TEXT


def test_the_lobbys_fields_are_the_programs() -> None:
    named = {row[0] for row in rows("The lobby")}
    for kind in (Filter, SeatInfo, TableInfo):
        assert set(kind.__struct_fields__) <= named
    for word in (*TablePhase, *SeatKind):
        assert f"`{word}`" in section("The lobby")


def test_the_chats_phrases_and_limits_are_the_programs() -> None:
    chat = section("Chat")
    assert "The phrases are " + ", ".join(f"`{phrase}`" for phrase in Phrase) + "." in chat
    assert f"1 to {MAX_CHAT_CHARACTERS} characters" in chat
    assert f"longer than {MAX_RAW_CHARACTERS} characters" in chat
    assert f"the last {HISTORY_LINES}, " in chat and f"{HISTORY_BYTES // 1024} KiB" in chat


# The session -------------------------------------------------------------------------------------


def test_the_transcript_is_a_session_that_a_client_allows() -> None:
    client_end, server_end = Connection(), ServerEnd()
    for _chapter, side, value, _frame in TRANSCRIPT:
        message = READ[side](msgpack.packb(value))
        if side == "client":
            server_end.receive_bytes(client_end.send(message))
            assert server_end.next_message() == message
        else:
            client_end.receive_bytes(server_end.send(message))
            assert type(client_end.next_message()) is type(message)
    assert client_end.state is State.CLOSED


def test_every_request_of_the_transcript_gets_one_answer() -> None:
    asked = [e.value["id"] for e in TRANSCRIPT if e.side == "client" and "id" in e.value]
    answered = [e.value["id"] for e in TRANSCRIPT if e.side == "server" and "id" in e.value]
    assert asked == answered


def only(kind: str) -> dict[str, object]:
    [value] = [e.value for e in TRANSCRIPT if e.side == "server" and e.value["type"] == kind]
    return value


def test_the_transcript_shows_the_deal_of_the_test_vector() -> None:
    assert only("ended")["seed"] == SEED.hex()
    assert only("started")["sha256"] == commitment(SEED)
    state = setup(ct.Options(), 2, SEED)
    assert only("history")["events"] == [
        msgpack.unpackb(encode(addressed.event)) for addressed in opening(state)
    ]
    updates = [e.value for e in TRANSCRIPT if e.value["type"] == "update"]
    assert updates[0]["view"] == msgpack.unpackb(encode(RULES.view(state, 0)))
    assert updates[-1]["view"]["removed"] == b"".join(state.deal.removed)


def test_the_view_that_is_read_aloud_is_one_of_the_transcript() -> None:
    shown = section("View", CHAPTERS["Clocktowers"])
    assert '"version": 8' in shown
    [read_aloud] = [
        e.value for e in FRAMES if e.chapter == "Clocktowers" and e.value["type"] == "update"
    ]
    assert read_aloud in [e.value for e in TRANSCRIPT]


# The table of all messages has each field with its type and its default ---------------------------

_NUMBERS = {2**53 - 1: "2^53−1"}
_PLAIN = {
    inspect.BoolType: "boolean",
    inspect.NoneType: "nil",
    inspect.AnyType: "any",
    inspect.RawType: "any",
    inspect.EnumType: "str",
}


def bounds(least: int | None, most: int | None) -> str:
    if most is None:
        return ""
    if least == most:
        return f" {most}"
    shown = _NUMBERS.get(most, most)
    return f" ≤ {shown}" if least is None else f" {least}…{shown}"


def in_words(kind: inspect.Type) -> str:
    match kind:
        case inspect.IntType():
            return "integer" + bounds(kind.ge, kind.le)
        case inspect.StrType():
            return "str" + bounds(None, kind.max_length)
        case inspect.BytesType():
            return "bin" + bounds(kind.min_length, kind.max_length)
        case inspect.ListType():
            most = "" if kind.max_length is None else f"≤ {kind.max_length} "
            return f"list of {most}{in_words(kind.item_type)}"
        case inspect.DictType():
            return "map" if kind.max_length is None else f"map of ≤ {kind.max_length}"
        case inspect.StructType():
            names = ", ".join(field.name for field in kind.fields)
            return f"[{names}]" if kind.array_like else "map"
        case inspect.UnionType():
            return " or ".join(dict.fromkeys(in_words(one) for one in kind.types))
    return _PLAIN[type(kind)]


def default_of(field: inspect.Field) -> str:
    if field.required:
        return ""
    value: Any = field.default
    if value is NODEFAULT:
        value = field.default_factory()
    plain = {} if isinstance(value, msgspec.Struct) else msgspec.to_builtins(value)
    return " = " + ("nil" if plain is None else msgspec.json.encode(plain).decode())


def fields_of(kind: type) -> str:
    """As the table's last cell says them."""
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return ", ".join(f"{one.name} {in_words(one.type)}{default_of(one)}" for one in found.fields)


def table_of(sides: dict[str, tuple[type, ...]]) -> list[list[str]]:
    return [
        [side, tag, fields_of(kind)]
        for side, kinds in sides.items()
        for tag, kind in tags_of(kinds).items()
    ]


def test_each_message_stands_there_with_its_fields_their_types_and_defaults() -> None:
    assert rows("Every message")[1:] == table_of({"C": FROM_CLIENT, "S": FROM_SERVER})


@pytest.mark.parametrize("field", ["title", "preset", "options", "bots", "pace"])
def test_nil_is_no_field_that_is_left_out(field: str) -> None:
    create = {"type": "create", "id": 1, "game": "clocktowers", "seats": 2}
    from_client(msgspec.msgpack.encode({**create, "clock": None}))
    with pytest.raises(RemoteProtocolError):
        from_client(msgspec.msgpack.encode({**create, field: None}))
