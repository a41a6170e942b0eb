"""Clocktowers for the walk through all screens, and for every key of its board."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from clocktowers_tui.games.clocktowers.actions import (
    CARDS,
    DISCARD,
    LAYOUT,
    NAMED,
    NEW_TOWER,
    PILES,
)
from clocktowers_tui.games.clocktowers.choosing import Remark
from clocktowers_tui.games.clocktowers.ladder import complete, needed
from clocktowers_tui.games.clocktowers.sentences import refusal_words
from clocktowers_tui.games.keys import NOT_YOUR_TURN, OVER, WATCHING, with_keys
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.state.store import State
from clocktowers_tui.text.i18n import _
from protocol.errors import Param, Refusal
from protocol.games import clocktowers as ct
from tests.games.clocktowers.boards import MANY, board, cards
from tests.games.clocktowers.face_case import CASE
from tests.stage.action_scenes import Scene, playing
from tests.stage.own_files import Stages, for_both

_EVENTS: Final = (
    ct.Dealt(0, cards("1-.K-.Rr"), bytes((17, 15, 17)), ct.Options()),
    *for_both(CASE.words.told),
    ct.YouDiscarded(6),
)
_PARAMS: Final[Mapping[str, Param]] = {
    "tower": 11,
    "towers": 12,
    "card": 3,
    "height": 12,
    "heights": [1, 2],
    "pile": 1,
}


def _boards() -> Mapping[str, tuple[ct.View, Sequence[str]]]:
    two, four = board(2), board(4)
    draw = board(4, hand="2c.K-", phase=ct.Phase.DRAW)
    return {
        "two": (two, ()),
        "three": (board(3), ("1",)),
        "four": (four, ()),
        "a floor": (four, ("1",)),
        "a roof": (four, ("3",)),
        "drawing": (draw, ()),
        "draw first": (board(4, hand="2c.K-.Km.Rb"), ("1",)),
        "another's": (replace(four, turn=1, legal=[]), ("1",)),
        "another draws": (replace(draw, turn=1, legal=[]), ()),
        "watching": (board(3, seat=None), ("1",)),
        "own ladders": (replace(four, ladder=list(four.ladder) * 4), ()),
        "watching own ladders": (replace(board(4, seat=None), ladder=list(four.ladder) * 4), ()),
        "open memory": (board(4, known=("", "2c", "K-.Rb", "1m.2-.Ry")), ()),
        "many towers": (board(4, own=MANY), ("1",)),
        "no pile": (replace(four, piles=bytes(3), left=bytes(3)), ()),
    }


def _said() -> Sequence[str]:
    refused = [Refusal(code, {**_PARAMS}) for code in ct.Refused]
    refused += [Refusal(ct.Refused.WRONG_HEIGHT, {**_PARAMS, "heights": []})]
    return [refusal_words(one) or "" for one in refused]


def _remarks() -> Sequence[str]:
    roofless = replace(board(4), ladder=[bytes(5)], hand=bytes((9,)))
    remarks = (*Remark, NOT_YOUR_TURN, WATCHING, OVER)
    others = [with_keys(_(found), DEFAULT_KEYS, NAMED) for found in remarks]
    lacking = [needed(board(4), card) for card in range(7, 14)]
    return [*others, *lacking, needed(roofless, 9), complete(11)]


def _ends() -> Sequence[tuple[ct.View, ct.Outcome]]:
    over = replace(board(4), turn=None, phase=ct.Phase.OVER, legal=[])
    winners = {
        decided: (0, 1) if decided is ct.DecidedBy.SHARED else (0,) for decided in ct.DecidedBy
    }
    return [
        (over, ct.Outcome((12, 12, 1, 0), winners[decided], decided)) for decided in ct.DecidedBy
    ]


STAGES: Final = Stages(
    "clocktowers", _EVENTS, _boards, lambda view: len(view.towns), _remarks, _said, _ends
)


# Keys ---------------------------------------------------------------------------------------------


def match(phase: ct.Phase = ct.Phase.PLAY) -> State:
    return playing("clocktowers", board(2, own=MANY, phase=phase), discards=60)


def drawing() -> State:
    return match(ct.Phase.DRAW)


SCENES: Final[Mapping[Action, Scene]] = {
    **dict.fromkeys(CARDS, Scene(match)),
    **dict.fromkeys(PILES, Scene(drawing)),
    **dict.fromkeys((NEW_TOWER, DISCARD, LAYOUT), Scene(match, ("1", "left"))),
}
