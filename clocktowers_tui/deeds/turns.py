"""Whose turn it is in the player's match, and how far it is."""

from collections.abc import Mapping

from clocktowers_tui.games.face import Face
from clocktowers_tui.net.seats import Progress
from clocktowers_tui.state.store import State


def is_my_turn(state: State, faces: Mapping[str, Face]) -> bool:
    """Whether the match waits for this player."""
    match = state.match
    if match is None or match.view is None or match.over:
        return False
    seated = state.seat is not None
    return seated and faces[match.game].is_my_turn(match.view)


def may_act(state: State) -> bool:
    """Whether the player has a seat in a match that goes on, and none of their actions is on its
    way."""
    match = state.match
    return state.seat is not None and match is not None and match.pending is None and not match.over


def progress(state: State, faces: Mapping[str, Face]) -> Progress | None:
    """For the menu of a client that starts later. None while others have the turn: each turn of
    the player's is noted once."""
    if state.match is None or state.table is None or not is_my_turn(state, faces):
        return None
    people, bots = state.table.opponents
    face = faces[state.match.game]
    return Progress(people, bots, face.turn(state.match.view), face.round(state.match.view))
