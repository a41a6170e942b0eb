"""What the checks of all games' messages do alike; each game says what is possible in it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

Event = TypeVar("Event")
View = TypeVar("View")
Outcome = TypeVar("Outcome")


class Possible(NamedTuple, Generic[Event, View, Outcome]):
    """One game: for how many it is, and whether an event, an outcome or a view can be in a match
    of so many. `wrong_in_view` says what cannot, "" = nothing."""

    seats: Sequence[int]
    can_happen: Callable[[Event, range], bool]
    can_be_the_end: Callable[[Outcome, int], bool]
    wrong_in_view: Callable[[View, int], str]


def nonsense(
    game: Possible[Event, View, Outcome],
    seats: int,
    events: Iterable[Event],
    view: View | None,
    outcome: Outcome | None,
) -> str:
    """What cannot be in a match of so many, "" = nothing."""
    if seats not in game.seats:
        return f"a match of {seats} seats"
    if not all(game.can_happen(event, range(seats)) for event in events):
        return "an event that cannot happen"
    if outcome is not None and not game.can_be_the_end(outcome, seats):
        return "an outcome that cannot be"
    return "" if view is None else game.wrong_in_view(view, seats)


def can_have_won(winners: Sequence[int], seats: int) -> bool:
    """Somebody of the match, each once, ascending."""
    once = sorted(set(winners)) == list(winners) != []
    return once and all(winner in range(seats) for winner in winners)
