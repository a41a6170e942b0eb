"""Shows how friends come: an invitation as a line, a web address and a QR code where there is room;
and what those type who have only SSH."""

from typing import Any, Final

from textual.app import App

from clocktowers_tui.phrases.friends import inviting, ssh_command, ssh_key_in_words
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row
from protocol.invitation import Ways, rows_of
from protocol.text import clean

AROUND_ROWS: Final = 14
"""What a code leaves to the words and the frame."""
PAGE_ROWS: Final = 5
"""What the web address takes of that."""
SSH_ROWS: Final = 5
"""What SSH takes of that."""


async def show_invitation(app: App[Any], ways: Ways, table: str = "") -> None:
    """Until the player closes it; they may copy what their friend types or opens. `ways` as the
    server says them; `table`: its code, where the invitation leads there."""
    line, page = clean(ways.invitation), clean(ways.page)
    said, rows, copied = [], [Row("close", _("Close"))], {}
    if line:
        copied["copy"] = inviting(line)
        said += [_("Your friend types this, or pastes it where the menu asks for a server:")]
        said += [copied["copy"]]
        rows.append(Row("copy", _("Copy it")))
    if page:
        copied["page"] = page
        said += [_("Or opens this in a browser:"), page]
        rows.append(Row("page", _("Copy the web address")))
    if command := ssh_command(ways, table):
        lines = [line for line in (command, ssh_key_in_words(ways)) if line]
        copied["ssh"] = "\n".join(lines)
        said += [_("With SSH:  {command}").format(command=command), *lines[1:]]
        rows.append(Row("ssh", _("Copy the lines for SSH")))
    code = rows_of(page or line) if line else ()
    around = AROUND_ROWS + PAGE_ROWS * bool(page) + SSH_ROWS * bool(command)
    if code and app.size.height >= len(code) + around:
        said.append("\n".join(code))
    chosen = await app.push_screen_wait(Question(_("Invite a friend"), said, rows, safe=rows[0]))
    if chosen in copied:
        app.copy_to_clipboard(copied[chosen])
