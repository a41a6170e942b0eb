"""What a player can do with others: talk, invite them, send them away, and be told elsewhere that
they wait."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from clocktowers_tui.deeds.asking import Asker, asked
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.games.spoken import number
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Deed
from clocktowers_tui.phrases import NotDone, none_of
from clocktowers_tui.phrases.codes import (
    SERVER_OLDER,
    minute_in_utc,
    refused_in_words,
    told_elsewhere_in_words,
)
from clocktowers_tui.phrases.friends import typed_by_friends
from clocktowers_tui.phrases.tables import PHRASES, line_of
from clocktowers_tui.state.match import gone_for_good
from clocktowers_tui.state.store import (
    State,
    audible,
    in_company,
    muted,
    others,
    toggled,
    you,
)
from clocktowers_tui.state.table import Kind, Table
from clocktowers_tui.text.fitting import shown
from clocktowers_tui.text.i18n import N_, _, language
from protocol.errors import RefusalCode
from protocol.from_client import MOST_ADDRESS, Hush, Invite, Kick, Notify, Say, Unsay
from protocol.from_server import Done, Refused
from protocol.table import MAX_CHAT_CHARACTERS, TAKEN_AWAY, SeatKind
from protocol.text import name_key

_NEWEST: Final = 20
"""Lines of the chat."""
_MUTABLE: Final = 8
"""How many names the smallest terminal has room for in a question."""


# When something is possible -----------------------------------------------------------------------


def is_host(client: Client) -> bool:
    return client.state.table is not None and client.state.table.is_host


def table_of(client: Client) -> Table:
    assert client.state.table is not None
    return client.state.table


def may_invite(client: Client) -> bool:
    connection = client.state.connection
    if connection is None or not is_host(client):
        return False
    unreached = connection.kind is Kind.HOST and not typed_by_friends(connection)
    return connection.welcome.invites and not unreached


def may_kick(client: Client) -> bool:
    """Whether the player is host and anybody else is there."""
    return is_host(client) and not client.state.alone and bool(others_at(client.state))


def others_at(state: State) -> list[str]:
    """The names that may be sent away: people at seats, those who may come back, and watchers."""
    if (table := state.table) is None:
        return []
    gone = () if state.match is None else gone_for_good(state.match)
    seated = [
        info.name
        for seat, info in enumerate(table.info.seats)
        if seat != table.seat and (info.kind is SeatKind.HUMAN or (info.away and seat not in gone))
    ]
    return [*seated, *table.watching]


def keeps_order(client: Client) -> bool:
    """Whether the player is host where others may write, and a host may silence them."""
    return in_company(client.state) and is_host(client) and knows_order(client)


def knows_order(client: Client) -> bool:
    """Whether the server understands `Settle`, `Hush` and `Unsay`; an older one would end the
    connection."""
    return table_of(client).hushed is not None


def may_be_told(client: Client) -> bool:
    connection = client.state.connection
    return connection is not None and connection.welcome.notifies


def talks(client: Client) -> bool:
    return in_company(client.state)


# What is done -------------------------------------------------------------------------------------


async def invite(client: Client, ask: Asker) -> None:
    """One invitation is enough for all friends."""
    known, code = client.journey.invitations, table_of(client).info.table
    if code not in known:
        answer = await asked(client, ask, Invite(id=0))
        if not isinstance(answer, Done):
            return
        known[code] = answer
    if (line := client.state.connection) is not None:
        ways = replace(line.ways, invitation=known[code].invitation, page=known[code].page)
        await ask.show_invitation(ways, code, typed_by_friends(line, code))


async def kick(client: Client, ask: Asker) -> None:
    lasting = _("They cannot come back to this table.")
    names = {name: name for name in others_at(client.state)}
    title, lacks = _("Choose a player to send away"), _("Type whom: kick NAME.")
    if not (chosen := await ask.choose(title, [lasting], names, _("Nobody"), lacks)):
        return
    if not (name := _called(chosen, names)):
        own = name_key(chosen) == name_key(you(client.state))
        code = RefusalCode.NOT_YOURSELF if own else RefusalCode.NOBODY_OF_THAT_NAME
        refused = Refused(id=0, code=code, params={"name": shown(chosen)})
        raise NotDone(refused_in_words(refused))
    sure = _("Send {name} away from the table?").format(name=name)
    away = _("Send away")
    if await ask.sure(away, [sure, lasting], yes=away, no=_("No")):
        await asked(client, ask, Kick(id=0, name=name))


async def notify(client: Client, ask: Asker) -> None:
    """By an address, its code, quiet hours or off; without any of these, what the server keeps."""
    if not may_be_told(client):
        raise NotDone(_("This server sends no messages to players who are away."))
    answer = await asked(client, ask, Notify(id=0))
    if not isinstance(answer, Done) or answer.told is None:
        return
    title, label = _("Be told when it is your turn"), _("Address, code or off")
    typed = await ask.line(title, label, told_elsewhere_in_words(answer.told), most=MOST_ADDRESS)
    if typed:
        answer = await asked(client, ask, _wish_to_be_told(typed.split()))
    if typed is not None and isinstance(answer, Done) and answer.told is not None:
        ask.say(told_elsewhere_in_words(answer.told))


def _wish_to_be_told(words: Sequence[str]) -> Notify:
    """Raises NotDone."""
    match words:
        case ["off"]:
            return Notify(id=0, forget=True)
        case ["quiet", "off"]:
            return Notify(id=0, quiet=[])
        case ["quiet", hours] if found := re.fullmatch(r"(\d\d?)-(\d\d?)", hours):
            return Notify(id=0, quiet=[minute_in_utc(int(one)) for one in found.groups()])
        case [code] if code.isdecimal():
            return Notify(id=0, code=code[:6])
        case [address] if len(address) <= MOST_ADDRESS:
            return Notify(id=0, address=address, language=language())
        case _:
            raise NotDone(_("Type notify ADDRESS, notify CODE, notify quiet 22-8 or notify off."))


def _needs_company(client: Client) -> None:
    if not talks(client):
        raise NotDone(_("Nobody is here to talk to."))


def _needs_order(client: Client) -> None:
    if not knows_order(client):
        raise NotDone(_(SERVER_OLDER))


def _called(typed: str, names: Iterable[str]) -> str:
    """The one of these names that was typed, whatever its letters' case; "" = none."""
    return next((one for one in names if name_key(one) == name_key(typed)), "")


