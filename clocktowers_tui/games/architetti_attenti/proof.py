"""Deals again from the seed shown at the end, and compares that with what was seen of the match.

Law: only a contradiction counts against the seed. What was not seen leaves the question open, so a
gap in the events accuses nobody.
"""

from collections.abc import Iterable, Sequence

from protocol.games.architetti_attenti import SEATS, Dealt, Event, Phase, Revealed, View
from protocol.games.architetti_attenti.options import Dealing, dealt


def same_deal(events: Sequence[Event], view: View, seed: bytes) -> bool | None:
    """See `Face.same_deal`: the first seat, the first row, every tile revealed in the pile's order,
    and the removed tiles of the last view."""
    seats = len(view.boards)
    if seats not in SEATS:
        return False
    dealing = dealt(seats, seed)
    openings = [event for event in events if isinstance(event, Dealt)]
    revealed = bytes(event.tile for event in events if isinstance(event, Revealed))
    possible = (
        view.removed in (b"", dealing.removed)
        and _same_openings(openings, dealing)
        and _in_order(revealed, dealing.pile)
    )
    if not possible:
        return False
    # Of two players no tile is removed, so an empty row of them is all there is at the end.
    whole = view.phase is Phase.OVER and view.removed == dealing.removed
    return True if whole and openings and len(revealed) == len(dealing.pile) else None


def _same_openings(openings: Iterable[Dealt], dealing: Dealing) -> bool:
    return all(
        (opening.row, opening.left) == (dealing.row, len(dealing.pile))
        and opening.first_seat == dealing.first(opening.options)
        for opening in openings
    )


def _in_order(revealed: bytes, pile: bytes) -> bool:
    """Whether these are tiles of the pile from top to bottom, some perhaps unseen."""
    # A test of membership uses the iterator up as far as the tile: each is looked for below the
    # one before.
    below = iter(pile)
    return all(tile in below for tile in revealed)
