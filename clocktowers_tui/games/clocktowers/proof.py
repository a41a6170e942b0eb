"""Deals again from the seed shown at the end, and compares that with what was seen of the match.

Law: only a contradiction counts against the seed. What was not seen leaves the question open, so a
gap in the events accuses nobody.
"""

from collections.abc import Iterable, Sequence

from protocol.games.clocktowers import SEATS, Dealt, Drew, Event, View
from protocol.games.clocktowers.cards import Dealing, dealt


def same_deal(events: Sequence[Event], view: View, seed: bytes) -> bool | None:
    """See `Face.same_deal`: the first seat, tops and counts, every card drawn, pile by pile and in
    order, and the removed cards of the last view."""
    seats = len(view.hands)
    if seats not in SEATS:
        return False
    dealing = dealt(seats, seed)
    openings = [event for event in events if isinstance(event, Dealt)]
    draws = [event for event in events if isinstance(event, Drew)]
    possible = (
        view.removed in (b"", b"".join(dealing.removed))
        and _same_openings(openings, dealing)
        and _possible_draws(draws, dealing.piles)
    )
    if not possible:
        return False
    # Draws in the right order that are as many as the cards are all of them.
    complete = openings and view.removed and len(draws) == sum(map(len, dealing.piles))
    return True if complete else None


def _same_openings(openings: Iterable[Dealt], dealing: Dealing) -> bool:
    tops = bytes(pile[0] for pile in dealing.piles)
    left = bytes(map(len, dealing.piles))
    return all(
        (opening.piles, opening.left) == (tops, left)
        and opening.first_seat == dealing.first(opening.options)
        for opening in openings
    )


def _possible_draws(draws: Sequence[Drew], piles: Sequence[bytes]) -> bool:
    """Whether the draws from each pile, some perhaps unseen, are in its order."""
    # A test of membership uses the iterator up as far as the card: each is looked for below the
    # one before.
    below = [zip(pile, pile[1:] + b"\0", strict=True) for pile in piles]
    return all(
        0 <= draw.pile < len(piles) and (draw.card, draw.top) in below[draw.pile] for draw in draws
    )
