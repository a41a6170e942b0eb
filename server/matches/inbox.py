"""What a match has been asked and has not served yet, in the order in which it came.

Law: an item that was taken is under way until it is settled or put back, so that no item is ever
lost, whatever fails meanwhile.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct

from protocol.ids import Key, Seat
from protocol.refusal import Refusal
from server.games.contract import BEGINNING, Moment
from server.matches.ports import Crowd, Outbox, WhenKept

MAX_WAITING_WISHES: Final = 8
"""Per seat; any more are refused as `busy`. An honest client waits for each answer."""


class Accepted(Struct, frozen=True, gc=False):
    """The action stands in the journal as `version`, since now or since an earlier try."""

    version: int


class Denied(Struct, frozen=True):
    """The action is impossible; `version` is the newest that its seat was told."""

    refusal: Refusal
    version: int


Answer: TypeAlias = Accepted | Denied


class Wish(Struct):
    """A seat wants to act, or (`action` None) to take its newest action back. `answer` is called
    exactly once, unless the server ends first.

    `at` is when the wish arrived, set by the match: the action happens then, not when the disk has
    it.
    """

    seat: Seat
    version: int
    key: Key
    action: Any | None
    answer: Callable[[Answer], None]
    at: Moment = BEGINNING


class Attach(Struct, frozen=True):
    """Give the seat to `outbox` (`seat` None: a watcher), and send what was missed since version
    `since`.

    `came_with`: the token that the seat's owner had, b"" = none; None for bots and watchers,
    which get no token. `beside`: the seat's owner stays and is sent everything as well. `crowd`:
    with whom a watcher hears the rest, if not alone.
    """

    seat: Seat | None
    outbox: Outbox
    since: int = -1
    came_with: bytes | None = None
    beside: bool = False
    crowd: Crowd | None = None


class Look(Struct, frozen=True):
    """Call `show` once with what this seat has been sent; with None where the match is let go."""

    seat: Seat
    show: Callable[[Any | None], None]


class GiveUp(Struct, frozen=True):
    """The owner of this seat has left for good: remove its tokens from the journal, then call
    `kept`."""

    seat: Seat
    kept: WhenKept


Item: TypeAlias = Wish | Attach | Look | GiveUp


class Inbox:
    """Anybody may put items in at any time; only the match's task takes them out."""

    __slots__ = ("_items", "_until_s", "_waiting", "_wake", "under_way")

    def __init__(self, seats: int) -> None:
        # Few, and mostly none: an empty deque takes 760 bytes, and every match has an inbox.
        self._items: list[Item] = []
        self._waiting = [0] * seats
        self._wake: asyncio.Future[None] | None = None
        self._until_s: float | None = None
        """Until when the task waits, on the loop's clock."""
        self.under_way: Item | None = None

    def __bool__(self) -> bool:
        return bool(self._items)

    def __iter__(self) -> Iterator[Item]:
        """The item that is under way, then those that wait."""
        if self.under_way is not None:
            yield self.under_way
        yield from self._items

    def take_newcomers(self) -> list[Attach]:
        """Remove and return all who wait to be let in."""
        newcomers = [item for item in self._items if isinstance(item, Attach)]
        self._items = [item for item in self._items if not isinstance(item, Attach)]
        return newcomers

    @property
    def first(self) -> Item | None:
        """The item that `take` would return."""
        return self._items[0] if self._items else None

    @property
    def idle(self) -> bool:
        """Whether the task waits, and nothing is here or under way."""
        return self._wake is not None and not self._items and self.under_way is None

    def crowded(self, seat: Seat) -> bool:
        """Whether this seat has as many wishes waiting as are allowed."""
        return self._waiting[seat] >= MAX_WAITING_WISHES

    def put(self, item: Item) -> None:
        """Add an item behind all others."""
        self._count(item, 1)
        self._items.append(item)
        self.poke()

    def poke(self) -> None:
        """End the `wait`, even when there is nothing."""
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def wake_in(self, limit_s: float) -> None:
        """End the `wait` if it goes on for longer than that."""
        if self._until_s is None or asyncio.get_running_loop().time() + limit_s < self._until_s:
            self.poke()

    def take(self) -> Item:
        """Remove and return the oldest item, which is now under way."""
        item = self._items.pop(0)
        self._count(item, -1)
        self.under_way = item
        return item

    def settle(self) -> None:
        """Note that the item under way is done."""
        self.under_way = None

    def put_back(self) -> None:
        """Put the item that was under way in front again."""
        if (item := self.under_way) is not None:
            self.under_way = None
            self._count(item, 1)
            self._items.insert(0, item)

    def forget(self, whom: Callable[[Attach], bool]) -> None:
        """Drop these people who wait to be let in, also if their history is just being read."""
        self._items = [
            item for item in self._items if not (isinstance(item, Attach) and whom(item))
        ]
        if isinstance(self.under_way, Attach) and whom(self.under_way):
            self.under_way = None

    def withdraw(self, seat: Seat) -> list[Wish]:
        """Remove and return the waiting wishes of this seat."""
        gone = [item for item in self._items if isinstance(item, Wish) and item.seat == seat]
        self._items = [
            item for item in self._items if not (isinstance(item, Wish) and item.seat == seat)
        ]
        self._waiting[seat] = 0
        return gone

    def drain(self) -> list[Item]:
        """Remove and return everything, also the item under way."""
        items = list(self)
        self._items.clear()
        self._waiting = [0] * len(self._waiting)
        self.under_way = None
        return items

    async def wait(self, limit_s: float | None) -> bool:
        """Wait for an item or a `poke` (True), or until the time has passed (False)."""
        if self._items:
            return True
        loop = asyncio.get_running_loop()
        self._wake = loop.create_future()
        self._until_s = None if limit_s is None else loop.time() + limit_s
        try:
            if self._until_s is None:  # most of a thousand matches at once wait like this
                await self._wake
                return True
            async with asyncio.timeout_at(self._until_s):
                await self._wake
        except TimeoutError:
            return bool(self._items)  # an item of the same turn of the loop came before the limit
        finally:
            self._wake = None
        return True

    def _count(self, item: Item, by: int) -> None:
        if isinstance(item, Wish):
            self._waiting[item.seat] += by
