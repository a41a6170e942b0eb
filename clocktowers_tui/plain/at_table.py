"""A table before and between matches in plain mode: who sits where, bots, ready, start."""

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from clocktowers_tui.deeds.leaving import given_up_in_words, leave
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spoken import number
from clocktowers_tui.keys import actions
from clocktowers_tui.new_table.offers import levels_at, levels_of
from clocktowers_tui.phrases.clocks import clock_in_words
from clocktowers_tui.phrases.duplicate import deal_in_words
from clocktowers_tui.phrases.friends import (
    commands as typed_by_friends,
    doors_in_words,
    inviting,
    typing_in_words,
)
from clocktowers_tui.phrases.guests import coming_in_words
from clocktowers_tui.phrases.refusals import refused_in_words
from clocktowers_tui.phrases.tables import seat_in_words, watching_in_words
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.commands import Command
from clocktowers_tui.plain.company import company
from clocktowers_tui.plain.saying import WIDE
from clocktowers_tui.state.store import Place, place
from clocktowers_tui.state.table import Table
from clocktowers_tui.text.i18n import N_, _
from protocol.from_client import Invite, Join, Ready, SetBot, Start
from protocol.from_server import Done, Refused
from protocol.table import SeatKind, TablePhase
from protocol.text import clean


class TablePlace:
    """Who comes, sits down or gets ready is told as it happens."""

    def __init__(self, client: PlainClient) -> None:
        self._client = client

    @property
    def _table(self) -> Table:
        table = self._client.state.table
        assert table is not None
        return table

    def begins(self) -> list[str]:
        """All about the table, unless its match is about to be told."""
        return [] if self._table.info.phase is TablePhase.PLAYING else self._told()

    def _told(self) -> list[str]:
        """The table, its rules, its seats, how friends get here."""
        table, state = self._table, self._client.state
        info = table.info
        said = [_("Table {code}: {game}.").format(code=info.table, game=title_of(info.game))]
        if (face := FACES.get(info.game)) is not None and isinstance(info.options, dict):
            rules = clean(face.options_in_words(info.options))
            said.append(_("Rules: {rules}").format(rules=rules) + ".")
        if info.clock is not None:
            said.append(_("Clock: {clock}").format(clock=clock_in_words(info.clock)) + ".")
        if info.watchers:
            said.append(watching_in_words(info.watchers) + ".")
        if info.deal:
            said.append(deal_in_words(info) + ".")
        said += seats_in_words(table)
        if any(seat.kind is SeatKind.FREE for seat in info.seats) and state.connection is not None:
            friends = state.connection.friends or [state.connection.address]
            typed = [typing_in_words(), *typed_by_friends(friends, info.table)]
            said += [coming_in_words(info.table)] if self._client.guest else typed
        return [*said, self._way()]

    def _way(self) -> str:
        if self._table.is_host:
            return _("bot SEAT fills a seat, start begins the match.")
        if self._table.seat is None:
            return _("You are watching; sit takes a free seat.")
        return _("ready tells the host that you are ready.")

    @property
    def commands(self) -> Sequence[Command]:
        return [
            Command("look", N_("say who sits where"), self._look, "l"),
            Command(
                "start", N_("start the match, as the host"), self._start, "", "", (actions.START,)
            ),
            Command(
                "ready",
                N_("say that you are ready, or not"),
                self._ready,
                "r",
                "",
                (actions.READY,),
            ),
            Command(
                "sit", N_("sit down on a free seat"), self._sit, "", "[SEAT]", (actions.CHOOSE,)
            ),
            Command("bot", N_("seat a bot, as the host"), self._bot, "b", "SEAT [LEVEL]"),
            Command("free", N_("take a bot off its seat, as the host"), self._free, "", "SEAT"),
            Command(
                "invite", N_("say what a friend types"), self._invite, "", "", (actions.INVITE,)
            ),
            *company(self._client, actions.KICK),
            Command("wait", N_("wait until the match begins"), self._wait, "w"),
            Command(
                "leave", N_("leave the table"), self._leave, "q", "", (actions.LEAVE, actions.BACK)
            ),
        ]

    async def _look(self, _rest: Sequence[str]) -> None:
        self._client.say(*self._told())

    async def _start(self, _rest: Sequence[str]) -> None:
        if await self._client.ask(Start(id=0)):
            await self._client.until(lambda: place(self._client.state) is not Place.TABLE, 10.0)

    async def _ready(self, _rest: Sequence[str]) -> None:
        table = self._table
        if table.seat is None:
            self._client.cannot(_("You are watching; sit takes a free seat."))
        elif table.is_host:
            self._client.cannot(_("You are the host: start begins the match."))
        else:
            await self._client.ask(Ready(id=0, ready=not table.info.seats[table.seat].ready))

    def _seat(self, rest: Sequence[str]) -> int | None:
        """Counted from 0; None where no seat has that number."""
        seats, n = len(self._table.info.seats), number(rest)
        if 0 < n <= seats:
            return n - 1
        self._client.cannot(_("Say which seat, from 1 to {n}.").format(n=seats))
        return None

    async def _sit(self, rest: Sequence[str]) -> None:
        seat = self._seat(rest) if rest else None
        if rest and seat is None:
            return
        await self._client.ask(Join(id=0, table=self._table.info.table, seat=seat))

    async def _bot(self, rest: Sequence[str]) -> None:
        if (seat := self._seat(rest)) is None:
            return
        known = levels_of(self._table.info.game, levels_at(self._client.state.connection))
        level = rest[1].lower() if len(rest) > 1 else "normal"
        if level not in known:
            self._client.cannot(_("Choose one of {values}.").format(values=", ".join(known)))
            return
        await self._client.ask(SetBot(id=0, seat=seat, level=level))

    async def _free(self, rest: Sequence[str]) -> None:
        if (seat := self._seat(rest)) is None:
            return
        if self._table.info.seats[seat].kind is not SeatKind.BOT:
            self._client.cannot(_("No bot sits there."))
        else:
            await self._client.ask(SetBot(id=0, seat=seat))

    async def _invite(self, _rest: Sequence[str]) -> None:
        answer = await self._client.journey.request(Invite(id=0))
        if isinstance(answer, Refused):
            self._client.cannot(refused_in_words(answer))
        elif isinstance(answer, Done) and answer.invitation:
            self._client.say(typing_in_words(), inviting(clean(answer.invitation)))
            if (connection := self._client.state.connection) is not None:
                ways = replace(connection.ways, page=answer.page, nearby=False)
                self._client.say(*doors_in_words(ways, WIDE, self._table.info.table))

    async def _wait(self, _rest: Sequence[str]) -> None:
        await self._client.until(lambda: place(self._client.state) is not Place.TABLE)

    async def _leave(self, _rest: Sequence[str]) -> None:
        client = self._client
        if given_up := given_up_in_words(client.state, keeps=True):
            client.ask_first(partial(leave, client), given_up)
        else:
            await leave(client)


def seats_in_words(table: Table) -> list[str]:
    """A line for each seat."""
    return [f"{n + 1}: {_seat_in_words(table, n)}." for n in range(len(table.info.seats))]


def _seat_in_words(table: Table, n: int) -> str:
    seat = table.info.seats[n]
    return ", ".join([seat_in_words(seat), *_marks(table, n)])


def _marks(table: Table, n: int) -> Iterator[str]:
    seat = table.info.seats[n]
    if n == table.seat:
        yield _("you")
    if n == table.info.host:
        yield _("host")
    elif seat.kind is SeatKind.HUMAN and table.info.phase is not TablePhase.PLAYING:
        yield _("ready") if seat.ready else _("not ready")


def changed_seats(before: Table, after: Table) -> list[str]:
    """The seats that are told in other words than before; once the match begins, they are its."""
    if after.info.phase is TablePhase.PLAYING:
        return []
    told = seats_in_words(before)
    return [line for line in seats_in_words(after) if line not in told]
