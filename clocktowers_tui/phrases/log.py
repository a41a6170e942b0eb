"""A match's log as sentences, newest last."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from clocktowers_tui.games.face import Face
from clocktowers_tui.phrases.notices import notice_in_words
from clocktowers_tui.state.match import LineKind, LogLine, Match
from clocktowers_tui.text.i18n import ngettext
from protocol.errors import Param
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


def log_by_turns(match: Match, face: Face, names: Sequence[str], you: Seat | None) -> list[str]:
    """All lines that say something, with an empty one before each turn."""
    lines: list[str] = []
    acting: Seat | None = None
    for line in match.log:
        begins = line.kind is LineKind.EVENT and face.opens_turn(line.what, acting)
        if line.kind is LineKind.EVENT:
            acting = getattr(line.what, "seat", acting)
        if begins and lines and lines[-1]:
            lines.append("")
        if sentence := _sentence(line, face, names, you):
            lines.append(sentence)
    return lines


def _sentence(line: LogLine, face: Face, names: Sequence[str], you: Seat | None) -> str:
    match line.kind:
        case LineKind.NOTICE:
            params = line.what.params
            return notice_in_words(line.what.code, params, mine=_is_mine(params, names, you))
        case LineKind.GAP:
            gap = ngettext("… {number} move", "… {number} moves", line.what)
            return gap.format(number=line.what)
        case LineKind.EVENT:
            return face.phrase(line.what, names, you)
        case _:
            assert_never(line.kind)


def _is_mine(params: Mapping[str, Param], names: Sequence[str], you: Seat | None) -> bool:
    """Whether it is the player's own: by the seat that is named, or else by the name, which no two
    players at a server share."""
    if you is None:
        return False
    if "seat" in params:
        return params["seat"] == you
    return you < len(names) and params.get("name") == names[you]
