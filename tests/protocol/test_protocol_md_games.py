"""Each game's chapter of the document says what the program's words and tables say."""

import re
from typing import Any, get_args

import msgpack
import pytest

from protocol.codec import encode, read_as
from protocol.games import architetti_attenti as aa, clocktowers as ct, wild_wild_pattern as wwp
from protocol.games.registry import GAMES
from protocol.games.wild_wild_pattern.bank import Line, cents, lines
from protocol.games.wild_wild_pattern.cards import (
    CARD_NAMES,
    CHALLENGES,
    FEATURE_NAMES,
    PATTERN_CARDS,
    PAYS,
    Object,
    colour_of,
    object_of,
    suit_of,
)
from protocol.ids import Seat
from server.games.contract import Moment, run_clock
from server.games.registry import GAMES as SERVED
from server.games.wild_wild_pattern.race import MAX_LAG_MS, MAX_RISE_MS
from tests.stage.document import examples, rows, section
from tests.stage.spoken import CHAPTERS, SPOKEN, Spoken

FRAMES = examples("frames")
SEED = bytes(range(32))
every_game = pytest.mark.parametrize("game", SPOKEN, ids=lambda game: game.id)


def test_the_card_table_is_the_programs() -> None:
    animals = {"": "", "c": "cat", "m": "mouse"}
    assert rows("Cards")[1:] == [
        [
            str(card),
            ct.CODES[card],
            f"{ct.PILES[card]} {ct.PILE_NAMES[ct.PILES[card] or 0]}",
            str(ct.COPIES[card]),
            str(ct.STOREYS[card]),
            animals[ct.ANIMALS[card]],
        ]
        for card in range(1, len(ct.CODES))
    ]
    codes = " ".join(ct.CODES[card] for card in ct.START_HAND)
    assert f"Every seat starts with `{codes}`" in section("Cards")


def test_the_tile_table_is_the_programs() -> None:
    text = CHAPTERS["Architetti Attenti"]
    assert rows("Tiles", text)[1:] == [
        [str(tile), "-".join(half.name.lower() for half in aa.TILES[tile]), str(aa.COPIES[tile])]
        for tile in range(1, len(aa.TILES))
    ]
    cells = rows("Cells", text)
    assert cells[1:] == [[str(int(kind)), kind.name.lower().replace("_", " ")] for kind in aa.Kind]
    said = section("Cells", text)
    assert (
        f"{aa.SIDE} rows of {aa.SIDE} cells" in said and f"Cell {aa.HALL} is the town hall" in said
    )
    assert f"byte and {aa.KIND_BITS}" in said
    assert [aa.STEPS[n] for n in range(4)] == [1, aa.SIDE, -1, -aa.SIDE]
    assert "0 right, 1 below, 2 left, 3 above" in said
    assert f"Every seat begins with {aa.START_GEMS} gems" in section("Actions", text)


def test_the_count_of_the_document_names_every_part() -> None:
    parts = list(aa.Parts.__struct_fields__)
    assert [row[0] for row in rows("Score", CHAPTERS["Architetti Attenti"])[1:]] == parts
    [ended] = [e.value for e in FRAMES if e.chapter == "Architetti Attenti" and "seed" in e.value]
    outcome = read_as(ended["outcome"], aa.Outcome)
    assert list(outcome.scores) == [part.total for part in outcome.parts]


# Every game's chapter ----------------------------------------------------------------------------


def test_every_game_has_a_chapter() -> None:
    assert {game.id for game in SPOKEN} == set(GAMES)


@every_game
def test_the_chapter_names_the_game_its_seats_and_its_levels(game: Spoken) -> None:
    few, many = min(game.vocabulary.seats), max(game.vocabulary.seats)
    levels = ", ".join(f"`{level}`" for level in game.vocabulary.levels)
    said = f"\nId `{game.id}`, {few} to {many} seats; levels of bots {levels}.\n"
    assert game.text.startswith(said)


@every_game
def test_the_options_their_defaults_and_presets_are_the_programs(game: Spoken) -> None:
    table = rows("Options", game.text)
    split = [row[0] for row in table].index("preset")
    built = msgpack.unpackb(encode(game.vocabulary.options()))
    assert [(row[0], row[2]) for row in table[1:split]] == [
        (option, "nil" if value is None else str(value)) for option, value in built.items()
    ]
    assert {row[0]: row[1] for row in table[split + 1 :]} == {
        name: ", ".join(
            f"{option} {list(value) if isinstance(value, tuple) else value}"
            for option, value in sets.items()
        )
        for name, sets in game.vocabulary.presets.items()
    }


