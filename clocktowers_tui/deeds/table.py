"""What a player can do among the tables of a server, and at one of them."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from clocktowers_tui.deeds.asking import Asker, asked, request_with_password, settled
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.company import (
    company,
    invite,
    is_host,
    keeps_order,
    may_invite,
    table_of,
    told_elsewhere,
)
from clocktowers_tui.deeds.home import going_on, unfinished
from clocktowers_tui.deeds.together import TOGETHER
from clocktowers_tui.games.spoken import number
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Deed
from clocktowers_tui.net.address import as_code
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.wishes import visit_to
from clocktowers_tui.new_table import levels_at, levels_of, usual_level
from clocktowers_tui.phrases import NotDone, one_of
from clocktowers_tui.phrases.codes import refused_in_words
from clocktowers_tui.phrases.tables import beginning_in_words, fewer_in_words
from clocktowers_tui.state.store import Place, State, left, place
from clocktowers_tui.state.table import Kind, Table
from clocktowers_tui.text.i18n import N_, _
from protocol.errors import RefusalCode
from protocol.from_client import CreateTable, Join, Leave, Ready, SetBot, Start, Watch
from protocol.from_server import Refused
from protocol.invitation import MOST_LETTERS
from protocol.table import Days, Filter, SeatKind, TablePhase

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


def has_none(client: Client) -> bool:
    """Whether the server has no table at all: Enter makes the first."""
    return not has_tables(client)


def has_invitation(client: Client) -> bool:
    """Whether the server is the player's own, and they have an invitation to it."""
    connection = client.state.connection
    return connection is not None and (
        bool(connection.ways.invitation) or connection.ways.ssh is not None
    )


async def goes_to_menu(client: Client, _ask: Asker) -> None:
    """A guest comes back to the lobby from there."""
    await client.journey.end()


_WATCHABLE: Final = (RefusalCode.TABLE_FULL, RefusalCode.MATCH_RUNNING)
_GONE: Final = RefusalCode.NO_SUCH_TABLE


def code_of(client: Client, typed: Sequence[str]) -> tuple[str, str]:
    """Of the table with that number in the list, or as typed, also behind an address or in the line
    that a friend has sent; and the password behind it."""
    is_line = not {"join", "--table"}.isdisjoint(typed)
    words = [" ".join(typed)] if is_line else typed
    tables, n, code = client.state.lobby.tables, number(words), ""
    with suppress(LinkError):
        code = visit_to(words[0]).table
    code = tables[n - 1].table if 0 < n <= len(tables) else code or as_code(words[0])
    return code, "".join(words[1:2])[:128]


def _is_elsewhere(client: Client, typed: Sequence[str]) -> bool:
    """Whether it leads to an address that is none of this server's."""
    line = client.state.connection
    with suppress(LinkError):
        visit = visit_to(" ".join(typed))
        if line is not None and (visit.table or "join" in typed):
            return str(visit.address) not in (line.address, *line.welcome.nodes, *line.friends)
    return False


async def go_to(client: Client, ask: Asker, wish: CreateTable | Join | Watch) -> None:
    if await asked(client, ask, wish):
        await _is_there(client, ask)


async def _is_there(client: Client, ask: Asker) -> None:
    """Before the next line is obeyed; on a slow line a table takes a while to be seen."""
    await ask.until(lambda: place(client.state) is not Place.LOBBY, 10.0)


async def join(client: Client, ask: Asker) -> None:
    """Sit down; where no seat is free, the player may watch."""
    lacks = _("Type which table: its number in the list, or its code.")
    label = _("The table's code")
    typed = await ask.line(_("Go to a table"), label, "", most=MOST_LETTERS, lacks=lacks)
    if typed is None:
        return
    words = ask.typed or typed.split()  # a typed password may have blanks
    code, password = code_of(client, words)
    wish = Join(id=0, table=code, password=password)
    answer = await request_with_password(client, ask, wish)
    if isinstance(answer, Refused) and answer.code in _WATCHABLE:
        title, said = _("Table {code}").format(code=code), refused_in_words(answer)
        told = [said, _("Watch it?")]
        if await ask.sure(title, told, yes=_("Watch it"), no=_("Stay here")):
            await go_to(client, ask, Watch(id=0, table=code))
    elif isinstance(answer, Refused) and answer.code == _GONE and _is_elsewhere(client, words):
        key = client.keymap.name(actions.JOIN)
        said = _("That line is for another server: leave this one, then {join} in the menu.")
        raise NotDone(said.format(join=key))
    elif settled(client, ask, answer):
        await _is_there(client, ask)


