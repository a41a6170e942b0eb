"""An honest match of four, and what a lying server may say instead."""

from typing import Any, Final

from msgspec.structs import replace

from protocol.games import architetti_attenti as aa
from protocol.games.architetti_attenti.board import MEADOW, with_tile
from tests.stage.nonsense import END, MISSED, UPDATE, Sample, plain

_BUILT: Final = with_tile(with_tile(MEADOW, 2, 0, 1), 11, 15, 8)
_VIEW: Final = aa.View(
    seat=0,
    turn=0,
    phase=aa.Phase.PLACE,
    row=b"\1\0\3\4",
    on_row=b"\1\0\0\2",
    left=70,
    tile=2,
    boards=[_BUILT, MEADOW, _BUILT, _BUILT],
    gems=b"\4\5\3\5",
    discarded=[b"", b"\1", b"", b""],
)
_EVENT: Final = ("events", 0)
_BOARD: Final = ("view", "boards", 1)


def _with(cell: int, byte: int) -> bytes:
    return MEADOW[:cell] + bytes((byte,)) + MEADOW[cell + 1 :]


_WRONG: Final[Any] = {
    "an event of a seat beyond the table": (UPDATE, {_EVENT: plain(aa.Discarded(4, 1))}),
    "one missed of such a seat": (MISSED, {_EVENT: plain(aa.Bought(-9, 1, 1, 0, 0))}),
    "a turn of nobody's": (UPDATE, {("view", "turn"): 7}),
    "gems of five": (UPDATE, {("view", "gems"): bytes(5)}),
    "a row of two": (UPDATE, {("view", "row"): b"\1\2"}),
    "an unknown tile to place": (UPDATE, {("view", "tile"): 77}),
    "a board of nothing": (UPDATE, {_BOARD: b""}),
    "an unknown kind": (UPDATE, {_BOARD: _with(30, 15)}),
    "scores of two": (END, {("outcome", "scores"): [1, 2]}),
    "a winner beyond the table": (END, {("outcome", "winners"): [6]}),
}
_LIES: Final[Any] = {
    "an unknown tile": (UPDATE, {_EVENT: plain(aa.Revealed(99))}),
    "a tile placed across the board": (UPDATE, {_EVENT: plain(aa.Placed(0, 1, 0, 48))}),
    "boards of three": (UPDATE, {("view", "boards"): [MEADOW] * 3}),
    "half a tile": (UPDATE, {_BOARD: _with(30, 1)}),
    "a town without its hall": (UPDATE, {_BOARD: _with(aa.HALL, 0)}),
    "points that nobody can count": (END, {("outcome", "parts", 0, "rails"): 2**62}),
}
_NOTHING: Final = dict.fromkeys(("houses", "blocks", "parks", "rails", "shops", "schools"), 0)
_OUTCOME: Final = {
    "scores": [12, 3, 0, 1],
    "parts": [{**_NOTHING, "houses": points} for points in (12, 3, 0, 1)],
    "winners": [0],
    "decided_by": "points",
}

SAMPLE: Final = Sample(
    game="architetti_attenti",
    view=_VIEW,
    events=(
        aa.Dealt(0, b"\1\2\3\4", 88, aa.Options()),
        aa.Bought(1, 3, 2, 2, 1),
        aa.Placed(1, 2, 0, 1),
        aa.Bought(2, 1, 1, 0, 0),
        aa.Discarded(2, 1),
        aa.Revealed(9),
    ),
    outcome=_OUTCOME,
    wrong=_WRONG,
    lies=_LIES,
    largest=replace(_VIEW, boards=[bytes((4, 5, 6, 7, 8, 8, 9)) * 7] * 4, gems=b"\xff" * 4),
    keys=("1", "r", "o", "escape", "right"),
    sign="Schools",
)
