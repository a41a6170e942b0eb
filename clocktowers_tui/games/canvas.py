"""A board that is a rectangle of styled cells: it is drawn as a whole, repainted in parts.

Law: nothing is repainted while nobody acts, and then only those parts of lines that changed.
"""

from typing import Any, Final

from rich.segment import Segment
from rich.style import Style
from textual.actions import SkipAction
from textual.geometry import Region
from textual.strip import Strip

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.face import Board
from clocktowers_tui.games.painting import Inks
from clocktowers_tui.games.spans import Block, Row, Span, block, changed, wrapped
from clocktowers_tui.games.surviving import guarded
from clocktowers_tui.text.i18n import _

_FAILED: Final = {"actions_now": (), "explain": (), "step_back": False}
"""What a board answers when it fails; None from all its other functions."""


class Canvas(Board):
    """A `Board` that says what its cells are; the rest of drawing is done here."""

    def __init_subclass__(cls, **how: Any) -> None:
        """Guard all that is called from outside."""
        super().__init_subclass__(**how)
        for name, method in [*vars(cls).items()]:
            outside = ("show", "suggest", "drawn", "on_click", *_FAILED)
            if name in outside or name.startswith("action_"):
                setattr(cls, name, guarded(_FAILED.get(name))(method))

    ALLOW_SELECT = False
    DEFAULT_CSS = "Canvas { height: 1fr; width: 1fr; }"

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._rows: Block = []

    def inks(self) -> Inks:
        """How the inks look now."""
        raise NotImplementedError

    def drawn(self, width: int, height: int) -> Block | None:
        """`height` rows of `width` cells; None as long as there is nothing to draw."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw the board, and have the terminal repaint what changed."""
        width, height = self.size
        found = self.drawn(width, height) if width and height else None
        if found is None:
            self._rows = []
            return
        before, self._rows = self._rows, found
        if len(before) != len(self._rows):
            self.refresh()
            return
        for y, row in enumerate(self._rows):
            part = changed(row, before[y])
            if part is not None:
                self.refresh(Region(part[0], y, part[1] - part[0], 1))

    def repaint(self) -> None:
        """The same cells may look otherwise now: draw and repaint all of them."""
        self._rows = []
        self.redraw()

    def restyle(self, look: Look) -> None:
        self._look = look
        self.repaint()

    def action_back(self) -> None:
        if not self.step_back():
            raise SkipAction  # the screen's own meaning of the key

    def on_resize(self) -> None:
        self.redraw()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if y >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        inks = self.inks()
        base: Style = self.rich_style
        return Strip([Segment(text, base + inks[ink]) for text, ink in self._rows[y]], width)

    def too_small(self, game: str, least: tuple[int, int]) -> Block:
        """That the board needs `least`; in cells of the terminal, because that is what the player
        can change."""
        has, own = self.app.size, self.size
        text = _("{game} needs a terminal of {needs}, this one has {has}.").format(
            game=game,
            needs=f"{has.width - own.width + least[0]}x{has.height - own.height + least[1]}",
            has=f"{has.width}x{has.height}",
        )
        rows: list[Row] = [[Span(part)] for part in wrapped(text, own.width)]
        return block(own.width, own.height, rows)
