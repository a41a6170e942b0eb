"""The rules promise what the engine does, as far as that can be counted."""

import re
from enum import StrEnum
from itertools import pairwise
from random import Random
from typing import Any, get_args

import pytest
from msgspec.structs import fields

from clocktowers_tui.games.architetti_attenti import actions as board_keys
from clocktowers_tui.keys.actions import BACK, CONFIRM, TAKE_BACK
from protocol.games.architetti_attenti import (
    CELLS,
    COPIES,
    HALL,
    PRESETS,
    ROW,
    SEATS,
    SHOPS,
    SIDE,
    START_GEMS,
    TILES,
    Bought,
    Buy,
    DecidedBy,
    Discarded,
    End,
    Kind,
    Options,
    Placed,
    Refused,
    Revealed,
    TakeBack,
)
from protocol.games.architetti_attenti.board import MEADOW, cell_name
from protocol.games.architetti_attenti.deal import SHEETS, TURNS, dealt, pool
from protocol.ids import Seat
from server.games.architetti_attenti.state import OVER
from server.games.contract import BEGINNING
from server.games.registry import GAMES
from server.matches.take_backs import MAX_TAKE_BACKS
from tests.games.architetti_attenti.pages import PAGE, PAGES, same_heading
from tests.games.architetti_attenti.towns import (
    WORDS,
    kind_called,
)

RULES = GAMES["architetti_attenti"].rules
section, table = PAGE.section, PAGE.table


# The box -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", PAGES)
def test_the_tiles(code: str) -> None:
    between = {"en": " and ", "it": " e ", "nl": " en ", "ru": " и "}[code]
    shown = [
        (*(kind_called(word, code) for word in tile.split(between)), int(copies))
        for tile, copies in PAGES[code].table(same_heading("The tiles", code))
    ]
    assert shown == [(*TILES[tile], COPIES[tile]) for tile in range(1, len(TILES))]
    said = PAGES[code].section(same_heading("The tiles", code))
    assert f" {sum(COPIES)}" in said and f" {len(SHOPS)} " in said


def test_setting_up() -> None:
    rows = []
    for seats in SEATS:
        deal = dealt(seats, bytes(32))
        assert len(deal.row) == ROW
        tiles = len(pool(seats))
        rows.append([seats, SHEETS[seats], tiles, len(deal.pile), len(deal.removed)])
    assert [[int(n) for n in row] for row in table("Setting up")] == rows
    said = section("Setting up")
    assert f"{SIDE} rows of {SIDE} cells" in said and f"on `{cell_name(HALL)}`" in said
    assert f"The other {CELLS - 1} cells are free" in said and MEADOW.count(Kind.FREE) == CELLS - 1
    assert f"Everybody gets {START_GEMS} gems" in said and f"{ROW} of them lie face up" in said
    assert f"there are {TURNS} tiles in the pile" in said


# Options -----------------------------------------------------------------------------------------


def test_options_and_presets() -> None:
    said = section("Options")
    named = dict(re.findall(r"`([a-z_]+)`: (.*?)(?= - |$| A preset)", said))
    assert list(named) == [field.name for field in fields(Options)]
    for field in fields(Options):
        assert re.findall(r"`([^`]+)`", named[field.name]) == _values(field)
    shown = [[cell.strip("`") for cell in row] for row in table("Options")]
    assert shown == [[name, *sets.values()] for name, sets in PRESETS.items()]


def _values(field: Any) -> list[str]:
    """The default, then the others; of the seats the first one only."""
    if isinstance(field.default, StrEnum):
        kind = type(field.default)
        return [field.default, *(value for value in kind if value != field.default)]
    assert field.default is None and type(None) in get_args(field.type)
    return ["none", "0"]


@pytest.mark.parametrize("code", PAGES)
def test_the_words_for_the_kinds_are_all_used(code: str) -> None:
    for word in WORDS[code]:
        assert word in PAGES[code].text.lower()


def test_what_is_ours_is_said_in_a_section_of_its_own() -> None:
    said = section("What is ours")
    for words in (
        f"{SIDE} by {SIDE} cells, with the town hall in the middle",
        "which there are, and how often each is there",
        f"{TURNS} turns for each player",
        "the tiles of how many sheets are used for how many players",
        "How blocks, parks, rails and shops are counted",
        "the win is shared",
        "it is discarded as it is bought",
        "games of 1, 3 and 4 are additions",
    ):
        assert words in said


