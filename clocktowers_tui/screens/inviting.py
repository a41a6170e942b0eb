"""Shows an invitation: the line, the web address, and a QR code where there is room."""

from typing import Any, Final

from textual.app import App

from clocktowers_tui.phrases.friends import inviting
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row
from protocol.qr import rows_of
from protocol.text import clean

AROUND_ROWS: Final = 14
"""What a code leaves to the words and the frame."""
PAGE_ROWS: Final = 5
"""What the web address takes of that."""


async def show_invitation(app: App[Any], invitation: str, page: str) -> None:
    """Until the player closes it; they may copy what their friend types or opens. `invitation` and
    `page` as the server says them; "": there is no such page."""
    line, page = clean(invitation), clean(page)
    command = inviting(line)
    said = [_("Your friend types this, or pastes it where the menu asks for a server:"), command]
    rows = [Row("close", _("Close")), Row("copy", _("Copy it"))]
    if page:
        said += [_("Or opens this in a browser:"), page]
        rows.append(Row("page", _("Copy the web address")))
    code = rows_of(page or line)
    if code and app.size.height >= len(code) + AROUND_ROWS + PAGE_ROWS * bool(page):
        said.append("\n".join(code))
    chosen = await app.push_screen_wait(Question(_("Invite a friend"), said, rows, safe=rows[0]))
    if chosen in ("copy", "page"):
        app.copy_to_clipboard(command if chosen == "copy" else page)
