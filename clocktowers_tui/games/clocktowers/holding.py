"""Where the cards of the player's hand stand. Pure.

Law: a card keeps its place, and so its number, while the player holds it; the next card takes the
place of the last one. Only when the piles are empty do the others move up.
"""

from collections import Counter
from typing import Final, NamedTuple

from protocol.games.clocktowers import View


class Holding(NamedTuple):
    """`hand`: from the left. `gap`: the place that the last card left, where the next one goes.
    `new`: the place of the card that came last from a pile; -1: it has gone."""

    hand: bytes = b""
    gap: int = 0
    new: int = -1


NEW_HAND: Final = Holding()


def holding(view: View, before: View | None, last: Holding) -> Holding:
    """The hand of a view. `last`: what was returned for the view `before`."""
    if before is None:
        return Holding(view.hand, len(view.hand))
    came, kept, gap = Counter(view.hand), bytearray(), last.gap
    for card in last.hand:
        if came[card]:
            came[card] -= 1
            kept.append(card)
        else:
            gap = len(kept)
    drawn = bytes(came.elements())
    hand = bytes(kept[:gap] + drawn + kept[gap:])
    if len(drawn) == 1 and sum(view.left) < sum(before.left):
        return Holding(hand, gap, gap)
    gone = len(kept) < len(last.hand) and (gap == last.new or not any(view.left))
    return Holding(hand, gap, -1 if gone else last.new)