async def say(client: Client, ask: Asker) -> None:
    """Without words: the newest lines."""
    _needs_company(client)
    state, text = client.state, " ".join(ask.typed)[:MAX_CHAT_CHARACTERS]
    if text:
        await asked(client, ask, Say(id=0, text=text))
    else:
        lines = [line_of(line, you(state)) for line in audible(state)[-_NEWEST:]]
        ask.aloud(*(lines or [_("Nobody has said anything yet.")]))


async def phrase(client: Client, ask: Asker) -> None:
    known, at = list(PHRASES), number(ask.typed) - 1
    if not 0 <= at < len(known):
        ask.aloud(*(f"{n}: {_(words)}" for n, words in enumerate(PHRASES.values(), 1)))
    else:
        _needs_company(client)
        await asked(client, ask, Say(id=0, phrase=known[at]))


async def mute(client: Client, ask: Asker) -> None:
    """Or hear somebody again."""
    names, unheard = others(client.state)[:_MUTABLE], muted(client.state)
    here = [*dict.fromkeys((*others(client.state), *others_at(client.state)))]
    if not names and not (ask.typed and here):
        raise NotDone(_("Nobody else has said anything here yet."))
    again, less = _("Hear {name} again"), _("Mute {name}")
    options = {name: (again if name in unheard else less).format(name=name) for name in names}
    title, told = _("Choose a player to mute"), _("You no longer see their messages at this table.")
    lacks = _("Type whom: mute NAME.")
    if chosen := await ask.choose(title, [told], options, _("Change nothing"), lacks):
        if not (name := _called(chosen, here)):
            raise none_of(here)
        client.change(toggled(client.state, name))
        heard = name not in muted(client.state)
        said = _("You hear {name} again.") if heard else _("You no longer hear {name}.")
        ask.aloud(said.format(name=name))


