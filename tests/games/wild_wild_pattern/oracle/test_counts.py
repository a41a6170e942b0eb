"""The game's cards, Bank and patterns are the oracle's."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import pytest

from protocol.games.wild_wild_pattern import bank, cards
from protocol.games.wild_wild_pattern.bank import Line
from protocol.games.wild_wild_pattern.cards import (
    PATTERN_CARDS,
    PATTERNS,
    TARGETS as GAMES_TARGETS,
    Colour,
    Direction,
    Object,
    Pattern,
    Suit,
    card,
    suit_of,
)
from tests.games.wild_wild_pattern.oracle import cards as oracle
from tests.games.wild_wild_pattern.oracle.cards import COLOURS, OBJECTS, SUIT, TARGETS, Declared

ALL: Final = list(SUIT)
FEATURES: Final = [member.name.lower() for kind in (Object, Colour, Suit) for member in kind]
DECLARATIONS: Final = [
    (each.direction.value, FEATURES[each.anchor], FEATURES[each.partner]) for each in PATTERNS
]


def byte_of(name: str) -> int:
    """The game's byte for a card that the oracle names."""
    thing, colour = name.upper().split("-")
    return card(Object[thing], Colour[colour])


def bytes_of(names: Sequence[str]) -> bytes:
    return bytes(map(byte_of, names))


def pattern_of(declared: Declared) -> Pattern:
    direction, anchor, partner = declared
    return Pattern(Direction(direction), FEATURES.index(anchor), FEATURES.index(partner))


def some_cards(number: int, rng: Random) -> list[str]:
    """Different cards; out of few objects or colours, so that much of what is rare comes about."""
    objects = rng.sample(OBJECTS, rng.choice((1, 2, 3, 4, 8)))
    colours = rng.sample(COLOURS, rng.choice((1, 2, 3, 5)))
    near = [name for name in ALL if name.split("-")[0] in objects or name.split("-")[1] in colours]
    inner = [f"{thing}-{colour}" for thing in objects for colour in colours]
    return rng.sample(
        rng.choice([pool for pool in (inner, near, ALL) if len(pool) >= number]), number
    )


def some_hands(number: int, rng: Random) -> Iterator[list[str]]:
    """Hands of every size up to eight; the sizes at which the Bank pays most come most often."""
    for n in range(number):
        yield some_cards((0, 1, 2, 3, 4, 4, 5, 5, 5, 5, 6, 7, 8)[n % 13], rng)


def alternating(rng: Random) -> list[str]:
    """Four cards of a colour with four of an object between them: all eight are in the pattern."""
    thing, colour = rng.choice(OBJECTS), rng.choice(COLOURS)
    of_colour = [f"{other}-{colour}" for other in OBJECTS if other != thing]
    of_object = [f"{thing}-{other}" for other in COLOURS if other != colour]
    pairs = zip(rng.sample(of_colour, 4), rng.sample(of_object, 4), strict=True)
    return [name for pair in pairs for name in pair]


def in_a_row(rng: Random) -> list[str]:
    """Neighbours with one object: four anchors whose pairs do not take up the Wheel."""
    objects = rng.sample(OBJECTS, 2)
    first, second = ([name for name in ALL if name.startswith(thing)] for thing in objects)
    return rng.sample(first, 4) + rng.sample(second, 4)


def some_wheels(number: int, rng: Random) -> Iterator[list[str]]:
    for n in range(number):
        match n % 10:
            case 0:
                yield alternating(rng)
            case 1 | 2:
                yield in_a_row(rng)
            case _:
                yield some_cards(8, rng)


def check_bank(names: Sequence[str]) -> list[int]:
    """What the hand is paid, for every Target and with either option."""
    paid = []
    for target in TARGETS:
        for five_colours in ("win", "pay"):
            ours = bank.lines(
                bytes_of(names), Object[target.upper()], five_colours_win=five_colours == "win"
            )
            expected = oracle.bank(names, target, five_colours)
            assert (ours, bank.cents(ours)) == (expected.lines, expected.cents), names
            assert (Line.WILD in ours) == expected.wild
            paid.append(expected.cents)
    return paid


def check_wheel(wheel: Sequence[str], place: int, covered: str) -> list[int]:
    """How often each declaration occurs that is right after this play; the Wheel is the new one."""
    right = []
    for declared in DECLARATIONS:
        asked = pattern_of(declared)
        there = cards.pairs(bytes_of(wheel), asked)
        _same(there, oracle.found(wheel, declared))
        for option in ("required", "free"):
            ours = cards.made(
                bytes_of(wheel), place, byte_of(covered), asked, in_pair=option == "required"
            )
            expected = oracle.made(wheel, place, covered, declared, option)
            _same(ours, expected)
            right += [expected.anchors] * bool(expected.anchors)
    return right


def _same(ours: cards.Pairs, expected: oracle.FoundPattern) -> None:
    assert len(ours.anchors) == expected.anchors
    assert set(ours.places) == expected.places
    assert ours.is_wild == expected.is_wild


# Both say the same -------------------------------------------------------------------------------


def test_the_cards_and_targets_are_the_games() -> None:
    assert [byte_of(card) for card in ALL] == list(PATTERN_CARDS)
    assert [oracle.SUIT[card] for card in ALL] == [
        suit_of(byte).name.lower() for byte in PATTERN_CARDS
    ]
    assert [target.name.lower() for target in GAMES_TARGETS] == oracle.TARGETS
    assert sorted(oracle.SUIT.values()) == ["bullets"] * 20 + ["coin"] * 20


def test_all_that_can_be_declared_pairs_an_object_with_something_else() -> None:
    assert len(set(DECLARATIONS)) == 2 * 2 * 8 * (5 + 2)
    assert all(map(oracle.is_declaration, DECLARATIONS))


@pytest.mark.parametrize("hands", [1000, pytest.param(100_000, marks=pytest.mark.soak)])
def test_both_banks_pay_the_same(hands: int) -> None:
    sums = {cents for hand in some_hands(hands, Random("hands")) for cents in check_bank(hand)}
    assert min(sums) == 0 and max(sums) > 200, "the hands are too much alike"


@pytest.mark.parametrize("wheels", [40, pytest.param(3000, marks=pytest.mark.soak)])
def test_both_find_the_same_patterns(wheels: int) -> None:
    rng, right = Random("wheels"), list[int]()
    for wheel in some_wheels(wheels, rng):
        covered = rng.choice([card for card in ALL if card not in wheel])
        right += check_wheel(wheel, rng.randrange(8), covered)
    assert set(right) >= {2, 3, 4}, "the Wheels are too much alike"
