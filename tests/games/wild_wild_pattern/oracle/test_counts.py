"""The game's Bank and patterns are the oracle's; a fault in the game's is noticed."""

from itertools import combinations, islice
from random import Random

import pytest

from protocol.games.wild_wild_pattern.cards import PATTERN_CARDS, TARGETS as GAMES_TARGETS, suit_of
from tests.games.wild_wild_pattern.oracle import oracle
from tests.games.wild_wild_pattern.oracle.counts import (
    ALL,
    DECLARATIONS,
    byte_of,
    check_bank,
    check_wheel,
    some_hands,
    some_wheels,
)
from tests.games.wild_wild_pattern.oracle.faults import BANK_FAULTS, PATTERN_FAULTS, Fault

HANDS = 1000
WHEELS = 40


def hands_agree(number: int, seed: str) -> set[int]:
    return {cents for hand in some_hands(number, Random(seed)) for cents in check_bank(hand)}


def wheels_agree(number: int, seed: str) -> list[int]:
    rng, right = Random(seed), []
    for wheel in some_wheels(number, rng):
        place = rng.randrange(8)
        covered = rng.choice([card for card in ALL if card not in wheel])
        right += check_wheel(wheel, place, covered)
    return right


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


def test_both_banks_pay_the_same() -> None:
    sums = hands_agree(HANDS, "hands")
    assert min(sums) == 0 and max(sums) > 200, "the hands are too much alike"


def test_both_find_the_same_patterns() -> None:
    right = wheels_agree(WHEELS, "wheels")
    assert set(right) >= {2, 3, 4}, "the Wheels are too much alike"


@pytest.mark.soak
def test_very_many_hands_of_five_are_paid_the_same() -> None:
    """Every seventh of all there are."""
    for hand in islice(combinations(ALL, 5), 0, None, 7):
        check_bank(hand)


@pytest.mark.soak
def test_very_many_wheels_agree() -> None:
    wheels_agree(3000, "many")


@pytest.mark.parametrize("plant", BANK_FAULTS, ids=lambda plant: plant.__name__)
def test_a_fault_of_the_bank_is_noticed(plant: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        hands_agree(HANDS, "hands")


@pytest.mark.parametrize("plant", PATTERN_FAULTS, ids=lambda plant: plant.__name__)
def test_a_fault_of_the_patterns_is_noticed(plant: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        wheels_agree(WHEELS, "wheels")