@every_game
@pytest.mark.parametrize("title", ["Actions", "Events"])
def test_actions_and_events_have_their_fields_in_order(title: str, game: Spoken) -> None:
    kinds = get_args({"Actions": game.vocabulary.action, "Events": game.vocabulary.event}[title])
    assert [row[0] for row in rows(title, game.text)[1:]] == [
        "[" + ", ".join([f'"{kind.__struct_config__.tag}"', *kind.__struct_fields__]) + "]"
        for kind in kinds
    ]


@every_game
def test_every_field_of_view_and_outcome_is_explained(game: Spoken) -> None:
    view: Any = game.vocabulary.view
    assert [row[0] for row in rows("View", game.text)[1:]] == list(view.__struct_fields__)
    for word in game.words.Phase:
        assert f"`{word}`" in section("View", game.text)
    said = section("Outcome", game.text)
    for word in (*game.words.DecidedBy, *game.vocabulary.outcome.__struct_fields__):
        assert f"`{word}`" in said


LAGS = (20, 40)
EARLIER: dict[str, list[tuple[int, int, Any]]] = {
    "architetti_attenti": [
        (1, 0, aa.Buy(3)),
        (1, 0, aa.Place(16, 17)),
        (0, 0, aa.Buy(1)),
        (0, 0, aa.Place(25, 18)),
        (1, 0, aa.Buy(1)),
        (1, 0, aa.Place(9, 10)),
    ],
    "wild_wild_pattern": [(1, 3000, wwp.Ready()), (0, 5000, wwp.Ready())],
}
"""Seat, time and action of what was played before the first frame of a game's chapter."""


def begun(game: str) -> tuple[Any, list[Any]]:
    """The state after that, from the vector's seed, and what the last action told."""
    rules, happened = SERVED[game].rules, list[Any]()
    state = rules.setup(GAMES[game].options(), 2, SEED)
    for seat, at_ms, action in EARLIER[game]:
        happened = [*rules.apply(state, Seat(seat), action, Moment(at_ms, LAGS))]
    return state, happened


@pytest.mark.parametrize("game", EARLIER)
def test_what_is_read_aloud_comes_of_the_vectors_seed(game: str) -> None:
    """What is shown of a match is what the engine says in it. An update's time is when that
    happened which it tells of."""
    rules, (state, happened) = SERVED[game].rules, begun(game)
    [chapter] = [one.chapter for one in SPOKEN if one.id == game]
    shown = [each.value for each in FRAMES if each.chapter == chapter]
    refused = None
    for number, value in enumerate(shown):
        if value["type"] == "act":
            wished = read_as(value["action"], GAMES[game].action)
            refused = rules.refuse(state, Seat(0), wished)
            if refused is None:
                after = next(one for one in shown[number:] if one["type"] == "update")
                moment = Moment(after.get("at_ms", 0), LAGS)
                happened = [*rules.apply(state, Seat(0), wished, moment)]
        elif value["type"] == "refused":
            assert refused is not None
            assert (value["code"], value["params"]) == (refused.code, refused.params)
        elif value["type"] == "update":
            if not happened:
                assert rules.deadline(state) == value["at_ms"]
                happened = [*rules.tick(state, value["at_ms"])]
            own = [each.event for each in happened if each.to in (None, 0)]
            assert value["events"] == [msgpack.unpackb(encode(event)) for event in own]
            assert value["view"] == msgpack.unpackb(encode(rules.view(state, Seat(0))))
            assert value.get("revocable") == rules.revocable(state)
            happened = []


# Races --------------------------------------------------------------------------------------------

TEXT = CHAPTERS["Wild Wild Pattern"]
RULES = SERVED["wild_wild_pattern"].rules


def test_features_and_cards_are_the_programs() -> None:
    table = rows("Cards and features", TEXT)
    features, patterns, challenges = (
        table[1 : 1 + len(FEATURE_NAMES)],
        table[2 + len(FEATURE_NAMES) : 10 + len(FEATURE_NAMES)],
        table[11 + len(FEATURE_NAMES) :],
    )
    assert features == [[str(byte), name] for byte, name in enumerate(FEATURE_NAMES)]
    shown = [cell.split() for _thing, *cells in patterns for cell in cells]
    assert shown == [[str(card), suit_of(card).name.lower()] for card in PATTERN_CARDS]
    assert [row[0] for row in patterns] == [thing.name.lower() for thing in Object]
    for card in PATTERN_CARDS:
        assert card == 1 + 5 * object_of(card) + colour_of(card)
    assert [row[:2] for row in challenges] == [[str(c), CARD_NAMES[c]] for c in CHALLENGES]
    assert [row[2] for row in challenges[-3:]] == [f"{cents} cents" for cents in PAYS.values()]


