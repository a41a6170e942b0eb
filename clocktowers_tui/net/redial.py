"""Dialling again after a line broke.

Law: attempts begin at most 1.5 s apart for ten minutes and at most 10 s apart after that. They
overlap, so an attempt that hangs does not delay the next; the first line that stands is taken. In
the first round, where an address refuses at once, the next is dialled at once.
"""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Final, TypeAlias

from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.link import Link
from protocol.errors import GoodbyeCode

FIRST_GAP_S: Final = 0.4
MOST_GAP_S: Final = 1.5
EAGER_S: Final = 600.0
PATIENT_GAP_S: Final = 10.0

PASSING: Final = (
    GoodbyeCode.SILENT,
    GoodbyeCode.TOO_SLOW,
    GoodbyeCode.FULL,
    GoodbyeCode.SHUTDOWN,
    GoodbyeCode.ADDRESS_FULL,
    GoodbyeCode.DRAINING,
    GoodbyeCode.TOO_MANY_TRIES,
    GoodbyeCode.MOVED,
)
"""Goodbyes after which coming back makes sense."""

Dial: TypeAlias = Callable[[], Awaitable[Link]]
Told: TypeAlias = Callable[[int], None]
"""Called with the number of each attempt, from 1, and with 0 when the line stands again."""


def gap_s(attempt: int, since_s: float, rng: Random) -> float:
    """The seconds between the beginnings of this attempt and the next: more each time, and by
    chance, so that clients that lost the same server do not return together. `since_s`: how long
    the line has been broken."""
    if since_s >= EAGER_S:
        return PATIENT_GAP_S * rng.uniform(0.75, 1)
    backed_off: float = FIRST_GAP_S * 2.0 ** min(attempt - 1, 10)
    return min(MOST_GAP_S, backed_off) * rng.uniform(0.5, 1)


class Redial:
    """Dials after the line broke, until it stands again for good.

    `parted` is set when nobody wants the line any more. `worth_it`: whether there can still be a
    server at that address. `addresses`: how many `dial` goes round; each is dialled as often as one
    alone would be.
    """

    def __init__(
        self,
        dial: Dial,
        told: Told,
        parted: asyncio.Event,
        worth_it: Callable[[], Awaitable[bool]],
        rng: Random,
        *,
        addresses: int = 1,
    ) -> None:
        self._addresses: Final = addresses
        self._dial: Final = dial
        self._told: Final = told
        self._parted: Final = parted
        self._worth_it: Final = worth_it
        self._rng: Final = rng
        self._attempts = 0
        self._began_s = self._due_s = asyncio.get_running_loop().time()

    async def link(self, lost: LinkError) -> Link:
        """A new line. Raises LinkError when there is none: `lost`, or what the server said."""
        found: Link | LinkError = lost
        trying: set[asyncio.Task[Link | LinkError]] = set()
        try:
            async with asyncio.TaskGroup() as tasks:
                parting = tasks.create_task(self._parted.wait())
                while not self._parted.is_set() and await self._worth_it():
                    if (first := await self._first(trying, parting)) is not None:
                        found = first
                        break
                    self._begin()
                    trying.add(tasks.create_task(self._attempt()))
                for task in (parting, *trying):
                    task.cancel()
        except BaseException:
            if isinstance(found, Link):
                found.abort()
            raise
        finally:
            for late in trying:
                if not late.cancelled() and isinstance(unused := late.result(), Link):
                    unused.abort()
        if isinstance(found, LinkError):
            raise found
        return found

    def _begin(self) -> None:
        now_s = asyncio.get_running_loop().time()
        self._attempts += 1
        rounds = 1 + (self._attempts - 1) // self._addresses
        gap = gap_s(rounds, now_s - self._began_s, self._rng) / self._addresses
        self._due_s = now_s + gap
        self._told(self._attempts)

    async def _attempt(self) -> Link | LinkError:
        try:
            return await self._dial()
        except LinkError as error:
            return error

    async def _first(
        self, trying: "set[asyncio.Task[Link | LinkError]]", parting: "asyncio.Task[bool]"
    ) -> Link | LinkError | None:
        """What ends the attempts; None when the next attempt is due, or nobody wants the line."""
        loop = asyncio.get_running_loop()
        while (left_s := self._due_s - loop.time()) > 0 and not parting.done():
            await asyncio.wait(
                {parting, *trying}, timeout=left_s, return_when=asyncio.FIRST_COMPLETED
            )
            for task in [task for task in trying if task.done()]:
                trying.discard(task)
                result = task.result()
                if isinstance(result, Link) or for_good(result):
                    return result
            if not trying and self._attempts < self._addresses:
                break
        return None


def for_good(error: LinkError) -> bool:
    """Whether the server has said that it does not want this client, or is another server."""
    if isinstance(error, TurnedAway):
        return error.code not in PASSING
    return error.fault is Fault.KEY_CHANGED
