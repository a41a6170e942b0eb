"""The deal of the day, from the menu: the first try counts, each other is practice."""

import asyncio
from collections.abc import Sequence
from typing import Any

from textual.app import App

from clocktowers_tui.config.log_file import note
from clocktowers_tui.history import matches
from clocktowers_tui.history.numbers import deals
from clocktowers_tui.phrases.history import daily_in_words
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row


async def counted(game: str, day: str) -> Sequence[str]:
    """The result of this deal in lines; none where none counts yet, or the history cannot be
    read."""

    def look() -> Sequence[str]:
        by_day = deals(matches.newest_first(), game)
        return daily_in_words(by_day[day], by_day) if day in by_day else ()

    try:
        return await asyncio.to_thread(look)
    except matches.NoHistory as error:
        note(f"the history was not read: {error}")
        return ()


async def ask_whether_to_begin(app: App[Any]) -> bool:
    """Before a try that may be the one that counts."""
    back = Row("back", _("Back"))
    said = [
        _("Today everybody in the world gets these cards. One hard bot plays against you."),
        _("Your first try counts; each later one is practice."),
    ]
    asked = Question(_("Deal of the day"), said, [Row("play", _("Play it now")), back], safe=back)
    return await app.push_screen_wait(asked) == "play"


async def ask_what_next(app: App[Any], lines: Sequence[str]) -> bool:
    """Show the result, which the player may copy; whether to play the deal again."""
    back = Row("back", _("Back"))
    rows = [Row("copy", _("Copy the result")), Row("again", _("Play it again, as practice")), back]
    said = ["\n".join(lines), _("The next deal comes at midnight in UTC.")]
    asked = Question(_("Deal of the day: done"), said, rows, safe=back)
    chosen = await app.push_screen_wait(asked)
    if chosen == "copy":
        app.copy_to_clipboard("\n".join(lines))
    return chosen == "again"
