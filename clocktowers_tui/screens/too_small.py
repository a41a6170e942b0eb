"""Says how large the window must be, until it is; loaded at every start, so it stands alone."""

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from clocktowers_tui.screens.screen import Dialog
from clocktowers_tui.text.i18n import _


class TooSmall(Dialog[None], inherit_bindings=False):
    """Covers everything until the terminal is large enough again."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self._needed = (width, height)

    def compose(self) -> ComposeResult:
        yield Static(Content(self._sentence()), id="too-small", markup=False)

    def on_resize(self) -> None:
        self.query_one("#too-small", Static).update(Content(self._sentence()))

    def _sentence(self) -> str:
        sentence = _("Make this window larger: it needs {needs} cells and has {has}.")
        width, height = self._needed
        has = self.app.size
        return sentence.format(needs=f"{width}x{height}", has=f"{has.width}x{has.height}")
