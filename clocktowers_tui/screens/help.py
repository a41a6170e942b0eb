"""Help for where the player is: what the focus is on, which keys do what, how to read the rest."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Key
from textual.widgets import Static

from clocktowers_tui.games.spans import wrapped
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.screens.bound_actions import entry
from clocktowers_tui.screens.screen import Dialog, Follows, OurScreen
from clocktowers_tui.state.store import State
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.key_line import Entry, KeyLine, Keys
from clocktowers_tui.widgets.panel import Panel
from clocktowers_tui.widgets.scrolled import Scrolled
from protocol.text import cells

_SCROLLING: Final = (
    *(actions.UP, actions.DOWN, actions.PAGE_UP, actions.PAGE_DOWN),
    *(actions.FIRST, actions.LAST),
)
_GAP: Final = 2


class Guide(NamedTuple):
    """`goal`: what the game is about. `about`: sentences on what the focus is on. `notes`: how to
    read what is drawn."""

    about: Sequence[str]
    keys: Keys
    notes: Sequence[str] = ()
    goal: Sequence[str] = ()


def guide_of(screen: OurScreen[Any]) -> Guide:
    """What a screen says of itself now."""
    return Guide(screen.about(), screen.help_keys(), screen.help_notes(), screen.goal())


class Help(Dialog[None], Follows):
    """Any key closes it, except keys that scroll what does not fit. `tell`
    says what holds now."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.UP, "scroll(-1)"),
        bound(actions.DOWN, "scroll(1)"),
        bound(actions.PAGE_UP, "turn(-1)"),
        bound(actions.PAGE_DOWN, "turn(1)"),
        bound(actions.FIRST, "turn(-99)"),
        bound(actions.LAST, "turn(99)"),
    ]

    def __init__(self, tell: Callable[[], Guide]) -> None:
        super().__init__()
        self._tell = tell
        self._guide = tell()

    def compose(self) -> ComposeResult:
        with Panel(_("Help"), classes="dialog tall"), Scrolled(id="guide"):
            yield Static("", id="body", markup=False)
        yield KeyLine()

    def show(self, state: State) -> None:
        """What was told may hold no more, as whose turn it is."""
        if (guide := self._tell()) != self._guide:
            self._guide = guide
            self.on_resize()

    def on_resize(self) -> None:
        body = self.query_one("#body", Static)
        body.update(_body(self._guide, body.size.width))
        self.call_after_refresh(self.show_keys)

    def keys(self) -> Keys:
        if not self._scrolls:
            return [Entry(_("Any key"), _("Close"))]
        return [
            entry(self.keymap, _SCROLLING[:2], _("Scroll")),
            Entry(_("Any other key"), _("Close")),
        ]

    @property
    def _scrolls(self) -> bool:
        return any(shown.max_scroll_y > 0 for shown in self.query("#guide"))

    def on_key(self, event: Key) -> None:
        keys = {key for action in _SCROLLING for key in self.keymap.keys(action)}
        if not (self._scrolls and event.key in keys):
            event.stop()
            self.dismiss()

    def action_scroll(self, by: int) -> None:
        self.query_one("#guide").scroll_relative(y=by, animate=False)

    def action_turn(self, pages: int) -> None:
        self.action_scroll(pages * max(1, self.query_one("#guide").size.height - 1))


def _body(guide: Guide, width: int) -> Content:
    """The goal first: who knows it, needs the rest less."""
    parts = (
        (_("The goal"), guide.goal),
        (_("Now"), guide.about),
        (_("Keys"), _table(guide.keys, width)),
        (_("How to read it"), guide.notes),
    )
    shown = [
        Content("\n").join([Content.styled(title, "bold $accent"), *map(Content, lines)])
        for title, lines in parts
        if lines
    ]
    return Content("\n").join(shown)


def _table(keys: Keys, width: int) -> list[str]:
    """A row for each key; two columns of them where both have room, read downwards."""
    column = max(0, (width - _GAP) // 2)
    halves = keys[: (len(keys) + 1) // 2], keys[(len(keys) + 1) // 2 :]
    rows = [_rows(half, width) for half in halves]
    if not all(cells(row) <= column for half in rows for row in half):
        return _rows(keys, width)
    left, right = rows[0], rows[1] + [""] * (len(rows[0]) - len(rows[1]))
    return [
        f"{pad(one, column)}{' ' * _GAP}{other}".rstrip()
        for one, other in zip(left, right, strict=True)
    ]


def _rows(keys: Keys, width: int) -> list[str]:
    """Words that are too long go on in their own column."""
    first = max((cells(key) for key, *_words in keys), default=0)
    rows = []
    for key, words, _press in keys:
        broken = wrapped(words, max(1, width - first - _GAP))
        for named, part in zip([key, *[""] * len(broken)], broken, strict=False):
            rows.append(f"{pad(named, first)}{' ' * _GAP}{part}")
    return rows
