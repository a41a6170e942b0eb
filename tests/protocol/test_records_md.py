"""RECORDS.md and NOTATION.md are right: their examples are what the program writes and reads, their
tables its words.
"""

import argparse
import json
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

import pytest

from protocol.dealing import commitment
from protocol.games.moves import RecordError
from protocol.recording import OF_THE_MATCH, Judged
from protocol.signing import BESIDE, MOST_COMMENT, SIGNED, public_key, signed, signer
from server.__main__ import main
from server.cli import simulate
from server.cli.common import CANNOT
from server.cli.records import WRONG
from server.games.contract import Game
from server.games.registry import GAMES
from server.recording import records
from server.recording.bot_matches import Series, play
from server.recording.check import BadRecord, check
from server.recording.notation import LETTERS, MAX_NOTATION_LINE_BYTES, MOST_FAULTS, write
from server.recording.records import FORMAT, KINDS, MAX_LINE_BYTES, VERSION, Record, line, read
from tests.server.recording.test_notation import back
from tests.stage.document import RECORDS, blocks, chapters, rows, rows_in, section
from tests.stage.spoken import SPOKEN, Spoken

CHAPTERS = chapters(RECORDS)
SEED = 7
SECRET = bytes(range(32))

every_game = pytest.mark.parametrize("game", SPOKEN, ids=lambda game: game.id)


def tables(game: Spoken) -> dict[str, list[list[str]]]:
    """Each table of a game's chapter by the first word of its head: the rows below it."""
    found: dict[str, list[list[str]]] = {}
    head = ""
    for row in rows_in(CHAPTERS[game.chapter]):
        if row[0] in ("option", "setup", "action", "outcome"):
            head = row[0]
            found[head] = []
        else:
            found[head].append(row)
    return found


def example(game: Spoken) -> dict[str, Any]:
    [block] = blocks("json", CHAPTERS[game.chapter])
    value: dict[str, Any] = json.loads(block)
    return value


def served(game: Spoken) -> Game:
    return GAMES[game.id]


@cache
def simulated(game_id: str) -> dict[str, Any]:
    game = GAMES[game_id]
    options = game.notation.options_from_record({})
    return play(Series(game, options, ["random", "random"], SEED), 0)


def as_read(value: dict[str, Any]) -> Record:
    return read(line(value), GAMES)


# The examples ------------------------------------------------------------------------------------


@every_game
def test_the_example_is_what_simulate_writes(game: Spoken) -> None:
    whole, shown = simulated(game.id), example(game)
    plies, first = len(whole["plies"]), len(shown["plies"])
    assert shown == {**whole, "plies": whole["plies"][:first]}
    assert f"of its {plies} plies the first {first} are shown" in CHAPTERS[game.chapter]
    check(as_read(whole))


# The envelope ------------------------------------------------------------------------------------


def test_the_fields_of_the_envelope() -> None:
    fields = [row[0] for row in rows("Envelope", RECORDS)]
    assert set(simulated("clocktowers")) | {"id", "began", SIGNED, *BESIDE} == set(
        fields[1 : fields.index("a seat")]
    )
    said = section("Envelope", RECORDS)
    assert f"always `{FORMAT}`" in said and f"of this format: {VERSION}" in said
    assert " or ".join(f"`{kind}`" for kind in KINDS) in said
    assert f"A line\nhas at most {MAX_LINE_BYTES >> 20} MiB" in said
    optional = {row[0] for row in rows("Envelope", RECORDS) if "may be missing" in "".join(row[1:])}
    whole = simulated("clocktowers")
    for name in set(whole) & optional:
        check(as_read({field: value for field, value in whole.items() if field != name}))
    unwritten = {"level", "at_ms", "lags_ms", "legal", "by", *BESIDE}
    assert optional - unwritten == {"rules_version", "options", "proof", "id", "began", SIGNED}


def test_the_fields_of_a_review_are_those_of_a_decision() -> None:
    """And comments have the bound that the client has."""
    said = rows("Comments and a review", RECORDS)
    fields = [name for row in said for name in row[0].split(", ")]
    decision = [name for name in Judged.__struct_fields__ if name not in OF_THE_MATCH]
    assert fields == ["review", "version", "decisions", "a decision", *decision]
    assert f"at most {MOST_COMMENT} characters" in section("Comments and a review", RECORDS)


# The games' own ----------------------------------------------------------------------------------


@every_game
def test_the_options_with_their_values_and_defaults(game: Spoken) -> None:
    notation = served(game).notation
    defaults = notation.options_to_record(notation.options_from_record({}))
    assert isinstance(defaults, dict)
    table = {row[0]: row[1:] for row in tables(game)["option"]}
    assert {name: plain(row[1]) for name, row in table.items()} == defaults
    for name, (values, _default) in table.items():
        for value in map(plain, re.split(r" or | to |(?<=[a-z]), ", values)):
            read_back = notation.options_from_record({name: value})
            assert notation.options_to_record(read_back) == {**defaults, name: value}
        for least, most in re.findall(r"(\d+) to (\d+)", values):
            for beyond in (int(least) - 1, int(most) + 1):
                with pytest.raises(RecordError):
                    notation.options_from_record({name: beyond})


