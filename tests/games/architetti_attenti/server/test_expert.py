"""The level `expert`: what it counts, what it has learnt, and that it looks at the next seat."""

from random import Random

import pytest

from protocol.games.architetti_attenti import Action, Buy
from server.games.architetti_attenti import expert as module
from server.games.architetti_attenti.expert import expert
from server.games.architetti_attenti.features import NAMES, features
from server.games.architetti_attenti.learnt import Learnt, estimate, knots, weights, weights_of
from server.games.architetti_attenti.state import State
from server.games.architetti_attenti.view import view
from tests.games.architetti_attenti.meadows import meadow
from tests.games.architetti_attenti.positions import stage, tile


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


def decided(state: State) -> Action:
    return expert(view(state, 0), [], Random(1))


def contested() -> State:
    """The one lacks a house; the other has a long railway, for which a station is worth much."""
    state = stage("house-house station-track florist-school toys-school")
    state.boards = [meadow("hhh", "hhh", "hh."), meadow("@======", "......=", "@======")]
    return state


def test_it_takes_what_the_next_seat_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    state = contested()
    with_rival = decided(state)
    monkeypatch.setattr(module, "_answer", lambda *asked: 0.0)
    assert [with_rival, decided(state)] == [Buy(2), Buy(1)]


def test_a_cut_leaves_the_best_of_what_was_weighed() -> None:
    asked = iter(range(10))
    state = contested()
    assert expert(view(state, 0), [], Random(1), lambda: next(asked) >= 0) == Buy(1)


def test_alone_there_is_no_rival() -> None:
    state = stage("house-school house-house florist-school toys-school", seats=1)
    assert isinstance(decided(state), Buy)
    assert tile("house-house") in state.row
