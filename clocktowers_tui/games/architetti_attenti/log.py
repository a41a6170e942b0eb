"""The log, a line for each event; and what the others have placed since the player's last turn."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

from clocktowers_tui.games.architetti_attenti.words import cells_words, tile_words
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games.architetti_attenti import (
    Bought,
    Dealt,
    Discarded,
    Event,
    Placed,
    Revealed,
    View,
)
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


# What the others have placed since the player's last turn ----------------------------------------


News: TypeAlias = Mapping[int, frozenset[int]]
"""Seat → the cells that were free when the player's last turn ended."""


def news(view: View, since: View) -> News:
    """What `view` shows that `since` did not; the player's own board is no news."""
    return {
        seat: frozenset(
            cell
            for cell, (now, then) in enumerate(zip(board, since.boards[seat], strict=True))
            if now and not then
        )
        for seat, board in enumerate(view.boards)
        if seat != view.seat
    }


def looked_at(view: View, before: View | None, since: View | None) -> View:
    """The view that news count from: at the end of the player's last turn; for those who watch, the
    one before. `before` and `since` are the last view and what this gave for it."""
    if before is None or since is None or len(before.boards) != len(view.boards):
        return view
    if _built(view) < _built(before):
        return view  # another match, or a tile taken back
    if view.seat is None:
        return before if before.boards != view.boards else since
    if before.turn != view.seat:
        return since
    return since if view.turn == view.seat else view


def _built(view: View) -> int:
    return sum(len(board) - board.count(0) for board in view.boards)
