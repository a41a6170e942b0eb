"""Tells a table's people and the lobby what happens at the table."""

import asyncio
from typing import Final

from msgspec import Struct, to_builtins

from protocol.from_server import AtTable, Notice, NoticeCode
from protocol.listing import TableInfo
from server.tables.ports import House
from server.tables.state import TableState


class News:
    """Knows one table."""

    __slots__ = ("_house", "_made_at_s", "_table", "_told")

    def __init__(self, table: TableState, house: House) -> None:
        self._table: Final = table
        self._house: Final = house
        self._made_at_s: Final = asyncio.get_running_loop().time()
        self._told = True

    def info(self) -> TableInfo:
        """The table as the lobby lists it."""
        table = self._table
        return TableInfo(
            table=table.code,
            game=table.game_id,
            title=table.title,
            phase=table.phase,
            seats=table.seating.infos(),
            host=table.host,
            preset=table.preset,
            options=to_builtins(table.options),
            watchers=len(table.watchers),
            age_s=int(asyncio.get_running_loop().time() - self._made_at_s),
            matches=table.matches,
            clock=table.clock,
            seeded=table.seed is not None,
            hints=table.gives_hints,
        )

    def searched(self) -> str:
        """The text that a search in the lobby looks through, blind to case. A game is found by its
        id with blanks, because players type its title that way."""
        table = self._table
        names = (chair.name for chair in table.seating.chairs)
        game = table.game_id.replace("_", " ")
        return "\n".join((table.title, table.code, game, *names)).casefold()

    def say(self, code: NoticeCode, **params: int | str) -> None:
        """Send a notice to everybody at the table."""
        self.send(Notice(code, {name: value for name, value in params.items()}))

    def send(self, message: Struct) -> None:
        """Send the same message to everybody at the table."""
        for guest in self._table.people():
            guest.send(message)

    def choose_host(self) -> None:
        """Give the table another host if it needs one, and tell everybody who it is."""
        table = self._table
        if table.choose_host() and table.host is not None:
            self.say(NoticeCode.HOST, name=table.seating.chairs[table.host].name)

    def touch(self) -> None:
        """Something has changed: tell the lobby, and the people once in this turn of the loop."""
        self._house.touched(self._table.code)
        if self._told:
            self._told = False
            asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        self._told = True
        table, info = self._table, self.info()
        watching = [watcher.name for watcher in table.watchers]
        for guest in table.people():
            guest.send(AtTable(info=info, seat=table.seating.seat_of(guest), watching=watching))
