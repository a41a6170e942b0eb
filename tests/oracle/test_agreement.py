"""The engine and the oracle say the same of every record: made by either, whole or spoilt."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, product
from random import Random
from typing import Any, NamedTuple

import pytest

from server.cli.simulate import table_options
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.records import line
from tests.games.wild_wild_pattern.oracle import matches as races
from tests.oracle.judging import Json
from tests.oracle.record_oracle import NO_RECORD, READINGS, verdict
from tests.oracle.spoiling import SPOILING

LEVELS = ("random", "normal", "easy", "random", "easy", "easy")
REASONS = {
    "clocktowers": {"points", "mouse", "cat", "shared"},
    "architetti_attenti": {"points", "shared", "alone"},
}
in_turns = pytest.mark.parametrize("game", list(READINGS))


class AgreedTable(NamedTuple):
    game: str
    seats: int
    options: dict[str, Json]


TABLES = {
    game: [
        AgreedTable(game, seats, dict(zip(reading.options, values, strict=True)))
        for seats in reading.seats
        for values in product(*reading.options.values())
    ]
    for game, reading in READINGS.items()
}

SOME = {game: tables[::5] for game, tables in TABLES.items()}


def options_of(table: AgreedTable) -> Any:
    texts = []
    for name, value in table.options.items():
        values = value if isinstance(value, list) else [value]
        texts.append(f"{name}={','.join(map(str, values))}")
    return table_options(GAMES[table.game], texts, {}, table.seats)


def simulated(table: AgreedTable, games: int, every_legal: int = 1) -> Iterator[Json]:
    """Records of the engine's, a sixth of the matches by bots that plan, which takes them long;
    every so many list what was legal."""
    at = TABLES[table.game].index(table)
    for number in range(games):
        levels = [LEVELS[(number + at) % len(LEVELS)]] * table.seats
        with_legal = (number + at) % every_legal == 0
        series = Series(GAMES[table.game], options_of(table), levels, at, with_legal)
        yield json.loads(line(play(series, number)))


def own(table: AgreedTable, rng: Random, with_legal: bool) -> Json:
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
    if game not in READINGS:
        return races.originals()
    rng = Random("originals")
    ours = [own(table, rng, n % 4 == 0) for n, table in enumerate(TABLES[game][::3])]
    return [*map(line, ours), *theirs(game)[:: len(theirs(game)) // len(SOME[game])]]


@in_turns
def test_the_oracle_agrees_with_simulated_matches(game: str) -> None:
    """At every fifth table, which pairs every value of an option with every other; at all of them
    the matches of the oracle agree."""
    reasons, listing = Counter[str](), 0
    each = len(theirs(game)) // len(SOME[game])
    for n, original in enumerate(theirs(game)):
        record = json.loads(original)
        assert verdict(record) is None
        assert record["options"] == SOME[game][n // each].options
        listing += all("legal" in ply for ply in record["plies"])
        reasons[record["outcome"]["decided_by"]] += 1
    assert listing > 4 and reasons["points"] > 5
    assert len(reasons) > 1, "the matches are too much alike to test the ties"


@in_turns
def test_the_engine_agrees_with_the_oracles_matches(game: str) -> None:
    """At every table. A fifth of them list what was legal, and few of a game whose listing takes
    long; `test_long_runs_agree_too` plays many more."""
    rng, reasons = Random("matches"), Counter[str]()
    times, listed = (3, 5) if game == "clocktowers" else (1, 16)
    for n, table in enumerate(TABLES[game] * times):
        record = own(table, rng, n % listed == 0)
        assert verdict(record) is None
        reasons[record["outcome"]["decided_by"]] += 1
    assert reasons.keys() <= REASONS[game]
    assert game != "clocktowers" or reasons.keys() == REASONS[game]


@pytest.mark.parametrize("game", list(GAMES))
def test_spoilt_records_are_judged_alike(game: str) -> None:
    """Small changes of every kind; where one leaves a good record, another one, too: the first
    fault is the one that counts."""
    rng = Random("small")
    verdicts = Counter[str | None]()
    for n, original in enumerate(originals(game)):
        record = json.loads(original)
        SPOILING[n % len(SPOILING)](record, rng)
        said = verdict(record)
        if said is None:
            rng.choice(SPOILING)(record, rng)
            said = verdict(record)
        verdicts["ply" if said and said.startswith("ply") else said] += 1
    assert set(verdicts) == {None, NO_RECORD, "setup", "ply", "outcome"}
    assert verdicts[None] < sum(verdicts.values()) / 2


@pytest.mark.soak
@pytest.mark.parametrize(
    "table", [*chain(*TABLES.values())], ids=lambda table: f"{table.game}-{table.seats}"
)
def test_long_runs_agree_too(table: AgreedTable) -> None:
    """Many matches of each maker at every table, each whole and then spoilt. Fewer of those that
    take six times as long to make."""
    rng = Random(f"long {table}")
    games = 40 if table.game == "clocktowers" else 5
    theirs = (own(table, rng, bool(number % 2)) for number in range(games))
    agree_whole_and_spoilt(chain(simulated(table, games), theirs), rng)


@pytest.mark.soak
def test_long_runs_of_races_agree_too() -> None:
    agree_whole_and_spoilt(races.matches(800, "long"), Random("long"))


def agree_whole_and_spoilt(records: Iterator[Json], rng: Random) -> None:
    for original in records:
        record = json.loads(line(original))
        assert verdict(record) is None
        rng.choice(SPOILING)(record, rng)
        verdict(record)
