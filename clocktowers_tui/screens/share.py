"""A finished match for others: the player chooses how."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from clocktowers_tui.phrases.friends import inviting
from clocktowers_tui.terminal.detect import copies
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row
from protocol.text import cells

if TYPE_CHECKING:  # a place asks questions
    from clocktowers_tui.screens.place import DeedScreen


async def share(
    screen: "DeedScreen[Any]", match: str, lines: Sequence[str] = (), line: str = ""
) -> None:
    """Ask the player how, and do it. `match`: its id in the history. `lines`: those of a deal of
    the day, none for another match. `line`: the invitation to it, "" = there is none.
    Raises NotDone."""
    from clocktowers_tui.deeds.finished import exported, in_form  # seldom used
    from clocktowers_tui.history import PICTURES, ExportForm

    can_copy = copies(os.environ)
    text = _("Board as text: copy it for a chat") if can_copy else _("Board as text: a file")
    answers = [
        Row(ExportForm.PNG, _("Picture: a file (PNG)")),
        Row(ExportForm.SVG, _("Picture that stays sharp: a file (SVG)")),
        Row(ExportForm.TEXT, text),
        *([Row("lines", _("Deal of the day, for a chat"))] if lines else []),
        *([Row("line", _("Line to it at its server, for a friend"))] if line else []),
        Row(ExportForm.JSON, _("Whole match: a file for a friend")),
    ]
    safe = Row("", _("Close"))
    form = await screen.ask(_("Share this match"), [], [*answers, safe], safe)
    draws = form in (ExportForm.TEXT, *PICTURES)
    screen.say(_("The board is being drawn…") if draws else "")
    match form:
        case "":
            pass
        case "lines":
            await copy_deal(screen, lines)
        case "line":
            await _show(screen, inviting(line))
        case ExportForm.TEXT if can_copy:
            await copy(screen, (await in_form(match, ExportForm.TEXT)).decode())
        case _:
            screen.say(await exported(match, ExportForm(form)))


async def _show(screen: "DeedScreen[Any]", line: str) -> None:
    """Not every terminal takes a copy: the player sees the line, too."""
    said = [_("Your friend types this, or pastes it where the menu asks for a server:"), line]
    row, close = Row("copy", _("Copy it")), Row("", _("Close"))
    if not copies(os.environ):
        await _by_hand(screen, said)
    elif await screen.ask(_("Share this match"), said, [row, close], close, unbroken=line):
        await copy(screen, line)


async def copy(screen: "DeedScreen[Any]", text: str) -> None:
    """To the clipboard of the terminal, if that is known to take it; else the player sees it."""
    if copies(os.environ):
        screen.app.copy_to_clipboard(text)
        screen.say(_("Copied: paste it anywhere."))
    else:
        await _by_hand(screen, text.splitlines())


async def copy_deal(screen: "DeedScreen[Any]", lines: Sequence[str]) -> None:
    """One line for a chat; that is too long for a dialog, so by hand the player copies several."""
    from clocktowers_tui.phrases.numbers import in_one_line, signs_in_words

    if copies(os.environ):
        await copy(screen, in_one_line(lines))
    else:
        await _by_hand(screen, [*lines, signs_in_words()])


async def _by_hand(screen: "DeedScreen[Any]", lines: Sequence[str]) -> None:
    how = _("Select it with the mouse, in most terminals with Shift held, and copy it.")
    close, unbroken = Row("", _("Close")), max(lines, key=cells)
    await screen.ask(_("Copy it"), [*lines, "", how], [close], close, unbroken=unbroken)
