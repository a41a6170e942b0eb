"""The oracle of Wild Wild Pattern itself, against hands and Wheels counted by hand."""

import pytest

from tests.games.wild_wild_pattern.oracle.oracle import SUIT, bank, found, made

# Suits: the red, yellow and grey stars are coins, so are the azure and white loot.
WHEEL = "star-red star-azure loot-azure loot-red bottle-red barrel-red pistol-azure wanted-azure"


def wheel(words: str = WHEEL) -> list[str]:
    return words.split()


def test_the_bold_suits_are_those_of_the_sheets_examples() -> None:
    bold = {
        "star-yellow": "coin",
        "star-white": "bullets",
        "pistol-azure": "bullets",
        "loot-yellow": "bullets",
    }
    assert {card: SUIT[card] for card in bold} == bold


@pytest.mark.parametrize(
    ("declared", "anchors", "places"),
    [
        # After the star on 0 lies another star, so azure comes always: on 1 and on 2.
        (("after", "star", "azure"), 2, {0, 1, 2}),
        # Before the star on 0 lies place 7: the Wheel is round.
        (("before", "star", "azure"), 0, set()),
        (("before", "star", "coin"), 2, {7, 0, 1}),
        (("before", "star", "bullets"), 0, set()),
        # Only one bottle: once is no recurrence.
        (("after", "bottle", "red"), 0, set()),
        # Before every loot, azure; after every loot lies an azure and a red one.
        (("before", "loot", "azure"), 2, {1, 2, 3}),
        (("after", "loot", "red"), 2, {2, 3, 4}),
        (("after", "loot", "azure"), 0, set()),
        # Three red cards have other things before them.
        (("before", "red", "bottle"), 0, set()),
    ],
)
def test_patterns(declared: tuple[str, str, str], anchors: int, places: set[int]) -> None:
    there = found(wheel(), declared)
    assert (there.anchors, there.places) == (anchors, places)


def test_all_eight_cards_are_the_wild_wild_pattern() -> None:
    loot = ["loot-red", "loot-yellow", "loot-grey", "loot-white"]
    azure = ["star-azure", "bottle-azure", "barrel-azure", "wanted-azure"]
    ring = [card for pair in zip(azure, loot, strict=True) for card in pair]
    assert found(ring, ("after", "azure", "loot")).is_wild
    assert found(ring, ("before", "loot", "azure")).is_wild
    assert not found(ring, ("after", "loot", "coin")).is_wild
    ring[7] = "star-red"
    assert not found(ring, ("after", "azure", "loot")).is_wild
    assert found(ring, ("before", "loot", "azure")).places == set(range(6))


def test_what_a_play_makes() -> None:
    """A star on 1: whether it made what is declared depends on what lay there."""
    declared = ("after", "star", "azure")
    assert made(wheel(), 1, "bottle-white", declared, "required").anchors == 2
    # Two stars were there before, with azure behind each.
    ring = wheel(WHEEL.replace("bottle-red barrel-red", "star-white wanted-azure"))
    assert found(ring, declared).anchors == 3
    assert made(ring, 7, "horseshoe-azure", declared, "required").anchors == 0
    # The covered star spoilt it, so it is new; but the played card is in none of its pairs.
    assert made(wheel(), 4, "star-white", declared, "required").anchors == 0
    assert made(wheel(), 4, "star-white", declared, "free").anchors == 2


@pytest.mark.parametrize(
    ("cards", "target", "lines", "cents"),
    [
        ("", "star", [], 0),
        ("star-red", "loot", ["one_of_a_suit"], 10),
        ("star-red", "star", ["one_of_a_suit", "one_target"], 20),
        # A coin and bullets: one of a suit, paid once.
        ("star-red star-azure", "loot", ["one_of_a_suit", "two_object"], 20),
        # Two pairs of a colour are paid once; four bullets are no line.
        ("loot-red loot-grey bottle-red bottle-grey", "star", ["two_colour", "two_object"], 20),
        (
            "star-red star-yellow star-grey pistol-red pistol-yellow",
            "star",
            ["five_of_a_suit", "two_colour", "two_object", "three_object", "three_targets"],
            50 + 10 + 10 + 50 + 60,
        ),
        (
            "pistol-red star-red barrel-red horseshoe-red loot-red",
            "bottle",
            ["one_of_a_suit", "five_colour", "five_objects"],
            10 + 150 + 20,
        ),
        # Six cards: shown the door.
        ("pistol-red star-red barrel-red horseshoe-red loot-red bottle-red", "star", [], 0),
    ],
)
def test_the_bank(cards: str, target: str, lines: list[str], cents: int) -> None:
    for option in ("win", "pay"):
        assert bank(cards.split(), target, option) == (lines, cents, False)


def test_wild() -> None:
    five = ["star-red", "loot-azure", "bottle-yellow", "barrel-grey", "pistol-white"]
    assert bank(five, "dynamite", "win") == (["five_objects", "wild"], 20, True)
    assert bank(five, "dynamite", "pay") == (["five_objects", "five_colours"], 120, False)
    wanted = [f"wanted-{colour}" for colour in ("red", "azure", "yellow", "grey", "white")]
    assert bank(wanted, "star", "win") == (["wild"], 0, True)
    assert bank(wanted, "star", "pay") == (["five_colours", "wild"], 100, True)
    assert not bank([*wanted, "star-red"], "star", "win").wild
