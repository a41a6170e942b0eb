"""Shows an invitation: the line, and as a QR code where there is room."""

from typing import Any, Final

from textual.app import App

from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row
from protocol.qr import rows_of

AROUND_ROWS: Final = 14
"""What a code leaves to the words and the frame."""


async def show_invitation(app: App[Any], line: str) -> None:
    """Until the player closes it; they may copy what their friend types."""
    command = f"clocktowers join {line}"
    code = rows_of(line)
    fits = code and app.size.height >= len(code) + AROUND_ROWS
    said = [_("Your friend types this, or pastes it where the menu asks for a server:"), command]
    rows = [Row("close", _("Close")), Row("copy", _("Copy it"))]
    question = Question(
        _("Invite a friend"), [*said, *(["\n".join(code)] if fits else [])], rows, safe=rows[0]
    )
    if await app.push_screen_wait(question) == "copy":
        app.copy_to_clipboard(command)
