"""Reads fields of match records; words refusals and options for those who read verifier output.

Readers look at every type: `True` is not 1, 1.0 is not 1. Every message says what must stand there,
and what stands there instead.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from math import isfinite
from typing import Any, Final, TypeVar

from protocol.errors import Refusal
from server.games.contract import Json, RecordError

# Refusals and options in English, for people who read verifier output and logs.


def first_seats(seats: int) -> str:
    """The values of the option `first_seat`: by lot, or one of the seats."""
    return "none or 0" if seats == 1 else f"none or 0 to {seats - 1}"


def worded(refusal: Refusal, sentences: Mapping[str, str], named: Mapping[str, Any]) -> str:
    """The sentence of its code, or the code itself; `named`: parameters by the names that a record
    has for them."""
    sentence = sentences.get(refusal.code)
    if sentence is None:
        return refusal.code.replace("_", " ")
    return sentence.format_map({**refusal.params, **named})


Value = TypeVar("Value", bound=StrEnum)


_SHOWN: Final = 60
_MOST_DIGITS: Final = 9


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


def integer_in(
    fields: dict[str, Json], name: str, where: str, lowest: int, highest: int | None = None
) -> int:
    """A whole number between two bounds, both included."""
    value = field_in(fields, name, where)
    if type(value) is not int or value < lowest or (highest is not None and value > highest):
        most = "or more" if highest is None else f"to {highest}"
        raise wrong(f"{name} in {where}", f"a whole number, {lowest} {most}", value)
    return value


def choice_in(fields: dict[str, Json], name: str, default: Value) -> Value:
    if name not in fields:
        return default
    kind = type(default)
    values = [member.value for member in kind]
    value = fields[name]
    if isinstance(value, str) and value in values:
        return kind(value)
    raise wrong(f"option {name}", quoted(values), value)


def named_in(value: Json, known: Mapping[str, int], what: str, wanted: str = "") -> int:
    """What a name stands for; `wanted`: what may stand there, where it is not simply the names."""
    found = known.get(value) if isinstance(value, str) else None
    if found is None:
        raise wrong(what, wanted or quoted(known), value)
    return found


def counted_word(word: str, name: str, highest: int | None = None) -> int:
    """A number from 1 on, as a line of notation has it."""
    number = int(word) if word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS else 0
    if 0 < number <= (number if highest is None else highest):
        return number
    most = "or more" if highest is None else f"to {highest}"
    raise wrong(name, f"a whole number, 1 {most}", word)


def no_move(*moves: str) -> str:
    """What a line of notation can say."""
    return f"the move must be {either(map(json.dumps, moves))}"


def needs_all(cards: Sequence[str], box: Sequence[str], where: str) -> None:
    """These are what the box has, in any order; `where`: where they stand."""
    lacking, spare = Counter(box) - Counter(cards), Counter(cards) - Counter(box)
    if lacking or spare:
        over = "".join(f", and {name} is there too often" for name in sorted(spare)[:1])
        raise RecordError(f"{where} must be the whole box: {min(lacking)} is missing{over}")
