"""Points as tables: the player's own with what the tile in hand adds, and everybody's at the
end."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from clocktowers_tui.games.architetti_attenti import preview
from clocktowers_tui.games.architetti_attenti.choosing import Selection
from clocktowers_tui.games.architetti_attenti.inks import Ink
from clocktowers_tui.games.architetti_attenti.preview import PARTS
from clocktowers_tui.games.architetti_attenti.words import part_title
from clocktowers_tui.games.spans import Block, Row, Span, cut, line
from protocol.games.architetti_attenti import Parts, View

_TITLE: Final = 10
_NUMBER: Final = 5
_ALL: Final = (*PARTS, "total")
ROWS: Final = len(_ALL)


def own_table(view: View, seat: int, selection: Selection | None) -> Block:
    """A row a kind, `ROWS` in all: what a seat has, and, with a selection, what the tile in hand
    would change."""
    now = preview.points(view, seat)
    then = None if selection is None else preview.with_ghost(view, selection)
    return [list(_own_row(part, now, then)) for part in _ALL]


def _own_row(part: str, now: Parts, then: Parts | None) -> Iterator[Span]:
    ink = Ink.BOLD if part == "total" else None
    yield from line(_TITLE, [Span(part_title(part), ink)])
    yield Span(str(getattr(now, part)).rjust(_NUMBER), ink)
    gain = 0 if then is None else getattr(then, part) - getattr(now, part)
    if gain or (then is not None and part == "total"):
        yield Span(f"{gain:+}".rjust(_NUMBER), Ink.TURN)


def all_table(view: View, seats: Sequence[int], names: Sequence[str], width: int) -> Block:
    """A column a seat, in this order: `ROWS` rows below the names."""
    room = min(12, (width - _TITLE) // len(seats))
    head: Row = [Span(" " * _TITLE)]
    head += [Span(_right(names[seat], room), Ink.DIM) for seat in seats]
    rows: Block = [head]
    columns = [preview.points(view, seat) for seat in seats]
    for part in _ALL:
        ink = Ink.BOLD if part == "total" else None
        numbers = "".join(str(getattr(column, part)).rjust(room) for column in columns)
        rows.append([*line(_TITLE, [Span(part_title(part), ink)]), Span(numbers, ink)])
    return rows


def _right(name: str, room: int) -> str:
    """Cut so that a blank is left of it."""
    shown = cut(name, room - 1)
    return " " * (room - cell_len(shown)) + shown
