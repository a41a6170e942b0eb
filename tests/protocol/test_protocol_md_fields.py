"""The document's table of all messages has each field with its type and its default."""

from typing import Any

import msgspec
import pytest
from msgspec import NODEFAULT, inspect

from protocol.codec import decode, tags_of
from protocol.errors import RemoteProtocolError
from protocol.from_client import FROM_CLIENT
from protocol.from_server import FROM_SERVER
from tests.stage.document import rows

_NUMBERS = {2**53 - 1: "2^53−1"}
_PLAIN = {
    inspect.BoolType: "boolean",
    inspect.NoneType: "nil",
    inspect.AnyType: "any",
    inspect.DictType: "map",
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


def test_a_field_a_default_or_a_bound_that_differs_is_seen() -> None:
    class Start(msgspec.Struct, tag="start"):
        id: int
        seat: int | None = None

    assert fields_of(Start) == "id integer, seat integer or nil = nil"
    assert table_of({"C": (Start,)})[0] not in rows("Every message")


@pytest.mark.parametrize("field", ["title", "preset", "options", "bots", "pace"])
def test_nil_is_no_field_that_is_left_out(field: str) -> None:
    create = {"type": "create", "id": 1, "game": "clocktowers", "seats": 2}
    decode(msgspec.msgpack.encode({**create, "clock": None}), tags_of(FROM_CLIENT))
    with pytest.raises(RemoteProtocolError):
        decode(msgspec.msgpack.encode({**create, field: None}), tags_of(FROM_CLIENT))
