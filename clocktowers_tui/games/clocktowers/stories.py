"""The story of each tower: the cards that players build on it."""

from collections.abc import Sequence

from clocktowers_tui.games.face import Story
from clocktowers_tui.games.stories import plies_of
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import Completed, Event, Played


def stories(told: Sequence[Sequence[Event]], names: Sequence[str]) -> Sequence[Story]:
    """Of all towers, in the order in which they were begun."""
    words = _("tower {tower} of {name}")
    return [
        Story(words.format(tower=number + 1, name=names[seat]), plies)
        for (seat, number), plies in plies_of(told, _towers).items()
    ]


def _towers(event: Event) -> Sequence[tuple[int, int]]:
    """Seat and number, from 0."""
    return ((event.seat, event.tower),) if isinstance(event, Played | Completed) else ()
