"""Writes a match of the history to a file, for a screen that then says what came of it."""

import asyncio
from typing import NamedTuple

from clocktowers_tui.history.exported import export
from clocktowers_tui.history.matches import Deleted, NoHistory
from clocktowers_tui.phrases.history import no_history_in_words
from clocktowers_tui.text.i18n import _


class Exported(NamedTuple):
    """`said`: where the file is now, or why there is none."""

    said: str
    done: bool = False


async def exported(match: str) -> Exported:
    """Write the record of this match."""
    try:
        file = await asyncio.to_thread(export, match)
    except LookupError:
        return Exported(_("This match is not in your history."))
    except FileExistsError as error:
        said = _("This file is there already: {file}").format(file=error.filename)
        return Exported(said)
    except Deleted as error:
        return Exported(no_history_in_words(error))
    except (OSError, NoHistory) as error:
        why = getattr(error, "strerror", None) or error
        return Exported(_("The match could not be written: {why}").format(why=why))
    return Exported(_("Written: {file}").format(file=file), done=True)
