"""What a player can do among the tables of a server."""

from typing import Final

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.deed import Asker, Deed
from clocktowers_tui.keys import actions
from clocktowers_tui.text.i18n import N_
from protocol.table import Filter, TablePhase

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


def may_invite(client: Client) -> bool:
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
    Deed("invite", _INVITE, (actions.LOBBY_INVITE,), now=may_invite, guest=False),
    Deed("menu", _ALONE, (actions.ALONE,), goes_to_menu, short="m", guest=True),
    Deed("leave", N_("leave the server"), (actions.LEAVE,), short="q", shown=True),
)
