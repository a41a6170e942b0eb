"""Reads fields of match records, and says what is wrong with them.

Readers look at every type: `True` is not 1, 1.0 is not 1. Every message says what must stand there,
and what stands there instead.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, Final, TypeAlias, TypeVar

Json: TypeAlias = Any
"""A value as `json.loads` returns it, not yet validated."""


Named = TypeVar("Named")


class RecordError(Exception):
    """A part of a record is invalid; the text, for the middle of a sentence, says why."""


_SHOWN: Final = 60


def shown(value: Json) -> str:
    """What stands there, as JSON in characters that do nothing to a terminal; an object or a list
    is only called that. It is cut short, because a record may hold anything."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, float) and not isfinite(value):
        return "a number too large to be read"
    return cut(json.dumps(value))


def cut(text: str, length: int = _SHOWN) -> str:
    """Its beginning, if it is long."""
    return text if len(text) <= length else f"{text[:length]}..."


def either(values: Iterable[Any], word: str = "or") -> str:
    """`1, 2 or 3`."""
    *others, last = map(str, values)
    return f"{', '.join(others)} {word} {last}" if others else last


def quoted(names: Iterable[str]) -> str:
    """`"on" or "off"`, as a record has them."""
    return either(map(json.dumps, names))


def wrong(what: str, wanted: str, found: Json) -> RecordError:
    return RecordError(f"{what} must be {wanted}, not {shown(found)}")


def field_in(fields: dict[str, Json], name: str, where: str) -> Json:
    """What stands under this name, which must be there."""
    if name not in fields:
        raise RecordError(f'{where} must have the field "{name}"')
    return fields[name]


def object_in(value: Json, name: str) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise wrong(name, "an object", value)
    return value


def list_in(fields: dict[str, Json], name: str, where: str) -> list[Json]:
    value = field_in(fields, name, where)
    if not isinstance(value, list):
        raise wrong(f"{name} in {where}", "a list", value)
    return value


def whole_number(value: Json, what: str, lowest: int, highest: int | None = None) -> int:
    """A whole number between two bounds, both included."""
    if type(value) is not int or value < lowest or (highest is not None and value > highest):
        most = "or more" if highest is None else f"to {highest}"
        raise wrong(what, f"a whole number, {lowest} {most}", value)
    return value


def named_in(value: Json, known: Mapping[str, Named], what: str, wanted: str = "") -> Named:
    """What a name stands for; `wanted`: what may stand there, where it is not simply the names."""
    found = known.get(value) if isinstance(value, str) else None
    if found is None:
        raise wrong(what, wanted or quoted(known), value)
    return found


def pieces_in(
    fields: dict[str, Json],
    name: str,
    where: str,
    count: int,
    piece: str,
    names: Sequence[str],
    wanted: str = "",
) -> bytes:
    """So many cards or tiles (`piece`), which have these names, "" for none. `wanted`: see
    `named_in`."""
    value = list_in(fields, name, where)
    if len(value) != count:
        raise RecordError(f"{name} in {where} must have {count} {piece}s, not {len(value)}")
    known = {each: byte for byte, each in enumerate(names) if each}
    what = f"a {piece} of {name} in {where}"
    return bytes(named_in(each, known, what, wanted) for each in value)


def needs_all(cards: Sequence[str], box: Sequence[str], where: str) -> None:
    """These are what the box has, in any order; `where`: where they stand."""
    lacking, spare = Counter(box) - Counter(cards), Counter(cards) - Counter(box)
    if lacking or spare:
        over = "".join(f", and {name} is there too often" for name in sorted(spare)[:1])
        raise RecordError(f"{where} must be the whole box: {min(lacking)} is missing{over}")
