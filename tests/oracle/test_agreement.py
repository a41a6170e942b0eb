"""The engine and the oracle say the same of every record: made by either, whole or spoilt."""

import copy
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import TypeAlias

import pytest

from protocol.games.clocktowers import Options
from protocol.games.registry import GAMES as VOCABULARIES
from server.bot_matches import Series, play
from server.cli.simulate import table_options
from server.games.registry import GAMES
from server.record_check import BadRecord, check
from server.records import NotARecord, line, read
from tests.oracle.clocktowers_oracle import OPTION_VALUES, Json, random_record
from tests.oracle.mutations import MUTATIONS, Mutation
from tests.oracle.record_oracle import first_fault, is_record

NO_RECORD = "no record"
Table: TypeAlias = tuple[int, dict[str, Json]]
TABLES: list[Table] = [
    (seats, dict(zip(OPTION_VALUES, values, strict=True)))
    for seats in (2, 3, 4)
    for values in product(*OPTION_VALUES.values())
]


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


def options_of(record_options: dict[str, Json]) -> Options:
    texts = []
    for name, value in record_options.items():
        values = value if isinstance(value, list) else [value]
        texts.append(f"{name}={','.join(map(str, values))}")
    options: Options = table_options(VOCABULARIES["clocktowers"].options, texts)
    return options


def simulated(table: Table, games: int) -> Iterator[Json]:
    """Records of the engine's, a third of the matches by bots that plan towers, all with legal."""
    seats, options = table[0], options_of(table[1])
    for number in range(games):
        levels = [("random", "normal", "easy")[number % 3]] * seats
        series = Series(GAMES["clocktowers"], options, levels, TABLES.index(table), True)
        yield json.loads(line(play(series, number)))


@cache
def originals() -> list[Json]:
    """Good records of both makers, with and without proof, with and without legal."""
    rng = Random("originals")
    ours = [random_record(seats, opts, rng, bool(n % 2)) for n, (seats, opts) in enumerate(TABLES)]
    theirs = [next(simulated(table, 1)) for table in TABLES]
    return ours + theirs


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_oracle_agrees_with_simulated_matches(seats: int) -> None:
    reasons = Counter[str]()
    for table in TABLES:
        if table[0] == seats:
            for record in simulated(table, 6):
                assert first_fault(record) is None
                assert all("legal" in ply for ply in record["plies"])
                assert record["options"] == table[1]
                reasons[record["outcome"]["decided_by"]] += 1
    assert reasons["points"] > 50
    assert len(reasons) > 1, "the matches are too much alike to test the ties"


@pytest.mark.parametrize("with_legal", [False, True])
def test_the_engine_agrees_with_the_oracles_matches(with_legal: bool) -> None:
    rng = Random(f"matches {with_legal}")
    reasons = Counter[str]()
    for seats, options in TABLES * 4:
        record = random_record(seats, options, rng, with_legal)
        assert engine_says(record) is None
        reasons[record["outcome"]["decided_by"]] += 1
    assert set(reasons) == {"points", "mouse", "cat", "shared"}


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_both_find_the_same_first_fault(mutate: Mutation) -> None:
    rng = Random(f"spoilt by {mutate.__name__}")
    for original in rng.sample(originals(), 30):
        record = copy.deepcopy(original)
        mutate(record, rng)
        assert engine_says(record) == oracle_says(record)


def test_changes_anywhere_are_judged_alike() -> None:
    """Many small changes of every kind, two at a time: the first fault is the one that counts."""
    rng = Random("many")
    verdicts = Counter[str | None]()
    for original in originals() * 6:
        record = copy.deepcopy(original)
        for mutate in rng.choices(MUTATIONS, k=2):
            if not is_record(record) or first_fault(record) is not None:
                break
            mutate(record, rng)
        verdict = oracle_says(record)
        assert engine_says(record) == verdict
        verdicts["ply" if verdict and verdict.startswith("ply") else verdict] += 1
    assert set(verdicts) == {None, NO_RECORD, "setup", "ply", "outcome"}


@pytest.mark.soak
@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table[0]}-{TABLES.index(table)}")
def test_long_runs_agree_too(table: Table) -> None:
    """Fifty matches of each maker at every table, each whole and then spoilt."""
    rng = Random(f"long {TABLES.index(table)}")
    theirs = (random_record(*table, rng, bool(number % 2)) for number in range(50))
    for original in (*simulated(table, 50), *theirs):
        assert engine_says(original) is None is oracle_says(original)
        record = copy.deepcopy(original)
        rng.choice(MUTATIONS)(record, rng)
        assert engine_says(record) == oracle_says(record)
