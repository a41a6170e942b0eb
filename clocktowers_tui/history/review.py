"""What a review says of a match as a whole. Pure functions of its findings."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from protocol.reviewing import POINT, Begun, Finding, Judged, Raced, Weighed
from protocol.text import clean

MISTAKE: Final = POINT // 2
"""Half a point: what is lost less than this hardly decides a match."""
CLEAR: Final = POINT
"""A lead below this may as well be none: so far off is what is expected."""


SHOWN: Final = ".1f"
"""How points are written."""


class Reviewed(NamedTuple):
    """`findings`: by ply, as many as there are by now."""

    begun: Begun
    seat: int
    findings: Sequence[Finding]

    @property
    def name(self) -> str:
        """The player's."""
        return clean(self.begun.names[self.seat])

    @property
    def alone(self) -> bool:
        """Whether nobody else played, so that a lead is the points."""
        return len(self.begun.scores) == 1

    @property
    def whole(self) -> bool:
        """Whether all is found."""
        return len(self.findings) == len(self.begun.plies)

    @property
    def ended(self) -> int:
        """The seat's lead when the match was over, in points; alone its points."""
        scores = self.begun.scores
        others = scores[: self.seat] + scores[self.seat + 1 :]
        return scores[self.seat] - max(others, default=0)


def is_mistake(one: Finding) -> bool:
    """Never a decision after which the player may expect as much, as far as that is shown."""
    if isinstance(one, Raced):
        return one.missed
    return one.lost >= MISTAKE and _shown(one.played) != _shown(one.better)


def _shown(one: Weighed) -> tuple[str, int | None]:
    return format(one.points / POINT, SHOWN), percent(one)


def percent(one: Weighed) -> int | None:
    """How often it won, of a hundred; None: that is unknown."""
    return None if one.wins is None else one.wins * 100 // POINT


def judged(one: Reviewed) -> list[Judged]:
    """The decisions; in a race there are none."""
    return [each for each in one.findings if isinstance(each, Judged)]


def raced(one: Reviewed) -> list[Raced]:
    """The cards of a race."""
    return [each for each in one.findings if isinstance(each, Raced)]


def mistakes(one: Reviewed) -> list[Judged]:
    """The largest loss first; of two alike the earlier."""
    found = [each for each in judged(one) if is_mistake(each)]
    return sorted(found, key=lambda each: (-each.lost, each.ply))


def lead(one: Reviewed) -> list[tuple[int, int]]:
    """(Ply, expected lead in thousandths of a point) after each decision; the last is how the match
    ended."""
    expected = [(each.ply, each.played.lead) for each in judged(one)]
    return [*expected, (expected[-1][0] if expected else 0, one.ended * POINT)]


def turned_at(one: Reviewed) -> int | None:
    """The ply of the decision from which on the seat was where it ended: ahead, level or behind,
    after it was clearly elsewhere; None: it never was. For a review that is whole."""
    course, end = lead(one), _side(one.ended)
    elsewhere = [
        at for at, (_ply, value) in enumerate(course) if abs(value) >= CLEAR and _side(value) != end
    ]
    if not elsewhere:
        return None
    return next(ply for ply, value in course[elsewhere[-1] + 1 :] if _side(value) == end)


def _side(value: int) -> int:
    return (value > 0) - (value < 0)
