"""What cards are worth to a bot: what the Bank would pay now, and what it may pay later."""

from typing import Final

from protocol.games.wild_wild_pattern import FiveColours, Options
from protocol.games.wild_wild_pattern.bank import MAX_CARDS, Line, cents, lines
from protocol.games.wild_wild_pattern.cards import Object, colour_of, object_of

WINS: Final = 1000
"""What winning at once is worth, in cents: more than anything else."""

_HOPE: Final = (0, 4, 12, 40, 160)
"""Number of cards, all of different colours → cents, on the way to five colours."""

_PER_TARGET: Final = 12
_PER_CARD: Final = 8


def paid(cards: bytes, target: int, options: Options) -> int:
    """What these cards fetch as they are."""
    win = options.five_colours is FiveColours.WIN
    met = lines(cards, Object(target), five_colours_win=win)
    return WINS if Line.WILD in met else cents(met)


def hoped(cards: bytes, target: int, options: Options) -> int:
    """What they fetch now, plus what further cards may add."""
    if len(cards) >= MAX_CARDS:
        return paid(cards, target, options)
    colours = {colour_of(card) for card in cards}
    straight = _HOPE[len(cards)] if len(colours) == len(cards) else 0
    if options.five_colours is FiveColours.PAY:
        straight //= 4
    targets = sum(object_of(card) == target for card in cards)
    more = straight + _PER_TARGET * targets + _PER_CARD * len(cards)
    return paid(cards, target, options) + more
