"""The app of a guest: nothing in it reaches beyond the guest's terminal, folder and server."""

from io import StringIO
from typing import Any, Final

from rich.console import Console
from textual.events import Event, InputEvent

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.log_file import note
from clocktowers_tui.guest.settling import Allowance, Idle
from clocktowers_tui.net import house
from clocktowers_tui.phrases.friends import code_in_words, idle_in_words
from clocktowers_tui.text.i18n import _

_LOOK_S: Final = 5.0
"""How often the app looks whether the guest is idle, and asks for more of the processor."""


class ClosedApp(ClocktowersApp, inherit_bindings=False):
    """`said`: a sentence to begin with. `last_word`: one for when the terminal is given back."""

    BINDINGS = [  # noqa: RUF012  (so in Textual)
        one for one in ClocktowersApp.BINDINGS if getattr(one, "key", "") != "ctrl+z"
    ]
    guest = True

    def __init__(self, *given: Any, said: str = "", **named: Any) -> None:
        super().__init__(*given, **named)
        if said:
            self._note(said)
        told = house.told()
        assert told is not None
        self._house: Final = told
        self.last_word = ""
        self._idle: Final = Idle(told.idle_s)
        self._allowance: Final = Allowance()
        # What goes wrong is for the log: it shows the server's files.
        self.error_console = Console(file=StringIO(), record=True, width=100)
        self._reminded = ""
        """The match in which the guest was last told their code."""

    def note_failure(self) -> None:
        """Write into the log what ended the app, if it failed."""
        if told := self.error_console.export_text():
            note(told)

    def on_mount(self) -> None:
        self.set_interval(min(_LOOK_S, self._house.idle_s / 4), self._look_after)

    async def on_event(self, event: Event) -> None:
        if isinstance(event, InputEvent):
            self._idle.heard()
        await super().on_event(event)

    def _look_after(self) -> None:
        self._allowance.renew()
        if self._idle.over:
            self.exit()
            self.last_word = idle_in_words(self._house.idle_s)
        elif self._idle.warns():
            self.tell(_("Press a key, or your connection ends soon."), about="idle")

    async def _follow(self) -> None:
        """Say in each match how to come back to it."""
        match = self.state.match
        if match is not None and self.state.seat is not None and match.id != self._reminded:
            self._reminded = match.id
            if self._house.code:
                self._note(code_in_words(self._house.code), "code")
        await super()._follow()

    # What Textual would do on the server's machine -----------------------------------------------

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """No browser."""

    def deliver_text(self, *_given: Any, **_named: Any) -> str | None:
        """No file."""

    def deliver_binary(self, *_given: Any, **_named: Any) -> str | None:
        """No file."""

    def deliver_screenshot(self, *_given: Any, **_named: Any) -> str | None:
        """No file."""

    def save_screenshot(self, *_given: Any, **_named: Any) -> str:
        """No file."""
        return ""

    def action_suspend_process(self) -> None:
        """Nobody could wake it."""