def test_the_keys_are_those_of_the_board() -> None:
    said = section("Keys on the board")
    shown = re.findall(r"`([^`]+)`", said)
    keys = [action.keys[0] for action in (*board_keys.TILES[::3], board_keys.TURN)]
    keys += [board_keys.BEST.keys[0], TAKE_BACK.keys[0]]
    assert shown == [*keys, board_keys.OTHERS.keys[0]]
    assert (CONFIRM.keys[0], BACK.keys[0]) == ("enter", "escape")
    assert said.count("Enter") == 2 and said.count("Esc") == 2


# Turns -------------------------------------------------------------------------------------------


def played(seats: int, options: Options) -> list[tuple[Any, Seat | None]]:
    """A whole match of chance as (event, who could take back the action it came of)."""
    rng, told = Random(seats), []
    state = RULES.setup(options, seats, bytes(32))
    while RULES.outcome(state) is None:
        [seat] = RULES.to_act(state)
        action = rng.choice(RULES.legal_actions(state, seat))
        events = [addressed.event for addressed in RULES.apply(state, seat, action, BEGINNING)]
        told += [(event, RULES.revocable(state)) for event in events]
    return told


@pytest.mark.parametrize("end", End)
def test_how_many_turns_each_has(end: End) -> None:
    said = section("The end")
    assert f"everybody has had {TURNS} turns" in said and f"That makes {ROW} turns more" in said
    turns = {1: [26], 2: [24, 24], 3: [24, 23, 23], 4: [23, 23, 23, 23]}
    assert "with 2 players each has 24 turns, with 4 players 23" in said
    assert "With 3 players the first has 24, the others have 23" in said
    assert "Somebody alone has 26, and more tiles than the board has room for" in said
    for seats, each in turns.items():
        events = [event for event, _ in played(seats, Options(end=end, first_seat=0))]
        buys = [event.seat for event in events if isinstance(event, Bought)]
        expected = each if end is End.ROW else [TURNS] * seats
        assert [buys.count(seat) for seat in range(seats)] == expected
    assert 2 * turns[1][0] > CELLS - 1


def test_what_a_tile_costs() -> None:
    said = section("Buying a tile")
    assert "The tile in position 1 is free" in said
    assert "You have then spent 2 gems and gained 1" in said
    state = RULES.setup(Options(first_seat=0), 2, bytes(32))
    buyer = Seat(0)
    state.on_row = bytes((0, 0, 1, 0))
    [bought] = [addressed.event for addressed in RULES.apply(state, buyer, Buy(3), BEGINNING)]
    assert (bought.paid, bought.gained) == (2, 1)
    assert state.on_row == bytes((1, 1, 0, 0)) and state.gems[0] == START_GEMS - 2 + 1
    poor = RULES.setup(Options(first_seat=0), 2, bytes(32))
    poor.gems[0], poor.on_row = 1, bytes((0, 0, 5, 0))
    refusal = RULES.refuse(poor, buyer, Buy(3))
    assert refusal is not None and refusal.code == Refused.TOO_FEW_GEMS


def test_what_fits_nowhere_is_discarded_at_once() -> None:
    assert "It is discarded at once, as you buy it" in section("A tile that fits nowhere")
    state = RULES.setup(Options(first_seat=0), 1, bytes(32))
    state.boards[0] = bytes(Kind.HOUSE if n % 2 else byte for n, byte in enumerate(MEADOW))
    state.on_row = bytes((2, 0, 0, 0))
    kinds = [type(addressed.event) for addressed in RULES.apply(state, Seat(0), Buy(1), BEGINNING)]
    assert kinds == [Bought, Discarded, Revealed] and state.gems[0] == START_GEMS + 2


@pytest.mark.parametrize("end", End)
def test_taking_back(end: End) -> None:
    said = section("Taking back")
    assert f"you can do it {MAX_TAKE_BACKS} times" in said
    assert "take back a purchase as long as its tile is not placed" in said
    assert "When no new ones come any more, both can be" in said
    told = played(2, Options(end=end))
    for (event, owner), (after, _) in pairwise(told):
        if isinstance(event, Bought) and not isinstance(after, Discarded):
            assert owner == event.seat
        if isinstance(after, Revealed):
            assert owner is None
        if isinstance(event, Placed) and isinstance(after, Bought):
            assert owner == event.seat
    assert told[-1][1] is None
    assert all(owner is None for _, owner in played(2, Options(take_back=TakeBack.OFF)))


def test_who_wins() -> None:
    assert "Those who are level at the top share the win" in section("Who wins")
    for seats, deciding in ((1, DecidedBy.ALONE), (2, DecidedBy.SHARED)):
        state = RULES.setup(Options(), seats, bytes(32))
        state.phase = OVER
        outcome = RULES.outcome(state)
        assert outcome is not None
        assert outcome.winners == tuple(range(seats)) and outcome.decided_by is deciding
