"""Writes matches of the history in each form, one after the other.

Law: a match that cannot be written is told, and the others are written all the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from clocktowers_tui.exporting.forms import Drawn, Form
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import RECORD_SUFFIX, Kept, NoHistory
from clocktowers_tui.net.records import NoReplay, as_notation
from clocktowers_tui.phrases.history import (
    no_history_in_words,
    no_replay_in_words,
    not_written_in_words,
)
from protocol.recording import Unfit

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many plies of a match are drawn, and of how many."""


class Unwritten(NamedTuple):
    """A match that cannot be written. `why`: a sentence."""

    why: str


Written: TypeAlias = bytes | Unwritten


class Manner(NamedTuple):
    """`suffix` of a file; `between` two matches in one, None: each has a file of its own."""

    suffix: str
    between: bytes | None
    write: Callable[[Sequence[Kept], Drawn, Progress], Iterator[Written]]


def _tried(write: Callable[[], str]) -> Written:
    try:
        return write().encode()
    except NoHistory as error:
        return Unwritten(no_history_in_words(error))
    except NoReplay as error:
        return Unwritten(no_replay_in_words(str(error)))


def _as_json(chosen: Sequence[Kept], _drawn: Drawn, _progress: Progress) -> Iterator[Written]:
    return (_tried(partial(_line, one)) for one in chosen)


def _line(one: Kept) -> str:
    return matches.line_of(one.head.id).decode() + "\n"


def _as_notation(chosen: Sequence[Kept], _drawn: Drawn, _progress: Progress) -> Iterator[Written]:
    lines = [_tried(partial(_line, one)) for one in chosen]
    told = as_notation(line.removesuffix(b"\n") for line in lines if isinstance(line, bytes))
    for line in lines:
        text = line if isinstance(line, Unwritten) else next(told)
        if isinstance(text, Unfit):
            text = Unwritten(not_written_in_words(text.why))
        yield text.encode() if isinstance(text, str) else text


def _as_text(chosen: Sequence[Kept], drawn: Drawn, _progress: Progress) -> Iterator[Written]:
    from clocktowers_tui.exporting.board import as_text

    return (_tried(partial(as_text, one, drawn)) for one in chosen)


def _as_svg(chosen: Sequence[Kept], drawn: Drawn, _progress: Progress) -> Iterator[Written]:
    from clocktowers_tui.exporting.board import as_svg

    return (_tried(partial(as_svg, one, drawn)) for one in chosen)


def _as_cast(chosen: Sequence[Kept], drawn: Drawn, progress: Progress) -> Iterator[Written]:
    from clocktowers_tui.exporting.board import as_cast

    return (_tried(partial(as_cast, one, drawn, progress)) for one in chosen)


MANNERS: Final[Mapping[Form, Manner]] = {
    Form.JSON: Manner(RECORD_SUFFIX, b"", _as_json),
    Form.NOTATION: Manner("notation.txt", b"\n", _as_notation),
    Form.TEXT: Manner("txt", b"\n", _as_text),
    Form.SVG: Manner("svg", None, _as_svg),
    Form.CAST: Manner("cast", None, _as_cast),
}
