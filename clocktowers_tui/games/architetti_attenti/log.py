"""The log, a line for each event; and what the others have placed since the player's last turn."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeAlias, assert_never

from clocktowers_tui.games.architetti_attenti.words import laid_words, tile_words
from clocktowers_tui.games.face import deed
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
    told = partial(deed, names, you)
    match event:
        case Dealt():
            return told(
                event.first_seat,
                _("The tiles are laid out; you begin"),
                _("The tiles are laid out; {name} begins"),
            )
        case Bought():
            # Paid and got stay apart: the gems on the tile cannot pay for it.
            return told(
                event.seat,
                *_bought(paid=bool(event.paid), got=bool(event.gained)),
                tile=tile_words(event.tile),
                paid=ngettext("{n} gem", "{n} gems", event.paid).format(n=event.paid),
                got=ngettext("{n} gem", "{n} gems", event.gained).format(n=event.gained),
            )
        case Placed():
            # The tile once more: a small log has no room for the line of its purchase.
            laid = laid_words(event.tile, event.first, event.second)
            return told(event.seat, _("You built {laid}"), _("{name} built {laid}"), laid=laid)
        case Discarded():
            gone = _("{name} had no room: the tile is gone")
            return told(event.seat, _("You had no room: the tile is gone"), gone)
        case Revealed():
            return ""
        case _:
            assert_never(event)


def opens_turn(event: Event, acting: Seat | None) -> bool:
    """A turn begins with a purchase, also for a player alone."""
    return isinstance(event, Bought)


def _bought(*, paid: bool, got: bool) -> tuple[str, str]:
    if paid and got:
        return (
            _("You bought {tile} for {paid} and got {got}"),
            _("{name} bought {tile} for {paid} and got {got}"),
        )
    if paid:
        return _("You bought {tile} for {paid}"), _("{name} bought {tile} for {paid}")
    if got:
        return _("You bought {tile} and got {got}"), _("{name} bought {tile} and got {got}")
    return _("You bought {tile}"), _("{name} bought {tile}")


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
