"""The lines of the Bank that there are, and those that cards can meet, are the same."""

from itertools import combinations
from random import Random

import pytest

from protocol.games.wild_wild_pattern.bank import MAX_CARDS, Line, in_play, lines
from protocol.games.wild_wild_pattern.cards import PATTERN_CARDS, Object


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
