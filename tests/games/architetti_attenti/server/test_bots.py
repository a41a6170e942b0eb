"""What the levels do in plain positions, what `expert` counts and has learnt, and that it looks a
round ahead. That all levels play on is a law."""

from random import Random
from typing import Any

import pytest

from protocol.games.architetti_attenti import Action, Buy, Options
from protocol.games.architetti_attenti.score import STANDARD
from protocol.ids import Seat
from server.games.architetti_attenti import bots as module
from server.games.architetti_attenti.bots import BOTS, Purchase, best_turn, choices, expert, sites
from server.games.architetti_attenti.evaluation import (
    NAMES,
    Learnt,
    estimate,
    features,
    knots,
    weights,
    weights_of,
)
from server.games.architetti_attenti.game import ARCHITETTI_ATTENTI
from server.games.architetti_attenti.rules import legal_actions, refuse
from server.games.architetti_attenti.state import State, opening, setup
from server.games.architetti_attenti.view import view
from server.games.contract import Stop, never
from tests.games.architetti_attenti.meadows import meadow
from tests.games.architetti_attenti.positions import SEED, do, place, stage, tile
from tests.laws.laws import walk

RULES = ARCHITETTI_ATTENTI.rules


def test_bots_choose_from_all_that_is_legal() -> None:
    state = setup(Options(), 2, SEED)
    for seat, _action in walk(RULES, state, Random(1), 400):
        assert choices(view(state, seat)) == legal_actions(state, seat)


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_a_tile_is_put_where_it_closes_a_block(level: str) -> None:
    state = stage("house-house house-house house-house house-house")
    state.boards[0] = meadow("hh")
    do(state, Buy(1))
    assert BOTS[level](view(state, 0), [], Random(1)) == place("a2 b2")


def test_normal_pays_for_what_brings_more() -> None:
    state = stage("house-house house-house house-toys house-house")
    state.boards[0] = meadow("hh", "", "", "", "", ".", "blf")
    assert BOTS["normal"](view(state, 0), [], Random(1)) == Buy(1)
    state.boards[0] = meadow("h", "", "", "", "", ".", "blf")
    assert BOTS["normal"](view(state, 0), [], Random(1)) == Buy(3)


def counted(*rows: str, gems: int = 0) -> dict[str, int]:
    """What is not nothing, without what every board has."""
    found = dict(zip(NAMES, features(meadow(*rows), gems), strict=True))
    return {name: number for name, number in found.items() if number}


def test_each_kind_is_counted() -> None:
    alone = counted("h......")
    assert (alone["houses"], alone["free cells around houses"]) == (1, 3)
    assert alone["2 x 2 that lack 3"] == 1
    assert counted("hh", "h.")["2 x 2 that lack 1 house"] == 1
    assert counted("hhh", "hhh", "hh.")["3 x 3 that lack 1 house"] == 1
    parks = counted("p.p")
    assert (parks["free cells around parks"], parks["their squares by park"]) == (8, 34)
    rails = counted("@==@", ".....", "=@..", "......@")
    assert (rails["stations"], rails["stations alone, with a free cell"]) == (4, 1)
    assert (rails["stations of networks with more"], rails["their live tracks"]) == (2, 2)
    assert (rails["tracks with one station"], rails["networks with one station"]) == (1, 1)
    assert counted("bl.")["3 shops of which 1 lacks"] == 1
    schools = counted("ss", gems=7)
    assert (schools["gems that schools hold"], schools["gems that schools lack"]) == (7, 3)
    assert "gems that no school holds" not in schools


def test_without_turns_nothing_comes() -> None:
    assert estimate(meadow("hh", "h."), 5, 0) == 0
    assert estimate(meadow("hh", "h."), 5, 9) > 0


def test_between_learnt_turns_weights_lie_on_lines() -> None:
    """From 0 at no turns; beyond the last they stay."""
    learnt = Learnt((2, 10), {name: (20, 100) for name in NAMES})
    assert [weights_of(learnt, turns)[0] for turns in (0, 1, 2, 6, 10, 30)] == [
        0,
        10,
        20,
        60,
        100,
        100,
    ]
    assert knots(6, learnt.turns) == [(0, 5), (1, 5)]
    assert all(type(weight) is int for turns in range(23) for weight in weights(turns))


def decided(state: State, stop: Stop = never) -> Action:
    return expert(view(state, 0), [told.event for told in opening(state)], Random(1), stop)


def contested() -> State:
    """The one lacks a house; the other has a long railway, for which a station is worth much."""
    state = stage("house-house station-track florist-school toys-school")
    state.boards = [meadow("hhh", "hhh", "hh."), meadow("@======", "......=", "@======")]
    return state


def test_it_takes_what_the_next_seat_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    state = contested()
    with_rival = decided(state)
    monkeypatch.setattr(module, "_answer", lambda *asked: 0.0)
    monkeypatch.setattr(module, "_margin", lambda *asked: 0)
    assert [with_rival, decided(state)] == [Buy(2), Buy(1)]


def test_what_comes_a_round_later_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of turns that look best: here the last of them, with the tile bought and still to place."""
    state = stage()
    played: list[tuple[Action, ...]] = []

    def later_is_better(state: State, turn: Any, estimates: Any, stop: Stop) -> int:
        played.append(turn.actions)
        return len(played)

    monkeypatch.setattr(module, "_margin", later_is_better)
    for phase in range(2):
        action = decided(state)
        assert len(played) == module.LOOKED_AT * module.WORLDS * (phase + 1)
        assert action == played[-1][0] != played[0][-1]
        do(state, action)


def test_gems_do_not_change_where_a_tile_goes() -> None:
    board, estimates = meadow("hhs", "h.."), module.Estimates(STANDARD)
    for name in ("house-house", "toys-school"):
        at = [estimates.best(board, Purchase(1, tile(name), gems), 9)[1] for gems in (0, 7)]
        worth = {
            gems: max(estimates.worth(site.board, gems, 9) for site in sites(board, tile(name)))
            for gems in (0, 7)
        }
        assert at[0] == at[1]
        assert [estimates.best(board, Purchase(1, tile(name), gems), 9)[0] for gems in (0, 7)] == [
            worth[0],
            worth[7],
        ]


def test_a_cut_leaves_the_best_of_what_was_weighed() -> None:
    assert decided(contested(), lambda: True) == Buy(1)


class Budget:
    """Time for so many asks. `most`: turns that were thought of between two of them."""

    def __init__(self, asks: int) -> None:
        self.left, self.since, self.most = asks, 0, 0

    def __call__(self) -> bool:
        self.left -= 1
        self.since = 0
        return self.left < 0

    def best_turn(self, *how: Any) -> Any:
        assert self.left >= 0, "it goes on though the time is up"
        self.since += 1
        self.most = max(self.most, self.since)
        return best_turn(*how)


def test_the_time_is_asked_for_before_each_turn_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    state = stage(seats=4)
    whole = decided(state)
    for asks in (*range(60), 10_000):
        budget = Budget(asks)
        monkeypatch.setattr(module, "best_turn", budget.best_turn)
        action = decided(state, budget)
        assert refuse(state, Seat(0), action) is None
        assert budget.most <= 1
    assert budget.most == 1
    assert action == whole


def test_alone_there_is_no_rival() -> None:
    state = stage("house-school house-house florist-school toys-school", seats=1)
    assert isinstance(decided(state), Buy)
    assert tile("house-house") in state.row
