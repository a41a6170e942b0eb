"""A finished match for others: a picture, its board as text, the lines of a deal of the day, its
record."""

from collections.abc import Sequence
from typing import Any

from clocktowers_tui.deeds.finished import NotWritten, exported, in_form
from clocktowers_tui.history import Form
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row


async def share(screen: DeedScreen[Any], match: str, lines: Sequence[str] = ()) -> None:
    """Ask the player how, and do it. `match`: its id in the history. `lines`: those of a deal of
    the day, none for another match."""
    answers = [
        Row(Form.SVG, _("Picture: a file (SVG)")),
        Row(Form.TEXT, _("Board as text: copy it for a chat")),
        *([Row("lines", _("Deal of the day: copy its three lines"))] if lines else []),
        Row(Form.JSON, _("Record: a file for programs")),
    ]
    safe = Row("", _("Close"))
    match await screen.ask(_("Share this match"), [], [*answers, safe], safe):
        case "":
            return
        case "lines":
            copy(screen, "\n".join(lines))
        case Form.TEXT:
            screen.say(_("The board is being drawn…"))
            try:
                copy(screen, (await in_form(match, Form.TEXT)).decode())
            except NotWritten as error:
                screen.object(str(error))
        case form:
            screen.say(_("The board is being drawn…") if form == Form.SVG else "")
            screen.say((await exported(match, Form(form))).said)


def copy(screen: DeedScreen[Any], text: str) -> None:
    """To the clipboard of the terminal, where that takes it."""
    screen.app.copy_to_clipboard(text)
    screen.say(_("Copied: paste it anywhere."))