def plain(value: str) -> Any:
    return json.loads(value) if value.startswith("[") or value.isdigit() else value


@every_game
def test_the_setup_names_its_fields(game: Spoken) -> None:
    setup = simulated(game.id)["setup"]
    assert [row[0] for row in tables(game)["setup"]] == list(setup)
    told = {row[0]: row[2] for row in tables(game)["setup"]}
    for name, value in setup.items():
        for inner in value if isinstance(value, dict) else ():
            assert inner in told[name]


@every_game
def test_the_actions_are_read_and_written_so(game: Spoken) -> None:
    notation = served(game).notation
    shown = [json.loads(row[0]) for row in tables(game)["action"]]
    actions = [notation.moves.from_record(action) for action in shown]
    assert [notation.moves.to_record(action) for action in actions] == shown
    assert set(map(type, actions)) == set(get_args(game.vocabulary.action))
    played = {ply["action"]["do"] for ply in simulated(game.id)["plies"]}
    assert played <= {action["do"] for action in shown}


@every_game
def test_the_outcome_names_its_fields(game: Spoken) -> None:
    table = {row[0]: row[2] for row in tables(game)["outcome"]}
    outcome = simulated(game.id)["outcome"]
    assert list(table) == list(game.vocabulary.outcome.__struct_fields__)
    for word in game.words.DecidedBy:
        assert word in table["decided_by"]
    for part in outcome.get("parts", [{}])[0]:
        assert part in table["parts"]


def test_how_many_tiles_there_are() -> None:
    game = GAMES["architetti_attenti"]
    table = {row[0]: " ".join(row[1:]) for row in tables(SPOKEN[1])["setup"]}
    sizes = {}
    for seats in game.rules.seats:
        fresh = game.rules.setup(game.notation.options_from_record({}), seats, bytes(32))
        setup: Any = game.notation.setup_to_record(fresh)
        assert len(setup["row"]) == 4 and len(setup["pile"]) == 22 * seats
        sizes[seats] = len(setup["removed"])
    assert "list of 4 tiles" in table["row"] and "22 for each seat" in table["pile"]
    removed = ", ".join(map(str, sizes.values()))
    assert f"{removed} for {', '.join(map(str, sizes))} seats" in table["removed"]


# Commands ----------------------------------------------------------------------------------------


def test_the_arguments_of_simulate_are_all_named() -> None:
    parser = argparse.ArgumentParser()
    simulate.add_parser(parser.add_subparsers())
    args = vars(parser.parse_args(["simulate", "--records", "-"]))
    named = {row[0]: row[1] for row in rows("simulate", RECORDS) if row[0].startswith("--")}
    assert {name[2:].replace("-", "_") for name in named} == set(args) - {"run"}
    for name in ("game", "games", "seed"):
        assert named[f"--{name}"] == str(args[name])
    deal = section("simulate", RECORDS)
    text = re.search(r"`(clocktowers simulate GAME seed S match N)`", deal)
    assert text is not None
    for game in GAMES:
        said = text[1].replace("GAME", game).replace(" S ", f" {SEED} ").replace(" N", " 0")
        seed = commitment(said.encode())
        assert simulated(game)["proof"]["seed"] == seed


