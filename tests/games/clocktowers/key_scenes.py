"""Where the keys of a board of Clocktowers do something."""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.games.clocktowers.actions import DISCARD, LAYOUT, NEW_TOWER, NUMBERS, PILES
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.state.store import State
from protocol.games.clocktowers import Phase
from tests.games.clocktowers.boards import MANY, board
from tests.stage.action_scenes import Scene, playing


def match(phase: Phase = Phase.PLAY) -> State:
    return playing("clocktowers", board(2, own=MANY, phase=phase), discards=60)


def drawing() -> State:
    return match(Phase.DRAW)


SCENES: Final[Mapping[Action, Scene]] = {
    **dict.fromkeys(NUMBERS, Scene(match, ("1", "n"))),
    **dict.fromkeys(PILES, Scene(drawing)),
    **dict.fromkeys((NEW_TOWER, DISCARD, LAYOUT), Scene(match, ("1", "4"))),
}
