"""What a player can do with their finished matches, and in the replay of one."""

import asyncio
import os
import time
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from clocktowers_tui.config.settings import called, load, settings_file
from clocktowers_tui.deeds.company import LINE, SAY
from clocktowers_tui.deeds.home import REVIEW
from clocktowers_tui.deeds.together import TOGETHER
from clocktowers_tui.history import ExportForm
from clocktowers_tui.history.matches import (
    NoHistory,
    add_said,
    called as ids_of,
    export,
    keep,
    line_of,
    of,
)
from clocktowers_tui.history.record import MAX_LINE_BYTES, NotARecord, Replayed, head_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Deed, always
from clocktowers_tui.net.address import pasted_invitation
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.programs import ended, program, started
from clocktowers_tui.net.records import matches_in
from clocktowers_tui.net.trust import PASSWORD_VARIABLE, Ticket
from clocktowers_tui.net.wishes import Visit, visit_to
from clocktowers_tui.phrases import NotDone, failed
from clocktowers_tui.phrases.codes import fault_in_words, refused_in_words
from clocktowers_tui.phrases.friends import inviting
from clocktowers_tui.phrases.history import wrong_line_in_words
from clocktowers_tui.text.fitting import shown
from clocktowers_tui.text.i18n import N_, _
from protocol.from_client import MAX_SAID_BYTES, Annotate
from protocol.from_server import Refused
from protocol.recording import Found
from protocol.text import clean

_WHICH = "N|ID"

_LIST = N_("list your finished matches; with words, those that have them")
_WRITE = N_("write a match to a file: its record, or its final board as text or as a picture")
_CLOSES = (actions.BACK, actions.LEAVE)
_CLOSE = N_("Close")

MATCHES: Final = (
    Deed("matches", _LIST, (actions.SEARCH_MATCHES,), short="m", takes="[WORDS]", shown=True),
    Deed("replay", N_("see a match again"), short="p", takes=_WHICH),
    Deed("review", REVIEW, (actions.REVIEW_MATCH,), short="v", takes=f"[{_WHICH}]", shown=True),
    Deed("write", _WRITE, (actions.EXPORT_MATCH,), takes=f"{_WHICH} [text|png|svg]", shown=True),
    Deed("share", LINE, takes=_WHICH),
    Deed("delete", N_("delete a match"), (actions.DELETE_MATCH,), takes=_WHICH, shown=True),
    Deed("leave", N_("go to the menu"), _CLOSES, short="q", words=_CLOSE, shown=True),
)

_STORY = N_("list the pieces, or say what happens to one")
_PART = N_("say what is where, or only that part")

_ON = N_("go so many moves on")
_WHAT_IF = N_("play on from here against bots; nothing of it is kept")
_IF = N_("What if: play on from here against bots; nothing is kept")
_COMMENT = N_("say something of this move, kept with the match; without words, take it away")
_TRY = N_("do your last move, or the one that comes, in another way, and hear what it is worth")
_BETTER = N_("say which move is better than the one that you try")
_UNDO = N_("go back to before your last move")
_BACK = N_("go so many moves back")
_LOG = N_("say what has happened so far")
_STEPS: Final = (
    Deed("before", _BACK, (actions.LEFT,), None, always, "b", "[N]", N_("A move back"), True),
    Deed("next", _ON, (actions.RIGHT,), None, always, "n", "[N]", N_("A move on"), True),
    Deed("turnbefore", "", (actions.UP,), words=N_("A turn back"), shown=True),
    Deed("turn", "", (actions.DOWN,), words=N_("A turn on"), shown=True),
)
_LEAVE: Final = Deed("leave", N_("end the replay"), _CLOSES, short="q", words=_CLOSE, shown=True)
_OWN: Final = (
    Deed("own", N_("go to your next turn"), (actions.OWN_TURN,), short="o", shown=True),
    Deed("own before", N_("go to your turn before"), (actions.OWN_TURN_BEFORE,)),
)
_FAR: Final = (
    Deed("log", _LOG, (actions.LOG,), shown=True),
    Deed("first", "", (actions.FIRST,)),
    Deed("last", "", (actions.LAST,)),
)
LOOK_BACK: Final = (_LEAVE, *_STEPS, *_OWN, *_FAR)
"""What can be done with the moments of a match that runs."""
REPLAY: Final[Sequence[Deed]] = (
    *_STEPS[:2],
    Deed("autoplay", "", (actions.CHOOSE,), words=N_("Start or stop"), shown=True),
    *_STEPS[2:],
    Deed(
        "eyes", N_("see it with other eyes"), (actions.EYES,), short="e", takes="[NAME]", shown=True
    ),
    _LEAVE,
    *_OWN,
    Deed("story", _STORY, (actions.STORY,), short="f", takes="[more|N]", shown=True),
    Deed("speed", "", (actions.SPEED,), shown=True),
    *_FAR,
    Deed("result", N_("say the result"), (actions.RESULT,)),
    Deed("look", _PART, short="l", takes="[PART]"),
    Deed("move", N_("go to that move"), short="g", takes="N"),
)
REVIEWED: Final[Sequence[Deed]] = (
    Deed("mistake", N_("go to the next mistake"), (actions.MISTAKE,), short="m", shown=True),
    Deed("try", _TRY, (actions.TRY,), short="t", shown=True),
    Deed("better", "", (actions.HINT,), words=N_("Better or played"), shown=True),
    Deed("review", REVIEW, (actions.REVIEW,), short="v", shown=True),
    Deed("what if", _WHAT_IF, (actions.WHAT_IF,), short="w", words=_IF, shown=True),
    Deed("mistake before", N_("go to the mistake before"), (actions.MISTAKE_BEFORE,)),
    *REPLAY,
    Deed("comment", _COMMENT, (actions.COMMENT,), short="c", takes="[TEXT]"),
    TOGETHER,
    SAY,
)
WHAT_IF: Final = (
    Deed("undo", _UNDO, (actions.TAKE_BACK,), short="u", shown=True),
    Deed("hint", _BETTER, (actions.HINT,), short="h", shown=True),
    Deed("look", _PART, short="l", takes="[PART]"),
    Deed("log", _LOG, (actions.LOG,), takes="[N]", shown=True),
    Deed("review", REVIEW, short="v"),
    Deed("leave", N_("go back"), _CLOSES[::-1], short="q", words=_CLOSE, shown=True),
)
"""What can be done beside the game's own moves where a finished match is played in another way, or
one that goes by mail is played on."""


