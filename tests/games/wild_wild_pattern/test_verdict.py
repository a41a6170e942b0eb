"""What is said of a declaration agrees with the server's own judge."""

from itertools import combinations
from random import Random

import pytest

from protocol.games.wild_wild_pattern import Declare, Declared, Options, PlayedInPair, Shoot
from protocol.games.wild_wild_pattern.bank import MAX_CARDS, Line, in_play, lines
from protocol.games.wild_wild_pattern.cards import PATTERN_CARDS, Object
from protocol.games.wild_wild_pattern.pattern import (
    MIN_ANCHORS,
    PATTERNS,
    PLACES,
    Direction,
    Fault,
    Pattern,
)
from protocol.games.wild_wild_pattern.verdict import Verdict, plays, verdict
from server.games.wild_wild_pattern.state import State, copy
from tests.games.wild_wild_pattern.positions import cards, do, racing, said

STAR, RED, COIN = 2, 8, 13


def judged_by_the_server(state: State, place: int, pattern: Pattern) -> Declared:
    match = copy(state)
    do(match, 0, Shoot(place))
    [told] = said(do(match, 0, Declare(pattern)), Declared)
    assert isinstance(told, Declared)
    return told


def test_all_that_a_card_can_make_is_what_the_server_calls_right() -> None:
    random = Random(1)
    for option in PlayedInPair:
        in_pair = option is PlayedInPair.REQUIRED
        state = racing(options=Options(played_in_pair=option))
        state.wheel = bytes(random.sample(PATTERN_CARDS, PLACES))
        unseen = [card for card in PATTERN_CARDS if card not in state.wheel]
        state.hand = random.sample(unseen, 2)
        right = {}
        for place in range(PLACES):
            for pattern in PATTERNS:
                told = judged_by_the_server(state, place, pattern)
                found = verdict(told.wheel, pattern)
                is_so = len(found.anchors) >= MIN_ANCHORS and found.against is None
                assert is_so is (told.fault is not Fault.UNTRUE)
                if told.anchors:
                    assert len(found.anchors) == told.anchors
                    right[place, pattern] = told.anchors
        made = plays(state.wheel, state.hand[0], in_pair=in_pair)
        assert {(at, pattern): len(pairs.anchors) for at, pattern, pairs in made} == right
        assert right


WHEEL = cards(
    "star-red loot-azure star-white pistol-red barrel-red dynamite-grey bottle-white loot-grey"
)


def test_a_wrong_one_has_its_first_counterexample() -> None:
    """After the star on 1 comes an azure card, after that on 3 a red one."""
    found = verdict(WHEEL, Pattern(Direction.AFTER, STAR, RED))
    assert found == Verdict((0, 2), against=0, step=1)
    assert found.beside(0) == 1
    found = verdict(WHEEL, Pattern(Direction.BEFORE, STAR, COIN))
    assert (found.against, found.beside(0)) == (0, 7)


def test_one_anchor_with_its_partner_has_none() -> None:
    assert verdict(WHEEL, Pattern(Direction.AFTER, 0, RED)) == Verdict((3,), None, step=1)


@pytest.mark.parametrize("win", [True, False])
def test_each_line_is_met_by_some_cards_and_no_other(win: bool) -> None:
    random, cards = Random(1), list(PATTERN_CARDS)
    some = [tuple(random.sample(cards, random.randint(1, MAX_CARDS))) for _ in range(2000)]
    # What is rare: much of one object or of one colour.
    rare = [*combinations(cards[:5], 4), tuple(cards[:5]), *combinations(cards[::5], 4)]
    hands = [*some, *rare, tuple(cards[:40:5][:5])]
    met = {
        line for hand in hands for line in lines(bytes(hand), Object.PISTOL, five_colours_win=win)
    }
    assert met == set(in_play(five_colours_win=win))
    assert (Line.FIVE_COLOURS in met) is not win
