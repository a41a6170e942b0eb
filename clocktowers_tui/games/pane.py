"""A part of a board as a widget: it draws one `Part`, takes its own clicks, repaints what changed;
and the guard of everything that draws a view.

Law: nothing is repainted while nobody acts, and then only those parts of lines that changed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, Generic

from rich.segment import Segment
from textual import events
from textual.actions import SkipAction
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from clocktowers_tui.config.files import failure, note
from clocktowers_tui.games.motion import Playing
from clocktowers_tui.games.painting import Inks
from clocktowers_tui.games.parts import Part, Sight
from clocktowers_tui.games.spans import Block, Rect, changed, lit
from clocktowers_tui.text.i18n import language

# A board that fails is told of, and the client goes on. A server may be broken, newer than this
# client, or lying: then values of its views contradict each other, and drawing them fails, in any
# of these methods.


_ANSWERS: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("show", "redraw", "suggest", "guide", "seek", "hide")),
    **dict.fromkeys(("on_resize", "on_pane_picked", "take", "hint")),
    **dict.fromkeys(("explain", "goal", "legend", "actions_now"), ()),
    **dict.fromkeys(("aside", "follows", "put_right"), ""),
    "step_back": False,
    "arranged": {},
    "under": None,
}
"""The guarded methods, beside all actions, and what they answer when they fail."""


class Guarded(Widget):
    """A widget that draws what a server tells."""

    class Failed(Message):
        """The view cannot be shown."""

    def __init_subclass__(cls, **how: Any) -> None:
        super().__init_subclass__(**how)
        for name, method in [*vars(cls).items()]:
            if name in _ANSWERS or name.startswith("action_"):
                setattr(cls, name, _guarded(method, _ANSWERS.get(name)))


def _guarded(method: Callable[..., Any], answer: Any) -> Callable[..., Any]:
    @wraps(method)
    def run(self: Guarded, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        except SkipAction:
            raise
        except Exception as error:
            survive(error)
            self.post_message(Guarded.Failed())
            return answer

    return run


def survive(error: Exception) -> None:
    """Write what failed into the log."""
    note(f"board: {failure(error)}")


class Pane(Guarded, Generic[Sight]):
    """Data go down (`show`), clicks come up (`Picked`). A game gives its panes names of their own:
    `class Hand(Pane[Sight])`."""

    ALLOW_SELECT = False

    lit = reactive(False, toggle_class="-lit", repaint=False)
    """A lesson speaks of this part: its edge is loud."""

    @dataclass
    class Picked(Message):
        """The player clicked on `hit`."""

        hit: Any

    def __init__(self, part: Part[Sight], *, id: str) -> None:
        super().__init__(id=id)
        self._part = part
        self._sight: Sight | None = None
        self._inks: Inks = {}
        self._rows: Block = []
        self._spoken = ""
        """The language of these rows."""
        self._playing: Playing | None = None

    def show(self, sight: Sight, inks: Inks, playing: Playing | None = None) -> None:
        """Draw this, with what is `playing` here, and have the terminal repaint what changed."""
        if inks is not self._inks or language() != self._spoken:
            self._inks, self._spoken, self._rows = inks, language(), []
        before, still = self._sight, playing is None is self._playing
        self._sight, self._playing = sight, playing
        if not (still and self._rows and before and self._part.same(before, sight)):
            self.redraw()

    def watch_lit(self) -> None:
        self.redraw()

    def on_resize(self) -> None:
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        hit = self.under(event.x, event.y)
        if hit is not None:
            self.post_message(self.Picked(hit))

    def under(self, x: int, y: int) -> Any:
        return None if self._sight is None else self._part.under(self._sight, self.size, (x, y))

    def redraw(self) -> None:
        sight = self._sight
        place = None if sight is None else sight.places.get(self.id or "")
        if sight is None or place is None:
            return
        rows = self._part.drawn(sight, Size(place.width, place.height))
        rows = lit(rows) if self.lit else rows
        rows = self._playing.on(rows, self._inks, place) if self._playing else rows
        before, self._rows = self._rows, rows
        moves = self.size != (place.width, place.height)
        if moves or len(before) != len(self._rows):
            self.refresh()  # all of it: at its new size it must not show what it showed before
            return
        for y, row in enumerate(self._rows):
            part = changed(row, before[y])
            if part is not None:
                self.refresh(Region(part[0], y, part[1] - part[0], 1))

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        base: Any = self.rich_style
        if y >= len(self._rows):
            return Strip.blank(width, base)
        inks = self._inks
        return Strip([Segment(text, base + inks[ink]) for text, ink in self._rows[y]], width)


class Plan(Layout):
    """Panes stand where the game's own arithmetic puts them; those without a place are hidden."""

    name = "plan"

    def __init__(self, places: Callable[[Size], Mapping[str, Rect]]) -> None:
        self._places = places

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        places = self._places(size)
        return [
            WidgetPlacement(Region(*place), NULL_OFFSET, NULL_SPACING, child)
            for child in children
            if (place := places.get(child.id or "")) is not None
        ]
