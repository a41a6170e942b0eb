"""What a player can do among the tables of a server, at one of them, and in company."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.deed import Asker, Deed, asked
from clocktowers_tui.games.spoken import number
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.new_table import levels_at, levels_of
from clocktowers_tui.phrases.codes import refused_in_words
from clocktowers_tui.phrases.tables import PHRASES, line_of
from clocktowers_tui.state.match import gone_for_good
from clocktowers_tui.state.store import (
    Place,
    State,
    audible,
    in_company,
    left,
    muted,
    others,
    place,
    toggled,
    you,
)
from clocktowers_tui.state.table import Table
from clocktowers_tui.text.fitting import shown
from clocktowers_tui.text.i18n import N_, _
from protocol.errors import RefusalCode
from protocol.from_client import Invite, Join, Kick, Leave, Ready, Say, SetBot, Start
from protocol.from_server import Done, Refused
from protocol.invitation import Ways
from protocol.table import MAX_CHAT_CHARACTERS, Filter, SeatKind, TablePhase
from protocol.text import name_key

_NEWEST: Final = 20
"""Lines of the chat."""
_MUTABLE: Final = 8
"""How many names the smallest terminal has room for in a question."""


# Among the tables ---------------------------------------------------------------------------------


NARROWINGS: Final = {
    "all": Filter(),
    "waiting": Filter(phase=TablePhase.WAITING),
    "playing": Filter(phase=TablePhase.PLAYING),
    "free": Filter(free_seat=True),
}
"""The filters, in the order in which the key goes through them."""


def has_tables(client: Client) -> bool:
    """Whether there is a table to find or watch, or a filter hides it."""
    lobby = client.state.lobby
    return bool(lobby.tables) or lobby.filter != Filter()


def has_invitation(client: Client) -> bool:
    """Whether the server is the player's own, and they have an invitation to it."""
    connection = client.state.connection
    return connection is not None and (
        bool(connection.ways.invitation) or connection.ways.ssh is not None
    )


async def goes_to_menu(client: Client, _ask: Asker) -> None:
    """A guest comes back to the lobby from there."""
    await client.journey.end()


_JOIN = N_("sit down at a table, by its number in the list or its code")
_FILTER = N_("list only tables with that text; without one, all")
_SAME = N_("make a table with the deal of that table")
_ALONE = N_("play against bots, or learn a game; lobby comes back here")
_INVITE = N_("say what a friend types")
_NEW = N_("make a table; new --help says how")
_ONLY = N_("list only tables that are so")
_WHICH = "N|CODE [PASSWORD]"
_KINDS = "|".join(NARROWINGS)

LOBBY: Final = (
    Deed("tables", N_("list the tables"), short="t"),
    Deed("new", _NEW, (actions.NEW_TABLE,), short="n", takes="[GAME] [FLAGS]", shown=True),
    Deed("filter", _FILTER, (actions.FILTER,), None, has_tables, "f", "[TEXT]", shown=True),
    Deed("only", _ONLY, (actions.NARROW,), None, has_tables, takes=_KINDS, shown=True),
    Deed("join", _JOIN, (actions.CODE,), short="j", takes=_WHICH, shown=True),
    Deed("watch", N_("watch a table"), (actions.WATCH,), None, has_tables, "w", _WHICH, shown=True),
    Deed("page", N_("list that page of the tables"), takes="N"),
    Deed("same", _SAME, (actions.SAME_DEAL,), takes="N|CODE"),
    Deed("invite", _INVITE, (actions.LOBBY_INVITE,), now=has_invitation, guest=False),
    Deed("menu", _ALONE, (actions.ALONE,), goes_to_menu, short="m", guest=True),
    Deed("leave", N_("leave the server"), (actions.LEAVE,), short="q", shown=True),
)


# When something is possible at a table ------------------------------------------------------------


def is_host(client: Client) -> bool:
    return client.state.table is not None and client.state.table.is_host


def may_be_ready(client: Client) -> bool:
    table = client.state.table
    return table is not None and table.seat is not None and not table.is_host


def may_sit(client: Client) -> bool:
    return client.state.table is not None and client.state.seat is None


def may_invite(client: Client) -> bool:
    connection = client.state.connection
    return is_host(client) and connection is not None and connection.invites


