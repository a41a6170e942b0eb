"""Which games the client has a face for: one line a game."""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.actions import ACTIONS, Action
from clocktowers_tui.games.clocktowers.face import CLOCKTOWERS
from clocktowers_tui.games.face import Face

FACES: Final[Mapping[str, Face]] = {
    "clocktowers": CLOCKTOWERS,
}

ALL_ACTIONS: Final[tuple[Action, ...]] = tuple(
    dict.fromkeys([*ACTIONS, *(action for face in FACES.values() for action in face.actions())])
)
"""Games may share an action of the board; then it is one and the same value."""
