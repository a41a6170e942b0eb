"""Each game's chapter of the document says what the program's words and tables say."""

from typing import Any, get_args

import msgpack
import pytest

from protocol.codec import encode, read_as
from protocol.games import architetti_attenti as aa, clocktowers as ct
from protocol.games.registry import GAMES
from protocol.ids import Seat
from server.games.contract import BEGINNING
from server.games.registry import GAMES as SERVED
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


def options_and_presets(game: Spoken) -> tuple[list[list[str]], list[list[str]]]:
    table = rows("Options", game.text)
    split = [row[0] for row in table].index("preset")
    return table[1:split], table[split + 1 :]


@every_game
def test_the_options_and_presets_are_the_programs(game: Spoken) -> None:
    options, presets = options_and_presets(game)
    assert [row[0] for row in options] == list(game.vocabulary.options.__struct_fields__)
    assert {row[0]: row[1] for row in presets} == {
        name: ", ".join(
            f"{option} {list(value) if isinstance(value, tuple) else value}"
            for option, value in sets.items()
        )
        for name, sets in game.vocabulary.presets.items()
    }


@every_game
def test_the_defaults_of_the_options_are_the_programs(game: Spoken) -> None:
    built = msgpack.unpackb(encode(game.vocabulary.options()))
    options, _presets = options_and_presets(game)
    assert {row[0]: row[2] for row in options} == {
        option: "nil" if value is None else str(value) for option, value in built.items()
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


def test_a_field_that_the_document_lacks_is_found() -> None:
    """The control: without one row of a table the comparison is no longer equal."""
    game = SPOKEN[1]
    spoilt = game.text.replace("| `on_row` |", "| `gems_there` |")
    assert spoilt != game.text
    shown = [row[0] for row in rows("View", spoilt)[1:]]
    assert shown != list(game.vocabulary.view.__struct_fields__)


def test_the_second_view_that_is_read_aloud_comes_of_the_vectors_seed() -> None:
    """What is shown of a match of Architetti Attenti is what the engine says in it."""
    rules = SERVED["architetti_attenti"].rules
    state = rules.setup(aa.Options(), 2, SEED)
    shown = iter(e.value for e in FRAMES if e.chapter == "Architetti Attenti")
    for seat, action in EARLIER:
        rules.apply(state, Seat(seat), action, BEGINNING)
    for value in shown:
        if value["type"] == "act":
            wished = read_as(value["action"], GAMES["architetti_attenti"].action)
            refusal = rules.refuse(state, Seat(0), wished)
            told = [] if refusal else rules.apply(state, Seat(0), wished, BEGINNING)
        elif value["type"] == "refused":
            assert refusal is not None
            assert (value["code"], value["params"]) == (refusal.code, refusal.params)
        elif value["type"] == "update":
            events = [msgpack.unpackb(encode(addressed.event)) for addressed in told]
            assert value["events"] == events
            assert value["view"] == msgpack.unpackb(encode(rules.view(state, Seat(0))))
            assert value.get("revocable") == rules.revocable(state)


EARLIER = [
    (1, aa.Buy(3)),
    (1, aa.Place(16, 17)),
    (0, aa.Buy(1)),
    (0, aa.Place(25, 18)),
    (1, aa.Buy(1)),
    (1, aa.Place(9, 10)),
]
"""What was played before the first frame of that chapter."""
