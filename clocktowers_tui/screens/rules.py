"""The rules of a game, to read and search; the same text is the documentation."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import count, zip_longest
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.style import Style
from textual.widgets import Input, Static

from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.screens.bound_actions import KeyLine
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.screen import OurScreen
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.text.markdown import TextBlock, blocks
from clocktowers_tui.text.spelling import spelt
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.field import Field
from clocktowers_tui.widgets.menu import Menu, Row
from clocktowers_tui.widgets.panel import Reader
from protocol.text import cells

_WIDEST: Final = 100
"""Longer lines are hard to read, however wide the terminal is."""
_SEARCH: Final = "wanted"
_MARK: Final = re.compile(r"\*\*\[\w+\]\*\*")
"""What is the project's own: **[ours]** in the documentation, here a star, which disturbs less."""


class RulesScreen(OurScreen[None]):
    """Esc clears the search first, then closes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.CHOOSE, "turn(1)"),
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
        self._text: Sequence[TextBlock] = ()
        """Taken apart when it is first shown in a language."""
        self._page = LaidOut([], 0)
        self._before: int | None = None
        """The section in view when the language changed."""
        self._at = 0
        """Which match of the search the player is at."""

    def compose(self) -> ComposeResult:
        yield Banner()
        with Reader(id="rules"):
            yield Static(id="text", markup=False)
        yield Field(_("Search for"), id=_SEARCH, hint=_("Enter keeps it, Esc clears it"))
        yield KeyLine()

    def begin(self) -> None:
        self._typing(False)
        self.watch(self._reading, "scroll_y", self._say_where)

    def on_resize(self) -> None:
        self.call_after_refresh(self._fill)

    async def say_again(self) -> None:
        self._before = self._section
        self._text, self._page = (), LaidOut([], 0)
        await super().say_again()

    @property
    def _reading(self) -> Reader:
        return self.query_one(Reader)

    @property
    def _top(self) -> int:
        """The line that stands first."""
        return self._reading.scroll_offset.y

    def _fill(self) -> None:
        """Lay out the text for another width or language; the section in view stays."""
        if self._room == self._page.width:
            self._say_where()  # there may be more lines in view, or fewer
            return
        section = self._section if self._text else self._before
        self._lay_out()
        self._show()
        if section is not None:
            line, _block = self._page.headings[section]  # when the text has its new height
            self.call_after_refresh(self._reading.scroll_to, y=line, animate=False)

    def _lay_out(self) -> None:
        if not self._text:
            self._text = blocks(_MARK.sub(r"\\*", spelt(self._face.rules())))
        self._page = LaidOut(self._text, self._room, self._wanted)

    @property
    def _room(self) -> int:
        """Cells of a line."""
        return min(_WIDEST, self._reading.scrollable_content_region.width)

    def _show(self) -> None:
        lines = self._page.with_match(self._at)
        self.query_one("#text", Static).update(Content("\n").join(lines))
        self._say_where()

    @property
    def _section(self) -> int | None:
        """Which heading stands above the first line in view, counted from 0; None at the
        beginning."""
        top = self._top
        above = sum(1 for line, _block in self._page.headings if line <= top)
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

    def on_input_changed(self) -> None:
        """Go to the first match from here on."""
        self._lay_out()
        below = (n for n, line in enumerate(self._page.found) if line >= self._top)
        self._go_to(next(below, 0))
        self.refresh_bindings()

    def on_input_submitted(self) -> None:
        self._typing(False)

    def action_next(self, by: int) -> None:
        self._go_to(self._at + by)

    def _go_to(self, match: int) -> None:
        """Scroll as little as shows it with some lines around it."""
        found, reading = self._page.found, self._reading
        self._at = match % max(1, len(found))
        self._show()
        if found:
            line, top, height = found[self._at], self._top, reading.size.height
            if not top <= line < top + height:
                reading.scroll_to(y=line - height // 3, animate=False, immediate=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "next" or bool(self._page.found)

    def action_back(self) -> None:
        if self._wanted or isinstance(self.focused, Input):
            self.query_one(f"#{_SEARCH}", Input).value = ""
            self._typing(False)
        else:
            self.dismiss()

    # Where the player is ------------------------------------------------------------------------

    def _say_where(self) -> None:
        if self._wanted:
            total = len(self._page.found)
            where = _("{n} of {total}").format(n=min(self._at + 1, total), total=total)
        else:
            last = max(1, len(self._page.lines) - self._reading.size.height)
            where = f"{100 * min(self._top, last) // last}%"
        self.query_one(Banner).show([_("Rules"), title_of(self._face.game)], where)

    def action_contents(self) -> None:
        rows = [
            Row(str(line), "  " * (block.heading - 1) + block.text)
            for line, block in self._page.headings
        ]
        if not rows:
            return  # the text is not there yet
        at = "" if self._section is None else rows[self._section].id
        self.app.push_screen(Contents(rows, at), self._jump)

    def _jump(self, line: str | None) -> None:
        if line:
            self._reading.scroll_to(y=int(line), animate=False)


class Contents(Question):
    """The headings; returns the line of the chosen heading, or ""."""

    menu = Menu
    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.LEAVE, "safe", N_("Close")),
        bound(actions.CONTENTS, "safe", N_("Close")),
    ]

    def __init__(self, rows: Sequence[Row], at: str = "") -> None:
        super().__init__(_("Contents"), [], rows, safe=Row("", _("Close")), at=at)


# The text in lines, with what is searched for.


_BOLD: Final = "bold"
_HEADINGS: Final = ("", _BOLD, "bold underline", _BOLD)
_AT: Final = "bold underline"
_GAP: Final = 2
"""Cells between the columns of a table."""
_HUNG: Final = 2
"""How far the later lines of a cell stand to the right of its first line."""


class LaidOut:
    """`lines` of at most `width` cells (a longer word is broken), blocks apart; what is `wanted` is
    reversed, blind to case and accents. `headings`: with the lines where they begin. `found`: the
    lines where matches begin."""

    def __init__(self, text: Sequence[TextBlock], width: int, wanted: str = "") -> None:
        self.width = width
        self._wanted = " ".join(_letters(wanted).split())
        self._number = count()
        self.lines: list[Content] = []
        self.headings: list[tuple[int, TextBlock]] = []
        for block in text:
            if self.lines and not block.follows:
                self.lines.append(Content(""))
            if block.heading:
                self.headings.append((len(self.lines), block))
            self.lines += self._table(block.rows) if block.rows else self._words(block)
        begins = {n: line for line, _span, n in reversed([*self._matches()])}
        self.found = [begins[n] for n in sorted(begins)]

    def with_match(self, at: int) -> list[Content]:
        """The lines, with that match told from the others."""
        lines = [*self.lines]
        for line, (start, end), n in self._matches():
            if n == at:
                lines[line] = lines[line].stylize(_AT, start, end)
        return lines

    def _matches(self) -> Iterator[tuple[int, tuple[int, int], int]]:
        """Of each piece of a match its line, where it stands there, and which match it is."""
        for line, content in enumerate(self.lines):
            for start, end, style in content.spans:
                if isinstance(style, Style) and "match" in style.meta:
                    yield line, (start, end), style.meta["match"]

    def _marked(self, content: Content) -> Content:
        letters, at = _letters(content.plain), 0
        while self._wanted and (at := letters.find(self._wanted, at)) >= 0:
            match, end = Style.from_meta({"match": next(self._number)}), at + len(self._wanted)
            content = content.stylize(Style(reverse=True) + match, at, end)
            at = end
        return content

    def _words(self, block: TextBlock) -> list[Content]:
        styled = ((text, _BOLD if bold else "") for text, bold in block.words)
        words = self._marked(Content.assemble(*styled))
        words = words.stylize_before(_HEADINGS[min(block.heading, len(_HEADINGS) - 1)])
        return _hung(block.mark, words, self.width, len(block.mark))

    def _table(self, rows: Sequence[Sequence[str]]) -> Iterator[Content]:
        """Every column as wide as it needs. The widest columns shrink when all together are too
        wide; where even their longest words are too wide, each row becomes a list."""
        least = [max(map(_least, column)) for column in zip(*rows, strict=True)]
        room = self.width - _GAP * (len(least) - 1)
        if sum(least) > room:
            for row in rows[1:]:
                yield from self._told(rows[0], row)
            return
        wide = [max(map(cells, column)) for column in zip(*rows, strict=True)]
        while sum(wide) > room:
            most = max(range(len(wide)), key=lambda at: (wide[at] > least[at], wide[at]))
            wide[most] -= 1
        for n, row in enumerate(rows):
            for line in self._row(row, wide):
                yield line if n else line.stylize(_BOLD)

    def _row(self, row: Sequence[str], wide: Sequence[int]) -> Iterator[Content]:
        """A cell of several lines hangs; the other cells stay blank on its later lines."""
        parts = [
            _hung("", self._marked(Content(text)), width, _HUNG)
            for text, width in zip(row, wide, strict=True)
        ]
        for beside in zip_longest(*parts, fillvalue=Content("")):
            padded = (
                part.pad_right(width - part.cell_length)
                for part, width in zip(beside, wide, strict=True)
            )
            yield Content(" " * _GAP).join(padded).rstrip()

    def _told(self, head: Sequence[str], row: Sequence[str]) -> list[Content]:
        """`heading: the text below it; heading: …`"""
        pairs = zip(head, row, strict=True)
        parts = (Content.assemble((f"{heading}:", _BOLD), f" {text}") for heading, text in pairs)
        return _hung("", self._marked(Content("; ").join(parts)), self.width, _HUNG)


def _hung(mark: str, words: Content, width: int, indent: int) -> list[Content]:
    """In lines: the first behind the mark, all others behind so many blanks."""
    first, *others = words.wrap(max(1, width - len(mark)))
    rest = Content(" ").join(others).wrap(max(1, width - indent)) if others else []
    return [Content(mark) + first, *(Content(" " * indent) + line for line in rest)]


def _least(text: str) -> int:
    """How many cells a column needs for a cell, in as many lines as that takes."""
    words = [*map(cells, text.split())]
    return max(words, default=0) + (_HUNG if len(words) > 1 else 0)


def _letters(text: str) -> str:
    """Character for character, small and without accents."""
    return "".join(unicodedata.normalize("NFKD", char)[0].lower()[0] for char in text)
