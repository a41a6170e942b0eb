"""Checks that a face can show what the server tells of a match, by showing it out of sight.

Decoding has checked types and sizes. What remains are values that contradict each other: a seat
beyond the table, a card that is not in the box. A face would fail on them in the middle of the
screen, so each is tried here first. What passes may still be untrue: it shows a wrong board.
"""

import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from clocktowers_tui.games.face import Face
from clocktowers_tui.state.match import Match
from protocol.games.registry import GAMES

_WIDTHS: Final = (20, 80)
"""The width of the result screen, in cells."""


def complaint(face: Face, match: Match, names: Sequence[str], events: Sequence[Any]) -> str:
    """Why a match of these players cannot be shown, for the log; "" when it can. `events`: those
    that have not been tried before."""
    view, outcome = match.view, match.outcome
    if len(names) not in GAMES[face.game].seats:
        return f"a match of {len(names)} seats"
    if outcome is not None and not _can_be_the_end(outcome, len(names)):
        return "an outcome that cannot be"
    try:
        for event in events:
            face.phrase(event, names, None)
        if view is not None:
            face.try_out(view, names)
        if view is not None and outcome is not None:
            for width in _WIDTHS:
                face.result(view, outcome, names, width)
                face.result_details(view, outcome, names, width)
            if match.proven:
                face.same_deal(match.events, view, bytes.fromhex(match.seed))
    except Exception as error:
        return failure(error)
    return ""


def _can_be_the_end(outcome: Any, seats: int) -> bool:
    """Whether every seat has a score, and players of the match have won, each once, ascending."""
    winners = list(outcome.winners)
    once = sorted(set(winners)) == winners != []
    return len(outcome.scores) == seats and once and all(seat in range(seats) for seat in winners)


def failure(error: Exception) -> str:
    """What went wrong and where, in a line for the log."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{error!r} at {Path(last.filename).name}:{last.lineno}"
