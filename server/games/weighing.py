"""How two actions of a finished match are compared: by what came of each in the same worlds.

Law: + − × ÷ and √ alone, which come out the same on every machine.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final, TypeVar

from server.games.contract import Judged, Weighed

ActionOf = TypeVar("ActionOf")

SURE: Final = 2
"""An action is better when it is by so many standard errors."""


def equal(played: ActionOf, ends: Sequence[Weighed]) -> Judged[ActionOf]:
    """Nothing is better than what was played. `ends`: what came of it, at least once."""
    weighed = _mean(ends)
    return Judged(played, weighed, weighed, 0)


def compared(
    played: ActionOf, ends: Sequence[Weighed], best: ActionOf, others: Sequence[Weighed]
) -> Judged[ActionOf]:
    """`best` beside what was played. `others`: what came of it, in the worlds of `ends`."""
    gains = [other.lead - end.lead for end, other in zip(ends, others, strict=True)]
    gain = round(sum(gains) / len(gains))
    if gain <= 0 or gain <= SURE * _error(gains):
        return equal(played, ends)
    return Judged(best, _mean(ends), _mean(others), gain)


def _mean(ends: Sequence[Weighed]) -> Weighed:
    points = sum(end.points for end in ends) // len(ends)
    lead = sum(end.lead for end in ends) // len(ends)
    wins = [end.wins for end in ends if end.wins is not None]
    return Weighed(points, lead, sum(wins) // len(wins) if wins else None)


def _error(gains: Sequence[int]) -> float:
    """The standard error of their mean."""
    number = len(gains)
    mean = sum(gains) / number
    return sqrt(sum((gain - mean) ** 2 for gain in gains)) / number
