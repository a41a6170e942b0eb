"""Writes matches of the history in each form, one after the other."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from clocktowers_tui.exporting.forms import Drawn, Form
from clocktowers_tui.history import matches
from clocktowers_tui.history.exported import RECORD_SUFFIX
from clocktowers_tui.history.matches import Kept


class Manner(NamedTuple):
    """`suffix` of a file; `between` two matches in one, None: each has a file of its own."""

    suffix: str
    between: bytes | None
    write: Callable[[Sequence[Kept], Drawn], Iterator[bytes]]


def _as_json(chosen: Sequence[Kept], _drawn: Drawn) -> Iterator[bytes]:
    return (matches.line_of(one.head.id) + b"\n" for one in chosen)


def _as_notation(chosen: Sequence[Kept], _drawn: Drawn) -> Iterator[bytes]:
    from clocktowers_tui.net.converting import as_notation

    lines = (matches.line_of(one.head.id) for one in chosen)
    return (text.encode() for text in as_notation(lines))


def _as_text(chosen: Sequence[Kept], drawn: Drawn) -> Iterator[bytes]:
    from clocktowers_tui.exporting.board import as_text

    return (as_text(one, drawn).encode() for one in chosen)


def _as_svg(chosen: Sequence[Kept], drawn: Drawn) -> Iterator[bytes]:
    from clocktowers_tui.exporting.board import as_svg

    return (as_svg(one, drawn).encode() for one in chosen)


def _as_cast(chosen: Sequence[Kept], drawn: Drawn) -> Iterator[bytes]:
    from clocktowers_tui.exporting.board import as_cast

    return (as_cast(one, drawn).encode() for one in chosen)


MANNERS: Final[Mapping[Form, Manner]] = {
    Form.JSON: Manner(RECORD_SUFFIX, b"", _as_json),
    Form.NOTATION: Manner("notation.txt", b"\n", _as_notation),
    Form.TEXT: Manner("txt", b"\n", _as_text),
    Form.SVG: Manner("svg", None, _as_svg),
    Form.CAST: Manner("cast", None, _as_cast),
}
