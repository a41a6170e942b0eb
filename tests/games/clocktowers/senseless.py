"""An honest match of four, and what a lying server may say instead."""

from typing import Any, Final

from msgspec.structs import replace

from protocol.games import clocktowers as ct
from tests.games.clocktowers.boards import board, cards
from tests.stage.nonsense import END, MISSED, UPDATE, Sample, plain

_VIEW: Final = replace(
    board(4, known=("2c", "2c", "K-.Rb", "1m.2-.Ry")),
    discards=cards("1m"),
    shown=[cards("1m"), b"", b"", b""],
    removed=cards("1-.K-"),
)
_EVENT: Final = ("events", 0)
_TOWN: Final = ("view", "towns", 1)
_WRONG: Final[Any] = {
    "an event of a seat beyond the table": (UPDATE, {_EVENT: plain(ct.Discarded(4))}),
    "one missed of such a seat": (MISSED, {_EVENT: plain(ct.Drew(-9, 0, 1, 2))}),
    "a turn of nobody's": (UPDATE, {("view", "turn"): 7}),
    "a card that is none": (UPDATE, {("view", "hand"): b"\xff\1\2"}),
    "an unknown card in a tower": (UPDATE, {(*_TOWN, 0, 0): b"\x20"}),
    "no piles": (UPDATE, {("view", "piles"): b""}),
    "a ladder of two steps": (UPDATE, {("view", "ladder"): [b"\1\2"]}),
    "scores of two": (END, {("outcome", "scores"): [1, 2]}),
    "a winner beyond the table": (END, {("outcome", "winners"): [6]}),
}
_LIES: Final[Any] = {
    "an unknown card": (UPDATE, {_EVENT: plain(ct.Played(0, 99, 0, 1))}),
    "hands of five": (UPDATE, {("view", "hands"): bytes((3, 3, 3, 3, 3))}),
    "towns of three": (UPDATE, {("view", "towns"): plain(_VIEW.towns[:3])}),
    "a tower of nothing": (UPDATE, {(*_TOWN, 0, 0): b""}),
}

SAMPLE: Final = Sample(
    game="clocktowers",
    view=_VIEW,
    events=(
        ct.Dealt(0, cards("1-.K-.Rr"), bytes((17, 15, 17)), ct.Options()),
        ct.Played(1, 2, 0, 1),
        ct.Drew(2, 0, 1, 2),
        ct.Completed(3, 0, 11, 4, 3, 5),
        ct.Discarded(0),
        ct.YouDiscarded(6),
    ),
    outcome={"scores": [12, 3, 0, 1], "winners": [0], "decided_by": "points"},
    wrong=_WRONG,
    lies=_LIES,
    largest=replace(
        _VIEW,
        towns=[ct.Town([cards("1-") * 66] * 66, bytes(66))] * 4,
        legal=[ct.Choice(ct.Play(2, 5), 2**62, 2**62, 2**62)] * 1000,
    ),
    keys=("1", "escape", "x"),
    sign="Next roof",
)
