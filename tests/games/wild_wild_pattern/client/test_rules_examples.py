"""The examples and sums of the rules pages are those that the software counts."""

import re

import pytest

from protocol.games.wild_wild_pattern.bank import CENTS, Line, cents, lines
from protocol.games.wild_wild_pattern.cards import Object, suit_of
from protocol.games.wild_wild_pattern.pattern import Direction, Pattern, made, pairs
from tests.games.wild_wild_pattern.page_words import (
    card_called,
    feature_called,
    suit_called,
)
from tests.games.wild_wild_pattern.pages import PAGE, PAGES, same_heading

every_language = pytest.mark.parametrize("code", PAGES)
PLACE = 3
"""Where the example's card was played: the fourth."""

COVERED = card_called("azure pistol", "en")
NOTHING = {"en": "nothing", "it": "nulla", "nl": "niets", "ru": "ничего"}
DIRECTIONS = {
    "before": Direction.BEFORE,
    "prima": Direction.BEFORE,
    "after": Direction.AFTER,
    "dopo": Direction.AFTER,
    "voor": Direction.BEFORE,
    "na": Direction.AFTER,
    "до": Direction.BEFORE,
    "после": Direction.AFTER,
}


def tables(heading: str, code: str) -> list[list[list[str]]]:
    """Without their heads."""
    return [table[1:] for table in PAGES[code].tables(same_heading(heading, code))]


def wheel(code: str) -> bytes:
    """The example's; each card has the suit that stands beside it."""
    shown = tables("An example", code)[0]
    assert [int(place) for place, _card, _suit in shown] == list(range(1, 9))
    cards = bytes(card_called(name, code) for _place, name, _suit in shown)
    assert [suit_called(suit, code) for *_, suit in shown] == list(map(suit_of, cards))
    return cards


@every_language
def test_what_can_be_declared_in_the_example(code: str) -> None:
    rewards = [row[-1] for row in tables("What a pattern earns", code)[0]]
    for direction, anchor, partner, times, reward in tables("An example", code)[1]:
        asked = Pattern(
            DIRECTIONS[direction], feature_called(anchor, code), feature_called(partner, code)
        )
        assert len(pairs(wheel(code), asked).anchors) == int(times)
        right = made(wheel(code), PLACE, COVERED, asked, in_pair=True)
        which = 2 * (not asked.has_suit) + (len(right.anchors) > 2)
        assert reward == (rewards[which] if right.anchors else NOTHING[code])


def test_why_the_others_bring_nothing() -> None:
    said = PAGE.section("An example")
    before = bytearray(wheel("en"))
    before[PLACE] = COVERED
    *_, old, elsewhere, _wrong = tables("An example", "en")[1]
    assert "before every star there is a red card was so already" in said
    assert pairs(bytes(before), Pattern(Direction.BEFORE, *features(old))).anchors
    assert "The played card is in none of the pairs of pistols and coins" in said
    asked = Pattern(Direction.AFTER, *features(elsewhere))
    assert made(wheel("en"), PLACE, COVERED, asked, in_pair=False).anchors
    assert "after the grey star and the yellow one there are bullets" in said
    stars = [
        wheel("en").index(card_called(f"{colour} star", "en")) for colour in ("grey", "yellow")
    ]
    behind = [wheel("en")[(place + 1) % 8] for place in stars]
    assert [suit_of(card).name for card in behind] == ["BULLETS", "BULLETS"]


def features(row: list[str]) -> tuple[int, int]:
    return feature_called(row[1], "en"), feature_called(row[2], "en")


@every_language
def test_every_table_fits_a_narrow_terminal(code: str) -> None:
    """Cells stand two apart, and a line has 78 of 80 columns."""
    for heading in PAGES[code].headings():
        for table in PAGES[code].tables(heading):
            widths = [
                max(len(cell.strip("`")) for cell in column) for column in zip(*table, strict=True)
            ]
            assert sum(widths) + 2 * (len(widths) - 1) <= 78, heading


def test_another_card_would_be_noticed() -> None:
    """The control: with one card that is another the example says what is not so."""
    other = wheel("en").replace(
        bytes((card_called("red loot", "en"),)), bytes((card_called("red bottle", "en"),))
    )
    shown = tables("An example", "en")[1]
    counts = [
        len(pairs(other, Pattern(DIRECTIONS[row[0]], *features(row))).anchors) for row in shown
    ]
    assert counts != [int(row[3]) for row in shown]


# The Bank ----------------------------------------------------------------------------------------


@every_language
def test_what_the_bank_pays(code: str) -> None:
    """Line by line as the program has them; five colours and Wild are told below the table."""
    [shown] = tables("The Bank", code)
    told = [line for line in Line if line not in (Line.FIVE_COLOURS, Line.WILD)]
    assert [int(row[1]) for row in shown] == [CENTS[line] for line in told]
    assert CENTS[Line.WILD] == 0 and CENTS[Line.FIVE_COLOURS] == 100
    assert "100" in PAGES[code].section(same_heading("The Bank", code))
    counts = [int(n) for row in shown for n in re.findall(r"\d+", row[0])]
    assert counts == [1, 5, 2, 3, 4, 5, 2, 3, 4, 5, 1, 2, 3, 4]


@every_language
def test_the_example_at_the_bank(code: str) -> None:
    brought, paid = tables("An example at the Bank", code)
    cards = bytes(card_called(name, code) for name, _suit in brought)
    assert [suit_called(suit, code) for _name, suit in brought] == list(map(suit_of, cards))
    met = lines(cards, Object.STAR, five_colours_win=True)
    names = [row[0] for row in tables("The Bank", code)[0]]
    order = list(Line)
    assert [(names[order.index(line)], str(CENTS[line])) for line in met] == [
        (name, sum_) for name, sum_ in paid
    ]
    said = PAGES[code].section(same_heading("An example at the Bank", code))
    assert f" {cents(met)} " in said


def test_the_example_is_not_paid_twice_for_its_two_pairs() -> None:
    said = PAGE.section("An example at the Bank")
    assert "There are 2 red cards and 2 yellow ones, but each line is paid once" in said
