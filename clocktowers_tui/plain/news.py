"""What is new, in sentences: what others did first, then what the player is asked.

Law: each thing is said once, and said whole, so that nobody needs to look for what has changed.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.phrases.chat import line_of
from clocktowers_tui.phrases.codes import trouble_in_words
from clocktowers_tui.phrases.match import log_lines, names_of
from clocktowers_tui.plain.at_table import changed_seats
from clocktowers_tui.state.hearing import muted, you
from clocktowers_tui.state.match import LogLine, Match
from clocktowers_tui.state.store import Place, State, place
from protocol.from_server import Said


def happened(before: State, state: State) -> Iterator[str]:
    """What others did, and what was said, between these two states: who speaks hears that it went
    out."""
    line, had = state.connection, before.connection
    if line is not None and line.attempt and (had is None or had.attempt != line.attempt):
        yield trouble_in_words(line) + "."
    for said in fresh_lines(before.chat.lines, state.chat.lines):
        if said.name not in muted(state):
            yield line_of(said, you(state))
    table, had_table = state.table, before.table
    if table is not None and had_table is not None and place(state) is Place.TABLE:
        yield from changed_seats(had_table, table)
    if state.match is not None and state.match.view is not None:
        yield from _played(before.match, state.match, state)


def _played(before: Match | None, match: Match, state: State) -> Iterator[str]:
    """The lines of the log that are new. Who comes late hears the last ones."""
    old = before.log if before is not None and before.id == match.id else ()
    new = replace(match, log=fresh(old, match.log))
    if before is None or before.id != match.id or before.view is None:
        yield from logged(new, state, newest=_LATE)
    else:
        yield from logged(new, state)


def logged(match: Match, state: State, newest: int | None = None) -> list[str]:
    """The log as sentences: at each end somebody who reads aloud rests."""
    lines = log_lines(match, FACES[match.game], names_of(match), state.seat, newest=newest)
    return [sentence(line) for line in lines if line]


_LATE = 5


def fresh(old: Sequence[LogLine], new: Sequence[LogLine]) -> tuple[LogLine, ...]:
    """The lines behind those that both have. Some of the old ones may be gone: taken back at the
    end, or forgotten at the beginning."""
    known = {id(line) for line in old}
    last = max((at for at, line in enumerate(new) if id(line) in known), default=-1)
    return tuple(new[last + 1 :])


def fresh_lines(old: Sequence[Said], new: Sequence[Said]) -> Sequence[Said]:
    """The same for the chat."""
    known = {id(line) for line in old}
    return [line for line in new if id(line) not in known]
