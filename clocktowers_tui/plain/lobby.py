"""The tables of a server in plain mode."""

import argparse
from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from clocktowers_tui.cli.commands import options_of
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spoken import number
from clocktowers_tui.keys import actions
from clocktowers_tui.net.address import as_code
from clocktowers_tui.new_table.offers import CLOCKS, games_at, last_game, levels_at
from clocktowers_tui.phrases.duplicate import deal_in_words
from clocktowers_tui.phrases.friends import printed_in_words
from clocktowers_tui.phrases.lobby import joinable, lobby_in_words, server_in_words
from clocktowers_tui.phrases.tables import phase_in_words, seat_in_words
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.commands import Command
from clocktowers_tui.plain.saying import in_lines
from clocktowers_tui.plain.typing import Mistyped, asks_flags, flags, flags_in_words, game_called
from clocktowers_tui.state.lobby import filtered
from clocktowers_tui.state.store import Place, place
from clocktowers_tui.text.i18n import N_, _
from protocol.from_client import BotSeat, CreateTable, Join, ListTables, Watch
from protocol.games.registry import GAMES
from protocol.table import Filter, TableInfo, TablePhase

_MOST_S = 10.0
"""How long a table may take to be seen, on a slow line."""
_NARROWINGS = {
    "all": Filter(),
    "waiting": Filter(phase=TablePhase.WAITING),
    "playing": Filter(phase=TablePhase.PLAYING),
    "free": Filter(free_seat=True),
}


