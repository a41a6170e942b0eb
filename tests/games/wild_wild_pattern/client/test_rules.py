"""The rules promise what the program does, and their examples are counted right: in English, for
all pages have the same tables (`test_rules_page.py`)."""

import re
from typing import Final

import pytest

from clocktowers_tui.games.wild_wild_pattern import actions as board_keys
from clocktowers_tui.keys.actions import CHOOSE, CONFIRM
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from protocol.games import wild_wild_pattern as words
from protocol.games.wild_wild_pattern import Options
from protocol.games.wild_wild_pattern.bank import MAX_CARDS, Line, cents, lines
from protocol.games.wild_wild_pattern.cards import (
    CHALLENGES,
    PATTERN_CARDS,
    PAYS,
    PLACES,
    TARGETS,
    Challenge,
    Colour,
    Direction,
    Object,
    Pattern,
    Suit,
    card,
    made,
    pairs,
    suit_of,
)
from server.games.wild_wild_pattern.bots import REACTIONS
from server.games.wild_wild_pattern.race import MAX_LAG_MS, MAX_RISE_MS
from server.net.session import ROUND_TRIPS
from tests.stage.rules_pages import RulesPage, texts_of

PAGE: Final = RulesPage(texts_of("wild_wild_pattern")["en"])
section = PAGE.section


# Cards and features as the page writes them -------------------------------------------------------


OBJECTS: Final = [thing.name.lower() for thing in Object]
COLOURS: Final = [colour.name.lower() for colour in Colour]
SUITS: Final = [suit.name.lower() for suit in Suit]


def card_called(words: str) -> int:
    """A card's byte."""
    colour, thing = words.split()
    return card(Object(OBJECTS.index(thing)), Colour(COLOURS.index(colour)))


def feature_called(word: str) -> int:
    """A feature's byte."""
    return [*OBJECTS, *COLOURS, *SUITS].index(word)


# Cards -------------------------------------------------------------------------------------------


def test_the_suits() -> None:
    shown = PAGE.table("The cards")
    assert [row[0] for row in shown] == OBJECTS
    for row, thing in zip(shown, Object, strict=True):
        suits = [SUITS[suit_of(card(thing, colour))] for colour in Colour]
        assert row[1:] == suits
    assert f" {len(PATTERN_CARDS)} " in section("The cards")
    for suit in Suit:
        assert [suit_of(byte) for byte in PATTERN_CARDS].count(suit) == 20
    assert " 20 " in section("The cards")


def test_the_cards_of_the_publishers_examples_have_its_suits() -> None:
    said = section("The cards")
    assert "the azure pistol, the yellow loot, the yellow and the white star" in said
    bold = {"azure pistol": "bullets", "yellow loot": "bullets"}
    bold |= {"yellow star": "coin", "white star": "bullets"}
    for name, suit in bold.items():
        assert SUITS[suit_of(card_called(name))] == suit
    assert f"The suits of {len(PATTERN_CARDS) - len(bold)} of the {len(PATTERN_CARDS)} cards" in (
        section("What is ours")
    )


def test_challenge_cards_and_targets() -> None:
    shown = PAGE.table("Challenge cards")
    assert len(shown) == len(CHALLENGES) == 7 and "There are 7 Challenge" in section(
        "Challenge cards"
    )
    paid = {Challenge.ONE_DOLLAR: "1$", Challenge.FIFTY_CENTS: "50¢", Challenge.TEN_CENTS: "10¢"}
    assert [row[0] for row in shown[-3:]] == list(paid.values())
    assert [PAYS[one] for one in paid] == [100, 50, 10]
    said = section("Targets")
    names = ", ".join(OBJECTS[target] for target in TARGETS)
    assert f"Each of the {len(TARGETS)} shows one object: {names}." in said


# Numbers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("Setting up a round", f"from 1 to {PLACES}"),
        ("Patterns", f"When all {PLACES} cards of the Wheel"),
        ("Ready", f"After {words.READY_MS // 1000} seconds everybody counts as ready"),
        ("Ready", f"That takes {words.REPLACED_MS // 1000} second"),
        ("Shooting", f"Within {words.CHOICE_MS // 1000} seconds"),
        ("Shooting", f"for {Options().race_limit_s} seconds after the cards were seen"),
        ("Shooting", f"There are {words.CHOICE_MS // 1000} seconds for every other choice"),
        ("Shooting", f"After {words.MAX_IDLE_TURNS} such turns running"),
        ("Click!", f"the others have {words.SONG_MS // 1000} seconds"),
        ("Five cards", f"somebody has {words.ROUND_ENDS_AT} or more Pattern cards"),
        ("The Bank", f"A player who comes with more than {MAX_CARDS} cards"),
        ("Saloon!", f"those who have more than {words.SALOON_CENTS} cents"),
        ("Saloon!", f"After {words.MAX_ROUNDS} rounds"),
        ("Vivo o Morto!", f"level {words.MAX_LEVEL_ROUNDS} times running"),
        ("What is ours", f"and an end after {words.MAX_ROUNDS}; {words.MAX_LEVEL_ROUNDS} level"),
        ("What is ours", f"after {words.MAX_IDLE_TURNS} of them running"),
        ("What is ours", f"which {len(TARGETS)} of the {len(Object)}"),
        ("When the deck runs out", f"at least {40 - 4 * (words.ROUND_ENDS_AT - 1)} Pattern cards"),
    ],
)
def test_the_numbers_are_the_programs(heading: str, said: str) -> None:
    assert said in section(heading)


