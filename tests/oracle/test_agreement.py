"""The engine and the oracle say the same of every record: made by either, whole or spoilt."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from server.__main__ import main
from server.cli.options import table_options
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.check import BadRecord, check
from server.recording.records import NotARecord, line, read
from tests.games.architetti_attenti.oracle import mutations as attenti
from tests.games.clocktowers.oracle import mutations as clocktowers
from tests.oracle.judging import Json
from tests.oracle.mutations import MUTATIONS, Mutation
from tests.oracle.record_oracle import READINGS, first_fault, is_record

NO_RECORD = "no record"
LEVELS = ("random", "normal", "easy", "random", "easy", "easy")
REASONS = {
    "clocktowers": {"points", "mouse", "cat", "shared"},
    "architetti_attenti": {"points", "shared", "alone"},
}
SPOILING = {
    "clocktowers": [*MUTATIONS, *clocktowers.MUTATIONS],
    "architetti_attenti": [*MUTATIONS, *attenti.MUTATIONS],
}
every_game = pytest.mark.parametrize("game", list(READINGS))
every_mutation = pytest.mark.parametrize(
    ("game", "mutate"),
    [(game, mutate) for game, mutations in SPOILING.items() for mutate in mutations],
    ids=lambda value: getattr(value, "__name__", value),
)


class Table(NamedTuple):
    game: str
    seats: int
    options: dict[str, Json]


TABLES = {
    game: [
        Table(game, seats, dict(zip(reading.options, values, strict=True)))
        for seats in reading.seats
        for values in product(*reading.options.values())
    ]
    for game, reading in READINGS.items()
}

SOME = {game: tables[::5] for game, tables in TABLES.items()}


def engine_says(record: Json) -> str | None:
    """The place of the first fault, as `verify` finds it on a line of a file."""
    try:
        check(read(json.dumps(record).encode(), GAMES))
    except NotARecord:
        return NO_RECORD
    except BadRecord as error:
        return error.place
    return None


def oracle_says(record: Json) -> str | None:
    return first_fault(record) if is_record(record) else NO_RECORD


def options_of(table: Table) -> Any:
    texts = []
    for name, value in table.options.items():
        values = value if isinstance(value, list) else [value]
        texts.append(f"{name}={','.join(map(str, values))}")
    return table_options(GAMES[table.game], texts, {}, table.seats)


def simulated(table: Table, games: int, every_legal: int = 1) -> Iterator[Json]:
    """Records of the engine's, a sixth of the matches by bots that plan, which takes them long;
    every so many list what was legal."""
    at = TABLES[table.game].index(table)
    for number in range(games):
        levels = [LEVELS[(number + at) % len(LEVELS)]] * table.seats
        with_legal = (number + at) % every_legal == 0
        series = Series(GAMES[table.game], options_of(table), levels, at, with_legal)
        yield json.loads(line(play(series, number)))


def own(table: Table, rng: Random, with_legal: bool) -> Json:
    """A record of the oracle's."""
    return READINGS[table.game].record(table.seats, table.options, rng, with_legal)


@cache
def theirs(game: str) -> list[bytes]:
    """Records of the engine's at some tables, as many at each, as lines."""
    games = 3 if game == "clocktowers" else 1
    return [line(record) for table in SOME[game] for record in simulated(table, games, 2)]


