"""The rules of a game, to read and search; the same text is the documentation."""

import re
from collections.abc import Sequence
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, OptionList

from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.screens.bound_actions import entries
from clocktowers_tui.screens.screen import Dialog, OurScreen
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.text.markdown import FoundPart, FoundText, PageLine, find, lines
from clocktowers_tui.text.spelling import spelt
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.field import Field
from clocktowers_tui.widgets.key_line import KeyLine, Keys
from clocktowers_tui.widgets.menu import Menu, Row
from clocktowers_tui.widgets.panel import Panel

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
        bound(actions.LEAVE, "dismiss", N_("Close")),
        bound(actions.RULES, "dismiss", N_("Close")),
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
        bound(actions.BACK, "dismiss"),
        bound(actions.LEAVE, "dismiss", N_("Close")),
        bound(actions.CONTENTS, "dismiss", N_("Close")),
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


# A long text to read: keys and the wheel move it, and what the player searched for is reversed.
#
# One widget of lines, painted only when it moves; bold, underlined and reversed are all it needs.


_WHEEL: Final = 3
_ALL: Final = 1_000_000
_BOLD: Final = Style(bold=True)
_HEADINGS: Final = (Style(), _BOLD, Style(bold=True, underline=True), _BOLD)
_FOUND: Final = Style(reverse=True)
_AT: Final = Style(reverse=True, bold=True, underline=True)


class Reading(Widget, can_focus=True, inherit_bindings=False):
    """`top`: the line that stands first. `found`: the matches. `at`: which match the player is
    at."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.UP, "move(-1)"),
        bound(actions.DOWN, "move(1)"),
        bound(actions.PAGE_UP, "turn(-1)"),
        bound(actions.PAGE_DOWN, "turn(1)"),
        bound(actions.CHOOSE, "turn(1)"),
        bound(actions.FIRST, f"move(-{_ALL})"),
        bound(actions.LAST, f"move({_ALL})"),
    ]

    class Moved(Message):
        """Other lines are shown, or another match is selected."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._lines: Sequence[PageLine] = ()
        self.top = 0
        self.found: Sequence[FoundText] = ()
        self.at = 0

    def show(self, lines: Sequence[PageLine]) -> None:
        """Show other lines, or the same lines for another width; clears the search."""
        self._lines = lines
        self.found = ()
        self.jump(self.top)

    def find(self, wanted: str) -> None:
        """Mark every match of this text, and go to the first from here on; "" marks none."""
        self.found = find(self._lines, wanted)
        below = (n for n, match in enumerate(self.found) if match[0].line >= self.top)
        self.at = next(below, 0)
        self._go_to_match()

    def next_match(self, by: int) -> None:
        if self.found:
            self.at = (self.at + by) % len(self.found)
            self._go_to_match()

    def _go_to_match(self) -> None:
        """Scroll as little as shows the match with some lines around it."""
        top = self.top
        if self.found:
            line = self.found[self.at][0].line
            if not top <= line < top + self.size.height:
                top = line - self.size.height // 3
        self.jump(top)

    def jump(self, top: int) -> None:
        """Put this line first, as far as enough lines follow."""
        self.top = max(0, min(top, len(self._lines) - self.size.height))
        self.refresh()
        self.post_message(self.Moved())

    def action_move(self, by: int) -> None:
        self.jump(self.top + by)

    def action_turn(self, pages: int) -> None:
        self.jump(self.top + pages * max(1, self.size.height - 1))

    def on_mouse_scroll_down(self) -> None:
        self.action_move(_WHEEL)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(-_WHEEL)

    def render_line(self, y: int) -> Strip:
        number = self.top + y
        width = self.size.width
        if number >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        line = self._lines[number]
        base = self.rich_style + _HEADINGS[min(line.heading, len(_HEADINGS) - 1)]
        styles = [base] * len(line.text)
        for start, end in line.bold:
            styles[start:end] = [base + _BOLD] * (end - start)
        for n, match in enumerate(self.found):
            for part in match:
                if part.line == number:
                    _mark(styles, part, _AT if n == self.at else _FOUND)
        segments = [Segment(*pair) for pair in zip(line.text, styles, strict=True)]
        # The strip counts its own cells: a strip longer than it says stays on the screen.
        return Strip(segments).simplify().adjust_cell_length(width, self.rich_style)


def _mark(styles: list[Style], part: FoundPart, style: Style) -> None:
    styles[part.start : part.end] = [one + style for one in styles[part.start : part.end]]