async def leave_server(client: Client, ask: Asker) -> None:
    """The root of a guest is here."""
    if client.guest:
        client.leave_program()
        return
    connection = client.state.connection
    where = connection.address if connection is not None else ""
    told, leaves = [_("You are at {address}.").format(address=where)], _("Leave")
    told += going_on(client, unfinished())
    if await ask.sure(_("Leave this server?"), told, leaves, _("Stay"), of_key="no"):
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
    Deed("first", "", (actions.CONFIRM,), None, has_none, words=N_("New table")),
    Deed("filter", _FILTER, (actions.FILTER,), None, has_tables, "f", "[TEXT]", shown=True),
    Deed("only", _ONLY, (actions.NARROW,), None, has_tables, takes=_KINDS, shown=True),
    Deed("join", _JOIN, (actions.CODE,), join, short="j", takes=_WHICH, shown=True),
    Deed("watch", N_("watch a table"), (actions.WATCH,), None, has_tables, "w", _WHICH, shown=True),
    Deed("page", N_("list that page of the tables"), takes="N"),
    Deed("same", _SAME, (actions.SAME_DEAL,), takes="N|CODE"),
    Deed("invite", _INVITE, (actions.LOBBY_INVITE,), now=has_invitation, guest=False),
    told_elsewhere(actions.LOBBY_NOTIFY),
    Deed("menu", _ALONE, (actions.ALONE,), goes_to_menu, short="m", guest=True, shown=True),
    Deed("leave", N_("leave the server"), (actions.LEAVE,), leave_server, short="q", shown=True),
)


# When something is possible at a table ------------------------------------------------------------


def may_be_ready(client: Client) -> bool:
    table = client.state.table
    return table is not None and table.seat is not None and not table.is_host


def may_settle(client: Client) -> bool:
    """Whether the player is host of a table at which nobody has played yet, and no other table has
    its deal; where the server knows the wish."""
    table = client.state.table
    fresh = table is not None and not table.info.matches and not table.info.deal
    return fresh and keeps_order(client)


def may_sit(client: Client) -> bool:
    return client.state.table is not None and client.state.seat is None


# Seats --------------------------------------------------------------------------------------------


def _has_begun(client: Client) -> bool:
    return place(client.state) is not Place.TABLE


async def start(client: Client, ask: Asker) -> None:
    """Start the match with those who are here; the server says what is in its way."""
    table = table_of(client)
    if not table.is_host:
        raise NotDone(_("The host starts the match."))
    if table.late and not isinstance(table.info.clock, Days):
        raise NotDone(beginning_in_words(table))
    if table.closes_up and not table.late:
        title, no, told = _("Start the match"), _("Wait for others"), [fewer_in_words(table)]
        if not await ask.sure(title, told, title, no, of_key="yes"):
            return
        ask.aloud(*told)
    if await asked(client, ask, Start(id=0)):
        await ask.until(lambda: _has_begun(client), 10.0)


async def ready(client: Client, ask: Asker) -> None:
    table = table_of(client)
    if table.seat is None:
        raise NotDone(_("You are watching. Type sit to take a free seat."))
    if table.is_host:
        raise NotDone(_("You are the host: type start to begin the match."))
    is_ready = not table.info.seats[table.seat].ready
    if await asked(client, ask, Ready(id=0, ready=is_ready)) and is_ready:
        ask.say(_("The host starts the match."))


def _seat(client: Client, ask: Asker) -> int:
    """The one that was typed, counted from 0. Raises NotDone."""
    seats, n = len(table_of(client).info.seats), number(ask.typed)
    if not 0 < n <= seats:
        raise NotDone(_("Type which seat, from 1 to {n}.").format(n=seats))
    return n - 1


async def sit(client: Client, ask: Asker) -> None:
    seat = _seat(client, ask) if ask.typed else None
    await asked(client, ask, Join(id=0, table=table_of(client).info.table, seat=seat))


async def bot(client: Client, ask: Asker) -> None:
    seat = _seat(client, ask)
    game = table_of(client).info.game
    known = levels_of(game, levels_at(client.state.connection))
    usual = usual_level(client.settings, client.faces[game], known)
    level = one_of(known, ask.typed[1] if len(ask.typed) > 1 else usual)
    await asked(client, ask, SetBot(id=0, seat=seat, level=level))


def may_lose(table: Table, seat: int) -> bool:
    """Whether the host may give the seat of this person, who is away, to somebody else."""
    waits = table.info.phase is TablePhase.WAITING and not isinstance(table.info.clock, Days)
    return waits and table.info.seats[seat].dropped


