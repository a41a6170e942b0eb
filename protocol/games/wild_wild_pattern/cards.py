"""The cards of Wild Wild Pattern: what each shows, the features that patterns are made of, and when
a pattern holds on the Wheel.

A card is one byte: 0 is none, 1-40 are the Pattern cards, object by object and in each by colour,
41-47 the Challenge cards. A feature is one byte: 0-7 an object, 8-12 a colour, 13-14 a suit.
"""

from collections.abc import Sequence
from enum import IntEnum, StrEnum
from functools import lru_cache
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct


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

PAYS: Final = {Challenge.ONE_DOLLAR: 100, Challenge.FIFTY_CENTS: 50, Challenge.TEN_CENTS: 10}
"""Cents that a Challenge card fetches at once."""

SHOOTS_OFF: Final = {Challenge.PIANO_PLAYER: Suit.BULLETS, Challenge.HANDS_UP: Suit.COIN}
"""The suit of which an opponent loses a card."""

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


# When a pattern holds on the Wheel, and what a play makes of it (rules: Pattern) ------------------


PLACES: Final = 8
"""Cards on the Wheel; places are 0-7 clockwise from the top."""

MIN_ANCHORS: Final = 2
"""A pattern needs at least this many anchors: a sequence that is there once does not recur."""


class Direction(StrEnum):
    """Where the partner lies, seen from the anchor: after is clockwise."""

    BEFORE = "before"
    AFTER = "after"


STEP: Final = {Direction.BEFORE: -1, Direction.AFTER: 1}


class Pattern(Struct, frozen=True, array_like=True, gc=False):
    """Before (after) every `anchor` there is always a `partner`. Both are features (see `cards`),
    and exactly one of them is an object."""

    direction: Direction
    anchor: Annotated[int, Meta(ge=0, lt=FEATURES)]
    partner: Annotated[int, Meta(ge=0, lt=FEATURES)]

    @property
    def is_well_formed(self) -> bool:
        """Whether it pairs an object with a colour or a suit."""
        return is_object(self.anchor) != is_object(self.partner)

    @property
    def has_suit(self) -> bool:
        return is_suit(self.anchor) or is_suit(self.partner)


PATTERNS: Final = tuple(
    pattern
    for direction in Direction
    for anchor in range(FEATURES)
    for partner in range(FEATURES)
    if (pattern := Pattern(direction, anchor, partner)).is_well_formed
)
"""Every pattern that can be declared."""


class Pairs(NamedTuple):
    """`anchors`: places of the anchor cards; none where the pattern does not hold."""

    anchors: tuple[int, ...]
    step: int

    def beside(self, place: int) -> int:
        """The place at which an anchor there needs its partner."""
        return (place + self.step) % PLACES

    @property
    def places(self) -> frozenset[int]:
        """Every place in a pair."""
        return frozenset(self.anchors) | {*map(self.beside, self.anchors)}

    @property
    def links(self) -> list[int]:
        """Of each pair the place that comes first, clockwise."""
        return [(place + min(0, self.step)) % PLACES for place in self.anchors]

    @property
    def is_wild(self) -> bool:
        """Whether all cards of the Wheel are in it: the Wild Wild Pattern."""
        return len(self.places) == PLACES


def pairs(wheel: bytes, pattern: Pattern) -> Pairs:
    """Where the pattern lies on the Wheel. It holds if at least two cards are anchors and each has
    the partner beside it."""
    step = STEP[pattern.direction]
    places = _places(wheel)
    anchors, partners = places[pattern.anchor], places[pattern.partner]
    beside = anchors << step % PLACES | anchors >> -step % PLACES
    if anchors.bit_count() < MIN_ANCHORS or beside % (1 << PLACES) & ~partners:
        return Pairs((), step)
    return Pairs(tuple(place for place in range(PLACES) if anchors >> place & 1), step)


@lru_cache(maxsize=1 << 12)
def _places(wheel: bytes) -> tuple[int, ...]:
    """Feature → the places of the cards that have it, as bits. Hot: bots try every pattern."""
    places = [0] * FEATURES
    for place, card in enumerate(wheel):
        bit = 1 << place
        for feature in FEATURES_OF[card]:
            places[feature] |= bit
    return tuple(places)


class Fault(StrEnum):
    """Why a declared pattern is worth nothing."""

    UNTRUE = "untrue"
    """It is not so everywhere, or there is only one such card."""
    OLD = "old"
    """It was there before the card was played."""
    APART = "apart"
    """The played card is in none of its pairs, and the table asks for that."""


def judged(
    wheel: bytes, place: int, covered: int, pattern: Pattern, *, in_pair: bool
) -> Pairs | Fault:
    """What the card that was played on `place` of this Wheel, onto `covered`, has made of a
    pattern, or what is wrong with it; `in_pair`: the card has to be in one of the pairs."""
    found = pairs(wheel, pattern)
    if not found.anchors:
        return Fault.UNTRUE
    before = wheel[:place] + bytes((covered,)) + wheel[place + 1 :]
    if pairs(before, pattern).anchors:
        return Fault.OLD
    return Fault.APART if in_pair and place not in found.places else found


def made(wheel: bytes, place: int, covered: int, pattern: Pattern, *, in_pair: bool) -> Pairs:
    """As `judged`, but without pairs when something is wrong."""
    found = judged(wheel, place, covered, pattern, in_pair=in_pair)
    return Pairs((), STEP[pattern.direction]) if isinstance(found, Fault) else found


# Where, and on what ------------------------------------------------------------------------------


def places_to_take(wheel: bytes, barred: int | None) -> list[int]:
    """Where a card lies, but not the one that may not be taken (rules: A turn, 3)."""
    return [place for place, card in enumerate(wheel) if card and place != barred]


def places_to_lay(wheel: bytes, card: int) -> list[int]:
    """A gap if there is one, else a card of the same colour if there is one, else any place
    (rules: A turn, 6)."""
    gaps = [place for place in range(PLACES) if not wheel[place]]
    if gaps:
        return gaps
    colour = colour_of(card)
    same = [place for place in range(PLACES) if colour_of(wheel[place]) is colour]
    return same or list(range(PLACES))


def in_reach(
    challenge: int, seat: int, wheel: bytes, face_up: Sequence[bytes]
) -> list[tuple[int | None, int]]:
    """What this seat's Challenge card can be used on, where it needs something: the owner (None: it
    lies on the Wheel) and the card. `face_up`: each seat's won and Challenge cards."""
    suit = SHOOTS_OFF.get(Challenge(challenge))
    if suit is None and challenge not in (Challenge.ONE_CARD, Challenge.TRADE):
        return []
    lying = wheel if challenge == Challenge.ONE_CARD else b""
    theirs = [
        (owner, card) for owner, cards in enumerate(face_up) if owner != seat for card in cards
    ]
    if suit is not None:
        theirs = [one for one in theirs if is_pattern(one[1]) and suit_of(one[1]) is suit]
    return [*((None, card) for card in lying if card), *theirs]
