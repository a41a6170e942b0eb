"""Every game for the laws; each has its `CASE` in `tests/games/NAME/case.py`."""

from collections.abc import Mapping
from importlib import import_module
from random import Random
from typing import Any

import pytest

from server.games.contract import BEGINNING
from server.games.registry import GAMES
from tests.laws.case import Case, Rules
from tests.laws.laws import pick, sent_to, walk

CASES: Mapping[str, Case] = {game: import_module(f"tests.games.{game}.case").CASE for game in GAMES}

TABLES_OF_ANY_SIZE = [
    pytest.param(game, seats, options, id=f"{game}-{seats}-{number}")
    for game, case in CASES.items()
    for seats in GAMES[game].rules.seats
    for number, options in enumerate(case.options)
    if GAMES[game].rules.check_options(options, seats) is None
]
"""With each of the case's options that they may have."""
TABLES = [
    table
    for table in TABLES_OF_ANY_SIZE
    if table.values[1] in (2, max(GAMES[str(table.values[0])].rules.seats))
]
"""Those of two, and full ones."""

EVERY = 13
"""The laws look at every thirteenth position; over all tables that is each phase often."""


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def positions(
    rules: Rules, case: Case, options: Any, seats: int, number: int, every: int = EVERY
) -> Any:
    """(state, seat, action) now and then on a random walk."""
    rng = Random(number)
    state = rules.setup(options, seats, seed(number))
    for ply, (seat, action) in enumerate(walk(rules, state, rng, case.plies(seats))):
        if ply % every == number % every:
            yield state, seat, action


def sent_so_far(
    rules: Rules, case: Case, options: Any, seats: int, number: int, stop: int
) -> tuple[Any, list[list[Any]]]:
    """A state `stop` plies into a match (or at its end), and all events by seat."""
    rng = Random(number)
    state = rules.setup(options, seats, seed(number))
    events = rules.opening(state)
    sent: list[list[Any]] = [sent_to(seat, events) for seat in range(seats)]
    for _ in range(min(stop, case.plies(seats))):
        if not (acting := rules.to_act(state)):
            break
        seat = acting[0]
        events = rules.apply(state, seat, pick(rules.legal_actions(state, seat), rng), BEGINNING)
        for receiver in range(seats):
            sent[receiver] += sent_to(receiver, events)
    return state, sent
