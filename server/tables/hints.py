"""Hints: what a strong bot would do in a player's seat, told to that player alone.

Laws: a hint is decided from what the seat has been sent, as a bot in that seat would decide; a seat
has one under way at most; everybody at the table is told who asks.
"""

import asyncio
from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from protocol.from_server import NoticeCode
from protocol.ids import Seat
from protocol.refusal import Refusal, RefusalCode
from server.bots.queueing import Asker
from server.bucket import Bucket
from server.matches.match import Match, Sight
from server.matches.tokens import NO_SEATS
from server.tables.refusals import Impossible

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.table import Table

HINT_LEVEL: Final = "hard"
"""Every game has it."""

_MINUTE_S: Final = 60


class Named(NamedTuple):
    """A hint. `version`: the newest that the seat was told of. `action` None: let others go on."""

    version: int
    action: Any | None


TellHint: TypeAlias = Callable[[Named | Refusal], None]


class Hints:
    """Knows one table."""

    __slots__ = ("_buckets", "_table", "_under_way")

    def __init__(self, table: "Table") -> None:
        self._table: Final = table
        self._buckets: Final[dict[Seat, Bucket]] = {}
        self._under_way: frozenset[Seat] = NO_SEATS

    def ask(self, guest: "Session", answer: TellHint) -> None:
        """Call `answer` once, when the bot has decided. Raises Impossible."""
        table = self._table
        seat, match = table.seat_of(guest), table.match
        if match is None:
            raise Impossible(RefusalCode.NO_MATCH)
        if match.over:
            raise Impossible(RefusalCode.MATCH_OVER)
        if not table.gives_hints:
            raise Impossible(RefusalCode.NO_HINTS)
        if seat not in match.to_act():
            raise Impossible(RefusalCode.NOT_YOUR_TURN)
        if seat in self._under_way:
            raise Impossible(RefusalCode.BUSY)
        self._take(seat)
        self._under_way |= {seat}
        table.news.say(NoticeCode.ASKED_FOR_HINT, name=guest.name, seat=seat)

        def tell(found: Named | Refusal) -> None:
            self._under_way -= {seat}
            answer(found)

        table.lobby.runner.tasks.spawn(self._decide(match, seat, match.look(seat), tell))

    def _take(self, seat: Seat) -> None:
        now_s = asyncio.get_running_loop().time()
        most = self._table.lobby.limits.hints_per_minute
        bucket = self._buckets.setdefault(seat, Bucket(most / _MINUTE_S, most, now_s))
        if not bucket.take(now_s):
            raise Impossible(RefusalCode.TOO_MANY_HINTS, wait_s=ceil(bucket.wait_s()))

    async def _decide(self, match: Match, seat: Seat, sight: Sight, tell: TellHint) -> None:
        decided = await self._table.lobby.runner.brains.choose(
            match.header.game,
            HINT_LEVEL,
            sight.view,
            sight.events,
            # The same question, also after a take-back, has the same answer.
            f"{match.id}/{seat}/{len(sight.events)}",
            Asker(match.id, address=self._table.origin),
        )
        await asyncio.sleep(sight.held_ms / 1000)
        if decided is None:
            tell(Refusal(RefusalCode.BUSY))
        else:
            tell(Named(sight.version, decided.action))
