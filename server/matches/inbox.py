"""What a match has been asked and not yet served, in the order in which it came.

Law: what is taken is under way until it is settled or put back, so that nothing that was asked is
ever lost on the way, whatever fails meanwhile.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct

from protocol.ids import Key, Seat
from protocol.refusal import Refusal
from server.games.contract import BEGINNING, Moment
from server.matches.fanout import Outbox

MAX_WAITING_WISHES: Final = 8
"""Per seat. One is under way as a rule; past this a wish is refused as `busy`."""


class Accepted(Struct, frozen=True, gc=False):
    """The action stands in the journal as `version`, from now or from an earlier try."""

    version: int


class Denied(Struct, frozen=True):
    """The action is impossible; `version` is the newest that its seat was told of."""

    refusal: Refusal
    version: int


Answer: TypeAlias = Accepted | Denied


class Wish(Struct, frozen=True):
    """A seat wants an action, or (None) to take its newest one back; `answer` is called exactly
    once, unless the match is lost first.

    `at` is when it arrived, set by the match: an action happens then, not when the disk has it.
    """

    seat: Seat
    version: int
    key: Key
    action: Any | None
    answer: Callable[[Answer], None]
    at: Moment = BEGINNING


class Attach(Struct, frozen=True):
    """Let `outbox` be this seat's (None: a watcher), and send it what it missed since.

    `came_with`: the token that the seat's owner had, b"" = none yet; None for bots and watchers,
    who get none. `beside`: the seat's owner stays there and is sent everything as well.
    """

    seat: Seat | None
    outbox: Outbox
    since: int = -1
    came_with: bytes | None = None
    beside: bool = False


class GiveUp(Struct, frozen=True):
    """The owner of this seat has left it for good: no token opens it any more."""

    seat: Seat


Item: TypeAlias = Wish | Attach | GiveUp


class Inbox:
    """Filled by anybody at any time, emptied by the match's task alone."""

    __slots__ = ("_items", "_waiting", "_wake", "under_way")

    def __init__(self, seats: int) -> None:
        self._items: deque[Item] = deque()
        self._waiting = [0] * seats
        self._wake: asyncio.Future[None] | None = None
        self.under_way: Item | None = None

    def __bool__(self) -> bool:
        return bool(self._items)

    def __iter__(self) -> Iterator[Item]:
        """What is under way, then what waits."""
        if self.under_way is not None:
            yield self.under_way
        yield from self._items

    def owners(self) -> list[Seat]:
        """The seats of those who wait to be let in for the first time, bots apart."""
        return [
            item.seat
            for item in self._items
            if isinstance(item, Attach) and item.seat is not None and item.came_with == b""
        ]

    @property
    def first(self) -> Item | None:
        """What is taken next."""
        return self._items[0] if self._items else None

    def crowded(self, seat: Seat) -> bool:
        """Whether this seat has as many wishes waiting as it may."""
        return self._waiting[seat] >= MAX_WAITING_WISHES

    def put(self, item: Item) -> None:
        """Behind all others."""
        self._count(item, 1)
        self._items.append(item)
        self.poke()

    def poke(self) -> None:
        """End the `wait`, whatever there is."""
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def take(self) -> Item:
        """The oldest, now under way."""
        item = self._items.popleft()
        self._count(item, -1)
        self.under_way = item
        return item

    def settle(self) -> None:
        """What was under way is done."""
        self.under_way = None

    def put_back(self) -> None:
        """What was under way comes first again."""
        if (item := self.under_way) is not None:
            self.under_way = None
            self._count(item, 1)
            self._items.appendleft(item)

    def forget(self, whom: Callable[[Attach], bool]) -> None:
        """Drop those who wait to be let in, also the one whose history is being read."""
        self._items = deque(
            item for item in self._items if not (isinstance(item, Attach) and whom(item))
        )
        if isinstance(self.under_way, Attach) and whom(self.under_way):
            self.under_way = None

    def withdraw(self, seat: Seat) -> list[Wish]:
        """The wishes of this seat that wait, which are served no more."""
        gone = [item for item in self._items if isinstance(item, Wish) and item.seat == seat]
        self._items = deque(
            item for item in self._items if not (isinstance(item, Wish) and item.seat == seat)
        )
        self._waiting[seat] = 0
        return gone

    def drain(self) -> list[Item]:
        """Everything, and nothing is left."""
        items = list(self)
        self._items.clear()
        self._waiting = [0] * len(self._waiting)
        self.under_way = None
        return items

    async def wait(self, limit_s: float | None) -> bool:
        """Until there is something or a `poke` (True), or the time has passed (False)."""
        if self._items:
            return True
        self._wake = asyncio.get_running_loop().create_future()
        try:
            if limit_s is None:
                await self._wake
            else:
                async with asyncio.timeout(limit_s):
                    await self._wake
        except TimeoutError:
            return bool(self._items)  # what came in the same turn of the loop came before it
        finally:
            self._wake = None
        return True

    def _count(self, item: Item, by: int) -> None:
        if isinstance(item, Wish):
            self._waiting[item.seat] += by
