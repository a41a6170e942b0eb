"""Reads fields of match records; whatever is wrong becomes a RecordError.

Every type is checked: `True` is not 1, 1.0 is not 1.
"""

import json
from collections.abc import Iterable
from enum import StrEnum
from typing import Final, TypeVar

from server.games.contract import Json, RecordError

Value = TypeVar("Value", bound=StrEnum)


_SHOWN: Final = 60


def shown(value: Json) -> str:
    """The value for an error message, as JSON writes it, so without control characters. Objects
    and lists only by their kind, and cut short: a record may hold anything."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return cut(json.dumps(value))


def cut(text: str) -> str:
    """The text, shortened if it is long."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def field_in(fields: dict[str, Json], name: str, where: str) -> Json:
    """The value of a field that must be there."""
    if name not in fields:
        raise RecordError(f"{name} is missing in {where}")
    return fields[name]


def object_in(value: Json, name: str) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise RecordError(f"{name} is not an object")
    return value


def integer_in(fields: dict[str, Json], name: str, where: str) -> int:
    value = field_in(fields, name, where)
    if type(value) is not int:
        raise RecordError(f"{name} in {where} is not an integer: {shown(value)}")
    return value


def choice_in(fields: dict[str, Json], name: str, default: Value) -> Value:
    if name not in fields:
        return default
    kind = type(default)
    value = fields[name]
    if isinstance(value, str) and value in _values(kind):
        return kind(value)
    raise RecordError(f"option {name} is not {' or '.join(_values(kind))}: {shown(value)}")


def _values(kind: Iterable[StrEnum]) -> list[str]:
    return [member.value for member in kind]
