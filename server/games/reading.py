"""Reading fields of match records: what is not as it should be is a RecordError, nothing else.

Every type is looked at: `True` is not 1, 1.0 is not 1.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from server.games.contract import Json, RecordError

Value = TypeVar("Value", bound=StrEnum)


def shown(value: Json) -> str:
    """What stood there, cut short: a record may hold anything."""
    text = repr(value) if isinstance(value, str | int | float | None) else type(value).__name__
    return text if len(text) <= 40 else text[:39] + "…"


def object_in(value: Json, name: str) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise RecordError(f"{name} is not an object")
    return value


def integer_in(fields: dict[str, Json], name: str, where: str) -> int:
    value = fields.get(name)
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
