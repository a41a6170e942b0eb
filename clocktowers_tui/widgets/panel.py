"""A titled frame round widgets that belong together; the one with the focus is lit."""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final, TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.geometry import Size
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.keys.keymap import keymap_of
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import _

CORNERS: Final = 6
"""Cells of the frame's upper line beside its title."""
SCROLLS: Final = (
    bound(actions.UP, "scroll(-1)"),
    bound(actions.DOWN, "scroll(1)"),
    bound(actions.PAGE_UP, "turn(-1)"),
    bound(actions.PAGE_DOWN, "turn(1)"),
    bound(actions.FIRST, "turn(-999)"),
    bound(actions.LAST, "turn(999)"),
)
"""What is longer than its place."""


class Panel(Vertical):
    """`title` and `foot` stand in the frame itself, cut where it ends; neither is markup."""

    def __init__(
        self, title: str = "", *, id: str | None = None, classes: str = "", foot: str = ""
    ) -> None:
        super().__init__(id=id, classes=f"panel {classes}")
        self._title = title
        self._foot = foot

    def entitle(self, title: str, foot: str = "") -> None:
        self._title, self._foot = title, foot
        self._write()

    def on_resize(self, _event: Resize) -> None:
        self._write()

    def _write(self) -> None:
        room = max(0, self.outer_size.width - CORNERS)
        self.border_title = Content(fit(self._title, room))
        self.border_subtitle = Content(fit(self._foot, room))


class Flowing(Static):
    """Lines that are laid out for their width, whenever that changes."""

    def __init__(self, lines: Callable[[int], Iterable[Content | str]]) -> None:
        super().__init__("", markup=False)
        self._lines = lines

    def on_resize(self) -> None:
        self.flow()

    def flow(self) -> None:
        """They may be others now."""
        lines = (Content.from_text(line, markup=False) for line in self._lines(self.size.width))
        self.update(Content("\n").join(lines))


# Rows of text drawn in the colours and characters of a look, for the room that there is.


Rows: TypeAlias = Sequence[Sequence[tuple[str, Style]]]


class Picture(Widget):
    """Drawn for the columns and rows that there are, and in the middle of these rows; the rows
    stand where `text-align` says."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._rows: Rows = ()
        self._drawn_for: Size | None = None
        self._draw: Callable[[int, int], Rows] = lambda width, height: ()

    def draw(self, picture: Callable[[int, int], Rows]) -> None:
        self._draw, self._drawn_for = picture, None
        self.refresh()

    def _redraw(self) -> None:
        rows = self._draw(*self.size)
        rows = rows if len(rows) <= self.size.height else ()
        self._rows = [*[()] * ((self.size.height - len(rows)) // 2), *rows]
        self._drawn_for = self.size

    def render_line(self, y: int) -> Strip:
        if self._drawn_for != self.size:  # Textual does not tell of every size
            self._redraw()
        base: Style = self.rich_style
        row = self._rows[y] if y < len(self._rows) else ()
        strip = Strip([Segment(text, base + style) for text, style in row])
        if self.styles.text_align == "center":
            beside = max(0, self.size.width - strip.cell_length) // 2
            strip = Strip([Segment(" " * beside, base), *strip])
        return strip.adjust_cell_length(self.size.width, base)


# Content longer than its place: its owner scrolls it, or keys of its own do.
#
# Textual's containers have keys without ids, which no keymap reaches and which take the arrows
# away from the form around them.


class Scrolled(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Has no keys; it follows the focus, or its screen scrolls it."""

    @property
    def is_longer(self) -> bool:
        """Whether there is more than is seen."""
        return self.max_scroll_y > 0

    def action_scroll(self, lines: int) -> None:
        # At once, so that of keys that come together each counts.
        self.scroll_relative(y=lines, animate=False, immediate=True)

    def action_turn(self, pages: int) -> None:
        """A line of the page before stays in sight."""
        self.action_scroll(pages * max(1, self.size.height - 1))


class Reader(Scrolled, can_focus=True, inherit_bindings=False):
    """Lines to read; the arrows and the page keys scroll them, in one step."""

    def explain(self) -> Sequence[str]:
        keymap = keymap_of(self.app)
        keys = (actions.UP, actions.DOWN, actions.PAGE_UP, actions.PAGE_DOWN)
        return [_("A text: {keys} scroll it.").format(keys=" ".join(map(keymap.name, keys)))]

    BINDINGS: ClassVar[list[BindingType]] = [*SCROLLS]


class WholeCells(ScrollBarRender):
    """Textual's scroll bar without eighths of cells at its ends, which some fonts lack."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def bars_with(glyphs: GlyphSet) -> None:
    """Draw all scroll bars in characters of this set from now on."""
    ScrollBar.renderer = ScrollBarRender if glyphs is GlyphSet.UNICODE else WholeCells
