"""One decision in a worker: only here does a clock cut a search."""

import time
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from protocol.games.clocktowers import Action, Discard, Draw, Options, Play
from protocol.ids import Seat
from server.bots import worker
from server.games.clocktowers.bots import BOTS
from server.games.clocktowers.search.tree import Search
from server.games.contract import Stop, never
from server.games.registry import GAMES
from tests.stage.match_stage import RULES, SEED

ENCODE = msgspec.msgpack.encode


def decide(level: str) -> Action:
    """The first decision of a match."""
    state = RULES.setup(Options(first_seat=0), 2, SEED)
    events = [event for _to, event in RULES.opening(state)]
    question = ENCODE(RULES.view(state, Seat(0))), ENCODE(events)
    reply = worker.decide("clocktowers", level, *question, "seed")
    action: Action = msgspec.msgpack.decode(reply, type=Play | Discard | Draw)
    return action


@pytest.mark.parametrize("level", list(BOTS))
def test_every_level_decides(level: str) -> None:
    assert decide(level) == decide(level)


def test_the_clock_cuts_a_search_and_the_best_so_far_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A clock that strikes with every look at it: a second has passed after ten."""
    ticks = iter(range(10**6))
    simulated: list[Any] = []
    real = Search.simulate

    def counting(self: Search, *rest: Any) -> None:
        simulated.append(rest)
        real(self, *rest)

    monkeypatch.setattr(Search, "simulate", counting)
    monkeypatch.setattr(time, "monotonic", lambda: next(ticks) * worker.THINKING_S / 10)
    assert decide("hard") is not None
    assert len(simulated) == 9


def test_a_level_is_handed_the_cut_in_live_play_only(monkeypatch: pytest.MonkeyPatch) -> None:
    stops: list[Stop] = []

    def noting(view: Any, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
        stops.append(stop)
        return BOTS["random"](view, own_events, rng)

    game = GAMES["clocktowers"]._replace(bots={"noting": noting})
    monkeypatch.setattr(worker, "GAMES", {"clocktowers": game})
    decide("noting")
    game.bots["noting"](
        RULES.view(RULES.setup(Options(first_seat=0), 2, SEED), Seat(0)), [], Random(1)
    )
    assert [stop is never for stop in stops] == [False, True]
