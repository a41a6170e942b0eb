"""What is longer than its place: moved by whoever holds it, or by keys of its own.

Textual's containers have keys without ids, which no keymap reaches and which take the arrows away
from the form around them.
"""

from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll

from clocktowers_tui import actions
from clocktowers_tui.actions import bound


class Scrolled(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Has no keys; it follows the focus, or its screen scrolls it."""


class Reader(VerticalScroll, can_focus=True, inherit_bindings=False):
    """Lines to read, moved by the arrows, or by whole pages."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.UP, "scroll_up"),
        bound(actions.DOWN, "scroll_down"),
        bound(actions.PAGE_UP, "page_up"),
        bound(actions.PAGE_DOWN, "page_down"),
        bound(actions.FIRST, "scroll_home"),
        bound(actions.LAST, "scroll_end"),
    ]
