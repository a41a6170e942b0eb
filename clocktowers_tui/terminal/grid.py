"""What the terminal shall show, what it shows, and the shortest way from one to the other.

Textual repaints whole regions; the grid sends the cells that differ. Laws:
- Frames hold text that strangers wrote: only cells come out of them. The grid drops and counts
  control characters.
- What the client itself has to say (modes, titles, the bell) goes through `tell` and is sent
  unchanged, in order, before the cells.
- After `?1049h`, or a new size, the grid assumes nothing about what the terminal shows.
- Outside the alternate screen it sends no cell.
- Line wrap must be off: the last column is written to like any other.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from rich.segment import Segment

from clocktowers_tui.config.look import Colours
from clocktowers_tui.terminal.pen import (
    BLANK,
    UNKNOWN,
    Cursor,
    Line,
    Pen,
    Run,
    Style,
    combine,
    fitted,
    put,
    runs,
    styled,
)
from protocol.text import cells_of

SYNC_START: Final = "\x1b[?2026h"
SYNC_END: Final = "\x1b[?2026l"
FULL_SCREEN: Final = "\x1b[?1049h"
SCREEN_BACK: Final = "\x1b[?1049l"
_TRIVIAL: Final = 64
"""A frame of fewer characters is painted at once anyway."""


class Grid:
    """`feed` it every frame that Textual paints; send what `flush` returns. `erases`: see `Pen`.
    `dropped`: how many control characters the grid has dropped."""

    def __init__(
        self, width: int, height: int, colours: Colours = Colours.TRUE, *, erases: bool = False
    ) -> None:
        self._colours = colours
        self._wanted: list[Line] = []
        self._shown: list[Line] = []
        self._dirty: set[int] = set()
        self._column = 0
        self._row = 0
        self._pen = Pen(erases=erases)
        self._told: list[str] = []
        self.dropped = 0
        self._full_screen = False
        self._syncs = False
        self._placed = False
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """The terminal has a new size; what it shows now is unknown."""
        lines = [fitted(line, width) for line in self._wanted[:height]]
        self._wanted = lines + [[BLANK] * width for _ in range(height - len(lines))]
        self._width, self._height = width, height
        self._row = min(self._row, height - 1)
        self._forget()

    def limit(self, colours: Colours) -> None:
        """Send no more than these colours from now on."""
        self._colours = colours
        self._dirty = set(range(self._height))

    def _forget(self) -> None:
        self._shown = [[UNKNOWN] * self._width for _ in range(self._height)]
        self._dirty = set(range(self._height))
        self._pen.lose()

    # What the client itself says ------------------------------------------------------------------

    def tell(self, ours: str) -> None:
        """Send this unchanged. It must hold nothing that strangers wrote."""
        if ours in (SYNC_START, SYNC_END):
            self._syncs = True
            return
        self._told.append(ours)
        if FULL_SCREEN in ours or SCREEN_BACK in ours:
            self._full_screen = FULL_SCREEN in ours
            self._forget()

    # What Textual paints -------------------------------------------------------------------------

    def feed(self, frame: Iterable[Segment]) -> None:
        """Take a frame into the wanted cells; it says where each of its lines begins."""
        for text, style, control in frame:
            if control is None:
                self._draw(text, styled(style))
            for _move, *place in control or ():
                self.place(*map(int, place))

    def place(self, column: int, row: int) -> None:
        """What is drawn next stands there, or else the cursor."""
        self._row = min(max(row, 0), self._height - 1)
        self._column = min(max(column, 0), self._width - 1)
        self._placed = True

    def _draw(self, text: str, style: Style) -> None:
        line = self._wanted[self._row]
        self._dirty.add(self._row)
        if _one_cell_each(text):
            put(line, self._column, text[: max(0, self._width - self._column)], style)
            self._column += len(text)
            return
        for char in text:
            if (cells := cells_of(char)) == 2 and self._column + 1 < self._width:
                put(line, self._column, [char, ""], style)
            elif cells < 0 or char == "\0":
                self.dropped += char != "\n"  # Textual's, between two lines
            elif cells == 0:
                combine(line, self._column, char)
            elif self._column < self._width:
                put(line, self._column, char if cells == 1 else " ", style)
            self._column += max(0, cells)

    def text(self) -> list[str]:
        """The characters of each line that shall be seen."""
        return ["".join(char for char, _style in line) for line in self._wanted]

    # What the terminal is sent -------------------------------------------------------------------

    def flush(self) -> str:
        """The bytes that make the terminal show what it shall; "" when it does already."""
        told, cells = "".join(self._told), ""
        if any(ours != "\x07" and ours[:2] != "\x1b]" for ours in self._told):
            self._pen.lose_place()  # this may have moved the cursor
        self._told.clear()
        if self._full_screen:
            cells = self._differences()
        if self._syncs and len(cells) > _TRIVIAL:
            cells = SYNC_START + cells + SYNC_END
        return told + cells

    def _differences(self) -> str:
        found: list[Run] = []
        for row in sorted(self._dirty):
            found += runs(row, self._wanted[row], self._shown[row], self._colours)
        self._dirty.clear()
        cells = self._pen.draw(found)
        if cells or self._placed:
            # Input methods open their windows at the cursor, though it is hidden.
            cells += self._pen.go(Cursor(self._row, min(self._column, self._width - 1)))
        self._placed = False
        return cells


@lru_cache(maxsize=8192)
def _one_cell_each(text: str) -> bool:
    return text.isprintable() and (text.isascii() or all(cells_of(char) == 1 for char in text))