def test_how_long_bots_take() -> None:
    """Each level's bounds, in seconds on the page."""
    shown = PAGE.table("Bots")
    assert [row[0].strip("`") for row in shown] == list(REACTIONS)
    for level, *cells in shown:
        bounds = [
            tuple(round(1000 * float(n)) for n in re.findall(r"[\d.]+", cell)) for cell in cells
        ]
        assert bounds == list(REACTIONS[level.strip("`")])


def test_what_the_network_may_cost() -> None:
    said = section("Over a network")
    assert f"the last {ROUND_TRIPS} round trips, and never more than {MAX_LAG_MS} milli" in said
    assert f"this can grow by {MAX_RISE_MS} milliseconds at most" in said
    assert f"which takes {MAX_LAG_MS} milliseconds at most" in said


def test_the_keys_are_those_of_the_board() -> None:
    shown = re.findall(r"`([^`]+)`", section("Keys on the board"))
    named = [
        *(board_keys.PLACES[0], board_keys.PLACES[-1], board_keys.CLICK, board_keys.PASS),
        *(*board_keys.DIRECTIONS, *board_keys.COLOURS, *board_keys.SUITS, board_keys.BANK),
    ]
    assert shown == [*map(DEFAULT_KEYS.name, named)]
    assert "space" in (*CONFIRM.keys, *CHOOSE.keys)


# Examples -----------------------------------------------------------------------------------------


PLACE = 3
"""Where the example's card was played: the fourth."""

COVERED = card_called("azure pistol")


def tables(heading: str) -> list[list[list[str]]]:
    """Without their heads."""
    return [table[1:] for table in PAGE.tables(heading)]


def wheel() -> bytes:
    """The example's; each card has the suit that stands beside it."""
    shown = tables("An example")[0]
    assert [int(place) for place, _card, _suit in shown] == list(range(1, 9))
    cards = bytes(card_called(name) for _place, name, _suit in shown)
    assert [suit for *_, suit in shown] == [SUITS[suit_of(card)] for card in cards]
    return cards


def test_what_can_be_declared_in_the_example() -> None:
    rewards = [row[-1] for row in tables("What a pattern earns")[0]]
    for direction, anchor, partner, times, reward in tables("An example")[1]:
        asked = Pattern(Direction(direction), feature_called(anchor), feature_called(partner))
        assert len(pairs(wheel(), asked).anchors) == int(times)
        right = made(wheel(), PLACE, COVERED, asked, in_pair=True)
        which = 2 * (not asked.has_suit) + (len(right.anchors) > 2)
        assert reward == (rewards[which] if right.anchors else "nothing")


def test_why_the_others_bring_nothing() -> None:
    said = PAGE.section("An example")
    before = bytearray(wheel())
    before[PLACE] = COVERED
    *_, old, elsewhere, _wrong = tables("An example")[1]
    assert "before every star there is a red card was so already" in said
    assert pairs(bytes(before), Pattern(Direction.BEFORE, *features(old))).anchors
    assert "The played card is in none of the pairs of pistols and coins" in said
    asked = Pattern(Direction.AFTER, *features(elsewhere))
    assert made(wheel(), PLACE, COVERED, asked, in_pair=False).anchors
    assert "after the grey star and the yellow one there are bullets" in said
    stars = [wheel().index(card_called(f"{colour} star")) for colour in ("grey", "yellow")]
    behind = [wheel()[(place + 1) % 8] for place in stars]
    assert [suit_of(card).name for card in behind] == ["BULLETS", "BULLETS"]


def features(row: list[str]) -> tuple[int, int]:
    return feature_called(row[1]), feature_called(row[2])


# The Bank ----------------------------------------------------------------------------------------


def test_what_the_bank_pays() -> None:
    """Line by line as the program has them; five colours and Wild are told below the table."""
    [shown] = tables("The Bank")
    told = [line for line in Line if line not in (Line.FIVE_COLOURS, Line.WILD)]
    assert [row[1] for row in shown] == [f"{line.cents} cents" for line in told]
    assert Line.WILD.cents == 0 and Line.FIVE_COLOURS.cents == 100
    assert "100" in section("The Bank")
    counts = [int(n) for row in shown for n in re.findall(r"\d+", row[0])]
    assert counts == [1, 5, 2, 3, 4, 5, 2, 3, 4, 5, 1, 2, 3, 4]


def test_the_example_at_the_bank() -> None:
    brought, paid = tables("An example at the Bank")
    cards = bytes(card_called(name) for name, _suit in brought)
    assert [suit for _name, suit in brought] == [SUITS[suit_of(card)] for card in cards]
    met = lines(cards, Object.STAR, five_colours_win=True)
    names = [row[0] for row in tables("The Bank")[0]]
    order = list(Line)
    assert paid == [[names[order.index(line)], f"{line.cents} cents"] for line in met]
    said = section("An example at the Bank")
    assert f" {cents(met)} " in said
    assert "There are 2 red cards and 2 yellow ones, but each line is paid once" in said
