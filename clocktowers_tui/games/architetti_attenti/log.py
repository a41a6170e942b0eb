"""The log: a line for each event; the player's own seat is "you" in every line.

Law: only ASCII of our own, so that every glyph set can show it.
"""

from collections.abc import Sequence
from typing import assert_never

from clocktowers_tui.games.architetti_attenti.words import tile_words
from clocktowers_tui.text.i18n import _
from protocol.games.architetti_attenti import Bought, Dealt, Discarded, Event, Placed, Revealed
from protocol.games.architetti_attenti.board import cell_name
from protocol.ids import Seat


def phrase(event: Event, names: Sequence[str], you: Seat | None) -> str:
    """An event as a line of the log."""
    match event:
        case Dealt():
            return _dealt(event, names, mine=event.first_seat == you)
        case Bought():
            return _bought(event, names, mine=event.seat == you)
        case Placed():
            return _placed(event, names, mine=event.seat == you)
        case Discarded():
            text = (
                _("You have no room for it")
                if event.seat == you
                else _("{name} has no room for it")
            )
            return text.format(name=names[event.seat])
        case Revealed():
            return _("New tile: {tile}").format(tile=tile_words(event.tile))
        case _:
            assert_never(event)


def opens_turn(event: Event, acting: Seat | None) -> bool:
    """A turn begins with a purchase, also for a player alone."""
    return isinstance(event, Bought)


def _dealt(event: Dealt, names: Sequence[str], *, mine: bool) -> str:
    if mine:
        return _("The tiles are laid out; you begin")
    return _("The tiles are laid out; {name} begins").format(name=names[event.first_seat])


def _bought(event: Bought, names: Sequence[str], *, mine: bool) -> str:
    text = _("You take {tile}") if mine else _("{name} takes {tile}")
    took = text.format(name=names[event.seat], tile=tile_words(event.tile))
    gems = [f"-{event.paid}"] * bool(event.paid) + [f"+{event.gained}"] * bool(event.gained)
    # Paid and gained stay apart: the gems on the tile cannot pay for it.
    return f"{took}; " + _("gems {change}").format(change=" ".join(gems)) if gems else took


def _placed(event: Placed, names: Sequence[str], *, mine: bool) -> str:
    text = _("You build on {first} {second}") if mine else _("{name} builds on {first} {second}")
    first, second = cell_name(event.first), cell_name(event.second)
    return text.format(name=names[event.seat], first=first, second=second)
