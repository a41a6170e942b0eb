"""Refuses messages about a match that cannot be shown, before they become the state.

It protects a player from a traceback instead of a screen when a server is broken, newer than this
client, or lying: the line ends with a sentence. It does not protect from a wrong board.
"""

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from clocktowers_tui.config.log_file import note
from clocktowers_tui.games.checks import complaint
from clocktowers_tui.games.face import Face
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.state.match import LineKind, Match
from clocktowers_tui.state.store import State
from protocol.from_server import AtTable, Ended, History, Update
from protocol.games.registry import GAMES

_ABOUT_A_MATCH: Final = (AtTable, Ended, History, Update)


def refuse_implausible(
    message: Struct, before: State, after: State, faces: Mapping[str, Face]
) -> None:
    """Raises LinkError, and writes into the log why, if `after` cannot be shown."""
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
        names = match.names if after.table is not None else _nameless(match.game)
        events = _events(match, message if told else None)
        if why := complaint(faces[match.game], match, names, events):
            return why
    return ""


def _nameless(game: str) -> tuple[str, ...]:
    """Names for as many seats as there can be."""
    return ("",) * max(GAMES[game].seats)


def _events(match: Match, message: Struct | None) -> list[Any]:
    """The events of the log that `message` brought, its newest; None: all of them."""
    newest = (line.what for line in reversed(match.log) if line.kind is LineKind.EVENT)
    if message is None:
        return [*newest][::-1]
    brought = len(message.events) if isinstance(message, History | Update) else 0
    return [*islice(newest, brought)][::-1]
