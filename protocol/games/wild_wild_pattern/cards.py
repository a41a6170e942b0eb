"""The cards of Wild Wild Pattern: what each shows, and the features that patterns are made of.

A card is one byte: 0 is none, 1-40 are the Pattern cards, object by object and in each by colour,
41-47 the Challenge cards. A feature is one byte: 0-7 an object, 8-12 a colour, 13-14 a suit.
"""

from enum import IntEnum
from typing import Final


class Object(IntEnum):
    PISTOL = 0
    LOOT = 1
    STAR = 2
    BOTTLE = 3
    HORSESHOE = 4
    DYNAMITE = 5
    BARREL = 6
    WANTED = 7


class Colour(IntEnum):
    RED = 0
    AZURE = 1
    YELLOW = 2
    GREY = 3
    WHITE = 4


class Suit(IntEnum):
    COIN = 0
    BULLETS = 1


class Challenge(IntEnum):
    """The seven, by their byte (rules: Cards)."""

    ONE_CARD = 41
    PIANO_PLAYER = 42
    HANDS_UP = 43
    TRADE = 44
    ONE_DOLLAR = 45
    FIFTY_CENTS = 46
    TEN_CENTS = 47


PATTERN_CARDS: Final = bytes(range(1, 41))
CHALLENGES: Final = bytes(Challenge)
CARDS: Final = PATTERN_CARDS + CHALLENGES

TARGETS: Final = tuple(Object)[:7]
"""What the seven Targets cards show: the project's own choice, the sheet has it in pictures."""

PAYS: Final = {
    Challenge.ONE_DOLLAR: 100,
    Challenge.FIFTY_CENTS: 50,
    Challenge.TEN_CENTS: 10,
}
"""Cents that a Challenge card fetches at once."""

_SUITS: Final = (
    "MPMMP",  # pistol: red, azure, yellow, grey, white
    "PMPPM",  # loot
    "MPMMP",  # star
    "PMPPM",  # bottle
    "MPMMP",  # horseshoe
    "PMPPM",  # dynamite
    "MPMMP",  # barrel
    "PMPPM",  # wanted
)
"""Moneta or Pallottole. The project's own but for four cards in the sheet's examples."""

FIRST_COLOUR: Final = len(Object)
FIRST_SUIT: Final = FIRST_COLOUR + len(Colour)
FEATURES: Final = FIRST_SUIT + len(Suit)


_COLOUR_OF: Final = tuple(
    Colour((card_byte - 1) % len(Colour)) for card_byte in range(len(CARDS) + 1)
)


def card(obj: Object, colour: Colour) -> int:
    """The byte of a Pattern card."""
    return 1 + obj * len(Colour) + colour


def is_pattern(card_byte: int) -> bool:
    """Whether it can be shot: not a Challenge card, and a card at all."""
    return 0 < card_byte <= len(PATTERN_CARDS)


def object_of(card_byte: int) -> Object:
    """The object of a Pattern card."""
    return Object((card_byte - 1) // len(Colour))


def colour_of(card_byte: int) -> Colour:
    """The colour of a Pattern card."""
    return _COLOUR_OF[card_byte]


def suit_of(card_byte: int) -> Suit:
    """The suit of a Pattern card."""
    letter = _SUITS[(card_byte - 1) // len(Colour)][(card_byte - 1) % len(Colour)]
    return Suit.COIN if letter == "M" else Suit.BULLETS


def _features(card_byte: int) -> tuple[int, ...]:
    if not is_pattern(card_byte):
        return ()
    colour, suit = FIRST_COLOUR + colour_of(card_byte), FIRST_SUIT + suit_of(card_byte)
    return int(object_of(card_byte)), colour, suit


FEATURES_OF: Final = tuple(map(_features, range(len(CARDS) + 1)))
"""Card byte → its three features; a gap and a Challenge card have none."""

FEATURE_BITS: Final = tuple(sum(1 << feature for feature in found) for found in FEATURES_OF)
"""Card byte → one bit for each of them."""


def is_object(feature: int) -> bool:
    return feature < FIRST_COLOUR


def is_suit(feature: int) -> bool:
    return feature >= FIRST_SUIT


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
