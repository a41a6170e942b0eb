"""A table before and between matches in plain mode: who sits where."""

from collections.abc import Iterator

from clocktowers_tui.deeds.table import TABLE
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.phrases.clocks import clock_in_words
from clocktowers_tui.phrases.friends import (
    coming_in_words,
    commands as typed_by_friends,
    typing_in_words,
)
from clocktowers_tui.phrases.tables import seat_in_words, shared_deal_in_words, watching_in_words
from clocktowers_tui.plain.place import PlainPlace
from clocktowers_tui.state.table import Table
from clocktowers_tui.text.i18n import _
from protocol.table import SeatKind, TablePhase
from protocol.text import clean


class TablePlace(PlainPlace):
    """Who comes, sits down or gets ready is told as it happens."""

    all_deeds = TABLE

    @property
    def _table(self) -> Table:
        table = self.client.state.table
        assert table is not None
        return table

    def begins(self) -> list[str]:
        """All about the table, unless its match is about to be told."""
        return [] if self._table.info.phase is TablePhase.PLAYING else self._told()

    def _told(self) -> list[str]:
        """The table, its rules, its seats, how friends get here."""
        table, state = self._table, self.client.state
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
            said.append(shared_deal_in_words(info) + ".")
        said += seats_in_words(table)
        if any(seat.kind is SeatKind.FREE for seat in info.seats) and state.connection is not None:
            friends = state.connection.friends or [state.connection.address]
            typed = [typing_in_words(), *typed_by_friends(friends, info.table)]
            said += [coming_in_words(info.table)] if self.client.guest else typed
        return [*said, self._way()]

    def _way(self) -> str:
        if self._table.is_host:
            return _("bot SEAT fills a seat, start begins the match.")
        if self._table.seat is None:
            return _("You are watching; sit takes a free seat.")
        return _("ready tells the host that you are ready.")

    async def do_look(self) -> None:
        self.client.say(*self._told())


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
