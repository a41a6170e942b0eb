"""A screen that is styled and painted once for everything that changes it at the same moment.

Textual paints the first change at once and the rest of what a key leads to a frame later; it paints
after each layout, of which a new screen goes through several before it says anything, and styles
all its widgets again when it comes up.
"""

from functools import lru_cache, partial
from typing import Any, Final, TypeVar

from textual._styles_cache import StylesCache
from textual.events import ScreenResume
from textual.geometry import Size
from textual.screen import Screen

Result = TypeVar("Result")

_inner_outer: Any = StylesCache.get_inner_outer
GROUNDS: Final[Any] = lru_cache(1024)(partial(_inner_outer.__wrapped__, None))
"""Textual's two backgrounds of a widget, remembered by their colours alone."""


def forget_closed_widgets() -> None:
    """Textual remembers these backgrounds by widget, too, and so keeps what the last 1024 widgets
    have painted: more than 60 MB."""
    setattr(StylesCache, "get_inner_outer", staticmethod(GROUNDS))  # noqa: B010


class PaintedOnce(Screen[Result]):
    """Its paints come a frame after the first change, and show what has changed by then; the
    very first of the program does not wait."""

    _holding = False
    """A layout is under way."""
    _due = False
    """A layout has waited to be painted."""
    _styled_for: Any = None
    """The app's look when the styles of all widgets were last right."""

    def _on_screen_resume(self, event: ScreenResume) -> None:
        look = getattr(self.app, "look", None)
        event.refresh_styles = self._styled_for not in (None, look)
        self._styled_for = look

    def _on_screen_suspend(self) -> None:
        self._styled_for = getattr(self.app, "look", None)

    def _screen_resized(self, size: Size) -> None:
        if size != self._compositor.size:
            super()._screen_resized(size)

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        held, self._holding = self._holding, True
        super()._refresh_layout(size, scroll)
        self._holding = held
        if self._due:
            self._update_timer.resume()

    def before_paint(self) -> None:
        """Bring up to date what need not follow each change."""

    def _on_timer_update(self) -> None:
        self.before_paint()
        for widget in self._compositor.visible_widgets:
            if widget._repaint_required:  # which its own loop would tell us too late
                widget._repaint_required = False
                self._dirty_widgets.add(widget)
        self._holding = True
        super()._on_timer_update()
        self._holding = False
        if self._due and self.is_current and not self.app._batch_count:
            self._due = False
            super()._compositor_refresh()
        self._update_timer.reset()  # the next paint is a whole frame after the next change
        self._update_timer.pause()

    def _compositor_refresh(self) -> None:
        if self._holding and self.app._dom_ready:
            self._due = True
        else:
            super()._compositor_refresh()
