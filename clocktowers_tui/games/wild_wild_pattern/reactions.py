"""How soon a player shot or clicked, out of a match's record."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from protocol.games.wild_wild_pattern import Practice


class _Action(Struct):
    do: str
    clicked: bool = False


class _Ply(Struct):
    seat: int
    action: _Action
    at_ms: int | None = None


class _Record(Struct):
    """What is read of it."""

    seats: list[Any]
    plies: list[_Ply]
    options: dict[str, Any] = {}


def reactions_ms(record: bytes, seat: int) -> Sequence[int]:
    """From the moment at which all were ready to the seat's own try, for each race with both. None
    where nobody hurries, in practice, and none where `record` is no record."""
    try:
        read = msgspec.json.decode(record, type=_Record)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ()
    if read.options.get("practice") == Practice.ON:
        return ()
    found, ready, began_ms, now_ms = list[int](), set[int](), None, 0
    for ply in read.plies:
        now_ms = now_ms if ply.at_ms is None else ply.at_ms
        tries = ply.action.do in ("shoot", "click") and not ply.action.clicked
        if ply.action.do == "ready":
            ready.add(ply.seat)
            began_ms = now_ms if len(ready) == len(read.seats) else None
            continue
        if tries and ply.seat == seat and began_ms is not None:
            found.append(now_ms - began_ms)
        ready.clear()
        began_ms = began_ms if tries and ply.seat != seat else None
    return found
