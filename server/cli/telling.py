"""Prints what a command of the operator found out: a table for people, or JSON for programs."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from protocol.text import cells, clean

TIMES: Final = frozenset({"when", "since", "until"})
"""Columns of seconds since 1970; 0 is no time."""
GAP: Final = "  "


def print_rows(
    found: Sequence[Mapping[str, Any]], *, as_json: bool, sideways: bool = False
) -> None:
    """A line for each, or a column; as JSON an object a line."""
    if as_json:
        for row in found:
            print(msgspec.json.encode(row).decode())
    elif found:
        names = list(found[0])
        table = [names, *([_shown(name, row.get(name)) for name in names] for row in found)]
        table = list(map(list, zip(*table, strict=True))) if sideways else table
        widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
        for line in table:
            print(GAP.join(map(_padded, line, widths)).rstrip())


def print_values(found: Mapping[str, Any], *, as_json: bool) -> None:
    """A line for each value; as JSON one object."""
    if as_json:
        print(msgspec.json.encode(found).decode())
        return
    width = max(map(len, found))
    for name, value in found.items():
        print(f"{name:{width}}{GAP}{_shown(name, value)}")


def _shown(name: str, value: Any) -> str:
    if name in TIMES:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(value)) if value else "-"
    if isinstance(value, list):
        return clean(", ".join(map(str, value))) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return clean(str(value)) if value not in (None, "") else "-"


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))