async def free(client: Client, ask: Asker) -> None:
    seat = _seat(client, ask)
    table = table_of(client)
    if table.info.seats[seat].kind is not SeatKind.BOT and not may_lose(table, seat):
        raise NotDone(_("No bot sits there."))
    await asked(client, ask, SetBot(id=0, seat=seat))


async def wait(client: Client, ask: Asker) -> None:
    await ask.until(lambda: _has_begun(client))


# Leaving ------------------------------------------------------------------------------------------


def given_up(state: State) -> Iterator[tuple[str, str]]:
    """What the player gives up by leaving for good when no match goes on: titles and sentences."""
    match, table = state.match, state.table
    played = match is not None and match.over and not match.aborted and not match.seed
    if played and table is not None and table.info.deal:
        said = _("If you leave now, you miss the ranking; your record comes later.")
        yield _("Other tables still play this deal"), said
    if place(state) is Place.TABLE and table is not None and table.is_host and table.others:
        yield _("Leave this table?"), _("Another player becomes the table's host.")


async def leave(client: Client, ask: Asker) -> None:
    own = client.state.table if client.state.seat is not None else None
    if own and own.info.phase is TablePhase.WAITING:
        await _leave_before(client, ask, own)
        return
    for title, said in given_up(client.state):
        if not await ask.sure(title, [said], yes=_("Leave the table"), no=_("Stay")):
            return
    if own and not own.others and place(client.state) is Place.TABLE:
        alone, leaves = [_("Nobody else sits here: the table closes.")], _("Leave the table")
        if not await ask.sure(_("Leave this table?"), alone, leaves, _("Stay"), of_key="no"):
            return
    await leave_for_good(client)


async def _leave_before(client: Client, ask: Asker, table: Table) -> None:
    """Before the table's first match a seat waits for its player."""
    held = _("You can come back from the menu; your seat waits a while.")
    if isinstance(table.info.clock, Days):
        held = _("You keep your seat: the match begins when all seats are taken, even without you.")
    ends = ""
    if not table.others:
        ends = _("If you leave the table, it closes: nobody else sits here.")
    elif table.is_host:
        ends = _("If you leave the table, another player becomes its host.")
    ways = {"menu": _("To the menu: your seat waits"), "end": _("Leave the table")}
    lacks = _("Type leave menu to keep your seat, or leave end to leave the table.")
    told = [said for said in (held, ends) if said]
    match await ask.choose(_("Leave this table?"), told, ways, _("Stay"), lacks):
        case "menu":
            await client.journey.end(hold_seat=True)
        case "end":
            await leave_for_good(client)
        case other if other:
            raise NotDone(lacks)


async def leave_for_good(client: Client) -> None:
    """Give the seat up; alone with bots that ends the match. Who hosts or is alone has come from
    the menu, and goes back there."""
    line = client.state.connection
    if not client.state.alone:
        await client.keeping.leave()
    if client.state.alone or (line is not None and line.kind is Kind.HOST):
        await client.journey.end()
    elif await client.journey.request(Leave(id=0)) is not None:
        client.change(left(client.state))


_READY = N_("say that you are ready, or not")
_CHANGE = N_("change rules, clock and watchers, as the host; change --help says how")
_FREE = N_("free the seat of a bot, or of somebody who is away, as the host")

TABLE: Final = (
    Deed("look", N_("say who sits where"), short="l"),
    Deed("start", N_("start the match, as the host"), (actions.START,), start, is_host, shown=True),
    Deed("ready", _READY, (actions.READY,), ready, may_be_ready, "r", shown=True),
    Deed("sit", N_("sit down on a free seat"), (), sit, may_sit, takes="[SEAT]"),
    Deed("change", _CHANGE, (actions.SETTLE,), None, may_settle, takes="[FLAGS]", shown=True),
    Deed("bot", N_("seat a bot, as the host"), (), bot, is_host, "b", "SEAT [LEVEL]"),
    Deed("free", _FREE, (), free, is_host, takes="SEAT"),
    Deed("invite", _INVITE, (actions.INVITE,), invite, may_invite, shown=True),
    *company(actions.KICK),
    told_elsewhere(actions.NOTIFY),
    Deed("wait", N_("wait until the match begins"), (), wait, short="w"),
    TOGETHER,
    Deed(
        "leave",
        N_("leave the table; menu: your seat waits for you; end: it is free again"),
        (actions.LEAVE, actions.BACK),
        leave,
        short="q",
        words=N_("Leave the table"),
        shown=True,
        takes="[menu|end]",
    ),
)
