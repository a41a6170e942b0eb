"""What a table's people and the lobby are told of it."""

import asyncio
from typing import TYPE_CHECKING, Final

from msgspec import Struct, to_builtins

from protocol.from_server import AtTable, Notice, NoticeCode
from protocol.listing import TableInfo
from server.tables.house import House

if TYPE_CHECKING:
    from server.tables.table import Table


class News:
    """Of one table."""

    __slots__ = ("_house", "_made_at_s", "_table", "_told")

    def __init__(self, table: "Table", house: House) -> None:
        self._table: Final = table
        self._house: Final = house
        self._made_at_s: Final = asyncio.get_running_loop().time()
        self._told = True

    def info(self) -> TableInfo:
        """The table as the lobby lists it."""
        table = self._table
        return TableInfo(
            table=table.code,
            game=table.game,
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
        )

    def searched(self) -> str:
        """What a search in the lobby looks through, blind to case. A game is found by its id with
        blanks, which is how its title is typed."""
        table = self._table
        names = (chair.name for chair in table.seating.chairs)
        return "\n".join((table.title, table.code, table.game.replace("_", " "), *names)).casefold()

    def say(self, code: NoticeCode, **params: int | str) -> None:
        """A notice to everybody at the table."""
        self.send(Notice(code, {name: value for name, value in params.items()}))

    def send(self, message: Struct) -> None:
        """The same message to everybody at the table."""
        for guest in self._table.people():
            guest.send(message)

    def touch(self) -> None:
        """Something has changed: tell the lobby, and once in this turn of the loop the people."""
        self._house.touched(self._table)
        if self._told:
            self._told = False
            asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        self._told = True
        table, info = self._table, self.info()
        watching = [watcher.name for watcher in table.watchers]
        for guest in table.people():
            guest.send(AtTable(info=info, seat=table.seating.seat_of(guest), watching=watching))
