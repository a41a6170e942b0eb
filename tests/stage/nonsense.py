"""Messages of the right shape that make no sense, made from an honest match by changing its
parts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from hypothesis import strategies as st
from msgspec import Struct, to_builtins

from protocol.codec import read_as
from protocol.errors import RemoteProtocolError
from protocol.from_server import AtTable, Ended, History, Notice, NoticeCode, Update
from tests.stage import small_match

Path: TypeAlias = tuple[str | int, ...]

NAMES: Final = ("Ann", "Björn", "Chiara", "Dmitri")
MISSED, UPDATE, END = 2, 3, 5
"""Where in the honest match its events, its view and its outcome are told."""


class Sample(NamedTuple):
    """A game's honest match of four. `wrong`: the fault, the message that has it, and the values
    that make it. `lies`: as `wrong`, but a client cannot notice them. `largest`: the view that is
    slowest to draw. `keys`: pressed on the board; `sign`: read on it."""

    game: str
    view: Any
    events: Sequence[Any]
    outcome: Any
    wrong: Mapping[str, tuple[int, Mapping[Path, Any]]]
    lies: Mapping[str, tuple[int, Mapping[Path, Any]]]
    largest: Any
    keys: Sequence[str]
    sign: str


def plain(value: Any) -> Any:
    return to_builtins(value, builtin_types=(bytes,))


def honest(sample: Sample) -> list[Struct]:
    """A match of four from its table to its end, in few words."""
    events, view = plain(sample.events), plain(sample.view)
    return [
        small_match.at_table(*NAMES, game=sample.game),
        small_match.started(game=sample.game),
        History(match="m1", version=3, events=events),
        Update(match="m1", version=4, ply=4, view=view, events=events, revocable=0),
        Notice(NoticeCode.WANTS_REMATCH, {"name": "Chiara", "seat": 2}),
        Ended(match="m1", outcome=sample.outcome, seed=small_match.SEED),
    ]


def changed(message: Struct, changes: Mapping[Path, Any]) -> Struct | None:
    """The message with other values there; None when it no longer has that shape."""
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
    """Every number, row and list in a plain value, and its place."""
    if isinstance(value, int | bytes | list) and not isinstance(value, bool):
        yield at, value
    inner: Any = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        inner = enumerate(value)
    for key, part in inner:
        yield from paths(part, (*at, key))


def others(value: Any) -> list[Any]:
    """A value to put in its place."""
    if isinstance(value, int):
        return [-1, 0, value + 1, 4, 13, 14, 99, 255, 2**63, None]
    if isinstance(value, bytes):
        wrong = [b"", value[:-1], value + b"\1", bytes(reversed(value)), b"\xff" * len(value)]
        return [*wrong, bytes(200), b"\x0e" + value[1:]]
    return [[], value[:-1], value + value[-1:], value * 9, list(reversed(value))]


@st.composite
def matches(draw: st.DrawFn, sample: Sample) -> list[Struct]:
    """An honest match with up to three parts of its messages changed."""
    said = honest(sample)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(said) - 1))
        path, value = draw(st.sampled_from(list(paths(plain(said[at]))) or [((), None)]))
        if value is not None:
            said[at] = changed(said[at], {path: draw(st.sampled_from(others(value)))}) or said[at]
    return said


def senseless(sample: Sample, what: str) -> list[Struct]:
    """The honest match up to and with the message that is wrong, or a lie."""
    at, changes = {**sample.wrong, **sample.lies}[what]
    said = honest(sample)[: at + 1]
    wrong = changed(said[at], changes)
    assert wrong is not None and wrong != said[at]
    return [*said[:at], wrong]


def another_table(sample: Sample) -> AtTable:
    """A table with fewer seats than the match that is played there."""
    return small_match.at_table(*NAMES[:2], game=sample.game)
