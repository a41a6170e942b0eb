"""The player goes on at another machine: `move-out` on the old one, `move-in` on the new one."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from clocktowers_tui.config.settings import as_name, called
from clocktowers_tui.deeds.asking import Asker
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.history.matches import save
from clocktowers_tui.net import identity, moving
from clocktowers_tui.net.dialing import Dialled
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.moving import Luggage, MoveEnd
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.codes import fault_in_words
from clocktowers_tui.phrases.home import waiting_in_words
from clocktowers_tui.text.i18n import N_, _, ngettext
from protocol.invitation import MOST_LETTERS, BadInvitation, is_invitation
from protocol.text import clean

_ENDED: Final = {
    MoveEnd.TAKEN: N_("The other machine has it all. Each match goes on where you open it next."),
    MoveEnd.SHUT: N_("The other machine has it all, and this one is shut out."),
    MoveEnd.NOTHING: N_("The code opens nothing any more, and nothing is changed here."),
}
_BOTH: Final = N_("Both machines know you; each match goes on where you open it next.")
_CANNOT: Final = N_("This machine cannot do it: {why}")
_NOTHING_CAME: Final = N_(
    "Nothing came: the code is over or used, or this machine cannot reach the old one. There, type "
    "move-out for another code, or clocktowers move-out --file FILE."
)
_NOT_OPENED: Final = N_("The pass phrase is another, or {file} is not from move-out.")


async def move_out(client: Client, ask: Asker) -> None:
    """Show a code once, for five minutes; or write a file."""
    try:
        what = await asyncio.to_thread(moving.packed, called(client.settings))
        if ask.typed:
            await _to_file(ask, what, Path(" ".join(ask.typed)))
            return
        async with moving.moving_out(what) as (line, over):
            how = _("Within five minutes, type clocktowers move-in and this code there:")
            title, lines = _("Go on at another machine"), [_in_words(what), how, line]
            await ask.show_lines(title, lines, over)
            ask.say(_(_ENDED[over.result() if over.done() else MoveEnd.NOTHING]))
    except OSError as error:
        raise NotDone(_(_CANNOT).format(why=error.strerror)) from None


async def _to_file(ask: Asker, what: Luggage, file: Path) -> None:
    n, named = moving.LEAST_PHRASE, clean(str(file))
    why = _("Choose a pass phrase for the file, of {n} characters or more.").format(n=n)
    phrase = await ask.password(why)
    if len(phrase) < n:
        raise NotDone(why)
    if await ask.password(_("Type the pass phrase again.")) != phrase:
        raise NotDone(_("The two pass phrases differ: nothing is written."))
    try:
        await asyncio.to_thread(save, file, await asyncio.to_thread(moving.sealed, what, phrase))
    except FileExistsError:
        raise NotDone(_("This file is there already: {file}").format(file=named)) from None
    said = _("Written to {file}. Take it to the other machine, type move-in FILE there, delete it.")
    ask.say(said.format(file=named))


def _in_words(what: Luggage) -> str:
    comes = ngettext(
        "{name} moves, with {n} seat at a server.",
        "{name} moves, with {n} seats at servers.",
        len(what.seats),
    )
    said = comes.format(name=as_name(what.name), n=len(what.seats))
    stays = _("Those on the old machine's own server stay there.")
    return f"{said} {stays}" if what.stays else said


async def move_in(client: Client, ask: Asker) -> None:
    """Take the player over from another machine, by its code or file."""
    title, label = _("Come from another machine"), _("Code or file")
    where = _("On the old machine, move-out shows a code.")
    lacks = _("Type move-in and the code, or the file.")
    if not (typed := await ask.line(title, label, where, most=MOST_LETTERS, lacks=lacks)):
        return
    async with AsyncExitStack() as held:
        try:
            what, line = await _fetched(ask, typed, held)
            told = await _unpacked(client, ask, what)
        except OSError as error:
            raise NotDone(_(_CANNOT).format(why=error.strerror)) from None
        shut = [*told, _(_BOTH), _("Shut the old machine out?")]
        title, yes, no = _("Shut the old one out?"), _("Shut it out"), _("Leave it open")
        how = MoveEnd.SHUT if await ask.sure(title, shut, yes, no) else MoveEnd.TAKEN
        if line is not None:
            line.writer.write(how.value)
    if how is MoveEnd.TAKEN:
        ask.say(_(_BOTH))
    elif open_still := await moving.shut_out(what.seats):
        said = _("The old machine may still open this, as its server did not answer: {match}")
        ask.say(" ".join(said.format(match=waiting_in_words(seat)) for seat in open_still))
    else:
        ask.say(_("The old machine is shut out."))


async def _fetched(ask: Asker, typed: str, held: AsyncExitStack) -> tuple[Luggage, Dialled | None]:
    """And the line to the old machine. Raises OSError for a file that cannot be read, and
    NotDone."""
    try:
        if is_invitation(typed):
            return await held.enter_async_context(moving.moving_in(typed))
        phrase = await ask.password(_("Type the pass phrase of the file."))
        content = await asyncio.to_thread(Path(typed).read_bytes)
        return await asyncio.to_thread(moving.unsealed, content, phrase), None
    except BadInvitation as error:
        raise NotDone(fault_in_words(LinkError(Fault[f"INVITATION_{error.wrong.name}"]))) from None
    except LinkError:
        raise NotDone(_(_NOTHING_CAME)) from None
    except ValueError:
        raise NotDone(_(_NOT_OPENED).format(file=clean(typed))) from None


async def _unpacked(client: Client, ask: Asker, what: Luggage) -> list[str]:
    """Keep it here, unless the player of this machine does not want it. Returns what the player has
    to know. Raises NotDone, OSError."""
    name = as_name(what.name)
    if await asyncio.to_thread(identity.kept) not in (None, what.secret):
        told = _("Servers know you here as {here}. From now on they would know you as {name}.")
        said = [told.format(here=called(client.settings), name=name)]
        said.append(_("The identity that was here is kept in a file."))
        yes, title = _("Change to {name}").format(name=name), _("Another player is here")
        if not await ask.sure(title, said, yes, _("Change nothing")):
            raise NotDone(_("Nothing is changed."))
    copy = await moving.unpack(what)
    if copy is not None or not client.settings.name:
        client.keep(replace(client.settings, name=name))
    said = [f"{_in_words(what)} " + _("The menu has what waits.")]
    if copy is not None:
        said.append(_("The identity that was here: {file}").format(file=clean(str(copy))))
    return said
