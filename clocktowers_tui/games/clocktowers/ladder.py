"""The ladder of heights: at which height the next roof of each colour fits."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import ROOFS, Ink
from clocktowers_tui.games.clocktowers.words import colour_words, roof_letter
from clocktowers_tui.games.spans import Block, Row, Span, cells, line, wrapped
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import CODES, FIRST_ROOF, Choice, Play, View

_ORDER: Final = "rbygp"
_COLOURS: Final = tuple(CODES.index("R" + letter) - FIRST_ROOF for letter in _ORDER)

_ENTRY: Final = len("B# 5>6")
"""Cells of a colour when it steps: kept free, so that choosing moves nothing."""


def heights(mask: int) -> list[int]:
    """The bits that are set, ascending."""
    return [height for height in range(mask.bit_length()) if mask >> height & 1]


def ladder_rows(
    view: View, names: Sequence[str], width: int, glyphs: Glyphs, picked: Choice | None = None
) -> Block:
    """`Next roof R▲ 3  B● 1 or 2 …`, broken between colours into as few rows as it takes. A play
    of a roof that is `picked` shows where its colour steps to: `B● 5→6`."""
    title = wrapped(ladder_title(view, names), width)
    rows: Block = [[Span(word, Ink.DIM)] for word in title]
    for colour in _COLOURS:
        entry = _entry(view, colour, picked, glyphs)
        room = max(_ENTRY, cells(_entry(view, colour, None, glyphs)))
        if rows and cells(rows[-1]) + 1 + room <= width:
            rows[-1] += [Span(" "), *entry]
        else:
            rows.append(entry)
        rows[-1] = line(min(width, cells(rows[-1]) + max(0, room - cells(entry))), rows[-1])
    return [line(width, row) for row in rows]


def rung_rows(view: View, width: int, glyphs: Glyphs, picked: Choice | None = None) -> Block:
    """A row for each colour: `▲ R  red      1 or 2`."""
    rows = []
    for colour in _COLOURS:
        sign, fits = _entry(view, colour, picked, glyphs)
        name = Span(f" {colour_words(FIRST_ROOF + colour)}")
        left = line(max(0, width - cells([fits])), [sign, name])
        rows.append(line(width, [*left, fits]))
    return rows


def _entry(view: View, colour: int, picked: Choice | None, glyphs: Glyphs) -> Row:
    fits = heights_in_words(heights(_ladder(view)[colour]))
    ink = Ink.BOLD
    if picked is not None and _roof(picked) == FIRST_ROOF + colour:
        fits, ink = f"{picked.height}{glyphs.step}{picked.next_height}", Ink.TAG
    letter = roof_letter(FIRST_ROOF + colour)
    return [Span(letter + glyphs.shapes[colour], ROOFS[colour]), Span(f" {fits}", ink)]


def heights_in_words(fitting: Sequence[int]) -> str:
    """`3`, `1 or 2`; `-` where none fits any more."""
    return _(" or ").join(map(str, fitting)) or "-"


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
