"""How a match ended, whether the shuffle was the promised one, and what next."""

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Resize
from textual.widgets import OptionList, Static

from clocktowers_tui.games.face import Face
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.keys.keymap import keymap_of
from clocktowers_tui.phrases.notices import broken_off_in_words
from clocktowers_tui.screens.screen import Dialog
from clocktowers_tui.state.match import Match
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.menu import Menu, Row
from clocktowers_tui.widgets.scrolled import Scrolled

Page: TypeAlias = Callable[[int], Sequence[Content]]
"""The lines for a width in cells."""


def result_page(match: Match, face: Face, names: Sequence[str], *, seeded: bool = False) -> Page:
    """Who won with how many points, the shuffle's proof, then the parts of the points. `seeded`:
    the host chose the deal, so there is nothing to prove."""
    if match.aborted:
        return lambda width: [Content(broken_off_in_words())]

    def lines(width: int) -> Sequence[Content]:
        first = face.result(match.view, match.outcome, names, width)
        details = face.result_details(match.view, match.outcome, names, width)
        proof = Content(_("This deal was chosen.") if seeded else proof_in_words(match, face))
        return [*first, Content(""), proof, Content(""), *details]

    return lines


def proof_in_words(match: Match, face: Face) -> str:
    """Whether the seed is the promised seed and deals what the player saw."""
    if not match.proven:
        sentence = _(
            "The shuffle is NOT proven: the seed does not match what was promised ({sha}…)."
        )
        return sentence.format(sha=match.sha256[:12])
    same = face.same_deal(match.events, match.view, bytes.fromhex(match.seed))
    if same:
        sentence = _(
            "Provable shuffle: the seed is the one promised at the start ({sha}…), and dealing "
            "from it again gives what was seen."
        )
    elif same is None:
        sentence = _(
            "The shuffle could not be checked: the seed is the one promised ({sha}…), but part of "
            "the match was not seen."
        )
    else:
        sentence = _(
            "The shuffle is NOT proven: the seed is the one promised ({sha}…), but what was seen "
            "was not dealt from it."
        )
    return sentence.format(sha=match.sha256[:12])


class _Lines(Static):
    """A page that is laid out whenever its width changes."""

    def __init__(self, page: Page) -> None:
        super().__init__("", markup=False)
        self._page = page

    def on_resize(self, event: Resize) -> None:
        self.update(Content("\n").join(self._page(event.size.width)))


class _Answers(Menu, can_focus=False):
    """For the mouse, and to be read: the arrows belong to the lines above."""

    def on_mount(self) -> None:
        self.highlighted = None


class Result(Dialog[str]):
    """Returns `rematch`, `table`, `leave`, or "" to look at the board."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.REMATCH, "answer('rematch')"),
        bound(actions.TO_TABLE, "answer('table')"),
        bound(actions.LEAVE, "answer('leave')"),
        bound(actions.CHAT, "app.chat"),
        bound(actions.BACK, "answer('')", N_("Look at the board")),
        bound(actions.DOWN, "scroll(1)"),
        bound(actions.UP, "scroll(-1)"),
        bound(actions.PAGE_DOWN, "turn(1)"),
        bound(actions.PAGE_UP, "turn(-1)"),
        bound(actions.FIRST, "to(0)"),
        bound(actions.LAST, "to(1)"),
    ]

    def __init__(self, page: Page, *, seated: bool, alone: bool) -> None:
        super().__init__()
        self._page = page
        self._wishes = ""
        self._trouble = ""
        self._answers = {
            "rematch": seated,
            "table": not alone,
            "": True,
            "leave": True,
            "chat": not alone,
        }
        """The possible answers, and whether this player may give them; to talk ends nothing."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall"):
            yield Static(self._title(), id="title", markup=False)
            with Scrolled(id="result"):
                yield _Lines(self._page)
            yield Static(Content(self._wishes), id="wishes", markup=False)
            yield _Answers(self._rows())

    def _title(self) -> Content:
        """A broken connection is worth more words than how to scroll."""
        hint = (
            (self._trouble, "bold") if self._trouble else (_("arrows, PgUp, PgDn: scroll"), "dim")
        )
        return Content.assemble((_("The match is over"), "bold"), "  ", hint)

    def _rows(self) -> list[Row]:
        words = {
            "rematch": (actions.REMATCH, _("Rematch")),
            "table": (actions.TO_TABLE, _("Back to the table")),
            "": (actions.BACK, _("Look at the board")),
            "leave": (actions.LEAVE, _("Leave")),
            "chat": (actions.CHAT, _("Chat")),
        }
        keymap = keymap_of(self.app)
        return [
            Row(answer, f"[{keymap.name(action)}] {said}")
            for answer, (action, said) in words.items()
            if self._answers[answer]
        ]

    def show_wishes(self, text: str) -> None:
        """Who else wants to play again, a line for each."""
        if text != self._wishes:
            self._wishes = text
            for shown in self.query("#wishes").results(Static):
                shown.update(Content(text))

    def show_trouble(self, text: str) -> None:
        """What is wrong with the connection; "" when nothing is."""
        if text != self._trouble:
            self._trouble = text
            for shown in self.query("#title").results(Static):
                shown.update(self._title())

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == "chat":
            await self.run_action("app.chat")
        else:
            self.dismiss(event.option_id or "")

    def action_answer(self, answer: str) -> None:
        if self._answers[answer]:
            self.dismiss(answer)

    def action_scroll(self, by: int) -> None:
        self.query_one("#result").scroll_relative(y=by, animate=False)

    def action_turn(self, pages: int) -> None:
        self.action_scroll(pages * max(1, self.query_one("#result").size.height - 1))

    def action_to(self, end: int) -> None:
        shown = self.query_one("#result")
        shown.scroll_to(y=shown.max_scroll_y if end else 0, animate=False)
