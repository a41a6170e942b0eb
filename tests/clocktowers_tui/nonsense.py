"""Messages of the right shape and of no sense, made from an honest match by changing its parts."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from hypothesis import strategies as st
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from protocol.codec import read_as
from protocol.errors import RemoteProtocolError
from protocol.from_server import AtTable, Ended, History, Notice, NoticeCode, Update
from protocol.games.clocktowers import (
    Completed,
    Dealt,
    Discarded,
    Drew,
    Options,
    Played,
    YouDiscarded,
)
from tests.clocktowers_tui.games.clocktowers.boards import NAMES, board, cards
from tests.clocktowers_tui.state import samples

Path: TypeAlias = tuple[str | int, ...]

VIEW: Final = replace(
    board(4, known=("2c", "2c", "K-.Rb", "1m.2-.Ry")),
    discards=cards("1m"),
    shown=[cards("1m"), b"", b"", b""],
    removed=cards("1-.K-"),
)
EVENTS: Final = (
    Dealt(0, cards("1-.K-.Rr"), bytes((17, 15, 17)), Options()),
    Played(1, 2, 0, 1),
    Drew(2, 0, 1, 2),
    Completed(3, 0, 11, 4, 3, 5),
    Discarded(0),
    YouDiscarded(6),
)
OUTCOME: Final = {"scores": [12, 3, 0, 1], "winners": [0], "decided_by": "points"}


def plain(value: Any) -> Any:
    return to_builtins(value, builtin_types=(bytes,))


def honest() -> list[Struct]:
    """A match of four from its table to its end, in few words."""
    events = plain(EVENTS)
    return [
        samples.at_table(*NAMES),
        samples.started(),
        History(match="m1", version=3, events=events),
        Update(match="m1", version=4, ply=4, view=plain(VIEW), events=events, revocable=0),
        Notice(NoticeCode.WANTS_REMATCH, {"name": "Chiara", "seat": 2}),
        Ended(match="m1", outcome=OUTCOME, seed=samples.SEED),
    ]


def changed(message: Struct, changes: Mapping[Path, Any]) -> Struct | None:
    """The message with other values there; None when that is not its shape any more."""
    value = plain(message)
    for path, other in changes.items():
        value = changed_value(value, path, other)
    try:
        return read_as(value, type(message))
    except RemoteProtocolError:
        return None


def changed_value(value: Any, path: Path, other: Any) -> Any:
    if not path:
        return other
    key, *rest = path
    try:
        inner = changed_value(value[key], tuple(rest), other)
    except (LookupError, TypeError):
        return value  # another change has taken it away
    if isinstance(value, dict):
        return {**value, key: inner}
    assert isinstance(key, int)
    return [*value[:key], inner, *value[key + 1 :]]


def paths(value: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every number, row and list in a plain value, and where it stands."""
    if isinstance(value, int | bytes | list) and not isinstance(value, bool):
        yield at, value
    inner: Any = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        inner = enumerate(value)
    for key, part in inner:
        yield from paths(part, (*at, key))


def others(value: Any) -> list[Any]:
    """What might stand in its place."""
    if isinstance(value, int):
        return [-1, 0, value + 1, 4, 13, 14, 99, 255, 2**63, None]
    if isinstance(value, bytes):
        wrong = [b"", value[:-1], value + b"\1", bytes(reversed(value)), b"\xff" * len(value)]
        return [*wrong, bytes(200), b"\x0e" + value[1:]]
    return [[], value[:-1], value + value[-1:], value * 9, list(reversed(value))]


@st.composite
def matches(draw: st.DrawFn) -> list[Struct]:
    """An honest match with up to three parts of its messages changed."""
    said = honest()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(said) - 1))
        path, value = draw(st.sampled_from(list(paths(plain(said[at]))) or [((), None)]))
        if value is not None:
            said[at] = changed(said[at], {path: draw(st.sampled_from(others(value)))}) or said[at]
    return said


_EVENT: Final = ("events", 0)
_TOWN: Final = ("view", "towns", 1)
NONSENSE: Final[Mapping[str, tuple[int, Mapping[Path, Any]]]] = {
    "an event of a seat beyond the table": (3, {_EVENT: plain(Discarded(4))}),
    "one missed of such a seat": (2, {_EVENT: plain(Drew(-9, 0, 1, 2))}),
    "an unknown card": (3, {_EVENT: plain(Played(0, 99, 0, 1))}),
    "a turn of nobody's": (3, {("view", "turn"): 7}),
    "hands of five": (3, {("view", "hands"): bytes((3, 3, 3, 3, 3))}),
    "towns of three": (3, {("view", "towns"): plain(VIEW.towns[:3])}),
    "a card that is none": (3, {("view", "hand"): b"\xff\1\2"}),
    "a tower of nothing": (3, {(*_TOWN, 0, 0): b""}),
    "an unknown card in a tower": (3, {(*_TOWN, 0, 0): b"\x20"}),
    "no piles": (3, {("view", "piles"): b""}),
    "a ladder of two steps": (3, {("view", "ladder"): [b"\1\2"]}),
    "scores of two": (5, {("outcome", "scores"): [1, 2]}),
    "a winner beyond the table": (5, {("outcome", "winners"): [6]}),
}
"""What is wrong → which of the honest messages, and what stands there instead."""


def nonsense(what: str) -> list[Struct]:
    """The honest match up to and with the message that makes no sense."""
    at, changes = NONSENSE[what]
    said = honest()[: at + 1]
    wrong = changed(said[at], changes)
    assert wrong is not None and wrong != said[at]
    return [*said[:at], wrong]


def another_table() -> AtTable:
    """With fewer seats than the match that is played there."""
    return samples.at_table(*NAMES[:2])
