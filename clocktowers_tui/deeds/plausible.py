"""Refuses messages about a match of which no sentence can be made, before they become the state.

It protects a player from a traceback instead of a screen when a server is broken, newer than this
client, or lying: the line ends with a sentence. What a view shows is drawn only once it is looked
at; where that fails, `games.pane` says so, and the line ends in the same way.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from clocktowers_tui.config.files import failure, note
from clocktowers_tui.games.face import Face
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.state.match import LineKind, Match
from clocktowers_tui.state.store import State
from protocol.from_server import AtTable, Ended, History, Update
from protocol.games.registry import GAMES

_ABOUT_A_MATCH: Final = (AtTable, Ended, History, Update)
_WIDTHS: Final = (20, 80)
"""The width of the result screen, in cells."""


def refuse_implausible(
    message: Struct, before: State, after: State, faces: Mapping[str, Face]
) -> None:
    """Raises LinkError, and writes into the log why, if nothing can be said of `after`."""
    if isinstance(message, _ABOUT_A_MATCH) and (why := _wrong(message, before, after, faces)):
        note(f"{type(message).__name__}: {why}")
        raise LinkError(Fault.SENSELESS)


def _wrong(message: Struct, before: State, after: State, faces: Mapping[str, Face]) -> str:
    known = {match.id: match for match in (before.match, before.coming) if match is not None}
    # Watchers may be told of a match before its table. All of it is checked again with the table.
    told = before.table is not None
    for match in (after.match, after.coming):
        if match is None or (told and match is known.get(match.id)):
            continue
        was = known.get(match.id)
        if was is not None and was.names and len(was.names) != len(match.names):
            return "a match with another number of seats than before"
        names = match.names if after.table is not None else _nameless(match)
        events = _events(match, message if told else None)
        if why := _complaint(faces[match.game], match, names, events):
            return why
    return ""


def _nameless(match: Match) -> tuple[str, ...]:
    """Names for as many seats as there can be, or as the end of the match has scores for."""
    outcome = match.outcome
    return ("",) * (max(GAMES[match.game].seats) if outcome is None else len(outcome.scores))


def _events(match: Match, message: Struct | None) -> list[Any]:
    """The events of the log that `message` brought, its newest; None: all of them."""
    newest = (line.what for line in reversed(match.log) if line.kind is LineKind.EVENT)
    if message is None:
        return [*newest][::-1]
    brought = len(message.events) if isinstance(message, History | Update) else 0
    return [*islice(newest, brought)][::-1]


def _complaint(face: Face, match: Match, names: Sequence[str], events: Sequence[Any]) -> str:
    """Why nothing can be said of a match of these players, for the log; "" when it can. `events`:
    those that have not been tried before."""
    view, outcome = match.view, match.outcome
    if len(names) not in GAMES[face.game].seats:
        return f"a match of {len(names)} seats"
    if outcome is not None and not _can_be_the_end(outcome, len(names)):
        return "an outcome that cannot be"
    try:
        for event in events:
            face.phrase(event, names, None)
        if view is not None:
            for asked in (face.turn, face.round, face.is_my_turn, face.is_spent, face.due_ms):
                asked(view)
            face.races(view)
            face.expected(view, names)
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