@cache
def originals(game: str) -> list[bytes]:
    """Good records of both makers, with and without proof, with and without legal, as lines."""
    rng = Random("originals")
    ours = [own(table, rng, n % 4 == 0) for n, table in enumerate(TABLES[game][::3])]
    return [*map(line, ours), *theirs(game)[:: len(theirs(game)) // len(SOME[game])]]


@every_game
def test_the_oracle_agrees_with_simulated_matches(game: str) -> None:
    """At every fifth table, which pairs every value of an option with every other; at all of them
    the matches of the oracle agree."""
    reasons, listing = Counter[str](), 0
    each = len(theirs(game)) // len(SOME[game])
    for n, original in enumerate(theirs(game)):
        record = json.loads(original)
        assert first_fault(record) is None
        assert record["options"] == SOME[game][n // each].options
        listing += all("legal" in ply for ply in record["plies"])
        reasons[record["outcome"]["decided_by"]] += 1
    assert listing > 4 and reasons["points"] > 5
    assert len(reasons) > 1, "the matches are too much alike to test the ties"


@every_game
def test_the_engine_agrees_with_the_oracles_matches(game: str) -> None:
    """At every table. A fifth of them list what was legal, and few of a game whose listing takes
    long; `test_long_runs_agree_too` plays many more."""
    rng, reasons = Random("matches"), Counter[str]()
    times, listed = (3, 5) if game == "clocktowers" else (1, 16)
    for n, table in enumerate(TABLES[game] * times):
        record = own(table, rng, n % listed == 0)
        assert engine_says(record) is None
        reasons[record["outcome"]["decided_by"]] += 1
    assert reasons.keys() <= REASONS[game]
    assert game != "clocktowers" or reasons.keys() == REASONS[game]


@every_mutation
def test_both_find_the_same_first_fault(game: str, mutate: Mutation) -> None:
    rng = Random(f"spoilt by {mutate.__name__}")
    for original in rng.sample(originals(game), 2):
        record = json.loads(original)
        mutate(record, rng)
        assert engine_says(record) == oracle_says(record)


@every_game
@pytest.mark.parametrize("times", [1, pytest.param(9, marks=pytest.mark.soak)])
def test_changes_anywhere_are_judged_alike(game: str, times: int) -> None:
    """Many small changes of every kind, two at a time: the first fault is the one that counts."""
    rng = Random("small")
    verdicts = Counter[str | None]()
    for original in originals(game) * times:
        record = json.loads(original)
        once, twice = rng.choices(SPOILING[game], k=2)
        once(record, rng)
        verdict = oracle_says(record)
        if verdict is None:
            twice(record, rng)
            verdict = oracle_says(record)
        assert engine_says(record) == verdict
        verdicts["ply" if verdict and verdict.startswith("ply") else verdict] += 1
    assert set(verdicts) == {None, NO_RECORD, "setup", "ply", "outcome"}
    assert None not in verdicts or verdicts[None] < sum(verdicts.values()) / 2


@every_game
def test_verify_says_of_a_file_what_the_oracle_says(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Through the command: spoilt lines and their places, in order, and nothing on stderr."""
    rng, spoilt = Random("file"), []
    for mutate in SPOILING[game]:
        record = json.loads(rng.choice(originals(game)))
        mutate(record, rng)
        if is_record(record):
            spoilt.append(record)
    file = tmp_path / "spoilt"
    file.write_bytes(b"".join(map(line, spoilt)))
    code = main(["verify", str(file)])
    said, err = capsys.readouterr()
    faults = [first_fault(record) for record in spoilt]
    expected = [f"{file}:{n}: {fault}" for n, fault in enumerate(faults, 1) if fault]
    assert (code, err) == (1, "")
    told = said.splitlines()
    assert [":".join(text.split(":")[:3]) for text in told[:-1]] == expected
    assert told[-1] == f"{faults.count(None)} records agree"


@pytest.mark.soak
@pytest.mark.parametrize(
    "table", [*chain(*TABLES.values())], ids=lambda table: f"{table.game}-{table.seats}"
)
def test_long_runs_agree_too(table: Table) -> None:
    """Many matches of each maker at every table, each whole and then spoilt. Fewer of those that
    take six times as long to make."""
    rng = Random(f"long {table}")
    games = 40 if table.game == "clocktowers" else 5
    theirs = (own(table, rng, bool(number % 2)) for number in range(games))
    for original in (*simulated(table, games), *theirs):
        assert engine_says(original) is None is oracle_says(original)
        record = json.loads(line(original))
        rng.choice(SPOILING[table.game])(record, rng)
        assert engine_says(record) == oracle_says(record)
