"""What a decision was worth: a planted blunder costs what it gives away, the best costs nothing."""

from random import Random
from typing import Any, NamedTuple

import pytest

from protocol.games.clocktowers import Choice, Discard, Options, Play
from protocol.games.clocktowers.cards import FIRST_ROOF
from protocol.ids import Seat
from server.games import weighing
from server.games.clocktowers.game import CLOCKTOWERS
from server.games.clocktowers.search.judging import judge
from server.games.contract import BEGINNING
from server.matches.replay import events_for

POINTS = 4


class Chance(NamedTuple):
    """A roof that brings points at once."""

    view: Any
    events: list[Any]
    choice: Choice


def chance() -> Chance:
    rules = CLOCKTOWERS.rules
    state = rules.setup(Options(), 2, bytes(31) + b"\x01")
    told = list(rules.opening(state))
    for ply in range(200):
        seat = rules.to_act(state)[0]
        view, events = rules.view(state, seat), events_for(seat, told)
        for choice in view.legal:
            roofs = isinstance(choice.action, Play) and choice.action.card >= FIRST_ROOF
            if seat == 0 and roofs and choice.points >= POINTS:
                return Chance(view, events, choice)
        action = CLOCKTOWERS.bots["easy"](view, events, Random(ply))
        told += rules.apply(state, Seat(seat), action, BEGINNING)
    raise AssertionError("no such roof in this deal")


@pytest.fixture(scope="module")
def chanced() -> Chance:
    return chance()


def test_to_throw_a_roof_away_that_pays_is_named(chanced: Chance) -> None:
    view, events, choice = chanced
    assert isinstance(choice.action, Play)
    blunder = Discard(choice.action.card)
    assert any(each.action == blunder for each in view.legal)
    found = judge(view, events, blunder, Random("a"))
    assert found.best != blunder and found.lost > 1000
    assert abs(found.better.lead - found.played.lead - found.lost) <= 1, "but for rounding"
    assert found.better.points > found.played.points
    assert (found.better.wins or 0) > (found.played.wins or 0)


def test_what_is_best_loses_nothing(chanced: Chance) -> None:
    view, events, choice = chanced
    blunder = Discard(choice.action.card)  # type: ignore[union-attr]
    best = judge(view, events, blunder, Random("a")).best
    found = judge(view, events, best, Random("a"))
    assert (found.best, found.lost) == (best, 0) and found.played == found.better


def test_a_difference_that_may_be_luck_is_none(
    chanced: Chance, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, events, choice = chanced
    blunder = Discard(choice.action.card)  # type: ignore[union-attr]
    monkeypatch.setattr(weighing, "SURE", 1000)
    found = judge(view, events, blunder, Random("a"))
    assert (found.best, found.lost) == (blunder, 0)
