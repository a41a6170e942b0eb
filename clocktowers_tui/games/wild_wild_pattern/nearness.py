"""How near a player is to WILD: the colours of the won cards, or how many show one object."""

from collections import Counter
from typing import NamedTuple

from protocol.games.wild_wild_pattern import FiveColours, View
from protocol.games.wild_wild_pattern.cards import Colour, Object, colour_of, object_of


class Nearness(NamedTuple):
    """`colours` that the player has. `wild`: how many of the five that win are there; `thing`: the
    object that they must show, where five colours do not win. `lost`: a card too much is among
    them, which only leaves by a Challenge card."""

    colours: frozenset[Colour]
    wild: int
    thing: Object | None
    lost: bool


def nearness(view: View, seat: int) -> Nearness:
    """With one card for each colour and object, five of one object are five colours, too."""
    won = view.won[seat]
    colours = frozenset(map(colour_of, won))
    if view.options.five_colours is FiveColours.WIN:
        return Nearness(colours, len(colours), None, lost=len(won) > len(colours))
    thing, wild = next(iter(Counter(map(object_of, won)).most_common(1)), (None, 0))
    return Nearness(colours, wild, thing, lost=len(won) > wild)


def colour_twice(cards: bytes) -> Colour | None:
    """The colour that is among them most often, if it is more than once."""
    found = Counter(map(colour_of, cards)).most_common(1)
    return next((colour for colour, n in found if n > 1), None)