def may_kick(client: Client) -> bool:
    """Whether the player is host and anybody else is there."""
    return is_host(client) and bool(others_at(client.state))


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


def talks(client: Client) -> bool:
    return in_company(client.state)


# Seats --------------------------------------------------------------------------------------------


def _table(client: Client) -> Table:
    assert client.state.table is not None
    return client.state.table


def _has_begun(client: Client) -> bool:
    return place(client.state) is not Place.TABLE


async def start(client: Client, ask: Asker) -> None:
    if await asked(client, ask, Start(id=0)):
        await ask.until(lambda: _has_begun(client), 10.0)


async def ready(client: Client, ask: Asker) -> None:
    table = _table(client)
    if table.seat is None:
        ask.object(_("You are watching; sit takes a free seat."))
    elif table.is_host:
        ask.object(_("You are the host: start begins the match."))
    else:
        await asked(client, ask, Ready(id=0, ready=not table.info.seats[table.seat].ready))


def _seat(client: Client, ask: Asker) -> int | None:
    """The one that was typed, counted from 0; None where no seat has that number."""
    seats, n = len(_table(client).info.seats), number(ask.typed)
    if 0 < n <= seats:
        return n - 1
    ask.object(_("Say which seat, from 1 to {n}.").format(n=seats))
    return None


async def sit(client: Client, ask: Asker) -> None:
    seat = _seat(client, ask) if ask.typed else None
    if seat is not None or not ask.typed:
        await asked(client, ask, Join(id=0, table=_table(client).info.table, seat=seat))


async def bot(client: Client, ask: Asker) -> None:
    if (seat := _seat(client, ask)) is None:
        return
    known = levels_of(_table(client).info.game, levels_at(client.state.connection))
    level = ask.typed[1].lower() if len(ask.typed) > 1 else "normal"
    if level in known:
        await asked(client, ask, SetBot(id=0, seat=seat, level=level))
    else:
        ask.object(_("Choose one of {values}.").format(values=", ".join(known)))


async def free(client: Client, ask: Asker) -> None:
    if (seat := _seat(client, ask)) is None:
        return
    if _table(client).info.seats[seat].kind is SeatKind.BOT:
        await asked(client, ask, SetBot(id=0, seat=seat))
    else:
        ask.object(_("No bot sits there."))


async def wait(client: Client, ask: Asker) -> None:
    await ask.until(lambda: _has_begun(client))


# Friends, and others ------------------------------------------------------------------------------


async def invite(client: Client, ask: Asker) -> None:
    """One invitation is enough for all friends."""
    known, code = client.journey.invitations, _table(client).info.table
    if code not in known:
        answer = await client.journey.request(Invite(id=0))
        if isinstance(answer, Refused):
            ask.object(refused_in_words(answer))
        if not isinstance(answer, Done):
            return
        known[code] = answer
    connection = client.state.connection
    ways = Ways() if connection is None else connection.ways
    told = known[code]
    await ask.show_invitation(replace(ways, invitation=told.invitation, page=told.page), code)


async def kick(client: Client, ask: Asker) -> None:
    lasting = _("They cannot come back to this table.")
    names = {name: name for name in others_at(client.state)}
    title, lacks = _("Choose a player to send away"), _("Say whom: kick NAME.")
    if not (chosen := await ask.choose(title, [lasting], names, _("Nobody"), lacks)):
        return
    name = next((one for one in names if name_key(one) == name_key(chosen)), "")
    if not name:
        own = name_key(chosen) == name_key(you(client.state))
        code = RefusalCode.NOT_YOURSELF if own else RefusalCode.NOBODY_OF_THAT_NAME
        ask.object(refused_in_words(Refused(id=0, code=code, params={"name": shown(chosen)})))
        return
    sure = _("Send {name} away from the table?").format(name=name)
    away = _("Send away")
    if await ask.sure(away, [sure, lasting], yes=away, no=_("No")):
        await asked(client, ask, Kick(id=0, name=name))


async def say(client: Client, ask: Asker) -> None:
    """Without words: the newest lines."""
    state, text = client.state, " ".join(ask.typed)[:MAX_CHAT_CHARACTERS]
    if not in_company(state):
        ask.object(_("Nobody is here to talk to."))
    elif text:
        await asked(client, ask, Say(id=0, text=text))
    else:
        lines = [line_of(line, you(state)) for line in audible(state)[-_NEWEST:]]
        ask.aloud(*(lines or [_("Nobody has said anything yet.")]))


