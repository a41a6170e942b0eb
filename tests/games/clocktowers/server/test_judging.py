"""What a decision was worth: a planted blunder costs what it gives away, the best costs nothing."""

from random import Random
from typing import Any

import pytest

from protocol.games.clocktowers import Discard, Options, Play
from protocol.games.clocktowers.cards import FIRST_ROOF
from protocol.ids import Seat
from server.games import weighing
from server.games.clocktowers.game import CLOCKTOWERS
from server.games.clocktowers.search.judging import judge
from server.games.contract import BEGINNING
from server.matches.replay import events_for

POINTS = 4


def chance() -> tuple[Any, list[Any], Play]:
    """View and events where a roof brings points at once, and how it is played."""
    rules = CLOCKTOWERS.rules
    state = rules.setup(Options(), 2, bytes(31) + b"\x01")
    told = list(rules.opening(state))
    for ply in range(200):
        seat = rules.to_act(state)[0]
        view, events = rules.view(state, seat), events_for(seat, told)
        for choice in view.legal if seat == 0 else ():
            action = choice.action
            if isinstance(action, Play) and action.card >= FIRST_ROOF and choice.points >= POINTS:
                return view, events, action
        action = CLOCKTOWERS.bots["easy"](view, events, Random(ply))
        told += rules.apply(state, Seat(seat), action, BEGINNING)
    raise AssertionError("no such roof in this deal")


def test_to_throw_a_roof_away_that_pays_is_named_unless_it_may_be_luck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view, events, roof = chance()
    blunder = Discard(roof.card)
    assert any(each.action == blunder for each in view.legal)
    found = judge(view, events, blunder, Random("a"))
    assert found.best != blunder and found.lost > 1000
    assert abs(found.better.lead - found.played.lead - found.lost) <= 1, "but for rounding"
    assert found.better.points > found.played.points
    assert (found.better.wins or 0) > (found.played.wins or 0)
    best = judge(view, events, found.best, Random("a"))
    assert (best.best, best.lost) == (found.best, 0) and best.played == best.better
    monkeypatch.setattr(weighing, "SURE", 1000)
    unsure = judge(view, events, blunder, Random("a"))
    assert (unsure.best, unsure.lost) == (blunder, 0)