def test_the_exit_codes_of_verify(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    codes = [int(row[0]) for row in rows("verify", RECORDS)[1:]]
    assert codes == [0, WRONG, CANNOT]
    lines = [line(simulated(game.id)) for game in SPOKEN]
    wrong = line(example(SPOKEN[1]))
    for code, text in zip(codes, (b"", wrong, wrong + b"{}\n"), strict=True):
        file = tmp_path / f"{code}.jsonl"
        file.write_bytes(b"".join(lines) + text)
        assert main(["verify", str(file)]) == code
        said = capsys.readouterr().out.splitlines()
        assert said[-1].startswith(f"{len(lines)} right: ")
        faults = [part for part in said[:-1] if "; not signed: " not in part]
        assert len(said) - len(faults) - 1 == len(lines)
        assert [part.split(": ")[1] for part in faults] == ["outcome", "setup"][:code]


def test_verify_says_what_a_record_proves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = simulated("clocktowers")
    unproved = {name: value for name, value in whole.items() if name != "proof"}
    said = {**unproved, "comments": {"1": "A fine move."}}
    file = tmp_path / "matches"
    file.write_bytes(line(signed(whole, SECRET)) + line(unproved) + line(said))
    assert main(["verify", str(file)]) == 0
    told = capsys.readouterr().out.replace(public_key(SECRET), "KEY").splitlines()[:-1]
    assert told.pop().endswith("; anybody may have written its comments and its review")
    shown = re.findall("FILE:LINE: every .*", RECORDS)
    assert [re.sub(r".*:\d+: every", "FILE:LINE: every", one) for one in told] == shown


# The signature -----------------------------------------------------------------------------------


def test_the_example_is_signed_so() -> None:
    said, match = section("Signature", RECORDS), example(SPOKEN[0])
    [block] = blocks("json", said)
    assert {SIGNED: signed(match, SECRET)[SIGNED]} == json.loads(block)
    told = json.dumps(match, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    assert f"is {len(told)} bytes to sign, whose SHA-256 is\n`{sha256(told).hexdigest()}`" in said
    assert signer({**match, SIGNED: json.loads(block)[SIGNED]}) == public_key(SECRET)


def test_whatever_is_changed_is_caught() -> None:
    """Names, seats, times, who acted, the proof, and the signature itself."""
    match = {**simulated("wild_wild_pattern"), "began": "2026-11-23T19:30:00Z"}
    right = signed(match, SECRET)
    beside = {"comments": {"3": "Here I lost it."}, "review": {"version": 1, "decisions": []}}
    check(as_read({**json.loads(json.dumps(right, indent=1)), **beside}))
    one, two = right["seats"]
    first, *others = right["plies"]
    late_ms, key = first["at_ms"] + 1, right[SIGNED]["key"]
    changed: list[dict[str, Any]] = [
        {"seats": [{**one, "name": "Eve"}, two]},
        {"seats": [{**one, "kind": "human"}, two]},
        {"seats": [{**one, "level": "expert"}, two]},
        {"began": "2026-11-23T19:30:01Z"},
        *({"plies": [{**first, **was}, *others]} for was in ({"by": "bot"}, {"at_ms": late_ms})),
        {"id": "another"},
        {SIGNED: {"key": key, "signature": "00" * 64}},
        {SIGNED: {**right[SIGNED], "key": public_key(bytes(32))}},
        {SIGNED: {"key": 1, "signature": 2}},
        *({SIGNED: none} for none in (None, "x")),
    ]
    without = {name: value for name, value in right.items() if name != "proof"}
    for spoilt in (*({**right, **change} for change in changed), without):
        with pytest.raises(BadRecord) as error:
            check(as_read(spoilt))
        assert error.value.place == "signed" and "as its server signed it" in str(error.value)
    assert signer(match) == ""  # a control: nobody has signed it
    other = signed({**match, "id": "another"}, bytes(32))
    assert signer(other) == public_key(bytes(32)) != key


# NOTATION.md --------------------------------------------------------------------------------------

NOTATION = (Path(records.__file__).parents[2] / "protocol" / "NOTATION.md").read_text("utf-8")


def noted(game_id: str) -> str:
    return write(records.of_fields(simulated(game_id), GAMES))


def test_the_example_is_what_is_written() -> None:
    comment, *shown = blocks("notation", NOTATION)[0].splitlines()
    whole = noted("clocktowers").splitlines()
    moves = [line for line in whole if re.match(r"\d", line)]
    told = [line for line in shown if re.match(r"\d", line)]
    assert comment.startswith(";") and shown[-1] == whole[-1] == "end"
    assert shown[:-1] == whole[: len(shown) - 1]
    assert f"Of its {len(moves)} moves the first {len(told)} are shown" in NOTATION


def test_the_example_is_read() -> None:
    found = back(blocks("notation", NOTATION)[0])
    whole = simulated("clocktowers")
    assert found.fields == {**whole, "plies": whole["plies"][:4]}


@every_game
def test_every_tag_is_named(game: Spoken) -> None:
    named = {name for row in rows_in(section("Tags", NOTATION)) for name in row[0].split(", ")}
    written = set(re.findall(r"^\[(\w+)", noted(game.id), re.MULTILINE))
    assert written <= named
    optional = {"Rules", "Id", "Began", "Options", "Signed", "First", "Outcome"}
    unseen = {"tag", "…"} | ({*LETTERS} & named)
    assert named - written <= optional | unseen


@every_game
def test_the_moves_of_a_game_are_written_so(game: Spoken) -> None:
    notation = served(game).notation
    shown = [row[0] for row in rows_in(section(game.chapter, NOTATION))[1:]]
    read_back = [notation.moves.from_line(move.split()) for move in shown]
    assert [notation.moves.to_line(action) for action in read_back] == shown
    played = {line.split()[2] for line in noted(game.id).splitlines() if line[:1].isdigit()}
    assert played <= {move.split()[0] for move in shown}


def test_the_parts_of_a_move_and_the_limits() -> None:
    [line] = re.findall(r"^    (\d+\. .*)$", NOTATION, re.MULTILINE)
    parts = [row[0] for row in rows_in(section("Moves", NOTATION))[1:]]
    assert " ".join(parts) == line
    head = blocks("notation", NOTATION)[0].partition("1. B")[0]
    [ply] = back("\n".join([head, line, "end"])).plies
    assert (ply["seat"], ply["at_ms"], ply["lags_ms"]) == (1, 17508, [0, 45])
    assert (
        f"{MAX_NOTATION_LINE_BYTES} bytes, a match {records.MAX_LINE_BYTES >> 20} MiB" in NOTATION
    )
    assert f"at most {MOST_FAULTS} of a match" in NOTATION
