"""The tables of a server in plain mode."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from clocktowers_tui.config.settings import last_game
from clocktowers_tui.deeds import company
from clocktowers_tui.deeds.asking import asked
from clocktowers_tui.deeds.table import LOBBY, NARROWINGS, TABLE, code_of, go_to
from clocktowers_tui.deeds.together import offer
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spoken import number, sentence
from clocktowers_tui.new_table import (
    PRACTICE,
    by_ear,
    draft_at,
    drafted,
    games_at,
    levels_at,
    longer,
    settled,
)
from clocktowers_tui.phrases import NotDone, one_of
from clocktowers_tui.phrases.codes import SERVER_OLDER, WE_ARE_OLDER
from clocktowers_tui.phrases.friends import (
    coming_in_words,
    joining_in_words,
    plainly_in_words,
    printed_in_words,
    typed_by_friends,
    typing_in_words,
)
from clocktowers_tui.phrases.tables import (
    address_in_words,
    beginning_in_words,
    company_in_words,
    joinable,
    lobby_in_words,
    marks_in_words,
    phase_in_words,
    rules_of_table,
    seat_in_words,
    shared_deal_in_words,
    watching_in_words,
)
from clocktowers_tui.plain.finished import see_together
from clocktowers_tui.plain.lines import in_lines
from clocktowers_tui.plain.place import PlainPlace, flags, game_called
from clocktowers_tui.state.table import Connection, Table, filtered
from clocktowers_tui.table_fields import Ask, Wanted, add_flags, seated, table_of
from clocktowers_tui.text.i18n import N_, _
from protocol.from_client import CreateTable, ListTables, Watch
from protocol.games.registry import LEVELS
from protocol.table import Filter, TableInfo, TablePhase

_WAYS: Final = N_("tables lists the tables, new makes one, leave leaves the server.")


class LobbyPlace(PlainPlace):
    """What is listed is asked for again each time it is said."""

    all_deeds = LOBBY

    def begins(self) -> list[str]:
        """Whose server this is, and what friends type to get to the player's own."""
        at = _("You are at {server}, as {name}.")
        where = at.format(server=address_in_words(self._line), name=self._line.name)
        friends = typed_by_friends(self._line)[:1] if self._friends() else ()
        more = _("invite says all ways to get here.") if friends else ""
        return [where, *joining_in_words(friends), more, _(_WAYS)]

    async def nothing(self) -> None:
        self.client.say(_(_WAYS))

    def _friends(self) -> Sequence[str]:
        """A line for each way in which friends come to the player's own server."""
        friends = printed_in_words(self._line.friends, replace(self._line.ways, nearby=False))
        plain = plainly_in_words(typed_by_friends(self._line))
        return [*plain, *in_lines([friends])] if friends else ()

    # Which tables -------------------------------------------------------------------------------

    async def _list(self, page: int = 0) -> None:
        filter_ = self.client.state.lobby.filter
        if not await asked(self.client, self.client, ListTables(id=0, page=page, filter=filter_)):
            return
        lobby = self.client.state.lobby
        parts = lobby_in_words(self._line, lobby)[1:]
        tables = [listed_table_in_words(n, info) for n, info in enumerate(lobby.tables, 1)]
        self.client.say(", ".join(parts) + ".", *tables)

    async def do_tables(self) -> None:
        await self._list()

    async def do_page(self) -> None:
        pages, n = self.client.state.lobby.pages, number(self.client.typed)
        if not 0 < n <= pages:
            raise NotDone(_("Choose a page from 1 to {n}.").format(n=pages))
        await self._list(n - 1)

    async def _narrow(self, filter_: Filter) -> None:
        state = self.client.state
        self.client.change(replace(state, lobby=filtered(state.lobby, filter_)))
        await self._list()

    async def do_filter(self) -> None:
        now = self.client.state.lobby.filter
        await self._narrow(replace(now, text=" ".join(self.client.typed)[:100]))

    async def do_only(self) -> None:
        found = NARROWINGS[one_of(NARROWINGS, self.client.typed[0] if self.client.typed else "all")]
        await self._narrow(replace(found, text=self.client.state.lobby.filter.text))

    # To a table ---------------------------------------------------------------------------------

    def _code(self) -> tuple[str, str]:
        """Of the table that is typed, and its password. Raises NotDone."""
        if not self.client.typed:
            raise NotDone(_("Type which table: its number in the list, or its code."))
        return code_of(self.client, self.client.typed)

    async def do_watch(self) -> None:
        code, password = self._code()
        await go_to(self.client, self.client, Watch(id=0, table=code, password=password))

    async def do_same(self) -> None:
        """The deal says what is played there, and by how many."""
        wish = CreateTable(id=0, game="", seats=0, duplicate=self._code()[0])
        await go_to(self.client, self.client, wish)

    async def do_new(self) -> None:
        client = self.client
        games = games_at(client.state.connection, FACES)
        words = [word for word in self.client.typed if not word.startswith("--")]
        named = words[:1] if self.client.typed[:1] == words[:1] else []
        game = game_called(named, last_game(client.settings, games))
        if game is None:
            titles = ", ".join(map(title_of, games))
            raise NotDone(_("Choose a game: {games}.").format(games=titles))
        wanted = Wanted(Ask.NEW, games, levels_at(self._line), FACES[game])
        example = f"new {game} --seats 3 --bots 1"
        said = _("Type a game, then flags, for example: {example}").format(example=example)
        add, rest = partial(add_flags, wanted), client.typed[len(named) :]
        if (given := flags(client, f"new {game}", add, rest, said)) is not None:
            table = by_ear(table_of(given, wanted, seated(given, wanted)))
            await go_to(client, client, table)

    @property
    def _line(self) -> Connection:
        connection = self.client.state.connection
        assert connection is not None
        return connection

    async def do_invite(self) -> None:
        if not (friends := self._friends()):
            said = _("Friends come to this server by its address: {address}")
            raise NotDone(said.format(address=self._line.address))
        self.client.say(*friends)