def test_the_bank_is_the_programs() -> None:
    table = rows("The Bank", TEXT)[1:]
    assert [int(cents) for _line, cents in table] == [
        line.cents for line in Line if line is not Line.WILD
    ]


def test_the_banks_example_is_paid_as_it_says() -> None:
    cards = bytes.fromhex("0102060713")
    assert f"the cards `h'{cards.hex()}'`" in section("The Bank", TEXT)
    met = lines(cards, Object.PISTOL, five_colours_win=True)
    assert met == [Line.TWO_COLOUR, Line.TWO_OBJECT, Line.TWO_TARGETS]
    assert f"together {cents(met)} cents and not" in section("The Bank", TEXT)


@pytest.mark.parametrize(
    "said",
    [
        f"or {wwp.READY_MS // 1000} s after the turn began",
        f"so that its seat sees it {wwp.REPLACED_MS // 1000} s after",
        f"every other choice has {wwp.CHOICE_MS // 1000} s",
        f"the others have {wwp.SONG_MS // 1000} s from the moment",
        f"After {wwp.MAX_IDLE_TURNS} of them running",
        f"has {wwp.ROUND_ENDS_AT} Pattern cards or more",
        f"more than {wwp.SALOON_CENTS} cents",
        f"after {wwp.MAX_ROUNDS} rounds",
        f"never more than {MAX_LAG_MS} ms, nor than {MAX_RISE_MS} ms above its lag",
    ],
)
def test_the_numbers_are_the_programs(said: str) -> None:
    assert said in " ".join(section("What happens when", TEXT).split())


def test_what_is_said_of_the_race_is_so() -> None:
    state, _told = begun("wild_wild_pattern")
    assert "see their cards at 5040: seat 0's copy is held back for 20 ms" in TEXT
    assert RULES.delays(state) == (20, 0) and state.due_ms == 5040 + 60_000
    assert "arrives at 12345 and counts from 12325" in TEXT and "arrived by 12365" in TEXT
    RULES.apply(state, Seat(0), wwp.Shoot(1), Moment(12_345, LAGS))
    assert RULES.deadline(state) == 12_365
    run_clock(RULES, state, 12_365)
    named = re.findall(r"\((\d+), hex ([0-9a-f]{2})\)", TEXT)
    assert len(named) == 4 and all(int(card) == int(byte, 16) for card, byte in named)


# How a race's time ends --------------------------------------------------------------------------

ENDINGS = rows("What happens when", TEXT)[1:]


def raced(arrivals: list[tuple[int, int]]) -> tuple[list[str], str]:
    """When each of these shots (seat, arrival) counts from, and what becomes of the race."""
    state, _told = begun("wild_wild_pattern")
    counted, said = [], ""
    for seat, at_ms in arrivals:
        said = said or ended(state, at_ms)
        if RULES.refuse(state, Seat(seat), wwp.Shoot(1)):
            said += f", seat {seat}'s is refused"
            continue
        counted.append(str(at_ms - LAGS[seat]))
        told = RULES.apply(state, Seat(seat), wwp.Shoot(1), Moment(at_ms, LAGS))
        said = said or in_words([each.event for each in told], at_ms)
    return counted, said or ended(state, 100_000)


def ended(state: Any, until_ms: int) -> str:
    while (due_ms := RULES.deadline(state)) is not None and due_ms <= until_ms:
        if said := in_words([each.event for each in RULES.tick(state, due_ms)], due_ms):
            return said
    return ""


def in_words(events: list[Any], at_ms: int) -> str:
    for event in events:
        if isinstance(event, wwp.Shot):
            return f"seat {event.seat}'s is decided at {at_ms}"
        if isinstance(event, wwp.Idled):
            return f"at {at_ms} the turn is idle"
    return ""


@pytest.mark.parametrize("row", ENDINGS, ids=lambda row: row[0] or "nobody")
def test_a_races_time_ends_as_the_table_says(row: list[str]) -> None:
    shots = re.findall(r"seat (\d): (\d+)", row[0])
    counted, said = raced([(int(seat), int(at_ms)) for seat, at_ms in shots])
    assert (", ".join(counted), said) == (row[1], row[2])
