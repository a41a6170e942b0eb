"""A list to choose from, with arrows or hjkl; it keeps its place when its rows change."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, NamedTuple

from textual.actions import SkipAction
from textual.binding import BindingType
from textual.content import Content
from textual.style import Style
from textual.visual import Visual
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.keys.keymap import keymap_of
from clocktowers_tui.text.i18n import N_, _


class Row(NamedTuple):
    """`text` is clean and is never markup. A row that is not `enabled` can only be read. `key` does
    the same, and stands before it. `styled`: the text with its colours."""

    id: str
    text: str
    enabled: bool = True
    key: str = ""
    styled: Content | None = None

    @property
    def prompt(self) -> Content:
        words = self.styled or Content(self.text)
        return Content.assemble((f"{self.key}  ", "bold"), words) if self.key else words


class Menu(OptionList, inherit_bindings=False):
    """Posts OptionList.OptionSelected with the row's id."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.UP, "move('cursor_up')"),
        bound(actions.DOWN, "move('cursor_down')"),
        bound(actions.RIGHT, "select", N_("Choose")),
        bound(actions.CHOOSE, "select"),
        bound(actions.CONFIRM, "select"),
        bound(actions.FIRST, "move('first')"),
        bound(actions.LAST, "move('last')"),
        bound(actions.PAGE_UP, "move('page_up')"),
        bound(actions.PAGE_DOWN, "move('page_down')"),
    ]

    def __init__(self, rows: Sequence[Row] = (), *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self.moved = False
        """The player has moved the cursor."""
        self._rows: tuple[Row, ...] = ()
        self.show(rows)

    def explain(self) -> Sequence[str]:
        if not any(row.enabled for row in self._rows):
            return []
        keymap = keymap_of(self.app)
        sentence = _("A list: {up} and {down} move, {confirm} chooses.")
        return [
            sentence.format(
                up=keymap.name(actions.UP),
                down=keymap.name(actions.DOWN),
                confirm=keymap.name(actions.CONFIRM),
            )
        ]

    def get_visual_style(self, *component_classes: str, partial: bool = False) -> Style:
        """Textual forgets `reverse` here, and a cursor without colours has nothing else."""
        style = super().get_visual_style(*component_classes, partial=partial)
        cursor = "option-list--option-highlighted" in component_classes and (
            self.has_focus or not self.can_focus
        )
        return replace(style, reverse=True) if cursor and self.app.native_ansi_color else style

    def _get_visual(self, option: Option) -> Visual:
        """The cursor's row has its colours alone: no others could be read on them."""
        bare = self.has_focus and option is self.highlighted_option
        return Content(str(option.prompt)) if bare else super()._get_visual(option)

    def action_move(self, how: str) -> None:
        """A key that moves nothing (past the end, or with a single row) is the screen's."""
        before = self.highlighted
        getattr(self, f"action_{how}")()
        if self.highlighted == before:
            raise SkipAction
        self.moved = True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where there is nothing to choose, the keys that choose are the screen's."""
        at = self.highlighted_option
        return action != "select" or (at is not None and not at.disabled)

    @property
    def at(self) -> str | None:
        """The id of the row under the cursor."""
        option = self.highlighted_option
        return None if option is None else option.id

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows; paints nothing when they are the same."""
        rows = tuple(rows)
        if rows == self._rows:
            return
        if [row.id for row in rows] == [row.id for row in self._rows]:
            self._show_changed(rows)
        else:
            self._show_all(rows)
        self._rows = rows
        self.refresh_bindings()

    def _show_changed(self, rows: tuple[Row, ...]) -> None:
        for index, (row, old) in enumerate(zip(rows, self._rows, strict=True)):
            if row.prompt != old.prompt:
                self.replace_option_prompt_at_index(index, row.prompt)
            if row.enabled and not old.enabled:
                self.enable_option_at_index(index)
            elif old.enabled and not row.enabled:
                self.disable_option_at_index(index)

    def _show_all(self, rows: tuple[Row, ...]) -> None:
        at, index = self.at, self.highlighted or 0
        self.set_options([Option(row.prompt, id=row.id, disabled=not row.enabled) for row in rows])
        ids = [row.id for row in rows]
        if at in ids:
            self.highlighted = ids.index(at)
        elif any(row.enabled for row in rows):
            self.highlighted = min(index, len(rows) - 1)
            if not rows[self.highlighted].enabled:
                self.action_cursor_down()


class BoundedMenu(Menu):
    """Past the first and the last row the arrows lead out, not around."""

    def action_move(self, how: str) -> None:
        if (how, self.highlighted) in (("cursor_up", 0), ("cursor_down", self.option_count - 1)):
            raise SkipAction
        super().action_move(how)


class Column(BoundedMenu, inherit_bindings=False):
    """A menu at home: left and right go to the next beside it and choose nothing, and a letter that
    moves elsewhere opens a lesson."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(one for one in Menu.BINDINGS if getattr(one, "id", "") != actions.RIGHT.id),
        bound(actions.LEFT, "beside(-1)"),
        bound(actions.HOME_RIGHT, "beside(1)"),
    ]

    def action_beside(self, by: int) -> None:
        columns = [self, *(one for one in self.siblings if isinstance(one, Column))]
        columns.sort(key=lambda one: one.region.x)
        at = columns.index(self) + by
        if not 0 <= at < len(columns):
            raise SkipAction
        columns[at].highlighted = min(self.highlighted or 0, columns[at].option_count - 1)
        columns[at].focus()