class LobbyPlace:
    """What is listed is asked for again each time it is said."""

    def __init__(self, client: PlainClient) -> None:
        self._client = client

    def begins(self) -> list[str]:
        """Whose server this is, and how friends get here."""
        state = self._client.state
        assert state.connection is not None
        at = _("You are at {server}, as {name}.")
        where = at.format(server=server_in_words(state.connection), name=state.connection.name)
        return [where, *self._friends(), _("tables lists the tables, new makes one.")]

    def _friends(self) -> Sequence[str]:
        """A line for each way in which friends come to the player's own server."""
        connection = self._client.state.connection
        assert connection is not None
        friends = printed_in_words(connection.friends, connection.ways)
        return in_lines([friends]) if friends else ()

    @property
    def commands(self) -> Sequence[Command]:
        return [
            Command("tables", N_("list the tables"), self._tables, "t"),
            Command(
                "join",
                N_("sit down at a table, by its number in the list or its code"),
                self._join,
                "j",
                "N|CODE [PASSWORD]",
                (actions.CODE, actions.CONFIRM),
            ),
            Command(
                "watch",
                N_("watch a table"),
                self._watch,
                "w",
                "N|CODE [PASSWORD]",
                (actions.WATCH,),
            ),
            Command(
                "new",
                N_("make a table; new --help says how"),
                self._new,
                "n",
                "[GAME] [FLAGS]",
                (actions.NEW_TABLE,),
            ),
            Command(
                "filter",
                N_("list only tables with that text; without one, all"),
                self._filter,
                "f",
                "[TEXT]",
                (actions.FILTER,),
            ),
            Command(
                "only",
                N_("list only tables that are so"),
                self._only,
                "",
                "all|waiting|playing|free",
                (actions.NARROW,),
            ),
            Command(
                "page",
                N_("list that page of the tables"),
                self._page,
                "",
                "N",
                (actions.PAGE_UP, actions.PAGE_DOWN),
            ),
            Command(
                "same",
                N_("make a table with the deal of that table"),
                self._same,
                "",
                "N|CODE",
                (actions.SAME_DEAL,),
            ),
            Command(
                "invite",
                N_("say what a friend types"),
                self._invite,
                actions=(actions.LOBBY_INVITE,),
                now=not self._client.guest,
            ),
            *self._ways_out(),
        ]

    def _ways_out(self) -> Sequence[Command]:
        """The root of a guest is here; what they do alone they do in the menu."""
        alone = N_("play against bots, or learn a game; lobby comes back here")
        out = (actions.LEAVE, actions.BACK)
        if self._client.guest:
            quit_ = Command("quit", N_("leave the program"), self._quit, "q", "", out)
            return [Command("menu", alone, self._leave, "m", "", (actions.ALONE,)), quit_]
        return [Command("leave", N_("leave the server"), self._leave, "q", "", out)]

    # Which tables -------------------------------------------------------------------------------

    async def _list(self, page: int = 0) -> None:
        filter_ = self._client.state.lobby.filter
        if not await self._client.ask(ListTables(id=0, page=page, filter=filter_)):
            return
        state = self._client.state
        lobby = state.lobby
        assert state.connection is not None
        parts = lobby_in_words(state.connection, lobby)[1:]
        tables = [table_in_words(n, info) for n, info in enumerate(lobby.tables, 1)]
        self._client.say(", ".join(parts) + ".", *tables)

    async def _tables(self, _rest: Sequence[str]) -> None:
        await self._list()

    async def _page(self, rest: Sequence[str]) -> None:
        pages, n = self._client.state.lobby.pages, number(rest)
        if 0 < n <= pages:
            await self._list(n - 1)
        else:
            self._client.cannot(_("Choose a page from 1 to {n}.").format(n=pages))

    async def _narrow(self, filter_: Filter) -> None:
        state = self._client.state
        self._client.change(replace(state, lobby=filtered(state.lobby, filter_)))
        await self._list()

    async def _filter(self, rest: Sequence[str]) -> None:
        now = self._client.state.lobby.filter
        await self._narrow(replace(now, text=" ".join(rest)[:100]))

    async def _only(self, rest: Sequence[str]) -> None:
        found = _NARROWINGS.get(rest[0].lower() if rest else "all")
        if found is None:
            kinds = ", ".join(_NARROWINGS)
            self._client.cannot(_("Choose one of {values}.").format(values=kinds))
            return
        await self._narrow(replace(found, text=self._client.state.lobby.filter.text))

    # To a table ---------------------------------------------------------------------------------

    def _code(self, rest: Sequence[str]) -> str:
        """Of the table with that number in the list, or as typed; "" for none."""
        tables, n = self._client.state.lobby.tables, number(rest)
        if 0 < n <= len(tables):
            return tables[n - 1].table
        if not rest:
            self._client.cannot(_("Say which table: its number in the list, or its code."))
            return ""
        return as_code(rest[0])[:40]

    async def _to_table(self, wish: CreateTable | Join | Watch) -> None:
        """Be there before the next line is obeyed."""
        if await self._client.ask(wish):
            await self._client.until(lambda: place(self._client.state) is not Place.LOBBY, _MOST_S)

    async def _join(self, rest: Sequence[str]) -> None:
        if code := self._code(rest):
            await self._to_table(Join(id=0, table=code, password=_password(rest)))

    async def _watch(self, rest: Sequence[str]) -> None:
        if code := self._code(rest):
            await self._to_table(Watch(id=0, table=code, password=_password(rest)))

    async def _same(self, rest: Sequence[str]) -> None:
        code = self._code(rest)
        info = next((one for one in self._client.state.lobby.tables if one.table == code), None)
        if info is not None:
            wish = CreateTable(id=0, game=info.game, seats=len(info.seats), duplicate=info.table)
            await self._to_table(wish)
        elif code:
            self._client.cannot(_("List the tables first, and choose one of them."))

    async def _new(self, rest: Sequence[str]) -> None:
        client = self._client
        games = games_at(client.state.connection, FACES)
        words = [word for word in rest if not word.startswith("--")]
        named = words[:1] if rest[:1] == words[:1] else []
        game = game_called(named, last_game(client.settings, games))
        if game is None:
            titles = ", ".join(map(title_of, games))
            client.cannot(_("Choose a game: {games}.").format(games=titles))
            return
        if asks_flags(rest):
            example = f"new {game} --seats 3 --bots 1"
            said = _("Type a game, then flags, for example: {example}").format(example=example)
            client.say(said, *flags_in_words(partial(self._add_flags, game)))
            return
        try:
            await self._to_table(self._table(game, rest[len(named) :]))
        except (Mistyped, argparse.ArgumentTypeError) as error:
            client.cannot(str(error))

    def _table(self, game: str, typed: Sequence[str]) -> CreateTable:
        """Raises Mistyped and argparse.ArgumentTypeError."""
        given = flags(f"new {game}", partial(self._add_flags, game), typed)
        bots = range(given.seats - max(0, min(given.bots, given.seats - 1)), given.seats)
        return CreateTable(
            id=0,
            game=game,
            seats=given.seats,
            title=given.title[:200],
            preset=given.preset or next(iter(GAMES[game].presets)),
            options=options_of(given.option, FACES[game]),
            bots=[BotSeat(seat, given.level) for seat in bots],
            clock=CLOCKS[given.clock] if given.clock else None,
            hints=given.hints or None,
            hidden=given.hidden,
            password=given.password[:128],
        )

    def _add_flags(self, game: str, parser: argparse.ArgumentParser) -> None:
        seats, levels = GAMES[game].seats, levels_at(self._client.state.connection)
        presets, clocks = list(GAMES[game].presets), [name for name in CLOCKS if name]
        add, usual = parser.add_argument, max(2, min(seats))
        add("--seats", type=int, choices=seats, default=usual, help=_("how many seats"))
        add("--bots", type=int, default=0, help=_("how many of them bots take"))
        told = _("how well the bots play (default: normal)")
        add("--level", choices=levels, default="normal", help=told)
        add("--preset", choices=presets, help=_("a set of rules, by its name"))
        told = _("change one rule; you can repeat this")
        add("--option", action="append", default=[], metavar="NAME=VALUE", help=told)
        add("--title", default="", help=_("what the table is called in the list"))
        add("--clock", choices=clocks, help=_("how long a player may think"))
        add("--hints", action="store_true", help=_("let players ask for hints"))
        add("--hidden", action="store_true", help=_("leave the table out of the list"))
        told = _("let in only those who know this password")
        add("--password", default="", help=told)

    async def _invite(self, _rest: Sequence[str]) -> None:
        state = self._client.state
        assert state.connection is not None
        if friends := self._friends():
            self._client.say(*friends)
        else:
            self._client.cannot(
                _("Friends come to this server by its address: {address}").format(
                    address=state.connection.address
                )
            )

    async def _leave(self, _rest: Sequence[str]) -> None:
        await self._client.journey.end()

    async def _quit(self, _rest: Sequence[str]) -> None:
        self._client.leave_program()


def table_in_words(n: int, info: TableInfo) -> str:
    """A table of the list, in a line."""
    seats = ", ".join(seat_in_words(seat) for seat in info.seats)
    parts = [title_of(info.game), info.title, deal_in_words(info), phase_in_words(info.phase)]
    said = f"{n}: {info.table}, {', '.join(part for part in parts if part)}: {seats}."
    if info.locked:
        said += " " + _("This table asks for a password.")
    return said if joinable(info) or info.watchable else said + " " + _("Nobody may watch there.")


def _password(rest: Sequence[str]) -> str:
    return rest[1][:128] if len(rest) > 1 else ""
