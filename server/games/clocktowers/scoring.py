"""Who wins (rules: Ties)."""

from protocol.games.clocktowers import ANIMALS, DecidedBy, Outcome
from server.games.clocktowers.state import OVER, State


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
