"""The ladder of heights: at which height the next roof of each colour fits."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import ROOFS, Ink
from clocktowers_tui.games.clocktowers.words import roof_letter
from clocktowers_tui.games.spans import Block, Row, Span, cells, line, wrapped
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import CODES, FIRST_ROOF, Choice, Play, View

_ORDER: Final = "rbygp"
_COLOURS: Final = tuple(CODES.index("R" + letter) - FIRST_ROOF for letter in _ORDER)

_ENTRY: Final = len("B#5>6")
"""Cells of a colour when it steps: kept free, so that choosing moves nothing."""
_ROOMY: Final = 17
"""From here on there is room for that."""


def heights(mask: int) -> list[int]:
    """The bits that are set, ascending."""
    return [height for height in range(mask.bit_length()) if mask >> height & 1]


def ladder_rows(
    view: View, names: Sequence[str], width: int, glyphs: Glyphs, picked: Choice | None = None
) -> Block:
    """`Next roof at R▲3   B●5   …`, broken between colours into as few rows as it takes. A play of
    a roof that is `picked` shows where its colour steps to: `B●5→6`."""
    rows: Block = [[Span(word, Ink.DIM)] for word in wrapped(_title(view, names), width)]
    least = _ENTRY if width >= _ROOMY else 0
    for colour in _COLOURS:
        entry = _entry(view, colour, picked, glyphs)
        if rows and cells(rows[-1]) + 1 + max(least, cells(entry)) <= width:
            rows[-1] += [Span(" "), *entry]
        else:
            rows.append(entry)
        rows[-1] = line(cells(rows[-1]) + max(0, least - cells(entry)), rows[-1])
    return [line(width, row) for row in rows]


def _entry(view: View, colour: int, picked: Choice | None, glyphs: Glyphs) -> Row:
    fits = "/".join(map(str, heights(_ladder(view)[colour]))) or "-"
    if picked is not None and _roof(picked) == FIRST_ROOF + colour:
        fits = f"{picked.height}{glyphs.step}{picked.next_height}"
    letter = roof_letter(FIRST_ROOF + colour)
    return [Span(letter + glyphs.shapes[colour], ROOFS[colour]), Span(fits, Ink.BOLD)]


def _roof(choice: Choice) -> int | None:
    return choice.action.card if isinstance(choice.action, Play) and choice.points else None


def _ladder(view: View) -> bytes:
    return view.ladder[0 if len(view.ladder) == 1 else _whose(view)]


def _whose(view: View) -> int:
    """Where each seat has a ladder, the player's own is shown; to watchers, that of the turn."""
    return view.seat if view.seat is not None else view.turn or 0


def _title(view: View, names: Sequence[str]) -> str:
    if len(view.ladder) == 1:
        return _("Next roof at")
    if view.seat is not None:
        return _("Your next roof at")
    return _("{name}: next roof at").format(name=names[_whose(view)])
