"""Writes matches of the history in each form, one after the other."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from clocktowers_tui.exporting.forms import Form
from clocktowers_tui.history import matches
from clocktowers_tui.history.exported import RECORD_SUFFIX
from clocktowers_tui.history.matches import Kept


class Manner(NamedTuple):
    """`suffix` of a file; `between` two matches in one, None: each has a file of its own."""

    suffix: str
    between: bytes | None
    write: Callable[[Sequence[Kept]], Iterator[bytes]]


def _as_json(chosen: Sequence[Kept]) -> Iterator[bytes]:
    return (matches.line_of(one.head.id) + b"\n" for one in chosen)


def _as_notation(chosen: Sequence[Kept]) -> Iterator[bytes]:
    from clocktowers_tui.net.converting import as_notation

    lines = (matches.line_of(one.head.id) for one in chosen)
    return (text.encode() for text in as_notation(lines))


MANNERS: Final[Mapping[Form, Manner]] = {
    Form.JSON: Manner(RECORD_SUFFIX, b"", _as_json),
    Form.NOTATION: Manner("txt", b"\n", _as_notation),
}
