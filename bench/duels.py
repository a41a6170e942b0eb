"""One seat of the better level against seats of the other: each deal once from every seat."""

import time
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import mean, quantiles, stdev
from typing import Any, Final, NamedTuple

from msgspec import Struct

from bench.flat import flat
from bench.seer import SEERS, Shown
from protocol.games.registry import GAMES as VOCABULARIES
from server.games.contract import Game
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play

_95_PERCENT: Final = 1.96


class Duel(NamedTuple):
    """`better` should score at least `target` against `worse` in all other seats. None: a share
    alone is wanted."""

    game: str
    better: str
    worse: str
    target: float | None
    players: int = 2


class Deal(Struct):
    """The result of a deal: `score` of the better level, 0 to 1; decision times by level."""

    game: str
    better: str
    worse: str
    deal: int
    score: float
    microseconds: dict[str, list[int]]
    players: int = 2


class Summary(Struct):
    """`score` ± `within` is the 95 % interval; times in milliseconds, level → (p50, p99)."""

    game: str
    better: str
    worse: str
    deals: int
    score: float
    within: float
    target: float | None
    met: bool
    ms: dict[str, tuple[float, float]]
    players: int = 2


def play_deal(duel: Duel, deal: int) -> Deal:
    """All matches of a deal: `clocktowers-server simulate --seed DEAL`, its first match."""
    microseconds: dict[str, list[int]] = {}
    game = GAMES[duel.game]
    shown = Shown(game)
    known = _bots(game, shown)
    bots = {
        level: _timed(known[level], game, microseconds.setdefault(level, []))
        for level in (duel.better, duel.worse)
    }
    game = game._replace(rules=shown, bots=bots)
    options = VOCABULARIES[duel.game].options()
    score = 0.0
    for seat in range(duel.players):
        levels = [duel.worse] * duel.players
        levels[seat] = duel.better
        winners = play(Series(game, options, levels, deal), 0)["outcome"]["winners"]
        score += (seat in winners) / len(winners)
    return Deal(*duel[:3], deal, score / duel.players, microseconds, duel.players)


def _bots(game: Game, shown: Shown) -> dict[str, Any]:
    """The levels, and what is no level but plays against them."""
    bots: dict[str, Any] = {**game.bots}
    if (seer := SEERS.get(game.rules.id)) is not None:
        bots["seer"] = seer(shown)
    if game.rules.id == "clocktowers":
        bots["flat"] = flat
    return bots


def _timed(bot: Callable[..., Any], game: Game, microseconds: list[int]) -> Callable[..., Any]:
    """Measures the processor's time, not the wall clock's: other work on the machine changes it
    little.

    Where the view lists the legal actions, a decision with a single action is not counted.
    """

    def timed(view: Any, own_events: Sequence[Any], rng: Random) -> Any:
        begin = time.thread_time_ns()
        action = bot(view, own_events, rng)
        if not game.rules.lists_legal or len(view.legal) > 1:
            microseconds.append((time.thread_time_ns() - begin) // 1000)
        return action

    return timed


def summary(duel: Duel, deals: Sequence[Deal]) -> Summary:
    """Deals are independent, the matches of a deal are not, so each deal counts as one number.

    The interval is mean ± 1.96 · s/√n of those numbers (normal approximation).
    """
    scores = [deal.score for deal in deals]
    score = mean(scores)
    within = _95_PERCENT * stdev(scores) / sqrt(len(scores)) if len(scores) > 1 else 1.0
    return Summary(
        *duel[:3],
        deals=len(scores),
        score=score,
        within=within,
        target=duel.target,
        met=duel.target is None or score >= duel.target,
        ms={level: _percentiles(deals, level) for level in duel[1:3]},
        players=duel.players,
    )


def _percentiles(deals: Sequence[Deal], level: str) -> tuple[float, float]:
    times = [us for deal in deals for us in deal.microseconds[level]]
    cuts = quantiles(times, n=100, method="inclusive")
    return cuts[49] / 1000, cuts[98] / 1000
