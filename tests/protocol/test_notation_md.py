"""NOTATION.md is right: its example is what the program writes, its moves are the games' words."""

import re
from pathlib import Path

import pytest

from server.games.registry import GAMES
from server.recording import records
from server.recording.bot_matches import Series, play
from server.recording.files import MAX_NOTATION_LINE_BYTES
from server.recording.notation_reading import MOST_FAULTS, read
from server.recording.notation_writing import LETTERS, write
from tests.stage.document import blocks, rows_in, section
from tests.stage.spoken import SPOKEN

TEXT = (Path(records.__file__).parents[2] / "protocol" / "NOTATION.md").read_text("utf-8")
TITLES = {game.id: game.chapter for game in SPOKEN}

every_game = pytest.mark.parametrize("game", GAMES)


def simulated(game: str) -> records.Record:
    options = GAMES[game].notation.options_from_record({})
    series = Series(GAMES[game], options, ["random", "random"], 7)
    return records.of_fields(play(series, 0), GAMES)


def test_the_example_is_what_is_written() -> None:
    comment, *shown = blocks("notation", TEXT)[0].splitlines()
    whole = write(simulated("clocktowers")).splitlines()
    moves = [line for line in whole if re.match(r"\d", line)]
    told = [line for line in shown if re.match(r"\d", line)]
    assert comment.startswith(";") and shown[-1] == whole[-1] == "end"
    assert shown[:-1] == whole[: len(shown) - 1]
    assert f"Of its {len(moves)} moves the first {len(told)} are shown" in TEXT


def test_the_example_is_read() -> None:
    noted = read(enumerate(blocks("notation", TEXT)[0].splitlines(), 1), GAMES)
    whole = simulated("clocktowers").fields
    assert noted.record.fields == {**whole, "plies": whole["plies"][:4]}


@every_game
def test_every_tag_is_named(game: str) -> None:
    named = {name for row in rows_in(section("Tags", TEXT)) for name in row[0].split(", ")}
    written = set(re.findall(r"^\[(\w+)", write(simulated(game)), re.MULTILINE))
    assert written <= named
    optional = {"Rules", "Id", "Began", "Options", "First", "Outcome"}
    unseen = {"tag", "…"} | ({*LETTERS} & named)
    assert named - written <= optional | unseen


@every_game
def test_the_moves_of_a_game_are_written_so(game: str) -> None:
    notation = GAMES[game].notation
    shown = [row[0] for row in rows_in(section(TITLES[game], TEXT))[1:]]
    read_back = [
        notation.action_from_record(notation.action_from_move(move.split())) for move in shown
    ]
    assert [notation.action_to_move(action) for action in read_back] == shown
    played = {line.split()[2] for line in write(simulated(game)).splitlines() if line[:1].isdigit()}
    assert played <= {move.split()[0] for move in shown}


def test_the_parts_of_a_move_and_the_limits() -> None:
    [line] = re.findall(r"^    (\d+\. .*)$", TEXT, re.MULTILINE)
    parts = [row[0] for row in rows_in(section("Moves", TEXT))[1:]]
    assert " ".join(parts) == line
    head = blocks("notation", TEXT)[0].partition("1. B")[0]
    [ply] = read(enumerate([*head.splitlines(), line, "end"], 1), GAMES).record.plies
    assert (ply["seat"], ply["at_ms"], ply["lags_ms"]) == (1, 17508, [0, 45])
    assert f"{MAX_NOTATION_LINE_BYTES} bytes, a match {records.MAX_LINE_BYTES >> 20} MiB" in TEXT
    assert f"at most {MOST_FAULTS} of a match" in TEXT
