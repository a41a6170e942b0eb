"""Whether what a server says can be: the one place that refuses messages of the right shape and
of no sense, so that what lies behind it may believe what it is shown.

The game's own words are judged by its face; here is what holds for every match.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from clocktowers_tui.config.log_file import note
from clocktowers_tui.games.face import Face
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.state.match import LineKind, Match
from clocktowers_tui.state.store import State
from protocol.from_server import AtTable, Ended, History, Update

_ABOUT_A_MATCH: Final = (AtTable, Ended, History, Update)


def refuse_nonsense(
    message: Struct, before: State, after: State, faces: Mapping[str, Face]
) -> None:
    """Raises LinkError, and says in the log why, when `message` cannot have led to `after`."""
    if isinstance(message, _ABOUT_A_MATCH) and (why := _nonsense(message, before, after, faces)):
        note(f"{type(message).__name__}: {why}")
        raise LinkError(Fault.SENSELESS)


def _nonsense(message: Struct, before: State, after: State, faces: Mapping[str, Face]) -> str:
    known = {match.id: match for match in (before.match, before.coming) if match is not None}
    # Watchers may be told of a match first and of its table then: only then is it seen.
    told = before.table is not None
    for match in (after.match, after.coming):
        if match is None or (told and match is known.get(match.id)):
            continue
        was = known.get(match.id)
        if was is not None and was.names and len(was.names) != len(match.names):
            return "a match with another number of seats than before"
        seats = len(match.names) if after.table is not None else None
        events = _events(match, message if told else None)
        if why := faces[match.game].nonsense(seats, events, match.view, match.outcome):
            return why
    return ""


def _events(match: Match, message: Struct | None) -> list[Any]:
    """Those of the log that `message` brought, its newest; None: all of them."""
    events = [line.what for line in match.log if line.kind is LineKind.EVENT]
    if message is None:
        return events
    brought = len(message.events) if isinstance(message, History | Update) else 0
    return events[len(events) - min(brought, len(events)) :]
