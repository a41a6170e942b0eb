"""What cards and features are called in match records."""

from typing import Final

from protocol.games.wild_wild_pattern.cards import (
    PATTERN_CARDS,
    Challenge,
    Colour,
    Object,
    Suit,
    colour_of,
    object_of,
)

FEATURE_NAMES: Final = tuple(
    member.name.lower() for kind in (Object, Colour, Suit) for member in kind
)
"""Feature → its name in records."""

CHALLENGE_NAMES: Final = {
    Challenge.ONE_CARD: "1-card",
    Challenge.PIANO_PLAYER: "piano-player",
    Challenge.HANDS_UP: "hands-up",
    Challenge.TRADE: "trade",
    Challenge.ONE_DOLLAR: "1-dollar",
    Challenge.FIFTY_CENTS: "50-cents",
    Challenge.TEN_CENTS: "10-cents",
}

CARD_NAMES: Final = (
    "",
    *(f"{object_of(card).name}-{colour_of(card).name}".lower() for card in PATTERN_CARDS),
    *CHALLENGE_NAMES.values(),
)
"""Card byte → its name in records; 0 is never written."""
