"""How far a match is, and whether it waits for one, as far as a view tells."""

from clocktowers_tui.games.wild_wild_pattern.offers import Task, task
from protocol.games.wild_wild_pattern import View


def turn(view: View) -> int:
    """Which turn of its round it is, from 1 on; how many those before it took, no view tells."""
    return view.turn


def is_my_turn(view: View) -> bool:
    """Whether there is something for the seat of this view to do."""
    return task(view) is not Task.NOTHING


def due_ms(view: View) -> int | None:
    """When what is going on ends by itself."""
    return view.due_ms
