"""How many TLS handshakes there are a second: each takes 0.55 ms of the loop before anything is
known of the caller.

Laws: nobody is refused. A caller waits for their address, then for all others, in the order in
which they came. At most `MOST` addresses are remembered, the latest used.
"""

import asyncio
from functools import partial
from typing import Final

from server.bucket import Bucket, latest
from server.config import Limits
from server.net.addresses import Addresses

MOST: Final = 10_000


class Handshakes:
    """Of one port."""

    def __init__(self, limits: Limits) -> None:
        self._rate_s: Final = limits.handshakes_per_address_s
        self._burst: Final = limits.handshakes_per_address
        self._addresses: Final = Addresses(
            limits.per_address, loopback_counts=limits.loopback_counts
        )
        self._paces: Final[dict[str, PacedQueue]] = {}
        self._of_all: Final = PacedQueue(limits.handshakes_s, limits.handshakes_s)

    async def turn(self, address: str) -> None:
        """Returns when a caller from there may shake hands."""
        if origin := self._addresses.origin(address):
            await self._pace(origin).turn()
        await self._of_all.turn()

    def _pace(self, origin: str) -> "PacedQueue":
        return latest(self._paces, origin, MOST, partial(PacedQueue, self._rate_s, self._burst))

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._paces)


class PacedQueue:
    """A bucket in front of which callers wait one behind the other."""

    def __init__(self, rate_s: float, burst: int) -> None:
        self._loop: Final = asyncio.get_running_loop()
        self._bucket: Final = Bucket(rate_s, burst, self._loop.time())
        self._first: Final = asyncio.Lock()

    async def turn(self) -> None:
        async with self._first:
            while not self._bucket.take(self._loop.time()):  # noqa: ASYNC110  (time is the event)
                await asyncio.sleep(self._bucket.wait_s())
