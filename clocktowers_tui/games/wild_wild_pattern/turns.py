"""How far a match is, as far as a view tells."""

from protocol.games.wild_wild_pattern import View


def turn(view: View) -> int:
    """Which turn of its round it is, from 1 on; how many those before it took, no view tells."""
    return view.turn
