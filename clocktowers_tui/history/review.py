"""What a review says of a match as a whole. Pure functions of its findings."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from protocol.recording import POINT, Begun, Finding, Judged, Raced, Weighed
from protocol.text import clean

MISTAKE: Final = POINT // 2
"""Half a point: what is lost less than this hardly decides a match."""
CLEAR: Final = POINT
"""A lead below this may as well be none: so far off is what is expected."""


SHOWN: Final = ".1f"
"""How points are written."""


class Reviewed(NamedTuple):
    """`findings`: of all seats, by ply, as many as there are by now. `seat`: whose review it is."""

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


def own(one: Reviewed) -> list[Finding]:
    """What the player did: nothing that a bot did in their place."""
    return [each for each in one.findings if each.seat == one.seat and not each.by_bot]


def judged(one: Reviewed) -> list[Judged]:
    """The player's decisions; in a race there are none."""
    return [each for each in own(one) if isinstance(each, Judged)]


def raced(one: Reviewed) -> list[Raced]:
    """The player's cards of a race."""
    return [each for each in own(one) if isinstance(each, Raced)]


def by_bot(one: Reviewed) -> int:
    """How many decisions, or cards, were a bot's in the player's place."""
    return sum(each.seat == one.seat and each.by_bot for each in one.findings)


def mistakes(one: Reviewed) -> list[Judged]:
    """The player's own; the largest loss first, of two alike the earlier."""
    return _by_loss(judged(one))


def worst_of_others(one: Reviewed) -> list[Judged]:
    """The mistake that lost most of each other seat that made one; the largest loss first."""
    found = _by_loss(each for each in _decided(one) if each.seat != one.seat)
    return _by_loss({each.seat: each for each in reversed(found)}.values())


def _decided(one: Reviewed) -> list[Judged]:
    """By all seats."""
    return [each for each in one.findings if isinstance(each, Judged)]


def _by_loss(found: Iterable[Judged]) -> list[Judged]:
    return sorted(filter(is_mistake, found), key=lambda each: (-each.lost, each.ply))


def lead(one: Reviewed) -> list[tuple[int, int]]:
    """(Ply, expected lead in thousandths of a point) after each decision on the seat; the last is
    how the match ended."""
    expected = [(each.ply, each.played.lead) for each in _decided(one) if each.seat == one.seat]
    return [*expected, (expected[-1][0] if expected else 0, one.ended * POINT)]


def turning_point(one: Reviewed) -> Judged | None:
    """The decision from which on everybody's decisions, before and after them, agree with how the
    match ended; None: they always did. The same for all seats. For a review that is whole."""
    winners, found = one.begun.winners, _decided(one)
    turned = None
    for each, following in zip(found, [*found[1:], None], strict=True):
        if _contradicts(each.played.lead, each.seat, winners):
            turned = following or each
        elif _contradicts(each.better.lead, each.seat, winners):
            turned = each
    return turned


def _contradicts(lead: int, seat: int, winners: Sequence[int]) -> bool:
    """Whether the seat's lead, which it expects, is clearly another than that of the end."""
    if seat not in winners:
        return lead >= CLEAR
    return lead <= -CLEAR or (len(winners) > 1 and lead >= CLEAR)
