"""What a player can do with their finished matches, and in the replay of one."""

import asyncio
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import msgspec

from clocktowers_tui.deeds.company import LINE, SAY
from clocktowers_tui.deeds.together import TOGETHER
from clocktowers_tui.history import Form, Unwritten, Written
from clocktowers_tui.history.matches import Deleted, NoHistory, export, keep, of
from clocktowers_tui.history.record import NotARecord
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Deed, always
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.wishes import Visit
from clocktowers_tui.phrases.codes import fault_in_words, refused_in_words
from clocktowers_tui.phrases.friends import inviting
from clocktowers_tui.phrases.history import no_history_in_words, no_replay_in_words
from clocktowers_tui.text.i18n import N_, _
from protocol.from_server import Refused

_WHICH = "N|ID"
_REVIEW = N_("say what was better in a match")

_LIST = N_("list your finished matches; with words, those that have them")
_WRITE = N_("write a match to a file: its record, or its final board as text or as a picture")
_DELETE = N_("delete a match")
_TO_MENU = N_("go to the menu")
_CLOSES = (actions.BACK, actions.LEAVE)
_CLOSE = N_("Close")

MATCHES: Final = (
    Deed("matches", _LIST, (actions.SEARCH_MATCHES,), short="m", takes="[WORDS]", shown=True),
    Deed("replay", N_("see a match again"), short="p", takes=_WHICH),
    Deed("review", _REVIEW, (actions.REVIEW_MATCH,), short="v", takes=_WHICH, shown=True),
    Deed("write", _WRITE, (actions.EXPORT_MATCH,), takes=f"{_WHICH} [text|svg]", shown=True),
    Deed("line", LINE, takes=_WHICH),
    Deed("delete", _DELETE, (actions.DELETE_MATCH,), takes=_WHICH, shown=True),
    Deed("menu", _TO_MENU, _CLOSES, short="q", words=_CLOSE, shown=True),
)

_STORY = N_("list the pieces, or say what happens to one")
_PART = N_("say what is where, or only that part")
_EARLIER = N_("go to the own turn before")

_ON = N_("go so many moves on")
_WHAT_IF = N_("play on from here against bots; nothing of it is kept")
_COMMENT = N_("say something of this move, kept with the match; without words, take it away")
_TRY = N_("do your last move in another way, and hear what it would have been worth")
_UNDO = N_("go back to before your last move")
_TO_REPLAY = N_("To the replay")
_BACK = N_("go so many moves back")
_LOG = N_("say what has happened so far")
_STEPS: Final = (
    Deed("before", _BACK, (actions.LEFT,), None, always, "b", "[N]", N_("A move back"), True),
    Deed("next", _ON, (actions.RIGHT,), None, always, "n", "[N]", N_("A move on"), True),
    Deed("turnbefore", "", (actions.UP,), words=N_("A turn back"), shown=True),
    Deed("turn", "", (actions.DOWN,), words=N_("A turn on"), shown=True),
)
_MENU: Final = Deed("menu", N_("end the replay"), _CLOSES, short="q", words=_CLOSE, shown=True)
_OWN: Final = (
    Deed("own", N_("go to the next own turn"), (actions.OWN_TURN,), short="o", shown=True),
    Deed("ownbefore", _EARLIER, (actions.OWN_TURN_BEFORE,)),
)
_FAR: Final = (
    Deed("log", _LOG, (actions.LOG,), shown=True),
    Deed("first", "", (actions.FIRST,)),
    Deed("last", "", (actions.LAST,)),
)
LOOK_BACK: Final = (_MENU, *_STEPS, *_OWN, *_FAR)
"""What can be done with the moments of a match that runs."""
REPLAY: Final[Sequence[Deed]] = (
    *_STEPS,
    Deed("autoplay", "", (actions.CHOOSE,), words=N_("Start or stop"), shown=True),
    Deed(
        "eyes", N_("see it with other eyes"), (actions.EYES,), short="e", takes="[NAME]", shown=True
    ),
    _MENU,
    *_OWN,
    Deed("story", _STORY, (actions.STORY,), short="f", takes="[N]", shown=True),
    Deed("speed", "", (actions.SPEED,), shown=True),
    *_FAR,
    Deed("result", N_("say the result"), (actions.RESULT,)),
    Deed("look", _PART, short="l", takes="[PART]"),
    Deed("move", N_("go to that move"), short="g", takes="N"),
)
WHOLE: Final = (
    Deed("comment", _COMMENT, (actions.COMMENT,), short="c", takes="[TEXT]"),
    Deed("whatif", _WHAT_IF, (actions.WHAT_IF,), short="w"),
    Deed("try", _TRY, (actions.TRY,), short="t"),
    TOGETHER,
    SAY,
)
"""What a finished match has beside its plies: comments, ways to `WHAT_IF`, and company."""
REVIEWED: Final[Sequence[Deed]] = (
    Deed("mistake", "", (actions.MISTAKE,), shown=True),
    Deed("review", "", (actions.REVIEW,), shown=True),
    Deed("mistakebefore", "", (actions.MISTAKE_BEFORE,)),
    *REPLAY,
    *WHOLE,
)
"""Plain mode says a review whole."""
WHAT_IF: Final = (
    Deed("undo", _UNDO, (actions.TAKE_BACK,), short="u", shown=True),
    Deed("look", _PART, short="l", takes="[PART]"),
    Deed("log", _LOG, (actions.LOG,), shown=True),
    Deed("menu", N_("go back to the replay"), _CLOSES, short="q", words=_TO_REPLAY, shown=True),
)
"""What can be done beside the game's own moves where a finished match is played in another way."""


