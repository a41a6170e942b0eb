"""The oracle's verdict on a whole record, and the engine's beside it: is it one, and where does it
first go wrong?"""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from server.games.registry import GAMES
from server.recording.check import BadRecord, check
from server.recording.records import NotARecord, read
from tests.games.architetti_attenti.oracle.oracle import ATTENTI
from tests.games.clocktowers.oracle import CLOCKTOWERS
from tests.games.wild_wild_pattern.oracle import record as race
from tests.oracle.judging import (
    Json,
    Reading,
    Wrong,
    check_legal,
    check_seats,
    is_int,
    need,
    numbers,
    proven_seed,
    same,
)

NO_RECORD: Final = "no record"
READINGS: Final = {reading.game: reading for reading in (CLOCKTOWERS, ATTENTI)}
"""The games in turns."""

OPTIONS: Final[Mapping[str, Mapping[str, Sequence[Json]]]] = {
    **{game: reading.options for game, reading in READINGS.items()},
    "wild_wild_pattern": race.OPTIONS,
}
"""Every game, its options, and their values, the default first."""


def is_record(value: Json) -> bool:
    """Whether the envelope has the right shape; what is inside may still be wrong."""
    if not isinstance(value, dict) or not is_int(value.get("version")):
        return False
    kinds = {"options": dict, "seats": list, "setup": dict, "plies": list, "outcome": dict}
    parts = {"options": {}, **value}
    game = value.get("game")
    named = (value.get("format"), value["version"], isinstance(game, str) and game in OPTIONS)
    return named == ("clocktowers-record", 1, True) and all(
        isinstance(parts.get(name), kind) for name, kind in kinds.items()
    )


def check_setup(record: Json, reading: Reading) -> None:
    """Options known, the number of seats possible, all cards there and each where it belongs."""
    for name, values in reading.options.items():
        if name in record.get("options", {}):
            given = record["options"][name]
            need(any(same(given, value) for value in values), "setup", f"option {name}")
    seats, setup = len(record["seats"]), record["setup"]
    check_seats(record["seats"], reading.seats)
    need(is_int(setup.get("first_seat")), "setup", "first seat")
    need(0 <= setup["first_seat"] < seats, "setup", "first seat")
    reading.check_cards(setup, seats)
    if "proof" in record:
        deal = reading.dealt(numbers(proven_seed(record["proof"])), seats)
        need(same(deal, setup), "setup", "the proof deals other cards")


def outcome_in_turns(record: Json) -> Json:
    """How the match ends; None: it is not over. Raises Wrong."""
    reading = READINGS[record["game"]]
    check_setup(record, reading)
    table = reading.table(record.get("options", {}), len(record["seats"]), record["setup"])
    for number, ply in enumerate(record["plies"]):
        where = f"ply {number}"
        need(isinstance(ply, dict), where, "not an object")
        need(not table.over(), where, "after the end")
        need(is_int(ply.get("seat")) and ply["seat"] == table.turn, where, "whose turn")
        legal = table.legal()
        if "legal" in ply:
            check_legal(ply["legal"], legal, where, reading.understood)
        action = reading.understood(ply.get("action"))
        need(action in legal, where, "not legal")
        table.act(action)
    return table.outcome() if table.over() else None


def first_fault(record: Json) -> str | None:
    """`setup`, `ply K`, `outcome`, or None for a good record."""
    outcome_of = outcome_in_turns if record["game"] in READINGS else race.outcome_of
    try:
        outcome = outcome_of(record)
        need(outcome is not None, "outcome", "not over")
        for name, value in outcome.items():
            need(same(value, record["outcome"].get(name)), "outcome", name)
    except Wrong as wrong:
        return wrong.where
    return None


def engine_says(record: Json) -> str | None:
    """The place of the first fault, as `verify` finds it on a line of a file."""
    try:
        check(read(json.dumps(record).encode(), GAMES))
    except NotARecord:
        return NO_RECORD
    except BadRecord as error:
        return error.place
    return None


def verdict(record: Json) -> str | None:
    """What both say of it. Raises AssertionError when they differ."""
    said = first_fault(record) if is_record(record) else NO_RECORD
    assert engine_says(record) == said
    return said
