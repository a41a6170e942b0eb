"""What towers are worth, and who wins (rules: Score, Ties)."""

from typing import Final

from protocol.games.clocktowers import ANIMALS, DecidedBy, Outcome
from server.games.clocktowers.state import OVER, State

_CAT: Final = 1
_MOUSE: Final = 2
_MARKS: Final = tuple({"": 0, "c": _CAT, "m": _MOUSE}[animal] for animal in ANIMALS)
_POINTS: Final = (5, 4, 2, 3)
"""By marks: neither, cats only, mice only, both (rules: Score)."""


def tower_points(tower: bytes, count_clock_mice: bool) -> int:
    """Points of a complete tower, cards from the ground up (rules: Score).

    Only the kinds of animal matter, not how many. Where clock mice don't count, the clock, second
    from the top, is left out.
    """
    marks = 0
    for card in tower if count_clock_mice else tower[:-2]:
        marks |= _MARKS[card]
    return _POINTS[marks]


def outcome(state: State) -> Outcome | None:
    """The result, or None while the match runs."""
    if state.phase != OVER:
        return None
    winners, decided_by = _winners(state)
    return Outcome(scores=tuple(state.points), winners=tuple(winners), decided_by=decided_by)


def _winners(state: State) -> tuple[list[int], DecidedBy]:
    """Most points; then a mouse, then a cat on a topmost floor card; then shared (rules: Ties)."""
    best = max(state.points)
    level = [seat for seat, points in enumerate(state.points) if points == best]
    if len(level) == 1:
        return level, DecidedBy.POINTS
    for animal, step in (("m", DecidedBy.MOUSE), ("c", DecidedBy.CAT)):
        level = [seat for seat in level if _has_on_top(state, seat, animal)] or level
        if len(level) == 1:
            return level, step
    return level, DecidedBy.SHARED


def _has_on_top(state: State, seat: int, animal: str) -> bool:
    """Whether the topmost floor card of a complete tower shows the animal (rules: Ties).

    A clock is not a floor: that card is third from the top, below clock and roof.
    """
    return any(
        worth and ANIMALS[tower[-3]] == animal
        for tower, worth in zip(state.towers[seat], state.worth[seat], strict=True)
    )
