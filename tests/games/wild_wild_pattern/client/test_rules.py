"""The rules promise what the program does, as far as that can be counted."""

import re
from enum import StrEnum
from typing import Any

import pytest
from msgspec.structs import fields

from clocktowers_tui.games.wild_wild_pattern import actions as board_keys
from clocktowers_tui.keys.actions import CHOOSE, CONFIRM
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from protocol.games import wild_wild_pattern as words
from protocol.games.wild_wild_pattern import PRESETS, Options
from protocol.games.wild_wild_pattern.bank import MAX_CARDS
from protocol.games.wild_wild_pattern.cards import (
    CHALLENGES,
    PATTERN_CARDS,
    PAYS,
    TARGETS,
    Challenge,
    Colour,
    Object,
    Suit,
    card,
    suit_of,
)
from protocol.games.wild_wild_pattern.pattern import PLACES
from server.games.wild_wild_pattern.race import MAX_LAG_MS, MAX_RISE_MS
from server.games.wild_wild_pattern.timing import REACTIONS
from server.net.round_trips import KEPT
from tests.games.wild_wild_pattern.page_words import (
    OBJECTS,
    card_called,
    suit_called,
)
from tests.games.wild_wild_pattern.pages import PAGE, PAGES, same_heading

section = PAGE.section
every_language = pytest.mark.parametrize("code", PAGES)


# Cards -------------------------------------------------------------------------------------------


@every_language
def test_the_suits(code: str) -> None:
    shown = PAGES[code].table(same_heading("The cards", code))
    assert [row[0] for row in shown] == OBJECTS[code]
    for row, thing in zip(shown, Object, strict=True):
        suits = [suit_of(card(thing, colour)) for colour in Colour]
        assert [suit_called(word, code) for word in row[1:]] == suits
    said = PAGES[code].section(same_heading("The cards", code))
    assert f" {len(PATTERN_CARDS)} " in said
    for suit in Suit:
        assert [suit_of(byte) for byte in PATTERN_CARDS].count(suit) == 20
    assert " 20 " in said


def test_the_cards_of_the_publishers_examples_have_its_suits() -> None:
    said = section("The cards")
    assert "the azure pistol, the yellow loot, the yellow and the white star" in said
    bold = {"azure pistol": "bullets", "yellow loot": "bullets"}
    bold |= {"yellow star": "coin", "white star": "bullets"}
    for name, suit in bold.items():
        assert suit_of(card_called(name, "en")) == suit_called(suit, "en")
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
    names = ", ".join(OBJECTS["en"][target] for target in TARGETS)
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


@every_language
def test_how_long_bots_take(code: str) -> None:
    """Each level's bounds, in seconds on the page."""
    shown = PAGES[code].table(same_heading("Bots", code))
    assert [row[0].strip("`") for row in shown] == list(REACTIONS)
    for level, *cells in shown:
        bounds = [
            tuple(round(1000 * float(n.replace(",", "."))) for n in re.findall(r"[\d.,]+", cell))
            for cell in cells
        ]
        assert bounds == list(REACTIONS[level.strip("`")])


def test_what_the_network_may_cost() -> None:
    said = section("Over a network")
    assert f"the last {KEPT} round trips, and never more than {MAX_LAG_MS} milli" in said
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


# Options -----------------------------------------------------------------------------------------


def test_options_and_presets() -> None:
    said = section("Options")
    named = dict(re.findall(r"`([a-z_]+)`: (.*?)(?= - |$| A preset)", said))
    assert list(named) == [field.name for field in fields(Options)]
    for field in fields(Options):
        assert re.findall(r"`([^`]+)`", named[field.name]) == _values(field)
    shown = [[cell.strip("`") for cell in row] for row in PAGE.table("Options")]
    assert shown == [[name, *sets.values()] for name, sets in PRESETS.items()]


def _values(field: Any) -> list[str]:
    """The default, then the others."""
    if isinstance(field.default, StrEnum):
        kind = type(field.default)
        return [field.default, *(value for value in kind if value != field.default)]
    assert field.name == "race_limit_s"
    return [str(field.default), str(words.MIN_RACE_LIMIT_S), "300", "0"]
