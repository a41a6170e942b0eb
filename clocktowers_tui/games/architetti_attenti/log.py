"""The log: a line for each event; the player's own seat is "you" in every line.

Law: only ASCII of our own, so that every glyph set can show it.
"""

from collections.abc import Sequence
from typing import assert_never

from clocktowers_tui.games.architetti_attenti.words import cells_words, tile_words
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games.architetti_attenti import Bought, Dealt, Discarded, Event, Placed, Revealed
from protocol.ids import Seat


def phrase(event: Event, names: Sequence[str], you: Seat | None) -> str:
    """An event as a line of the log; a new tile is seen in the row, and ends every turn."""
    match event:
        case Dealt():
            return _dealt(event, names, mine=event.first_seat == you)
        case Bought():
            return _bought(event, names, mine=event.seat == you)
        case Placed():
            return _placed(event, names, mine=event.seat == you)
        case Discarded():
            text = (
                _("You had no room: the tile is gone")
                if event.seat == you
                else _("{name} had no room: the tile is gone")
            )
            return text.format(name=names[event.seat])
        case Revealed():
            return ""
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
    """Paid and got stay apart: the gems on the tile cannot pay for it."""
    paid, got = (ngettext("{n} gem", "{n} gems", n).format(n=n) for n in (event.paid, event.gained))
    match bool(event.paid), bool(event.gained):
        case True, True:
            said = (
                _("You bought {tile} for {paid} and got {got}")
                if mine
                else _("{name} bought {tile} for {paid} and got {got}")
            )
        case True, False:
            said = (
                _("You bought {tile} for {paid}") if mine else _("{name} bought {tile} for {paid}")
            )
        case False, True:
            said = (
                _("You bought {tile} and got {got}")
                if mine
                else _("{name} bought {tile} and got {got}")
            )
        case _:
            said = _("You bought {tile}") if mine else _("{name} bought {tile}")
    return said.format(name=names[event.seat], tile=tile_words(event.tile), paid=paid, got=got)


def _placed(event: Placed, names: Sequence[str], *, mine: bool) -> str:
    """The tile once more: a small log has no room for the line of its purchase."""
    text = _("You built {tile} on {cells}")
    if not mine:
        text = _("{name} built {tile} on {cells}")
    where = cells_words((event.first, event.second))
    return text.format(name=names[event.seat], tile=tile_words(event.tile), cells=where)
