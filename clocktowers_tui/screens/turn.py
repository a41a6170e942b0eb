"""Whose turn it is, as far as this player cares."""

from collections.abc import Mapping

from clocktowers_tui.games.face import Face
from clocktowers_tui.state.store import State


def is_my_turn(state: State, faces: Mapping[str, Face]) -> bool:
    """Whether the match waits for this player."""
    match = state.match
    if match is None or match.view is None or match.over:
        return False
    seated = state.seat is not None
    return seated and faces[match.game].is_my_turn(match.view)