async def hush(client: Client, ask: Asker) -> None:
    """Or let them write again."""
    _needs_order(client)
    watchers = not table_of(client).hushed
    if await asked(client, ask, Hush(id=0, watchers=watchers)):
        silent, again = (
            _("Nobody who watches can write now."),
            _("Those who watch can write again."),
        )
        ask.aloud(silent if watchers else again)


async def unsay(client: Client, ask: Asker) -> None:
    """By a line's number on a screen; by the name of who wrote it last where words are typed."""
    _needs_order(client)
    state = client.state
    newest = {line.n: line for line in state.chat.lines}
    # Older lines of the same number are from before the server was started again.
    lines = [
        line for line in state.chat.lines if line is newest[line.n] and line.phrase != TAKEN_AWAY
    ]
    options = {f"#{line.n}": line_of(line, you(state)) for line in reversed(lines[-_MUTABLE:])}
    if not options and not ask.typed:
        raise NotDone(_("There is no line to take away."))
    title, told = _("Choose a line to take away"), _("Nobody can read it here any more.")
    lacks = _("Type whose last line: unsay NAME.")
    if chosen := await ask.choose(title, [told], options, _("Change nothing"), lacks):
        by_name = [line.n for line in lines if name_key(line.name) == name_key(chosen)]
        found = [int(chosen[1:])] if chosen in options else by_name
        if not found:
            raise NotDone(_("{name} has written nothing here.").format(name=shown(chosen)))
        await asked(client, ask, Unsay(id=0, n=found[-1]))


LINE: Final = N_("say what a friend types to see a match that was at a server")
"""Of the match that has just ended, and of one in the history."""
SAY: Final = Deed(
    "say", N_("say that to everybody here"), (actions.CHAT,), say, talks, takes="TEXT"
)
_PHRASE = N_("say a quick phrase")
_MUTE = N_("hide what that player says, or hear it again")
_HUSH = N_("let those who watch say nothing, or speak again, as the host")
_UNSAY = N_("take away what that player wrote last, as the host")
_HUSH_WORDS = N_("Silence watchers, or let them write")
_WORDS = tuple(PHRASES.values())
_NOTIFY = N_("be told elsewhere when it is your turn, by an address that you confirm by its code")


def told_elsewhere(key: Action) -> Deed:
    """`key`: the action that does it in this place."""
    takes = "[ADDRESS|CODE|quiet 22-8|off]"
    return Deed("notify", _NOTIFY, (key,), notify, may_be_told, takes=takes)


_TALK: Final = (
    Deed("phrase", _PHRASE, actions.PHRASES, phrase, talks, takes="[N]", each=_WORDS),
    Deed("mute", _MUTE, (actions.MUTE,), mute, talks, "", "NAME", N_("Mute a player"), True),
    Deed("hush", _HUSH, (actions.HUSH,), hush, keeps_order, words=_HUSH_WORDS),
    Deed("unsay", _UNSAY, (actions.UNSAY,), unsay, keeps_order, takes="NAME"),
)
CHAT: Final = (
    *_TALK,
    Deed("type", "", (actions.CHAT,), words=N_("Type a message"), shown=True),
    Deed("close", "", (actions.BACK, actions.LEAVE), words=N_("Close"), shown=True),
)
"""The panel of a screen; plain mode has the words in each place."""


def company(kicks: Action) -> tuple[Deed, ...]:
    """With others. `kicks`: the action that sends somebody away in this place."""
    return (
        SAY,
        *_TALK,
        Deed("kick", N_("send a player away, as the host"), (kicks,), kick, may_kick, takes="NAME"),
    )
