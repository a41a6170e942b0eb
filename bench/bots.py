"""`python -m bench.bots`: how strong the levels are, compared with the project's aims.

A duel is one seat of the better level against the other level in all other seats. A deal is the
first match of `clocktowers-server simulate --seed DEAL`, played once from every seat: its score is
the better level's wins, and its shares of shared wins, by the seats. `pupil` is no level: it plays
what the lesson of the game teaches, and nothing more.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from math import sqrt
from multiprocessing import get_context
from random import Random
from statistics import mean, quantiles, stdev
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from bench.shown import row, verdict
from protocol.games.clocktowers import (
    FIRST_CLOCK,
    PILES,
    Action,
    Draw,
    Event,
    Pile,
    Play,
    View,
    height_of,
    ladder_of,
    tower_points,
)
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.games.wild_wild_pattern import Click, Pass, Phase, Shoot
from protocol.games.wild_wild_pattern.bank import plays
from protocol.games.wild_wild_pattern.cards import is_object
from server.games.architetti_attenti.bots import easy
from server.games.contract import Bot, Game, Stop, never
from server.games.registry import GAMES
from server.games.wild_wild_pattern.bots import REACTIONS, Eye, paid
from server.recording.bot_matches import Series, play

DEALS: Final = 200
PLAYERS: Final = (2, 3, 4)
_AIMS: Final = {
    ("clocktowers", "normal", "easy", 2): 0.75,
    ("clocktowers", "hard", "normal", 2): 0.80,
    ("clocktowers", "hard", "normal", 4): 0.40,
    ("clocktowers", "expert", "hard", 2): 0.75,
    ("architetti_attenti", "normal", "easy", 2): 0.85,
    ("architetti_attenti", "hard", "normal", 2): 0.65,
    ("architetti_attenti", "expert", "hard", 2): 0.75,
    ("wild_wild_pattern", "normal", "easy", 2): 0.85,
    ("wild_wild_pattern", "hard", "normal", 2): 0.80,
}
"""Where no aim stands it is an equal share of the wins."""
_LADDER: Final = ("learner", "easy", "normal", "hard", "expert")
_95_PERCENT: Final = 1.96


class Duel(NamedTuple):
    """`better` should win a share of `aim` against `worse` in all other seats."""

    game: str
    better: str
    worse: str
    players: int
    aim: float

    @property
    def name(self) -> str:
        return f"{self.better}-{self.worse}-{self.players}".removesuffix("-2")


DUELS: Final = (
    Duel("clocktowers", "pupil", "learner", 2, 0.80),
    Duel("architetti_attenti", "pupil", "learner", 2, 0.80),
    Duel("wild_wild_pattern", "pupil", "learner", 2, 0.80),
    *(
        Duel(game, better, worse, players, _AIMS.get((game, better, worse, players), 1 / players))
        for game, vocabulary in VOCABULARIES.items()
        for worse, better in pairwise(one for one in _LADDER if one in vocabulary.levels)
        for players in PLAYERS
    ),
)


class Deal(NamedTuple):
    """The result of a deal: `score` of the better level, 0 to 1; decision times by level."""

    score: float
    microseconds: dict[str, list[int]]


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when every aim is met, 1 when one is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.bots", description=__doc__)
    names = sorted({duel.name for duel in DUELS})
    parser.add_argument("--deals", type=int, default=DEALS, help=f"seeds 1 to this ({DEALS})")
    parser.add_argument("--game", choices=tuple(VOCABULARIES), help="one game (all)")
    parser.add_argument("--only", choices=names, metavar="BETTER-WORSE[-PLAYERS]", help="one duel")
    parser.add_argument("--workers", type=int, default=1, help="how many deals at once (1)")
    args = parser.parse_args(arguments)
    duels = [duel for duel in DUELS if args.game in (None, duel.game)]
    duels = [duel for duel in duels if args.only in (None, duel.name)]
    # spawn: the same on every system.
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as executor:
        found = [measured(duel, args.deals, executor) for duel in duels]
    return 0 if all(found) else 1


def measured(duel: Duel, deals: int, executor: Executor) -> bool:
    """Whether the aim is met, after a line of figures of deals 1 to `deals`: but for the times the
    same, whatever runs them."""
    found = [*executor.map(partial(play_deal, duel), range(1, deals + 1))]
    scores = [deal.score for deal in found]
    # Deals are independent, the matches of a deal are not, so each deal counts as one number.
    within = _95_PERCENT * stdev(scores) / sqrt(len(scores)) if len(scores) > 1 else 1.0
    share, aim = f"{mean(scores):.1%} ± {within * 100:.1f}", f"at least {duel.aim:.0%}"
    times = (_times(found, level) for level in (duel.better, duel.worse))
    met = mean(scores) >= duel.aim
    title = f"{duel.game} {duel.name}, {len(found)} deals"
    print(row(title, share, aim, *times, verdict(met=met)), flush=True)
    return met


def _times(deals: Sequence[Deal], level: str) -> str:
    """What half and 99 of 100 decisions take at most."""
    every = [us / 1000 for deal in deals for us in deal.microseconds[level]]
    cuts = quantiles(every, n=100, method="inclusive")
    return f"{cuts[49]:.1f}, {cuts[98]:.1f} ms"


def play_deal(duel: Duel, deal: int) -> Deal:
    """All matches of a deal."""
    microseconds: dict[str, list[int]] = {duel.better: [], duel.worse: []}
    game = GAMES[duel.game]
    bots: dict[str, Bot] = {**game.bots, "pupil": _PUPILS.get(duel.game, pupil)}
    game = game._replace(
        bots={one: _timed(game, bots[one], us) for one, us in microseconds.items()},
        reactions={**(game.reactions or {}), "pupil": _SHOOTS_LATE},
    )
    options = VOCABULARIES[duel.game].options()
    score = 0.0
    for seat in range(duel.players):
        levels = [duel.worse] * duel.players
        levels[seat] = duel.better
        winners = play(Series(game, options, levels, deal), 0)["outcome"]["winners"]
        score += (seat in winners) / len(winners)
    return Deal(score / duel.players, microseconds)


def pupil(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """One tower after the other, no higher than a roof needs, of the best cards in the hand; draws
    what the tower needs next, and discards where nothing helps it."""
    assert view.seat is not None
    town, ladder = view.towns[view.seat], ladder_of(view, view.seat)
    begun = [at for at, points in enumerate(town.points) if not points]
    tower = town.towers[begun[0]] if begun else b""
    takes = any(row >> height_of(tower) & 1 for row in ladder)
    needs = Pile.CLOCK if takes else Pile.FLOOR
    if tower[-1:] >= bytes((FIRST_CLOCK,)):
        needs = Pile.ROOF
    place = begun[0] if begun else None
    plays = [one.action for one in view.legal if isinstance(one.action, Play)]
    worths = {
        play: tower_points(tower + bytes((play.card,)), count_clock_mice=True)
        for play in plays
        if (PILES[play.card], play.tower) == (needs, place)
    }
    if worths:
        return max(worths, key=worths.__getitem__)
    others = [one.action for one in view.legal if one.action not in plays]
    return Draw(needs) if Draw(needs) in others else rng.choice(others)


def buyer(view: Any, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
    """The first tile or the next one, whichever brings more, where it brings most."""
    return easy(replace(view, row=view.row[:2], on_row=view.on_row[:2]), own_events, rng)


def looker(view: Any, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
    """Looks for an object that lies twice, and at what comes before and after; sees half of that,
    takes what is there most often, says Click! where it sees nothing, and is wrong now and then."""
    if view.phase not in (Phase.RACE, Phase.CLICKED):
        return _READER(view, own_events, rng, stop)
    clicked = view.phase is Phase.CLICKED
    card = view.clicked if clicked else view.card
    possible = plays(view.wheel, card, in_pair=view.options.in_pair)
    seen = [one for one in possible if is_object(one.pattern.anchor) and rng.random() < 0.5]
    if not seen:
        return Pass() if clicked else Click()
    return Shoot(max(seen, key=lambda one: len(one.pairs.anchors)).place, clicked)


_READER: Final = Eye(notices=100, clicks=0, judges=paid, errs=15)
"""Declares what the shot has made, but in 15 of 100 shots something else."""

_SHOOTS_LATE: Final = REACTIONS["learner"]._replace(race_ms=(20_000, 30_000))

_PUPILS: Final[dict[str, Bot]] = {
    "clocktowers": pupil,
    "architetti_attenti": buyer,
    "wild_wild_pattern": looker,
}


def _timed(game: Game, bot: Bot, microseconds: list[int]) -> Bot:
    """The bot, whose thread's processor time is noted where there is something to decide."""

    def timed(view: Any, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
        begin = time.thread_time_ns()
        action = bot(view, own_events, rng)
        if not game.rules.lists_legal or len(view.legal) > 1:
            microseconds.append((time.thread_time_ns() - begin) // 1000)
        return action

    return timed


if __name__ == "__main__":
    sys.exit(main())
