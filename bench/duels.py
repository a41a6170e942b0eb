"""Two levels against each other: each deal twice, seats swapped."""

import time
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import mean, quantiles, stdev
from typing import Any, Final, NamedTuple

from msgspec import Struct

from bench.flat import flat
from protocol.games.registry import GAMES as VOCABULARIES
from server.games.contract import Game
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play

_REFERENCES: Final[dict[str, dict[str, Any]]] = {"clocktowers": {"flat": flat}}
"""By game: bots that are no levels."""

_95_PERCENT: Final = 1.96


class Duel(NamedTuple):
    """`better` is to score at least `target` against `worse` in this game."""

    game: str
    better: str
    worse: str
    target: float


class Deal(Struct):
    """What came of one deal: `score` of the better level, 0 to 1; decision times by level."""

    game: str
    better: str
    worse: str
    deal: int
    score: float
    microseconds: dict[str, list[int]]


class Summary(Struct):
    """`score` ± `within` is the 95 % interval; times in milliseconds, level → (p50, p99)."""

    game: str
    better: str
    worse: str
    deals: int
    score: float
    within: float
    target: float
    met: bool
    ms: dict[str, tuple[float, float]]


def play_deal(duel: Duel, deal: int) -> Deal:
    """Both matches of a deal: `clocktowers-server simulate --seed DEAL`, its first match."""
    microseconds: dict[str, list[int]] = {}
    game = GAMES[duel.game]
    known = bots_of(duel.game)
    bots = {
        level: _timed(known[level], game, microseconds.setdefault(level, []))
        for level in (duel.better, duel.worse)
    }
    game = game._replace(bots=bots)
    options = VOCABULARIES[duel.game].options()
    score = 0.0
    for levels in ((duel.better, duel.worse), (duel.worse, duel.better)):
        winners = play(Series(game, options, levels, deal), 0)["outcome"]["winners"]
        score += (levels.index(duel.better) in winners) / len(winners)
    return Deal(*duel[:3], deal, score / 2, microseconds)


def bots_of(game: str) -> dict[str, Any]:
    """The levels, and the reference where there is one."""
    return {**GAMES[game].bots, **_REFERENCES.get(game, {})}


def _timed(bot: Callable[..., Any], game: Game, microseconds: list[int]) -> Callable[..., Any]:
    """Time of the processor, not of the clock on the wall: other work beside it changes it little.

    Where the view lists what is legal, decisions with one such action are none, and not counted.
    """

    def timed(view: Any, own_events: Sequence[Any], rng: Random) -> Any:
        begin = time.thread_time_ns()
        action = bot(view, own_events, rng)
        if not game.rules.lists_legal or len(view.legal) > 1:
            microseconds.append((time.thread_time_ns() - begin) // 1000)
        return action

    return timed


def summary(duel: Duel, deals: Sequence[Deal]) -> Summary:
    """The deals are independent, the two matches of one deal are not: each deal is one number.

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
        met=score >= duel.target,
        ms={level: _percentiles(deals, level) for level in duel[1:3]},
    )


def _percentiles(deals: Sequence[Deal], level: str) -> tuple[float, float]:
    times = [us for deal in deals for us in deal.microseconds[level]]
    cuts = quantiles(times, n=100, method="inclusive")
    return cuts[49] / 1000, cuts[98] / 1000
