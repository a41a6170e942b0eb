"""How far the player's match is, for the menu of a client that starts later."""

from collections.abc import Mapping

from clocktowers_tui.deeds.acting import is_my_turn
from clocktowers_tui.games.face import Face
from clocktowers_tui.net.seats import Progress
from clocktowers_tui.state.store import State


def progress(state: State, faces: Mapping[str, Face]) -> Progress | None:
    """None while others have the turn: each turn of the player's is noted once."""
    if state.match is None or state.table is None or not is_my_turn(state, faces):
        return None
    people, bots = state.table.opponents
    face = faces[state.match.game]
    return Progress(people, bots, face.turn(state.match.view), face.round(state.match.view))