# A match at its server, to which an invitation leads.


async def for_a_friend(match: str) -> str:
    """What somebody else types to see this match of the history; "" = nothing leads them there."""
    with suppress(NoHistory):
        one = await asyncio.to_thread(of, match)
        return inviting(one.line) if one is not None and one.line else ""
    return ""


class NotFetched(Exception):
    """The sentence says why."""


async def fetch(wish: Visit, name: str) -> int | None:
    """Keep the finished match of this wish, as one that the player watched, unless it is kept
    already. Returns the player's seat there. Raises NotFetched."""
    from clocktowers_tui.net.arrival import record_from  # seldom used

    try:
        told = await record_from(wish, name)
        if isinstance(told, Refused):
            raise NotFetched(refused_in_words(told))
        await asyncio.to_thread(keep, wish.match, told, None, int(time.time()))
        kept = await asyncio.to_thread(of, wish.match)
    except LinkError as error:
        raise NotFetched(fault_in_words(error)) from None
    except NotARecord as error:
        raise NotFetched(no_replay_in_words(str(error))) from None
    except NoHistory as error:
        raise NotFetched(no_history_in_words(error)) from None
    return None if kept is None else kept.me


# A match of the history for others: its record, or what another process of this program draws.


class NotWritten(Exception):
    """The sentence says why."""


async def exported(match: str, form: Form) -> str:
    """Write this match to a new file, and say where that is. Raises NotWritten."""
    try:
        if (one := await asyncio.to_thread(of, match)) is None:
            raise NotWritten(_("This match is not in your history."))
        text = await in_form(match, form)
        file = await asyncio.to_thread(export, one, form, text)
    except FileExistsError as error:
        said = _("This file is there already: {file}").format(file=error.filename)
        raise NotWritten(said) from None
    except (OSError, NoHistory) as error:
        raise NotWritten(_why(error)) from None
    return _("Written: {file}").format(file=file)


async def in_form(match: str, form: Form) -> bytes:
    """This match, as a file has it. Raises NotWritten."""
    try:
        if form is Form.JSON:
            from clocktowers_tui.history.review import whole_record  # seldom used

            return await asyncio.to_thread(whole_record, match) + b"\n"
        return await _drawn(match, form)
    except (OSError, ValueError, NoHistory) as error:
        raise NotWritten(_why(error)) from None


async def _drawn(match: str, form: Form) -> bytes:
    """In a process of its own: a program draws one full screen. Raises OSError, ValueError and
    NotWritten."""
    from clocktowers_tui.net.records import program  # seldom used

    process = await asyncio.create_subprocess_exec(
        *program("clocktowers_tui.exporting", match, form),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        told, _nothing = await process.communicate()
        answer: Written = msgspec.msgpack.decode(told, type=Written)
    except msgspec.DecodeError:
        raise NotWritten(_("The program that draws matches has ended by itself.")) from None
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if isinstance(answer, Unwritten):
        raise NotWritten(answer.why)
    return answer


def _why(error: Exception) -> str:
    if isinstance(error, Deleted):
        return no_history_in_words(error)
    why = getattr(error, "strerror", None) or error
    return _("The match could not be written: {why}").format(why=why)
