"""Help for where the player is: what the focus is on, which keys do what, how to read the rest."""

from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Key
from textual.widgets import Static

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.screens.screen import Dialog
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.key_line import Keys
from clocktowers_tui.widgets.scrolled import Scrolled
from protocol.text import cells

_SCROLLING: Final = (
    *(actions.UP, actions.DOWN, actions.PAGE_UP, actions.PAGE_DOWN),
    *(actions.FIRST, actions.LAST),
)
_GAP: Final = 2


class Guide(NamedTuple):
    """`about`: sentences on what the focus is on. `notes`: lines below the keys."""

    about: Sequence[str]
    keys: Keys
    notes: Sequence[str] = ()


class Help(Dialog[None]):
    """Any key closes it, except keys that scroll what does not fit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.UP, "scroll(-1)"),
        bound(actions.DOWN, "scroll(1)"),
        bound(actions.PAGE_UP, "turn(-1)"),
        bound(actions.PAGE_DOWN, "turn(1)"),
        bound(actions.FIRST, "turn(-99)"),
        bound(actions.LAST, "turn(99)"),
    ]

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._guide = guide

    def compose(self) -> ComposeResult:
        with Scrolled(id="guide", classes="dialog tall"):
            yield Static("", id="title", markup=False)
            yield Static("", id="body", markup=False)

    def on_resize(self) -> None:
        body = _body(self._guide, self.query_one("#body").size.width)
        self.query_one("#body", Static).update(Content(body))
        self.call_after_refresh(self._show_title)

    def _show_title(self) -> None:
        closes = _("Any key closes this.")
        if self._scrolls:
            closes = _("Arrows scroll, any other key closes this.")
        title = Content.assemble((_("Help"), "bold"), "  ", (closes, "dim"))
        self.query_one("#title", Static).update(title)

    @property
    def _scrolls(self) -> bool:
        return self.query_one("#guide").max_scroll_y > 0

    def on_key(self, event: Key) -> None:
        keys = {key for action in _SCROLLING for key in self.keymap.keys(action)}
        if not (self._scrolls and event.key in keys):
            event.stop()
            self.dismiss()

    def action_scroll(self, by: int) -> None:
        self.query_one("#guide").scroll_relative(y=by, animate=False)

    def action_turn(self, pages: int) -> None:
        self.action_scroll(pages * max(1, self.query_one("#guide").size.height - 1))


def _body(guide: Guide, width: int) -> str:
    parts = (guide.about, _table(guide.keys, width), guide.notes)
    return "\n\n".join("\n".join(part) for part in parts if part)


def _table(keys: Keys, width: int) -> list[str]:
    """A row for each key; two columns of them where both have room, read downwards."""
    column = max(0, (width - _GAP) // 2)
    halves = keys[: (len(keys) + 1) // 2], keys[(len(keys) + 1) // 2 :]
    rows = [_rows(half) for half in halves]
    if not all(cells(row) <= column for half in rows for row in half):
        return _rows(keys)
    left, right = rows[0], rows[1] + [""] * (len(rows[0]) - len(rows[1]))
    return [
        f"{pad(one, column)}{' ' * _GAP}{other}".rstrip()
        for one, other in zip(left, right, strict=True)
    ]


def _rows(keys: Keys) -> list[str]:
    width = max((cells(key) for key, *_words in keys), default=0)
    return [f"{pad(key, width)}  {words}" for key, words, _press in keys]
