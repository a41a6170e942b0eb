"""Who wins: the most points; level seats share the win (rules: Score)."""

from protocol.games.architetti_attenti import DecidedBy, Outcome
from protocol.games.architetti_attenti.score import parts
from server.games.architetti_attenti.state import OVER, State


def outcome(state: State) -> Outcome | None:
    """The result, or None while the match runs."""
    if state.phase != OVER:
        return None
    by_seat = tuple(
        parts(board, gems, state.counting)
        for board, gems in zip(state.boards, state.gems, strict=True)
    )
    scores = tuple(score.total for score in by_seat)
    winners = tuple(seat for seat, points in enumerate(scores) if points == max(scores))
    decided_by = DecidedBy.POINTS if len(winners) == 1 else DecidedBy.SHARED
    if state.seats == 1:
        decided_by = DecidedBy.ALONE
    return Outcome(scores=scores, parts=by_seat, winners=winners, decided_by=decided_by)
