"""Help for where the player is, and a palette of everything that can be done there."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Key
from textual.widgets import Input, OptionList

from clocktowers_tui.games.spans import wrapped
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.screens.bound_actions import BoundAction, Entry, KeyLine, Keys, entry
from clocktowers_tui.screens.dialogs import Dialog, typed_keys
from clocktowers_tui.screens.screen import OurScreen
from clocktowers_tui.state.store import State
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.field import TextLine
from clocktowers_tui.widgets.menu import Menu, Row
from clocktowers_tui.widgets.panel import SCROLLS, Flowing, Panel, Scrolled
from protocol.text import cells

_SCROLLING: Final = (
    *(actions.UP, actions.DOWN, actions.PAGE_UP, actions.PAGE_DOWN),
    *(actions.FIRST, actions.LAST),
)
_GAP: Final = 2


class Help(Dialog[None]):
    """What a screen says of itself. Any key closes it, except keys that scroll what does not
    fit."""

    BINDINGS: ClassVar[list[BindingType]] = [*SCROLLS]

    def __init__(self, of: OurScreen[Any]) -> None:
        super().__init__()
        self._of = of

    def compose(self) -> ComposeResult:
        with Panel(_("Help"), classes="dialog tall"), Scrolled(id="guide"):
            yield Flowing(lambda width: _body(self._of, width))
        yield KeyLine()

    def show(self, state: State) -> None:
        """What was told may hold no more, as whose turn it is."""
        for body in self.query(Flowing):  # none yet where it is about to open
            body.flow()
        self.on_resize()

    def on_resize(self) -> None:
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
        return any(shown.is_longer for shown in self.query(Scrolled))

    def on_key(self, event: Key) -> None:
        keys = {key for action in _SCROLLING for key in self.keymap.keys(action)}
        if not (self._scrolls and event.key in keys):
            event.stop()
            self.dismiss()


def _body(of: OurScreen[Any], width: int) -> Iterator[Content]:
    """The parts of the help; the goal comes first, for it explains the others."""
    parts = (
        (_("The goal"), of.goal()),
        (_("Now"), of.about()),
        (_("Keys"), _table(of.help_keys(), width)),
        (_("How to read it"), of.help_notes()),
    )
    for title, lines in parts:
        if lines:
            yield Content.styled(title, "bold $accent")
            yield from map(Content, lines)


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
    for key, words, *_rest in keys:
        broken = wrapped(words, max(1, width - first - _GAP))
        for named, part in zip([key, *[""] * len(broken)], broken, strict=False):
            rows.append(f"{pad(named, first)}{' ' * _GAP}{part}")
    return rows


# Everything the player can do here and now, found by typing a part of its name.


_MAX_TYPED: Final = 40
_WORDS_CELLS: Final = 40


class _Found(Menu, can_focus=False):
    """For the eye and the mouse: the field above keeps the focus."""


class ActionPalette(Dialog[BoundAction | None]):
    """Returns the choice, or None; never the only way to anything."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.UP, "move('cursor_up')"),
        bound(actions.DOWN, "move('cursor_down')"),
        bound(actions.PAGE_UP, "move('page_up')"),
        bound(actions.PAGE_DOWN, "move('page_down')"),
        bound(actions.BACK, "dismiss"),
        bound(actions.PALETTE, "dismiss"),
    ]

    def __init__(self, here: Sequence[BoundAction]) -> None:
        super().__init__()
        self._here = here

    def compose(self) -> ComposeResult:
        with Panel(_("What you can do here"), classes="dialog"):
            hint = _("Type a part of a name")
            yield TextLine("", id="wanted", password=False, max_length=_MAX_TYPED, hint=hint)
            yield _Found(self._rows(""), id="found")
        yield KeyLine()

    def keys(self) -> Keys:
        moves = entry(self.keymap, [actions.UP, actions.DOWN], _("Move"))
        return [moves, *typed_keys(self.keymap, _("Do it"))]

    def _rows(self, typed: str) -> list[Row]:
        found = [one for one in self._here if _matches(one, typed)]
        rows = [Row(one.action.id, f"{pad(one.words, _WORDS_CELLS)} {one.key}") for one in found]
        return rows or [Row("", _("No command matches."), enabled=False)]

    def on_input_changed(self, event: Input.Changed) -> None:
        found = self.query_one(_Found)
        found.show(self._rows(event.value))
        found.highlighted = 0 if found.at else None

    def on_input_submitted(self) -> None:
        self._choose(self.query_one(_Found).at)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._choose(event.option_id)

    def _choose(self, id: str | None) -> None:
        if chosen := next((one for one in self._here if one.action.id == id), None):
            self.dismiss(chosen)

    def action_move(self, how: str) -> None:
        self.query_one(_Found).action_move(how)


def _matches(one: BoundAction, typed: str) -> bool:
    """Every typed part stands in the words, or in the id, which is the same in every language."""
    named = f"{one.words} {one.action.id}".casefold()
    return all(part in named for part in typed.casefold().split())
