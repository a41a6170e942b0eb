"""`python -m bench.learning`: learns the estimate of `expert` in Architetti Attenti, and writes it.

Bots play themselves, in the first half of the matches with the estimate of `hard`, in the second
with what was learnt by then. Now and then they do not take what looks best, each match as often as
it draws, so that boards of all sorts are seen. After every turn it is written down what stands on
the board and how many points came later; weights are fitted to that (least squares with a ridge).
The same seed and number of matches give the same file, whatever runs them.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from math import fsum, sqrt
from multiprocessing import get_context
from operator import mul
from random import Random
from typing import Final, NamedTuple, TypeAlias

from msgspec import json

from bench.bots import _count
from protocol.games.architetti_attenti import Buy, Options, Place
from protocol.games.architetti_attenti.options import TURNS
from protocol.games.architetti_attenti.score import parts
from protocol.games.architetti_attenti.views import turns_after
from server.games.architetti_attenti.bots import Worth, own_board, purchases, sites
from server.games.architetti_attenti.evaluation import (
    FILE,
    NAMES,
    UNIT,
    Learnt,
    features,
    hope,
    knots,
    weights_of,
)
from server.games.architetti_attenti.rules import apply, to_act
from server.games.architetti_attenti.state import PLACE, setup
from server.games.architetti_attenti.view import view
from server.games.contract import BEGINNING

MATCHES: Final = 1200
SEED: Final = 17
SEATS: Final = 2
_KNOTS: Final = (1, 3, 7, 13, TURNS)
_CARELESS: Final = (0.0, 0.05, 0.1, 0.2, 0.4)
"""How often a match's bots take another of what looks good."""
_LOOKS_GOOD: Final = 12
_RIDGE: Final = 10.0


class Sample(NamedTuple):
    """A seat after its turn: its board and gems, its turns to come, the points these brought."""

    board: bytes
    gems: int
    turns: int
    points: int


Row: TypeAlias = list[tuple[int, float]]
"""(Index of a weight, what it is multiplied by)."""


def main(arguments: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    with _executor(args.workers) as executor:
        run = map if executor is None else executor.map
        learnt: Learnt | None = None
        samples: list[Sample] = []
        for first, end in ((0, args.matches // 2), (args.matches // 2, args.matches)):
            seeds = [f"{args.seed} {number}" for number in range(first, end)]
            for found in run(partial(played, learnt), seeds):
                samples += found
            learnt = fitted(samples)
            print(f"matches: {end}, samples: {len(samples)}", flush=True)
    FILE.write_bytes(json.format(json.encode(learnt), indent=1) + b"\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.learning", description=__doc__)
    parser.add_argument("--matches", type=_count, default=MATCHES, help=f"how many ({MATCHES})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"any whole number ({SEED})")
    parser.add_argument("--workers", type=_count, default=1, help="processes (1)")
    return parser


def _executor(workers: int) -> AbstractContextManager[Executor | None]:
    if workers == 1:
        return nullcontext()
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


# Playing -----------------------------------------------------------------------------------------


def played(learnt: Learnt | None, seed: str) -> list[Sample]:
    """A match by the estimate of `hard`, or by this one."""
    rng = Random(seed)
    state = setup(Options(), SEATS, rng.randbytes(32))
    careless = rng.choice(_CARELESS)
    after: list[tuple[int, bytes, int, int]] = []
    while seats := to_act(state):
        seat, seen = seats[0], view(state, seats[0])
        turns = turns_after(seen)
        worth = _worth(learnt, turns)
        ways = [
            (worth(site.board, purchase.gems), purchase.position, site.first, site.second)
            for purchase in purchases(seen)
            for site in sites(own_board(seen), purchase.tile)
        ]
        ways.sort(reverse=True)
        among = _LOOKS_GOOD if rng.random() < careless else 1
        _value, position, *cells = rng.choice(ways[:among]) if ways else (0.0, 1)
        apply(state, seat, Buy(int(position)), BEGINNING)
        if state.phase == PLACE:
            first, second = map(int, cells)
            apply(state, seat, Place(first, second), BEGINNING)
        if turns:
            after.append((seat, state.boards[seat], state.gems[seat], turns))
    ends = [_points(board, gems) for board, gems in zip(state.boards, state.gems, strict=True)]
    return [
        Sample(board, gems, turns, ends[seat] - _points(board, gems))
        for seat, board, gems, turns in after
    ]


def _points(board: bytes, gems: int) -> int:
    return parts(board, gems).total


def _worth(learnt: Learnt | None, turns: int) -> Worth:
    if learnt is None:
        return lambda board, gems: _points(board, gems) + hope(board, gems, turns / TURNS)
    at = weights_of(learnt, turns)

    def worth(board: bytes, gems: int) -> float:
        found = features(board, gems)
        to_come = sum([weight * number for weight, number in zip(at, found, strict=True)])
        return UNIT * _points(board, gems) + to_come

    return worth


# Fitting -----------------------------------------------------------------------------------------


def fitted(samples: Iterable[Sample]) -> Learnt:
    """The weights with which the squares of the errors, and of the weights, add up to least."""
    size = len(_KNOTS) * len(NAMES)
    squares = [[0.0] * size for _ in range(size)]
    products = [0.0] * size
    for sample in samples:
        row = _row(sample)
        for index, factor in row:
            products[index] += factor * sample.points
            line = squares[index]
            for other, by in row:
                line[other] += factor * by
    for index in range(size):
        squares[index][index] += _RIDGE
    found = [round(UNIT * weight) for weight in _solved(squares, products)]
    by_name = {name: tuple(found[at :: len(NAMES)]) for at, name in enumerate(NAMES)}
    return Learnt(_KNOTS, by_name)


def _row(sample: Sample) -> Row:
    found = features(sample.board, sample.gems)
    return [
        (knot * len(NAMES) + at, share / TURNS * number)
        for knot, share in knots(sample.turns, _KNOTS)
        for at, number in enumerate(found)
        if share and number
    ]


def _solved(squares: list[list[float]], products: list[float]) -> list[float]:
    """x with squares · x = products, by Cholesky: squares are symmetric and positive."""
    size = len(products)
    lower = [[0.0] * size for _ in range(size)]
    for row in range(size):
        for column in range(row + 1):
            rest = squares[row][column] - _dot(lower[row], lower[column], column)
            lower[row][column] = sqrt(rest) if row == column else rest / lower[column][column]
    half = [0.0] * size
    for row in range(size):
        half[row] = (products[row] - _dot(lower[row], half, row)) / lower[row][row]
    found = [0.0] * size
    for row in reversed(range(size)):
        below = [lower[line][row] for line in range(row + 1, size)]
        rest = half[row] - fsum(map(mul, below, found[row + 1 :]))
        found[row] = rest / lower[row][row]
    return found


def _dot(left: list[float], right: list[float], size: int) -> float:
    return fsum(map(mul, left[:size], right[:size]))


if __name__ == "__main__":
    sys.exit(main())
