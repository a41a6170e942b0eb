"""The estimate of the level `expert`: what a board brings in the turns to come, learnt from matches
of bots against each other.

`learnt.json` has for some numbers of turns to come the weight of each feature, learnt as
bench/README.md says. Law: whole numbers alone, so the same board has the same estimate on every
machine.
"""

from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct, json

from server.games.architetti_attenti.features import NAMES, features

FILE: Final = Path(__file__).with_name("learnt.json")
UNIT: Final = 1000
"""An estimate is in thousandths of a point, and so is the weight of one of a feature."""


class Learnt(Struct, frozen=True):
    """`turns`: ascending. `weights`: feature → its weight at each of these numbers of turns."""

    turns: tuple[int, ...]
    weights: dict[str, tuple[int, ...]]


def estimate(board: bytes, gems: int, turns: int) -> int:
    """Thousandths of a point to come in so many turns of the seat; `gems`: those in hand."""
    total = 0
    for weight, number in zip(weights(turns), features(board, gems), strict=True):
        total += weight * number
    return total


@cache
def weights(turns: int) -> tuple[int, ...]:
    """The weight of each feature with so many turns to come, as the file has it."""
    return weights_of(json.decode(FILE.read_bytes(), type=Learnt), turns)


def weights_of(learnt: Learnt, turns: int) -> tuple[int, ...]:
    """The same out of `learnt`, which need not stand in the file."""
    shares = knots(turns, learnt.turns)
    return tuple(
        sum(at[knot] * share for knot, share in shares) // learnt.turns[-1]
        for at in (learnt.weights[name] for name in NAMES)
    )


def knots(turns: int, known: tuple[int, ...]) -> list[tuple[int, int]]:
    """(Index in `known`, share): how to find a weight between those learnt, on straight lines from
    0 at no turns. The shares of a number of turns add up to at most `known[-1]`."""
    whole, low = known[-1], 0
    turns = min(turns, whole)
    for index, high in enumerate(known):
        if turns <= high:
            share = whole * (turns - low) // (high - low)
            below = [(index - 1, whole - share)] if index else []
            return [*below, (index, share)] if turns else []
        low = high
    raise AssertionError("no turns are more than the last")
