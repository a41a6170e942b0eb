"""Rows of text drawn in the colours and characters of a look, for the room that there is."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

Rows: TypeAlias = Sequence[Sequence[tuple[str, Style]]]


class Picture(Widget):
    """Drawn for the columns and rows that there are, and in the middle of these rows; the rows
    stand where `text-align` says."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._rows: Rows = ()
        self._draw: Callable[[int, int], Rows] = lambda width, height: ()

    def draw(self, picture: Callable[[int, int], Rows]) -> None:
        self._draw = picture
        self.on_resize()

    def on_resize(self) -> None:
        if self.size.area:
            rows = self._draw(*self.size)
            rows = rows if len(rows) <= self.size.height else ()
            self._rows = [*[()] * ((self.size.height - len(rows)) // 2), *rows]
            self.refresh()

    def render_line(self, y: int) -> Strip:
        base: Style = self.rich_style
        row = self._rows[y] if y < len(self._rows) else ()
        strip = Strip([Segment(text, base + style) for text, style in row])
        if self.styles.text_align == "center":
            beside = max(0, self.size.width - strip.cell_length) // 2
            strip = Strip([Segment(" " * beside, base), *strip])
        return strip.adjust_cell_length(self.size.width, base)
