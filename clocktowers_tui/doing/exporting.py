"""Writes a match of the history to a file, for a screen that then says what came of it."""

import asyncio

from clocktowers_tui.history.exported import export
from clocktowers_tui.history.matches import Deleted, NoHistory
from clocktowers_tui.phrases.history import no_history_in_words
from clocktowers_tui.text.i18n import _


async def exported(match: str) -> str:
    """Write the record of this match; returns where it is now, or why it could not be written."""
    try:
        file = await asyncio.to_thread(export, match)
    except LookupError:
        return _("This match is not in your history.")
    except FileExistsError as error:
        return _("This file is there already: {file}").format(file=error.filename)
    except Deleted as error:
        return no_history_in_words(error)
    except (OSError, NoHistory) as error:
        why = getattr(error, "strerror", None) or error
        return _("The match could not be written: {why}").format(why=why)
    return _("Written: {file}").format(file=file)
