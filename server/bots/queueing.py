"""Who gets a worker next: tables take turns, and a table where a player waits goes first.

Law: however many decisions some tables ask for, another table's next decision waits for at most
one of each table before it that is as urgent, beside those that are being made.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, NamedTuple, TypeAlias


class Asker(NamedTuple):
    """Whose decision it is. `urgent`: a player is there and waits, not just watchers."""

    match: str = ""
    urgent: bool = True


SOMEBODY: Final = Asker()

_Turns: TypeAlias = "OrderedDict[str, deque[asyncio.Future[None]]]"


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
        waiting = (*self._urgent.values(), *self._others.values())
        return sum(map(len, waiting))

    async def _wait(self, asker: Asker) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        turns = self._urgent if asker.urgent else self._others
        turns.setdefault(asker.match, deque()).append(turn)
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
                match, waiting = turns.popitem(last=False)
                turn = waiting.popleft()
                if waiting:
                    turns[match] = waiting  # behind all others
                if not turn.done():
                    turn.set_result(None)
                    return
        self._free += 1
