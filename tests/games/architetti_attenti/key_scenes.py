"""Where the keys of a board of Architetti Attenti do something."""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.games.architetti_attenti.actions import BEST, LAYOUT, OTHERS, TILES, TURN
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.state.store import State
from protocol.games.architetti_attenti import Options
from tests.games.architetti_attenti.matches import Match
from tests.stage.action_scenes import Scene, playing


def building() -> State:
    """Ann is to buy a tile."""
    return playing("architetti_attenti", Match(2, Options(first_seat=0), seed=1).view())


SCENES: Final[Mapping[Action, Scene]] = {
    **dict.fromkeys(TILES, Scene(building)),
    **dict.fromkeys((TURN, OTHERS, LAYOUT), Scene(building, ("1",))),
    BEST: Scene(building, ("1", "left")),
}
