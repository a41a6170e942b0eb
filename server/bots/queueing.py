"""Who gets a worker next: addresses take turns, one decision each, and so do the tables of an
address; a table where a player waits goes first.

Law: however many tables an address has and however many decisions they ask for, the next decision
of another address waits for at most one of each address before it that is as urgent.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, NamedTuple, TypeAlias


class Asker(NamedTuple):
    """Whose decision it is. `urgent`: a player is there and waits, not just watchers. `address`:
    where all players of the table come from (`Guest.origin`); "" = the table has its own turn."""

    match: str = ""
    urgent: bool = True
    address: str = ""


SOMEBODY: Final = Asker()

_Tables: TypeAlias = "OrderedDict[str, deque[asyncio.Future[None]]]"
"""By match; the first is next."""
_Turns: TypeAlias = "OrderedDict[str, _Tables]"
"""By address, or by match where that has its own turn."""


class Queue:
    """Lets `places` in at a time."""

    __slots__ = ("_free", "_others", "_urgent")

    def __init__(self, places: int) -> None:
        self._free = places
        self._urgent: Final[_Turns] = OrderedDict()
        self._others: Final[_Turns] = OrderedDict()

    @asynccontextmanager
    async def place(self, asker: Asker) -> AsyncIterator[None]:
        """Wait for a place, and keep it until the block is left."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(asker)
        try:
            yield
        finally:
            self._pass_on()

    def __len__(self) -> int:
        """How many wait."""
        addresses = (*self._urgent.values(), *self._others.values())
        return sum(len(waiting) for tables in addresses for waiting in tables.values())

    async def _wait(self, asker: Asker) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        turns = self._urgent if asker.urgent else self._others
        tables = turns.setdefault(asker.address or asker.match, OrderedDict())
        tables.setdefault(asker.match, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._pass_on()  # the place came together with the end of the wait
            raise

    def _pass_on(self) -> None:
        """Give the place to the table whose turn it is."""
        for turns in (self._urgent, self._others):
            while turns:
                turn = _next(turns)
                if not turn.done():
                    turn.set_result(None)
                    return
        self._free += 1


def _next(turns: _Turns) -> asyncio.Future[None]:
    """Take the next turn. Its address, and its table there, are behind all others then."""
    address, tables = turns.popitem(last=False)
    match, waiting = tables.popitem(last=False)
    turn = waiting.popleft()
    if waiting:
        tables[match] = waiting
    if tables:
        turns[address] = tables
    return turn