# Which finished match is meant: one in a file, in the history, or at its server.


_MOST_DIGITS: Final = 6


async def find(typed: str) -> Replayed:
    """The match of `FILE|ID|INVITATION[#PLY]`. A file comes before a match of that id; of a file it
    is the first match. One to which an invitation leads is kept as one that the player watched.
    Raises NotDone."""
    name, ply = typed, None
    start, mark, digits = typed.rpartition("#")
    if mark and digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS:
        name, ply = start, int(digits)
    if invitation := pasted_invitation(name):
        name = await _fetched(invitation)
    return await asyncio.to_thread(_found, name, ply)


async def _fetched(invitation: str) -> str:
    """The id of the match to which this leads, once its server has sent it. Raises NotDone."""
    try:
        wish = _visit_to(invitation)
    except LinkError as error:
        raise NotDone(fault_in_words(error)) from None
    if not wish.match:
        raise NotDone(_("this invitation leads to a server, and not to a finished match"))
    await fetch(wish, called(load(settings_file())))
    return wish.match


def _found(name: str, ply: int | None) -> Replayed:
    """The match in a file of this name, or of this id. Raises NotDone."""
    if (line := _first_of(name)) is not None:
        return Replayed(line, _own_seat(line), ply)
    match = only(name)
    kept = of(match)
    return Replayed(line_of(match), kept.me if kept else None, ply, match)


def only(start: str) -> str:
    """The id of the match whose id begins so. Raises NotDone."""
    found = ids_of(start)
    if start in found:
        return start
    if not found:
        raise NotDone(_("no match of yours has this ID: {id}").format(id=shown(start)))
    if len(found) > 1:
        raise NotDone(_("several IDs begin like this: type more of it"))
    return found[0]


def _own_seat(line: bytes) -> int:
    """Through whose eyes a file is seen first: the player's own where they have played that match,
    else those of seat 0. A player has to ask for a look at all hands."""
    try:
        kept = of(head_of(line).id)
    except (NotARecord, NoHistory):
        kept = None
    return 0 if kept is None or kept.me is None else kept.me


def _first_of(name: str) -> bytes | None:
    """The first record of this file; None: there is no such file. Raises NotDone."""
    try:
        with Path(name).open("rb") as file:
            line = file.readline(MAX_LINE_BYTES + 2).removesuffix(b"\n")
        return line if line.startswith(b"{") else _noted(name)
    except (FileNotFoundError, IsADirectoryError, ValueError):
        return None
    except OSError as error:
        raise failed(_("{file} cannot be read: {why}"), name, error) from None


