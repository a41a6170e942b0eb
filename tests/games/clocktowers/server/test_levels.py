"""The searching levels: a fixed number of simulations, the same everywhere, nothing hidden seen."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec import json

from protocol.games.clocktowers import Options
from server.games.clocktowers.legal import refuse
from server.games.clocktowers.search import levels
from server.games.clocktowers.search.levels import HARD, Effort
from server.games.clocktowers.search.tree import Search
from server.games.clocktowers.state import State, copy
from server.games.contract import Stop
from tests.games.clocktowers.case import CASE as CLOCKTOWERS, disguise_clocktowers
from tests.games.clocktowers.server.test_search import Position, positions

GOLDEN = "cc8a2ddd401d1ce8afeace3531c4dcf4698c4d0ed2f391b0b73882b096cc9768"
SIMULATE = (sys.executable, "-P", "-m", "server", "simulate", "--records", "-", "--seed", "7")


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The actions that simulations began with, in order."""
    actions: list[Any] = []
    real = Search.simulate

    def counting(self: Search, node: Any, state: State, action: Any) -> None:
        actions.append(action)
        real(self, node, state, action)

    monkeypatch.setattr(Search, "simulate", counting)
    yield actions


def record(hash_seed: str) -> bytes:
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    command = [*SIMULATE, "--bots", "hard,normal"]
    return subprocess.run(command, env=environment, capture_output=True, check=True).stdout


def test_a_seed_gives_the_same_file_whatever_order_hashes_have() -> None:
    """The digest is of a run with seed 0 of the hashes. Another one on an unchanged level means a
    machine or a Python that counts otherwise."""
    plies = repr(json.decode(record("4711"))["plies"]).encode()
    assert hashlib.sha256(plies).hexdigest() == GOLDEN


@pytest.mark.parametrize(("number", "options"), list(enumerate(CLOCKTOWERS.options)))
def test_every_decision_takes_the_same_number_of_simulations(
    number: int, options: Options, simulated: list[Any]
) -> None:
    for position in positions(options, 2 + number % 3, number, 31):
        simulated.clear()
        before = position.is_a_choice()
        position.decide()
        assert len(simulated) == (HARD.simulations if before else 0)


# What is hidden ----------------------------------------------------------------------------------


def disguised(position: Position, rng: Random) -> Position:
    """The same to the seat to act; the rest shuffled."""
    state = disguise_clocktowers(position.state, position.state.turn, rng, 1)
    return position._replace(state=state)


def differences(monkeypatch: pytest.MonkeyPatch) -> int:
    """In how many positions a decision changes with what the seat cannot see."""
    monkeypatch.setattr(levels, "HARD", Effort(60, 16, 2))
    different = 0
    for position in positions(Options(first_seat=0), 2, 3, 9):
        twin = disguised(position, Random(3))
        different += position.decide() != twin.decide()
    return different


def test_what_is_hidden_changes_no_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    assert differences(monkeypatch) == 0


def test_a_level_that_peeks_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: imagination replaced by the truth."""
    real = Position.decide

    def peeking(self: Position, number: int = 1) -> Any:
        monkeypatch.setattr(levels, "imagine", lambda known, rng: copy(self.state))
        return real(self, number)

    monkeypatch.setattr(Position, "decide", peeking)
    assert differences(monkeypatch) > 0


# The cut -----------------------------------------------------------------------------------------


def after(simulations: int) -> Stop:
    """True from the given number of questions on."""
    asked = iter(range(simulations))
    return lambda: next(asked, None) is None


@pytest.mark.parametrize("limit", [0, 1, 7, 100, HARD.simulations - 1])
def test_a_cut_ends_the_search_at_once_and_a_legal_action_is_played(
    limit: int, simulated: list[Any]
) -> None:
    for options in CLOCKTOWERS.options[::2]:
        position = next(positions(options, 3, 20, 30))
        simulated.clear()
        action = position.decide(stop=after(limit))
        assert len(simulated) == limit
        assert refuse(position.state, position.state.turn, action) is None
        if limit:
            assert action in simulated


def test_the_best_so_far_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the last of the actions tried is made to look best wins, wherever it is cut."""
    position = next(positions(Options(), 2, 20, 30))

    def rising(self: Search, node: Any, state: State, action: Any) -> None:
        node.visits += 1
        node.total = 1000 * len(tried)
        tried.append(action)

    tried: list[Any] = []
    monkeypatch.setattr(Search, "simulate", rising)
    for limit in (1, 2, 3):
        tried.clear()
        assert position.decide(stop=after(limit)) == tried[-1]


def test_a_cut_that_never_comes_changes_nothing() -> None:
    position = next(positions(Options(), 2, 20, 30))
    assert position.decide(stop=after(10**6)) == position.decide()
