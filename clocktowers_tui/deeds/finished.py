"""What a player can do with their finished matches, and in the replay of one."""

from typing import Final

from clocktowers_tui.deeds.deed import Deed
from clocktowers_tui.keys import actions
from clocktowers_tui.text.i18n import N_

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
