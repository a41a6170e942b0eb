"""How a match ended, laid over its board; whether the shuffle was the promised one; what next."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Resize
from textual.geometry import Region
from textual.widgets import Static

from clocktowers_tui.deeds.deed import Deed
from clocktowers_tui.deeds.finished import exported
from clocktowers_tui.deeds.match import RESULT
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.standings import ResultLine, ranked
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Context, bound
from clocktowers_tui.phrases.codes import broken_off_in_words
from clocktowers_tui.phrases.match import Proof, proof_in_words
from clocktowers_tui.screens.bound_actions import bound_deeds, entry, keys_in_line
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.screens.screen import Dialog
from clocktowers_tui.state.match import Match
from clocktowers_tui.text.i18n import _, ngettext
from clocktowers_tui.text.spelling import spelt
from clocktowers_tui.widgets.key_line import KeyLine, Keys
from clocktowers_tui.widgets.panel import Panel, Scrolled

Lines: TypeAlias = Callable[[int], Sequence[Content]]
"""The lines for a width in cells."""

Room: TypeAlias = Callable[[], Region]
"""What a board leaves to its result."""

_LEAST: Final = (44, 12)
"""Columns and rows of a result; one that has fewer covers all of the board."""
_SHORTEST: Final = 8
"""Cells that bars need; with less room there are none."""
_GAP: Final = 2
_BAR: Final = "█"


class Page(NamedTuple):
    """`title`: who won. `foot`: how long it took. `lines`: everything else: the points first,
    before them only that the shuffle was not fair. `promised`: the SHA-256 of its seed, which the
    server told before the match; "" none was."""

    title: str
    foot: str
    lines: Lines
    promised: str = ""


def result_page(
    match: Match,
    face: Face,
    names: Sequence[str],
    *,
    seeded: bool = False,
    shared: bool = False,
    trusted: bool = False,
) -> Page:
    """`seeded`: the host chose the deal, so there is nothing to prove. `shared`: other tables may
    still play the deal, and then its seed comes later. `trusted`: the player's own machine has
    shuffled, so only what is wrong is worth a word."""
    if match.aborted:
        return Page(_("The match is over"), "", lambda width: [Content(broken_off_in_words())])
    turns, own = face.turn(match.view), match.view.seat
    names = [_("You") if seat == own else name for seat, name in enumerate(names)]
    if seeded:
        proof = Proof(_("This deal was chosen, not shuffled."))
    elif shared and not match.seed:
        proof = Proof(_("The shuffle is checked when all tables are done."))
    else:
        proof = proof_in_words(match, face)

    def lines(width: int) -> Sequence[Content]:
        _title, *first = drawn(face.result(match.view, match.outcome, names, width))
        details = drawn(face.result_details(match.view, match.outcome, names, width))
        points = [*_with_bars(first, match.outcome, width), Content(""), *details]
        said = Content.styled(proof.words, proof.style)
        if proof.broken:
            return [said, *points]
        return points if trusted else [*points, said]

    title = face.result(match.view, match.outcome, names, 100)[0].plain
    foot = ngettext("{n} turn", "{n} turns", turns).format(n=turns)
    if not face.in_turns:
        rounds = face.round(match.view)
        foot = ngettext("{n} round", "{n} rounds", rounds).format(n=rounds)
    if match.played_for:
        if len(names) > 1 and [own] == [*match.outcome.winners]:
            title = _("The bot that played for you wins")
        foot = _("{turns}; a bot played the last ones for you").format(turns=foot)
    return Page(title, foot, lines, "" if seeded else match.sha256)


def drawn(lines: Sequence[ResultLine]) -> list[Content]:
    """As a screen shows them."""
    return [Content.styled(line.plain, line.style) for line in lines]


def _with_bars(lines: Sequence[Content], outcome: Any, width: int) -> Sequence[Content]:
    """The last lines are the seats, best first: each gets a bar as long as its points, where there
    is room."""
    seats = ranked(outcome)
    rows = lines[-len(seats) :]
    before = max(row.cell_length for row in rows) + _GAP
    room, most = width - before, max(outcome.scores)
    if len(seats) < 2 or room < _SHORTEST or most <= 0:
        return lines
    barred = []
    for seat, row in zip(seats, rows, strict=True):
        bar = spelt(_BAR) * round(room * max(0, outcome.scores[seat]) / most)
        style = "$turn" if seat in outcome.winners else "$accent"
        barred.append(Content.assemble(row, " " * (before - row.cell_length), (bar, style)))
    return [*lines[: -len(seats)], *barred]


class _Lines(Static):
    """Lines that are laid out whenever their width changes."""

    def __init__(self, lines: Lines) -> None:
        super().__init__("", markup=False)
        self._lines = lines

    def on_resize(self, event: Resize) -> None:
        self.update(Content("\n").join(self._lines(event.size.width)))


class Result(Dialog[str], DeedScreen[str]):
    """Returns the word of a deed that comes after it, or "" to look at the board. `room`: asked
    when the size changes; without it, or where it is too small, the result takes all."""

    deeds = RESULT
    BINDINGS: ClassVar[list[BindingType]] = [
        *bound_deeds(RESULT, Context.RESULT, Context.AT_TABLE),
        bound(actions.DOWN, "scroll(1)"),
        bound(actions.UP, "scroll(-1)"),
        bound(actions.PAGE_DOWN, "turn(1)"),
        bound(actions.PAGE_UP, "turn(-1)"),
        bound(actions.FIRST, "to(0)"),
        bound(actions.LAST, "to(1)"),
    ]

    def __init__(
        self,
        page: Page,
        *,
        seated: bool,
        alone: bool,
        room: Room | None = None,
    ) -> None:
        super().__init__()
        self._page = page
        self._room = room
        self._wishes = ""
        self._numbers = ""
        self._to_copy = ""
        self._kept = ""
        self._trouble = ""
        self._closes = False
        self._seated, self._alone = seated, alone

    def compose(self) -> ComposeResult:
        with Panel(self._page.title, foot=self._foot, classes="dialog"):
            with Scrolled(id="result"):
                yield _Lines(self._page.lines)
            with Vertical(id="below"):
                yield Static("", id="numbers", markup=False)
                yield Static("", id="wishes", classes="loud", markup=False)
                yield Static("", id="exported", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        super().on_mount()
        for part, text in (("numbers", self._numbers), ("wishes", self._wishes), ("exported", "")):
            self._write(part, text)

    def _write(self, part: str, text: str) -> None:
        """What is empty takes no row."""
        for shown in self.query(f"#{part}").results(Static):
            shown.update(Content(text))
            shown.display = bool(text)

    def on_resize(self, _event: Resize) -> None:
        self.call_after_refresh(self._lay_out)

    def _lay_out(self) -> None:
        room = self.size.region if self._room is None else self._room()
        if room.width < _LEAST[0] or room.height < _LEAST[1]:
            room = self.size.region
        panel = self.query_one(Panel)
        panel.styles.width = room.width
        panel.styles.height = "100%" if room.height == self.size.height else room.height - 1
        self.call_after_refresh(self.show_keys)

    @property
    def _foot(self) -> str:
        """A broken connection is worth more words than how long it took."""
        return self._trouble or self._page.foot

    def may(self, deed: Deed) -> bool:
        """Few results are there to be pasted, and not every match is kept."""
        match deed.word:
            case "rematch":
                return self._seated
            case "bots":
                return self._alone
            case "table" | "chat":
                return not self._alone
            case "write" | "review":
                return bool(self._kept)
            case "copy":
                return bool(self._to_copy)
            case _:
                return True

    def keys(self) -> Keys:
        short = {actions.BACK: _("Board"), actions.TO_TABLE: _("Table")}
        own = [one for one in self.bound if one.action != actions.HELP]
        found = [*keys_in_line(one._replace(words=short.get(one.action, one.words)) for one in own)]
        if any(shown.is_longer for shown in self.query(Scrolled)):
            found.insert(1, entry(self.keymap, (actions.UP, actions.DOWN), _("Scroll")))
        return found

    def show_numbers(self, text: str, to_copy: str) -> None:
        """What the match is among others; `to_copy`: what there is to paste."""
        if text != self._numbers:
            self._numbers, self._to_copy = text, to_copy
            self._write("numbers", text)
            self.refresh_bindings()

    def show_kept(self, match: str) -> None:
        """The id in the history, of a match that is kept there; "" = not, or not yet."""
        if match != self._kept:
            self._kept = match
            self.refresh_bindings()

    def help_notes(self) -> Sequence[str]:
        """What a player needs who checks the shuffle with another program."""
        if not self._page.promised:
            return ()
        return [_("The SHA-256 of the shuffle's seed, as promised:"), self._page.promised]

    def show_wishes(self, text: str) -> None:
        """Who else wants to play again, a line for each."""
        if text != self._wishes:
            self._wishes = text
            self._write("wishes", text)

    def show_trouble(self, text: str) -> None:
        """What is wrong with the connection; "" when nothing is."""
        self._trouble = text
        for panel in self.query(Panel):
            panel.entitle(self._page.title, self._foot)

    def close(self) -> None:
        """There is another match: close, as soon as nothing lies on top."""
        self._closes = not self.is_active
        self.dismiss("")

    def on_screen_resume(self) -> None:
        if self._closes:
            self._closes = False
            self.dismiss("")

    def action_do(self, word: str, *typed: int) -> None:
        """Most come after the result."""
        if word in ("copy", "write", "chat"):
            super().action_do(word, *typed)
        elif any(map(self.may, self._called([word]))):
            self.dismiss(word if word != "board" else "")

    async def do_write(self) -> None:
        self._write("exported", (await exported(self._kept)).said)

    async def do_chat(self) -> None:
        await self.app.run_action("app.chat")

    def do_copy(self) -> None:
        self.app.copy_to_clipboard(self._to_copy)
        for panel in self.query(Panel):
            panel.entitle(self._page.title, _("Copied: paste it anywhere."))

    def action_scroll(self, by: int) -> None:
        self.query_one(Scrolled).by_lines(by)

    def action_turn(self, pages: int) -> None:
        self.query_one(Scrolled).by_pages(pages)

    def action_to(self, end: int) -> None:
        shown = self.query_one(Scrolled)
        shown.scroll_to(y=shown.max_scroll_y if end else 0, animate=False)
