"""A match's log as sentences, newest last."""

from collections.abc import Sequence

from clocktowers_tui.games.face import Face
from clocktowers_tui.phrases.notices import notice_in_words
from clocktowers_tui.state.match import Line, LineKind, Match
from protocol.ids import Seat


def log_lines(
    match: Match, face: Face, names: Sequence[str], you: Seat | None, newest: int | None = None
) -> list[str]:
    """All lines that say something, or the `newest` so many."""
    lines: list[str] = []
    for line in reversed(match.log):
        if newest is not None and len(lines) >= newest:
            break
        if sentence := _sentence(line, face, names, you):
            lines.append(sentence)
    return lines[::-1]


def _sentence(line: Line, face: Face, names: Sequence[str], you: Seat | None) -> str:
    if line.kind is LineKind.NOTICE:
        return notice_in_words(line.what.code, line.what.params)
    return face.phrase(line.what, names, you)
