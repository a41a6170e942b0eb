"""Matches of the history, written for others in each form, one after the other.

Law: a match that cannot be written is told, and the others are written all the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from clocktowers_tui.config.look import Look
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.history import ExportForm, Unwritten, Written
from clocktowers_tui.history.matches import Kept
from clocktowers_tui.history.review import whole_record
from clocktowers_tui.net.records import as_notation
from clocktowers_tui.text import NotDone
from clocktowers_tui.text.i18n import _
from protocol.recording import Unfit
from protocol.text import clean


class Drawn(NamedTuple):
    """How a board is drawn."""

    settings: Settings
    look: Look


PliesDrawn: TypeAlias = Callable[[int, int], None]
"""Told how many plies of a match are drawn, and of how many."""


BETWEEN: Final[Mapping[ExportForm, bytes]] = {
    ExportForm.JSON: b"",
    ExportForm.NOTATION: b"\n",
    ExportForm.TEXT: b"\n",
}
"""What stands between two matches in one file; of other forms each has a file of its own."""


def written(
    form: ExportForm, chosen: Sequence[Kept], drawn: Drawn, progress: PliesDrawn
) -> Iterator[Written]:
    """Each of these matches."""
    if form is ExportForm.JSON:
        return (_tried(partial(_line, one)) for one in chosen)
    if form is ExportForm.NOTATION:
        return _as_notation(chosen)
    from clocktowers_tui.exporting import board

    drawing: Mapping[ExportForm, Callable[[Kept, Drawn], str | Written]] = {
        ExportForm.TEXT: board.as_text,
        ExportForm.PNG: board.as_png,
        ExportForm.SVG: board.as_svg,
        ExportForm.CAST: partial(board.as_cast, drew=progress),
    }
    return (_tried(partial(drawing[form], one, drawn)) for one in chosen)


def _tried(write: Callable[[], str | Written]) -> Written:
    try:
        made = write()
        return made.encode() if isinstance(made, str) else made
    except NotDone as error:
        return Unwritten(str(error))


def _line(one: Kept) -> str:
    return whole_record(one.head.id).decode() + "\n"


def _as_notation(chosen: Sequence[Kept]) -> Iterator[Written]:
    lines = [_tried(partial(_line, one)) for one in chosen]
    told = as_notation(line.removesuffix(b"\n") for line in lines if isinstance(line, bytes))
    for line in lines:
        text = line if isinstance(line, Unwritten) else next(told)
        if isinstance(text, Unfit):
            text = Unwritten(_("this match cannot be written: {why}").format(why=clean(text.why)))
        yield text.encode() if isinstance(text, str) else text
