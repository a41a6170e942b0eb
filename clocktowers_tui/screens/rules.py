"""The rules of a game, to read and search; the same text is the documentation."""

import re
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input, OptionList

from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.screens.bound_actions import entries
from clocktowers_tui.screens.screen import Dialog, OurScreen
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.text.markdown import PageLine, lines
from clocktowers_tui.text.spelling import spelt
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.field import Field
from clocktowers_tui.widgets.key_line import KeyLine, Keys
from clocktowers_tui.widgets.menu import Menu, Row
from clocktowers_tui.widgets.panel import Panel
from clocktowers_tui.widgets.reading import Reading

_WIDEST: Final = 100
"""Longer lines are hard to read, however wide the terminal is."""
_SEARCH: Final = "wanted"
_MARK: Final = re.compile(r"\*\*\[\w+\]\*\*")
"""What is the project's own: **[ours]** in the documentation, here a star, which disturbs less."""


class RulesScreen(OurScreen[None]):
    """Esc clears the search first, then closes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.SEARCH, "search", shown=True),
        bound(actions.NEXT_MATCH, "next(1)", shown=True),
        bound(actions.PREVIOUS_MATCH, "next(-1)"),
        bound(actions.CONTENTS, "contents", shown=True),
        bound(actions.BACK, "back", shown=True),
        bound(actions.LEAVE, "close", N_("Close")),
        bound(actions.RULES, "close", N_("Close")),
    ]

    def __init__(self, face: Face) -> None:
        super().__init__()
        self._face = face
        self._lines: list[PageLine] = []

    def compose(self) -> ComposeResult:
        yield Banner(id="banner")
        yield Reading(id="rules")
        yield Field(_("Search for"), id=_SEARCH, hint=_("Enter keeps it, Esc clears it"))
        yield KeyLine()

    def on_mount(self) -> None:
        super().on_mount()
        self._typing(False)

    def on_resize(self) -> None:
        self.call_after_refresh(self._fill)

    async def say_again(self) -> None:
        section = self._section(self.query_one(Reading).top)
        await super().say_again()
        self._typing(False)
        self.call_after_refresh(self._fill, section)

    def _fill(self, section: int | None = None) -> None:
        """Lay out the text in lines of this width; the section in view stays, or becomes this
        section."""
        reading = self.query_one(Reading)
        if section is None:
            section = self._section(reading.top)
        text = _MARK.sub(r"\\*", spelt(self._face.rules()))
        self._lines = lines(text, min(_WIDEST, reading.size.width))
        reading.show(self._lines)
        reading.find(self._wanted)
        if section is not None:
            reading.jump([n for n, line in enumerate(self._lines) if line.heading][section])

    def _section(self, top: int) -> int | None:
        """Which heading stands above line `top`, counted from 0; None at the beginning."""
        above = sum(1 for line in self._lines[: top + 1] if line.heading)
        return above - 1 if top and above else None

    # Searching ----------------------------------------------------------------------------------

    @property
    def _wanted(self) -> str:
        return self.query_one(f"#{_SEARCH}", Input).value

    def _typing(self, typing: bool) -> None:
        self.query_one(Field).display = typing
        self.query_one(f"#{_SEARCH}" if typing else "#rules").focus()

    def action_search(self) -> None:
        self._typing(True)

    def on_input_changed(self, event: Input.Changed) -> None:
        self.query_one(Reading).find(event.value)
        self.refresh_bindings()

    def on_input_submitted(self) -> None:
        self._typing(False)

    def action_next(self, by: int) -> None:
        self.query_one(Reading).next_match(by)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "next" or bool(self.query_one(Reading).found)

    def action_back(self) -> None:
        if self._wanted or isinstance(self.focused, Input):
            self.query_one(f"#{_SEARCH}", Input).value = ""
            self._typing(False)
        else:
            self.dismiss()

    def action_close(self) -> None:
        self.dismiss()

    # Where the player is ------------------------------------------------------------------------

    def on_reading_moved(self) -> None:
        reading = self.query_one(Reading)
        if self._wanted:
            at = reading.at + 1 if reading.found else 0
            where = _("{n} of {total}").format(n=at, total=len(reading.found))
        else:
            last = max(1, len(self._lines) - reading.size.height)
            where = f"{100 * min(reading.top, last) // last}%"
        self.query_one(Banner).show([_("Rules"), title_of(self._face.game)], where)

    def action_contents(self) -> None:
        found = [(n, line) for n, line in enumerate(self._lines) if line.heading]
        rows = [Row(str(n), "  " * (line.heading - 1) + line.text) for n, line in found]
        self.app.push_screen(Contents(rows, self._section(self.query_one(Reading).top)), self._jump)

    def _jump(self, line: int | None) -> None:
        if line is not None:
            self.query_one(Reading).jump(line)


class Contents(Dialog[int | None]):
    """The headings; returns the line of the chosen heading."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.BACK, "close"),
        bound(actions.LEAVE, "close", N_("Close")),
        bound(actions.CONTENTS, "close", N_("Close")),
    ]

    def __init__(self, rows: list[Row], at: int | None) -> None:
        super().__init__()
        self._rows = rows
        self._at = at

    def compose(self) -> ComposeResult:
        with Panel(_("Contents"), classes="dialog tall"):
            yield Menu(self._rows)
        yield KeyLine()

    def keys(self) -> Keys:
        go = ((actions.CONFIRM,), _("Go there"))
        return entries(self.keymap, [go, ((actions.BACK,), _("Close"))])

    def on_mount(self) -> None:
        self.query_one(Menu).highlighted = self._at or 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(int(event.option_id or 0))

    def action_close(self) -> None:
        self.dismiss(None)