def listed_table_in_words(n: int, info: TableInfo) -> str:
    """A table of the list, in a line."""
    seats = ", ".join(seat_in_words(seat) for seat in info.seats)
    parts = [
        title_of(info.game),
        info.title,
        shared_deal_in_words(info),
        phase_in_words(info.phase),
    ]
    said = f"{n}: {info.table}, {', '.join(part for part in parts if part)}: {seats}."
    if info.locked:
        said += " " + _("This table asks for a password.")
    return said if joinable(info) or info.watchable else said + " " + _("Nobody may watch there.")


# A table before and between matches in plain mode: who sits where.


class TablePlace(PlainPlace):
    """Who comes, sits down or gets ready is told as it happens."""

    all_deeds = TABLE

    def begins(self) -> list[str]:
        """All about the table, unless its match is about to be told; why a player who comes is the
        host."""
        table = company.table_of(self.client)
        if table.info.phase is TablePhase.PLAYING:
            return []
        away = [seat.name for seat in table.info.seats[: table.seat] if seat.dropped]
        said = _("While {name} is away, you are the host.")
        talk = _("Type say and some words: everybody at the table hears them.")
        hosts = said.format(name=away[0]) if away and table.is_host else ""
        return [*self._told(), talk if company.talks(self.client) else "", hosts]

    def _told(self) -> list[str]:
        """The table, its rules, its seats, how friends get here."""
        table, state = company.table_of(self.client), self.client.state
        info = table.info
        said = [_("Table {code}: {game}.").format(code=info.table, game=title_of(info.game))]
        said += _rules(info)
        if info.watchers:
            said.append(watching_in_words(info.watchers) + ".")
        if info.deal:
            said.append(shared_deal_in_words(info) + ".")
        said += seats_in_words(table)
        if table.free and state.connection is not None:
            friends = typed_by_friends(state.connection, info.table)
            known = [*plainly_in_words(friends), typing_in_words(), *friends]
            said += known if friends else [coming_in_words(state.connection, info.table)]
        return [*said, self._longer(), sentence(offer(self.client)), self._way()]

    def _longer(self) -> str:
        """How the host gives a player who listens more time to choose; their own tables do."""
        info = (table := company.table_of(self.client)).info
        face = FACES.get(info.game)
        if face is None or table.seat is None or table.is_host or info.preset == PRACTICE:
            return ""
        wished = {**(now := draft_at(info, face).options), **longer(info.game)}
        fields = [one for one in face.option_fields() if wished[one.name] != now[one.name]]
        rules = ", ".join(f"{one.label} {one.words(wished[one.name])}" for one in fields)
        said = _("To listen takes longer than to look. Ask the host for this rule: {rules}.")
        return said.format(rules=rules) if fields else ""

    def _way(self) -> str:
        table = company.table_of(self.client)
        if table.is_host:
            way = _("Type bot SEAT to fill a seat, start to begin the match.")
            return f"{way} {sentence(beginning_in_words(table))}".strip()
        if table.seat is None:
            if not table.free:
                return _("You are watching; no seat is free.")
            return _("You are watching. Type sit to take a free seat.")
        if table.info.seats[table.seat].ready:
            return _("The host starts the match.")
        return _("Type ready to tell the host that you are ready.")

    async def nothing(self) -> None:
        self.client.say(self._way())

    async def do_look(self) -> None:
        self.client.say(*self._told())

    async def do_change(self) -> None:
        """What is not given stays as it is."""
        client, info = self.client, company.table_of(self.client).info
        if (face := FACES.get(info.game)) is None:
            raise NotDone(_(WE_ARE_OLDER))
        if not company.knows_order(client):
            raise NotDone(_(SERVER_OLDER))
        wanted = Wanted(Ask.CHANGE, [info.game], LEVELS, face)
        add = partial(add_flags, wanted)
        if (given := flags(client, "change", add, client.typed or ["--help"])) is None:
            return
        draft = draft_at(info, face)
        before = drafted(draft, face, LEVELS, solo=False)
        table = table_of(given, wanted, draft)
        if await asked(client, client, settled(table)) and table == before:
            client.say(*_rules(info))  # else they are told as the server changes them

    async def do_together(self) -> None:
        await see_together(self.client, self)


def seats_in_words(table: Table) -> list[str]:
    """A line for each seat."""
    told = [
        ", ".join([seat_in_words(seat), *marks_in_words(table, n)])
        for n, seat in enumerate(table.info.seats)
    ]
    return [_("Seat {n}: {player}.").format(n=n, player=line) for n, line in enumerate(told, 1)]


def changed_seats(before: Table, after: Table) -> list[str]:
    """All rules where one is told in other words than before, and the seats that are; once the
    match begins, they are its."""
    if after.info.phase is TablePhase.PLAYING:
        return []
    rules, told = _rules(after.info), seats_in_words(before)
    changed = rules if rules != _rules(before.info) else []
    seats = [line for line in seats_in_words(after) if line not in told]
    return [*changed, *company_in_words(before, after), *seats]


def _rules(info: TableInfo) -> list[str]:
    return [f"{line}." for line in rules_of_table(info, FACES.get(info.game))]
