"""How a match ended, whether the shuffle was what it was said to be, and what next."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static

from clocktowers_tui.games.face import Face
from clocktowers_tui.i18n import _
from clocktowers_tui.screens.screen import Dialog
from clocktowers_tui.state.match import Match
from clocktowers_tui.widgets.menu import Menu, Row


def result_lines(match: Match, face: Face, names: Sequence[str]) -> list[str]:
    """The game's own lines, then the shuffle's."""
    if match.aborted:
        return [_("The match was broken off by an error of the server; nobody has won.")]
    return [*face.result(match.view, match.outcome, names), "", proof_in_words(match)]


def proof_in_words(match: Match) -> str:
    """Whether the seed revealed is the one promised."""
    if match.proven:
        sentence = _("Provable shuffle: the seed matches what was promised at the start ({sha}…).")
    else:
        sentence = _(
            "The shuffle is NOT proven: the seed does not match what was promised ({sha}…)."
        )
    return sentence.format(sha=match.sha256[:12])


class Result(Dialog[str]):
    """`rematch`, `table`, `leave`, or "" to look at the board."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "answer('rematch')", show=False),
        Binding("b", "answer('table')", show=False),
        Binding("q", "answer('leave')", show=False),
        Binding("escape", "answer('')", show=False),
        Binding("pagedown,ctrl+f", "scroll(1)", show=False),
        Binding("pageup,ctrl+b", "scroll(-1)", show=False),
    ]

    def __init__(self, lines: Sequence[str], *, seated: bool, alone: bool) -> None:
        super().__init__()
        self._lines = lines
        rows = [Row("rematch", _("[r] Rematch"))] if seated else []
        if not alone:
            rows.append(Row("table", _("[b] Back to the table")))
        rows.append(Row("", _("[Esc] Look at the board")))
        rows.append(Row("leave", _("[q] Leave")))
        self._rows = rows

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall"):
            title = Content.assemble(
                (_("The match is over"), "bold"), "  ", (_("PgUp, PgDn: scroll"), "dim")
            )
            yield Static(title, markup=False)
            with VerticalScroll(id="result", can_focus=False):
                yield Static(Content("\n".join(self._lines)), markup=False)
            yield Menu(self._rows)

    def on_mount(self) -> None:
        self.query_one(Menu).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id or "")

    def action_answer(self, answer: str) -> None:
        if answer in {row.id for row in self._rows}:
            self.dismiss(answer)

    def action_scroll(self, by: int) -> None:
        scroll = self.query_one("#result", VerticalScroll)
        scroll.scroll_relative(y=by * max(1, scroll.size.height - 1), animate=False)
