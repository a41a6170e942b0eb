"""The ladder of heights: at which height the next roof of each colour fits."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import ROOFS, Ink
from clocktowers_tui.games.clocktowers.words import colour_words, roof_letter
from clocktowers_tui.games.spans import Block, Row, Span, cells, line, wrapped
from clocktowers_tui.text.i18n import _, kept, ngettext
from protocol.games.clocktowers import CODES, FIRST_ROOF, Choice, Play, View

_ORDER: Final = "rbygp"
_COLOURS: Final = tuple(CODES.index("R" + letter) - FIRST_ROOF for letter in _ORDER)

_ENTRY: Final = len("B# 5>6")
"""Cells of a colour when it steps: kept free, so that choosing moves nothing."""
_GAP: Final = 2
"""Cells between two colours."""


class _Entry(NamedTuple):
    """`room`: cells that are kept free for it."""

    row: Row
    room: int


def heights(mask: int) -> list[int]:
    """The bits that are set, ascending."""
    return [height for height in range(mask.bit_length()) if mask >> height & 1]


def ladder_rows(
    view: View, names: Sequence[str], width: int, glyphs: Glyphs, picked: Choice | None = None
) -> Block:
    """`Next roof  R▲ 3    B● 1-2 …`, broken between colours into as few rows as it takes, in
    columns where these fit. A play of a roof that is `picked` shows where its colour steps to:
    `B● 5→6`."""
    return _rows(_ladder(view), ladder_title(view, names), width, glyphs, picked)


@kept
def _rows(ladder: bytes, title: str, width: int, glyphs: Glyphs, picked: Choice | None) -> Block:
    table = [[_Entry([Span(word, Ink.DIM)], cell_len(word))] for word in wrapped(title, width)]
    for colour in _COLOURS:
        calm = max(_ENTRY, cells(_entry(ladder, colour, None, glyphs)))
        entry = _Entry(_entry(ladder, colour, picked, glyphs), calm)
        if sum(_GAP + room for _row, room in table[-1]) + calm <= width:
            table[-1].append(entry)
        else:
            table.append([entry])
    columns = [
        max(0 if one is None else one.room for one in column) for column in zip_longest(*table)
    ]
    aligned = sum(columns) + _GAP * (len(columns) - 1) <= width
    return [_ladder_row(row, columns if aligned else (), width) for row in table]


def _ladder_row(entries: Sequence[_Entry], columns: Sequence[int], width: int) -> Row:
    row: Row = []
    for entry, room in zip_longest(entries, columns[: len(entries)]):
        row += [*([Span(" " * _GAP)] if row else []), *line(room or entry.room, entry.row)]
    return line(width, row)


def rung_rows(view: View, width: int, glyphs: Glyphs, picked: Choice | None = None) -> Block:
    """A row for each colour: `▲ R  red      1-2`."""
    rows = []
    for colour in _COLOURS:
        sign, fits = _entry(_ladder(view), colour, picked, glyphs)
        name = Span(f" {colour_words(FIRST_ROOF + colour)}")
        left = line(max(0, width - cells([fits])), [sign, name])
        rows.append(line(width, [*left, fits]))
    return rows


def _entry(ladder: bytes, colour: int, picked: Choice | None, glyphs: Glyphs) -> Row:
    fits = "-".join(map(str, heights(ladder[colour]))) or "-"
    ink = Ink.BOLD
    if picked is not None and _roof(picked) == FIRST_ROOF + colour:
        fits, ink = f"{picked.height}{glyphs.step}{picked.next_height}", Ink.TAG
    letter = roof_letter(FIRST_ROOF + colour)
    return [Span(letter + glyphs.shapes[colour], ROOFS[colour]), Span(f" {fits}", ink)]


def heights_in_words(fitting: Sequence[int]) -> str:
    """`3`, `1 or 2`; `-` where none fits any more."""
    return _(" or ").join(map(str, fitting)) or "-"


def floors_in_words(fitting: Sequence[int]) -> str:
    """How high a tower is, or may be: `3 floors`, `1 or 2 floors`."""
    said = ngettext("{n} floor", "{n} floors", max(fitting, default=0))
    return said.format(n=heights_in_words(fitting))


def _roof(choice: Choice) -> int | None:
    return choice.action.card if isinstance(choice.action, Play) and choice.points else None


def _ladder(view: View) -> bytes:
    return view.ladder[0 if len(view.ladder) == 1 else _whose(view)]


def _whose(view: View) -> int:
    """Where each seat has a ladder, the player's own is shown; to watchers, that of the turn."""
    return view.seat if view.seat is not None else view.turn or 0


def ladder_title(view: View, names: Sequence[str]) -> str:
    if len(view.ladder) == 1:
        return _("Next roof")
    if view.seat is not None:
        return _("Your next roof")
    return _("{name}: next roof").format(name=names[_whose(view)])
