"""What a player can do with their finished matches, and in the replay of one."""

import asyncio
from typing import Final, NamedTuple

from clocktowers_tui.deeds.deed import Deed
from clocktowers_tui.history.exported import export
from clocktowers_tui.history.matches import Deleted, NoHistory
from clocktowers_tui.keys import actions
from clocktowers_tui.phrases.history import no_history_in_words
from clocktowers_tui.text.i18n import N_, _

_WHICH = "N|ID"
_REVIEW = N_("say what was better in a match")

MATCHES: Final = (
    Deed("matches", N_("list your finished matches"), short="m"),
    Deed("replay", N_("see a match again"), short="p", takes=_WHICH),
    Deed("review", _REVIEW, (actions.REVIEW_MATCH,), short="v", takes=_WHICH),
    Deed("write", N_("write a match to a file"), (actions.EXPORT_MATCH,), takes=_WHICH),
    Deed("delete", N_("delete a match"), (actions.DELETE_MATCH,), takes=_WHICH),
    Deed("menu", N_("go to the menu"), short="q"),
)

_STORY = N_("list the pieces, or say what happens to one")
_PART = N_("say what is where, or only that part")
_EARLIER = N_("go to the own turn before")

REPLAY: Final = (
    Deed("next", N_("go so many moves on"), short="n", takes="[N]"),
    Deed("before", N_("go so many moves back"), short="b", takes="[N]"),
    Deed("move", N_("go to that move"), short="g", takes="N"),
    Deed("own", N_("go to the next own turn"), (actions.OWN_TURN,), short="o"),
    Deed("ownbefore", _EARLIER, (actions.OWN_TURN_BEFORE,)),
    Deed("eyes", N_("see it with other eyes"), (actions.EYES,), short="e", takes="[NAME]"),
    Deed("look", _PART, short="l", takes="[PART]"),
    Deed("story", _STORY, (actions.STORY,), short="f", takes="[N]"),
    Deed("log", N_("say what has happened so far")),
    Deed("result", N_("say the result")),
    Deed("menu", N_("end the replay"), short="q"),
)


# Writes a match of the history to a file, for a screen that then says what came of it.


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
