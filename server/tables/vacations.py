"""Days off: each identity has some in a year, which stop its clocks of days.

Law: a turn lasts longer by just as much of a vacation as falls into it, so what sleeps and what is
awake, and a match before and after a restart, come to the same deadline.
"""

from itertools import chain
from typing import TYPE_CHECKING, Final

import msgspec

from protocol.codec import encode
from protocol.table import DAY_S
from server.store.journal import VACATION

if TYPE_CHECKING:
    from server.tables.lobby import Lobby

YEAR_S: Final = 365 * DAY_S
_read: Final = msgspec.msgpack.Decoder(list[tuple[int, int]]).decode


class Vacations:
    """Of one lobby, all in seconds since 1970."""

    def __init__(self, lobby: "Lobby") -> None:
        self._lobby: Final = lobby
        self._taken: Final[dict[bytes, list[tuple[int, int]]]] = {}
        """By identity, ascending: from when until when."""

    def restore(self, id: str, packed: bytes) -> None:
        """Raises msgspec.DecodeError."""
        self._taken[bytes.fromhex(id.removeprefix(VACATION))] = _read(packed)

    async def take(self, identity: bytes, days: int) -> None:
        """So many days from now on, or after those that are taken, or as many as are left. Raises
        JournalError."""
        runner = self._lobby.runner
        now_s = int(runner.wall())
        taken = [one for one in self._taken.get(identity, []) if one[1] > now_s - YEAR_S]
        left_s = self._lobby.limits.vacation_days * DAY_S - sum(
            until - since for since, until in taken
        )
        since = max([now_s, *chain(*taken)])
        if (some_s := min(days * DAY_S, left_s)) > 0:
            taken.append((since, since + some_s))
            await runner.journal.keep_deal(VACATION + identity.hex(), encode(taken))
            self._taken[identity] = taken

    def until(self, identity: bytes) -> int:
        """0: no vacation goes on."""
        last = self._taken.get(identity, [(0, 0)])[-1][1]
        return last if last > self._lobby.runner.wall() else 0

    def overlap_ms(self, identity: bytes, from_ms: int, until_ms: int) -> int:
        """How much of this time was a vacation."""
        both = [
            min(until_ms, until * 1000) - max(from_ms, since * 1000)
            for since, until in self._taken.get(identity, ())
        ]
        return sum(part for part in both if part > 0)
