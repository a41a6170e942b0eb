"""Everything the player can do here and now, found by typing a part of its name."""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input, OptionList

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.screens.bound_actions import BoundAction, entry
from clocktowers_tui.screens.dialogs import typed_keys
from clocktowers_tui.screens.screen import Dialog
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.field import Line
from clocktowers_tui.widgets.key_line import KeyLine, Keys
from clocktowers_tui.widgets.menu import Menu, Row
from clocktowers_tui.widgets.panel import Panel

_MAX_TYPED: Final = 40
_WORDS_CELLS: Final = 40
_NOTHING: Final = Row("", "", enabled=False)


class _Found(Menu, can_focus=False):
    """For the eye and the mouse: the field above keeps the focus."""


class ActionPalette(Dialog[BoundAction | None]):
    """Returns the choice, or None; never the only way to anything."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.UP, "move('cursor_up')"),
        bound(actions.DOWN, "move('cursor_down')"),
        bound(actions.PAGE_UP, "move('page_up')"),
        bound(actions.PAGE_DOWN, "move('page_down')"),
        bound(actions.BACK, "close"),
        bound(actions.PALETTE, "close"),
    ]

    def __init__(self, here: Sequence[BoundAction]) -> None:
        super().__init__()
        self._here = here

    def compose(self) -> ComposeResult:
        with Panel(_("What you can do here"), classes="dialog"):
            hint = _("Type a part of a name")
            yield Line("", id="wanted", password=False, max_length=_MAX_TYPED, hint=hint)
            yield _Found(self._rows(""), id="found")
        yield KeyLine()

    def keys(self) -> Keys:
        moves = entry(self.keymap, [actions.UP, actions.DOWN], _("Move"))
        return [moves, *typed_keys(self.keymap, _("Do it"))]

    def _rows(self, typed: str) -> list[Row]:
        found = [one for one in self._here if _matches(one, typed)]
        rows = [Row(one.id, f"{pad(one.words, _WORDS_CELLS)} {one.key}") for one in found]
        return rows or [_NOTHING._replace(text=_("No command here has that name."))]

    def on_input_changed(self, event: Input.Changed) -> None:
        found = self.query_one(_Found)
        found.show(self._rows(event.value))
        found.highlighted = 0 if found.at else None

    def on_input_submitted(self) -> None:
        self._choose(self.query_one(_Found).at)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._choose(event.option_id)

    def _choose(self, id: str | None) -> None:
        if chosen := next((one for one in self._here if one.id == id), None):
            self.dismiss(chosen)

    def action_move(self, how: str) -> None:
        getattr(self.query_one(_Found), f"action_{how}")()

    def action_close(self) -> None:
        self.dismiss(None)


def _matches(one: BoundAction, typed: str) -> bool:
    """Every typed part stands in the words, or in the id, which is the same in every language."""
    named = f"{one.words} {one.id}".casefold()
    return all(part in named for part in typed.casefold().split())
