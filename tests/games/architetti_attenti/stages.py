"""Architetti Attenti for the walk through all screens, and for every key of its board."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from clocktowers_tui.games.architetti_attenti.actions import BEST, LAYOUT, OTHERS, TILES, TURN
from clocktowers_tui.games.architetti_attenti.choosing import Remark, Selection
from clocktowers_tui.games.architetti_attenti.sentences import refusal_words, remark
from clocktowers_tui.games.keys import NOT_YOUR_TURN, OVER, WATCHING
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.state.store import State
from protocol.errors import Param, Refusal
from protocol.games import architetti_attenti as aa
from tests.games.architetti_attenti.face_case import CASE
from tests.games.architetti_attenti.matches import TownMatch, played
from tests.stage.action_scenes import Scene, playing
from tests.stage.own_files import Stages, for_both

_EVENTS: Final = (aa.Dealt(0, b"\1\2\3\4", 88, aa.Options()), *for_both(CASE.words.told))
_PARAMS: Final[Mapping[str, Param]] = {
    "position": 4,
    "cost": 3,
    "gems": 2,
    "cell": 0,
    "first": 0,
    "second": 1,
}


def _view(
    seats: int, seat: int | None = 0, events: int = 90, end: aa.End = aa.End.AT_ONCE
) -> aa.View:
    """In the midst of a match of which so much has happened, when seat 0 is to buy."""
    match = TownMatch(seats, aa.Options(first_seat=0, end=end), seed=7, seat=seat)
    while len(match.events) < events or (match.view().turn, match.view().phase) != (
        0,
        aa.Phase.BUY,
    ):
        match.play_one()
    return match.view()


def _boards() -> Mapping[str, tuple[aa.View, Sequence[str]]]:
    two, four = _view(2), _view(4)
    placing = replace(four, phase=aa.Phase.PLACE, tile=2, row=b"\0" + four.row[1:])
    full = played(1, aa.Options(end=aa.End.ROW), seed=7).view().boards[0]
    return {
        "alone": (_view(1, events=30), ("1",)),
        "two": (two, ()),
        "three": (_view(3), ()),
        "four": (four, ()),
        "a tile": (four, ("1",)),
        "turned": (four, ("2", "r")),
        "moved": (four, ("1", "up", "left", "left")),
        "placing": (placing, ()),
        "placing elsewhere": (placing, ("right", "down", "r")),
        "too dear": (replace(four, gems=bytes(4)), ("4",)),
        "no room": (replace(two, boards=[full, two.boards[1]]), ("1",)),
        "another's": (replace(four, turn=1), ()),
        "another places": (replace(placing, turn=1), ()),
        "another's board": (four, ("o",)),
        "watching": (_view(3, seat=None), ()),
        "watching another": (_view(3, seat=None), ("o",)),
        "the last tiles": (replace(two, row=b"\1\2\0\0", on_row=b"\1\0\0\0", left=0), ("2",)),
    }


def _said() -> Sequence[str]:
    refused = [Refusal(code, {**_PARAMS}) for code in aa.Refused]
    refused += [Refusal(aa.Refused.WRONG_PHASE, {"phase": phase}) for phase in aa.Phase]
    return [refusal_words(one) or "" for one in refused]


def _remarks() -> Sequence[str]:
    poor = replace(_view(2), gems=bytes(2))
    found = (*Remark, NOT_YOUR_TURN, WATCHING, OVER)
    return [remark(one, poor, Selection(position=4), DEFAULT_KEYS, None) for one in found]


def _ends() -> Sequence[tuple[aa.View, aa.Outcome]]:
    four, alone = (played(seats, aa.Options(), seed=7) for seats in (4, 1))
    best = max(four.outcome().parts, key=lambda parts: parts.total)
    shared = aa.Outcome((best.total,) * 4, (best,) * 4, (0, 1, 2, 3), aa.DecidedBy.SHARED)
    return [(four.view(), four.outcome()), (four.view(), shared), (alone.view(), alone.outcome())]


STAGES: Final = Stages(
    "architetti_attenti", _EVENTS, _boards, lambda view: len(view.boards), _remarks, _said, _ends
)


# Keys ---------------------------------------------------------------------------------------------


def building() -> State:
    """Ann is to buy a tile."""
    return playing("architetti_attenti", TownMatch(2, aa.Options(first_seat=0), seed=1).view())


SCENES: Final[Mapping[Action, Scene]] = {
    **dict.fromkeys(TILES, Scene(building)),
    **dict.fromkeys((TURN, OTHERS, LAYOUT), Scene(building, ("1",))),
    BEST: Scene(building, ("1", "left")),
}
