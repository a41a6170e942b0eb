"""What the search is made of: what a position is worth, the quick reply, and the tree; and the
searching levels: a fixed number of simulations, the same everywhere, nothing hidden seen."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec import json

from protocol.games.clocktowers import Action, Options
from server.games.clocktowers import search
from server.games.clocktowers.evaluation import POINT, chances, hopes, margins, worths
from server.games.clocktowers.game import RULES
from server.games.clocktowers.reply import reply
from server.games.clocktowers.rules import apply, legal_actions, refuse
from server.games.clocktowers.search import HARD, Effort, Node, Search, decide
from server.games.clocktowers.state import NOBODY, OVER, State, copy, opening, setup
from server.games.contract import BEGINNING, Stop, never
from tests.games.clocktowers.case import CASE as CLOCKTOWERS, disguise_clocktowers
from tests.games.clocktowers.positions import add_tower, draw, play, stage
from tests.laws.laws import sent_to


class Position(NamedTuple):
    """`state` is a copy; `sent` are the events of the seat to act."""

    state: State
    sent: list[Any]

    def decide(self, stop: Stop = never, effort: Effort = HARD) -> Action:
        """What `hard` does here."""
        return decide(RULES.view(self.state, self.state.turn), self.sent, effort, Random(1), stop)

    def arms(self) -> list[search._Arm]:
        """What there is to choose, with nothing known of it."""
        return [search._Arm(action) for action in legal_actions(self.state, self.state.turn)]


def positions(options: Options, seats: int, number: int, every: int) -> Iterator[Position]:
    """Now and then on a way on which every seat does what the quick reply says."""
    state = setup(options, seats, number.to_bytes(32, "big"))
    events = opening(state)
    sent = [sent_to(seat, events) for seat in range(seats)]
    ply = 0
    while state.turn != NOBODY:
        if ply % every == number % every:
            yield Position(copy(state), sent[state.turn][:])
        told = apply(state, state.turn, reply(state), BEGINNING)
        for seat in range(seats):
            sent[seat] += sent_to(seat, told)
        ply += 1


NOTHING = chances([0] * 14)


def alone(state: State) -> State:
    """No pile is left: what is in the hand is all there is."""
    state.left, state.open_piles = [0, 0, 0], 0
    return state


def test_at_the_end_points_alone_count() -> None:
    state = stage("Rb", "1- K-", seats=3)
    state.points[:] = [7, 4, 12]
    state.turn, state.phase = NOBODY, OVER
    assert margins(worths(state, NOTHING)) == [-5 * POINT, -8 * POINT, 5 * POINT]


def test_a_roof_is_hoped_for_once() -> None:
    """The only blue roof finishes one of two towers; the second has no step left either."""
    one = hopes(alone(stage("Rb", "1- K-")), 0, NOTHING)
    assert 0 < one < 5 * POINT
    assert hopes(alone(stage("Rb", "1- K-", "1- K-")), 0, NOTHING) == one
    assert hopes(alone(stage("Rb Rg", "1- K-", "1- K-")), 0, NOTHING) == 2 * one


def test_what_comes_too_late_is_worth_nothing() -> None:
    state = alone(stage("K- Rb", "1-", options=Options(first_seat=0)))
    for turns_left, hoped in ((4, True), (3, True), (2, False), (1, False)):
        state.turns_left = turns_left
        assert (hopes(state, 0, NOTHING) > 0) == hoped


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", CLOCKTOWERS.options)
def test_it_is_legal_and_sees_nothing_hidden(options: Options, seats: int) -> None:
    rng = Random(seats)
    state = setup(options, seats, seats.to_bytes(32, "big"))
    while state.turn != NOBODY:
        action = reply(state)
        assert refuse(state, state.turn, action) is None
        assert action == reply(disguise_clocktowers(state, state.turn, rng, 1))
        apply(state, state.turn, action, BEGINNING)


def test_it_completes_the_better_tower_and_draws_the_roof_that_one_waits_for() -> None:
    assert reply(stage("Rb K- 1-", "1m Km", "1- K-")) == play("Rb", 1)
    state = stage("K- 1-", "1- K-")
    state.phase = 1
    assert reply(state) == draw("roof")


CHANCE = chances([0] + 13 * [2])


def grown(state: State, simulations: int, turns: int = 4) -> Node:
    """The node of the first legal action after some simulations in the one state."""
    search, node = Search(CHANCE, state.turns_left - turns, Random(1)), Node()
    action = legal_actions(state, state.turn)[0]
    for _ in range(simulations):
        search.simulate(node, copy(state), action)
    return node


def test_every_seat_wants_its_own_margin() -> None:
    """The other completes the tower that is worth 5; the tree finds it and counts it against us."""
    state = stage("1- 1- 1-", seats=2)
    add_tower(state, 1, "1- K-")
    state.hands[1] = [9, 13]
    state.turns_left, state.left, state.open_piles = 2, [0, 0, 0], 0
    node = grown(state, 200)
    roof = max(node.children.values(), key=lambda child: child.visits)
    assert node.children[play("Rb", 0)] is roof or node.children[play("Ry", 0)] is roof
    assert roof.mean() == 5 * POINT
    assert node.mean() < -4 * POINT


# Levels -----------------------------------------------------------------------------------------

GOLDEN = "0e013e7d6418988f47a0e03b8a719979a06f244726345bcd2236ac99f21040bb"
SIMULATE = (sys.executable, "-P", "-m", "server", "simulate", "--records", "-", "--seed", "7")


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
def test_every_decision_takes_the_same_number_of_simulations(number: int, options: Options) -> None:
    """Before each it asks whether to stop."""
    for position in positions(options, 2 + number % 3, number, 31):
        asked = count()
        position.decide(stop=lambda asked=asked: next(asked) < 0)  # type: ignore[misc]
        assert next(asked) == (HARD.simulations if len(position.arms()) > 1 else 0)


# What is hidden from a level ---------------------------------------------------------------------


def disguised(position: Position, rng: Random) -> Position:
    """The same to the seat to act; the rest shuffled."""
    state = disguise_clocktowers(position.state, position.state.turn, rng, 1)
    return position._replace(state=state)


def test_what_is_hidden_changes_no_decision() -> None:
    effort = Effort(60, 16, 2)
    for position in positions(Options(first_seat=0), 2, 3, 9):
        other = disguised(position, Random(3))
        assert position.decide(effort=effort) == other.decide(effort=effort)


# The cut -----------------------------------------------------------------------------------------


def after(simulations: int) -> Stop:
    """True from the given number of questions on."""
    asked = count()
    return lambda: next(asked) >= simulations


@pytest.mark.parametrize("limit", [0, 1, 7, 100, HARD.simulations - 1])
def test_a_cut_ends_the_search_at_once_and_an_action_that_was_tried_is_played(limit: int) -> None:
    """Each action is tried once before any is tried again."""
    for options in CLOCKTOWERS.options[::2]:
        position, asked = next(positions(options, 3, 20, 30)), count()
        action = position.decide(stop=lambda asked=asked: next(asked) >= limit)  # type: ignore[misc]
        assert next(asked) == limit + 1
        assert action in [arm.action for arm in position.arms()[: limit or None]]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_the_best_so_far_is_played(limit: int) -> None:
    """The last of the actions tried, which is made to look best, wins wherever it is cut."""
    position, asked = next(positions(Options(), 2, 20, 30)), count()
    arms, searching = position.arms(), Search(CHANCE, 40, Random(1))

    def rising() -> bool:
        if (tried := next(asked)) > 0:
            arms[tried - 1].node.total = 10**6 * tried
        return tried >= limit

    best = search._halve(arms[:], [position.state], searching, HARD.simulations, rising)[0]
    assert best is arms[limit - 1]


def test_a_cut_that_never_comes_changes_nothing() -> None:
    position = next(positions(Options(), 2, 20, 30))
    assert position.decide(stop=after(10**6)) == position.decide()