def _noted(name: str) -> bytes:
    """The first match of a file that may be notation. Raises NotDone and OSError."""
    with Path(name).open("rb") as file, closing(matches_in(file)) as found:
        for told in found:
            if isinstance(told, Found):
                return told.record
            raise NotDone(wrong_line_in_words(clean(name), told))
    raise NotDone(_("there is no match in {file}").format(file=clean(name)))


# A match at its server, to which an invitation leads.


async def for_a_friend(match: str) -> str:
    """What somebody else types to see this match of the history; "" = nothing leads them there."""
    with suppress(NoHistory):
        one = await asyncio.to_thread(of, match)
        return inviting(one.line) if one is not None and one.line else ""
    return ""


async def fetch(wish: Visit, name: str) -> int | None:
    """Keep the finished match of this wish, as one that the player watched; of one that is kept
    already, what others say of it. Returns the player's seat there. Raises NotDone."""
    from clocktowers_tui.net.arrival import visiting  # seldom used

    try:
        async with visiting(wish, name) as link:
            told = await link.record(wish.match, wish.proof)
        if isinstance(told, Refused):
            raise NotDone(refused_in_words(told))
        if (kept := await asyncio.to_thread(of, wish.match)) is not None:
            await asyncio.to_thread(add_said, wish.match, told)
        else:
            await asyncio.to_thread(keep, wish.match, told, None, int(time.time()))
    except LinkError as error:
        raise NotDone(fault_in_words(error)) from None
    return None if kept is None else kept.me


async def hand_over(match: str, line: str) -> tuple[str, str]:
    """Hand what the player says of this match to its server, for everybody who opens this line; a
    sentence on whether they will see it, "" = there is nothing to say; and why its server cannot be
    reached, "" = it can. Raises NotDone."""
    from clocktowers_tui.history.review import said_of  # seldom used
    from clocktowers_tui.net.arrival import visiting

    said, reviewed = await asyncio.to_thread(said_of, match)
    try:
        async with visiting(_visit_to(line), called(load(settings_file()))) as link:
            if not said:
                return "", ""
            if not link.welcome.annotates:
                why = _("Its server is older, and takes none.")
            elif len(said) > MAX_SAID_BYTES:
                why = _("They are too long for its server.")
            else:
                told = await link.request(Annotate(id=0, match=match, said=said))
                why = refused_in_words(told) if isinstance(told, Refused) else ""
    except LinkError as error:
        return "", fault_in_words(error)
    if not why:
        both = _("With the line come your comments and the review.")
        return (both if reviewed else _("With the line come your comments.")), ""
    return _("Your comments and the review stay here: {why}").format(why=why), ""


def _visit_to(line: str) -> Visit:
    """Raises LinkError."""
    return visit_to(line, ticket=Ticket(os.environ.get(PASSWORD_VARIABLE, "")))


# A match of the history for others: its record, or what `clocktowers history export` draws.


async def exported(match: str, form: ExportForm) -> str:
    """Write this match to a new file, and say where that is. Raises NotDone."""
    try:
        if (one := await asyncio.to_thread(of, match)) is None:
            raise NotDone(_("This match is not in Your matches."))
        text = await in_form(match, form)
        file = await asyncio.to_thread(export, one, form, text)
    except FileExistsError as error:
        said = _("This file is there already: {file}").format(file=error.filename)
        raise NotDone(said) from None
    except OSError as error:
        raise NotDone(_why(error)) from None
    return _("Written: {file}").format(file=file)


async def in_form(match: str, form: ExportForm) -> bytes:
    """This match, as a file has it. Raises NotDone."""
    try:
        if form is ExportForm.JSON:
            from clocktowers_tui.history.review import whole_record  # seldom used

            return await asyncio.to_thread(whole_record, match) + b"\n"
        return await _drawn(match, form)
    except (OSError, ValueError) as error:
        raise NotDone(_why(error)) from None


async def _drawn(match: str, form: ExportForm) -> bytes:
    """By `clocktowers history export`, because a program draws one full screen. Raises OSError,
    ValueError and NotDone."""
    if match.startswith("-"):  # a server chose it
        raise ValueError(clean(match))
    words = ("history", "export", match, "--as", form)
    drawing = await started(program("clocktowers_tui", *words), errors=PIPE)
    try:
        text, said = await drawing.communicate()
    finally:
        await ended(drawing)
    if drawing.returncode:
        why = said.decode(errors="replace").partition(f"{clean(match)}: ")[2].strip()
        raise NotDone(why or _("The program that draws matches has ended by itself."))
    return text


def _why(error: Exception) -> str:
    why = getattr(error, "strerror", None) or error
    return _("The match could not be written: {why}").format(why=why)
