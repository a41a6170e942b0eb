"""Where the keys of a board of Wild Wild Pattern do something."""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.games.wild_wild_pattern.actions import (
    BANK,
    CLICK,
    DIRECTIONS,
    LETTERS,
    PASS,
    PLACES,
)
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.state.store import State
from protocol.games.wild_wild_pattern import Phase
from tests.games.wild_wild_pattern.boards import (
    BANKED,
    board,
    clicked,
    declaring,
    visits,
)
from tests.stage.action_scenes import Scene, playing

GAME: Final = "wild_wild_pattern"


def racing() -> State:
    """Ann may shoot."""
    return playing(GAME, board(2))


def answering() -> State:
    """Bo has clicked."""
    return playing(GAME, clicked(seats=2))


def after_a_shot() -> State:
    """Ann is to declare."""
    return playing(GAME, declaring(seats=2))


def next_round() -> State:
    """Both have been at the Bank."""
    return playing(GAME, board(2, Phase.READY, bank=visits(BANKED[:2])))


SCENES: Final[Mapping[Action, Scene]] = {
    **dict.fromkeys((*PLACES, CLICK), Scene(racing)),
    PASS: Scene(answering),
    **dict.fromkeys(DIRECTIONS, Scene(after_a_shot)),
    **dict.fromkeys(LETTERS, Scene(after_a_shot, ("greater_than_sign",))),
    BANK: Scene(next_round),
}
