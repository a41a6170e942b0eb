"""Content longer than its place: its owner scrolls it, or keys of its own do.

Textual's containers have keys without ids, which no keymap reaches and which take the arrows away
from the form around them.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.scrollbar import ScrollBar, ScrollBarRender

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.keys.keymap import keymap_of
from clocktowers_tui.text.i18n import _


class Scrolled(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Has no keys; it follows the focus, or its screen scrolls it."""


class Reader(VerticalScroll, can_focus=True, inherit_bindings=False):
    """Lines to read; the arrows and the page keys scroll them."""

    def explain(self) -> Sequence[str]:
        keymap = keymap_of(self.app)
        keys = (actions.UP, actions.DOWN, actions.PAGE_UP, actions.PAGE_DOWN)
        return [_("A text: {keys} scroll it.").format(keys=" ".join(map(keymap.name, keys)))]

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.UP, "scroll_up"),
        bound(actions.DOWN, "scroll_down"),
        bound(actions.PAGE_UP, "page_up"),
        bound(actions.PAGE_DOWN, "page_down"),
        bound(actions.FIRST, "scroll_home"),
        bound(actions.LAST, "scroll_end"),
    ]


class WholeCells(ScrollBarRender):
    """Textual's scroll bar without eighths of cells at its ends, which some fonts lack."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def bars_with(glyphs: GlyphSet) -> None:
    """Draw all scroll bars in characters of this set from now on."""
    ScrollBar.renderer = ScrollBarRender if glyphs is GlyphSet.UNICODE else WholeCells