async def phrase(client: Client, ask: Asker) -> None:
    known, at = list(PHRASES), number(ask.typed) - 1
    if not 0 <= at < len(known):
        ask.aloud(*(f"{n}: {_(words)}" for n, words in enumerate(PHRASES.values(), 1)))
    elif not in_company(client.state):
        ask.object(_("Nobody is here to talk to."))
    else:
        await asked(client, ask, Say(id=0, phrase=known[at]))


async def mute(client: Client, ask: Asker) -> None:
    """Or hear somebody again."""
    names, unheard = others(client.state)[:_MUTABLE], muted(client.state)
    if not names and not ask.typed:
        ask.object(_("Nobody else has said anything here yet."))
        return
    again, less = _("Hear {name} again"), _("Mute {name}")
    options = {name: (again if name in unheard else less).format(name=name) for name in names}
    title, told = _("Choose a player to mute"), _("You no longer see their messages at this table.")
    lacks = _("Say whom: mute NAME.")
    if name := await ask.choose(title, [told], options, _("Change nothing"), lacks):
        client.change(toggled(client.state, name))
        heard = name not in muted(client.state)
        said = _("You hear {name} again.") if heard else _("You no longer hear {name}.")
        ask.aloud(said.format(name=name))


# Leaving ------------------------------------------------------------------------------------------


def given_up(state: State) -> Iterator[tuple[str, str]]:
    """What the player gives up by leaving for good when no match goes on: titles and sentences."""
    match, table = state.match, state.table
    played = match is not None and match.over and not match.aborted and not match.seed
    if played and table is not None and table.info.deal:
        said = _("If you leave now, you miss the ranking; your record comes later.")
        yield _("Other tables still play this deal"), said
    if place(state) is Place.TABLE and table is not None and table.is_host and table.others:
        yield _("Leave your table?"), _("Another player becomes the table's host.")


async def leave(client: Client, ask: Asker) -> None:
    for title, said in given_up(client.state):
        if not await ask.sure(title, [said], yes=_("Leave the table"), no=_("Stay")):
            return
    await leave_for_good(client)


async def leave_for_good(client: Client) -> None:
    """Give the seat up; alone with bots that ends the match."""
    if client.state.alone:
        await client.journey.end()
    elif await client.journey.request(Leave(id=0)) is not None:
        client.change(left(client.state))


_PHRASE = N_("say a quick phrase")
_MUTE = N_("hide what that player says, or hear it again")
_WORDS = tuple(PHRASES.values())
_TALK: Final = (
    Deed("phrase", _PHRASE, actions.PHRASES, phrase, talks, takes="[N]", each=_WORDS),
    Deed("mute", _MUTE, (actions.MUTE,), mute, talks, "", "NAME", N_("Mute a player"), True),
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
        Deed("say", N_("say that to everybody here"), (actions.CHAT,), say, talks, takes="TEXT"),
        *_TALK,
        Deed("kick", N_("send a player away, as the host"), (kicks,), kick, may_kick, takes="NAME"),
    )


_LEAVES = (actions.LEAVE, actions.BACK)
_LEAVE = N_("leave the table")
_READY = N_("say that you are ready, or not")
_FREE = N_("take a bot off its seat, as the host")

TABLE: Final = (
    Deed("look", N_("say who sits where"), short="l"),
    Deed("start", N_("start the match, as the host"), (actions.START,), start, is_host, shown=True),
    Deed("ready", _READY, (actions.READY,), ready, may_be_ready, "r", shown=True),
    Deed("sit", N_("sit down on a free seat"), (), sit, may_sit, takes="[SEAT]"),
    Deed("bot", N_("seat a bot, as the host"), (), bot, is_host, "b", "SEAT [LEVEL]"),
    Deed("free", _FREE, (), free, is_host, takes="SEAT"),
    Deed("invite", _INVITE, (actions.INVITE,), invite, may_invite, shown=True),
    *company(actions.KICK),
    Deed("wait", N_("wait until the match begins"), (), wait, short="w"),
    Deed("leave", _LEAVE, _LEAVES, leave, short="q", words=N_("Leave the table"), shown=True),
)
