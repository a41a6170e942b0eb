"""Asks the servers where the player has a seat, all at once, in which matches it is their turn."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import chain
from math import inf
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.dialing import answering
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.identity import shown_to
from clocktowers_tui.net.link import Keep, Link, nowhere
from clocktowers_tui.net.seats import Seat
from clocktowers_tui.net.trust import PASSWORD_VARIABLE, Ticket, Trust, asks_password
from protocol.from_client import MOST_DAYS_OFF, MOST_WAITING, ListWaiting
from protocol.from_server import DueMatch, WaitingList

WAIT_S: Final = 2.0
"""For all servers together: they are asked at the same time."""


Untold: TypeAlias = Literal["silent", "locked", "gone"]
"""Why nothing is known of a match: its server has not answered, asks for its password, or has the
match no longer."""


class Due(NamedTuple):
    """A match of the player's. `yours`: it is their turn; None: `untold`. `left_s`: how long the
    seat to act has, None = as long as it likes. `over`: the player may see how it ended.
    `away_until`: as in `WaitingList`."""

    seat: Seat
    yours: bool | None = None
    left_s: int | None = None
    over: bool = False
    away_until: int = 0
    untold: Untold = "silent"

    @property
    def begun(self) -> bool:
        """Whether its server tells of a match, be it of a table that waited for one."""
        return bool(self.yours) or self.left_s is not None or self.over


async def ask(seats: Iterable[Seat], vacation: int = 0) -> list[Due]:
    """Those where it is the player's turn first, the one with the least time before the others;
    last what no server tells of. Not asked for: a match on the player's own server, and a seat
    at a table that waits only a moment. `vacation`: so many days off are taken first at
    each server where a match of days waits, or as many as are left."""
    groups: dict[tuple[Address, Trust], list[Seat]] = {}
    for seat in seats:
        if (seat.match or seat.days) and not seat.folder:
            groups.setdefault((seat.address, seat.trusts), []).append(seat)
    answers = await asyncio.gather(*(_answer(group, vacation) for group in groups.values()))
    return sorted(chain(*answers), key=_rank)


def _rank(due: Due) -> tuple[int, float]:
    place = {True: 0, False: 1, None: 2}[due.yours]
    return place, inf if due.left_s is None else due.left_s


async def _answer(seats: Sequence[Seat], vacation: int) -> list[Due]:
    """What their server says of these, in time."""
    told: Mapping[str, DueMatch] = {}
    until, unknown = 0, list[str]()
    untold: Untold = "gone"
    try:
        async with asyncio.timeout(WAIT_S):
            answer = await _asked(seats, vacation)
            told = {one.match: one for one in answer.matches}
            until, unknown = answer.away_until, answer.unknown
    except (LinkError, TimeoutError) as error:
        locked = isinstance(error, LinkError) and asks_password(error)
        untold = "locked" if locked else "silent"
    return [
        Due(seat, said.yours, said.left_s, said.over, until)
        if (said := told.get(seat.asked_for))
        else Due(seat, untold="silent" if seat.asked_for in unknown else untold)
        for seat in seats
    ]


async def _asked(seats: Sequence[Seat], vacation: int) -> WaitingList:
    told = WaitingList(id=0, matches=[])
    async with line_of(seats[0]) as link:
        days = max(0, min(vacation, MOST_DAYS_OFF)) * any(seat.days for seat in seats)
        for at in range(0, len(seats), MOST_WAITING):
            some = [seat.asked_for for seat in seats[at : at + MOST_WAITING]]
            answer = await link.request(ListWaiting(id=0, matches=some, vacation=days))
            if not isinstance(answer, WaitingList):
                answer = replace(told, matches=[], unknown=some)
            matches, unknown = told.matches + answer.matches, told.unknown + answer.unknown
            told, days = replace(answer, matches=matches, unknown=unknown), 0
        await link.close()
    return told


@asynccontextmanager
async def line_of(seat: Seat, keep: Keep = nowhere) -> AsyncIterator[Link]:
    """A line to the seat's server, which breaks off at the end: the server holds a seat that was
    taken. `keep`: as of `Link.run`. Raises LinkError."""
    address, *_others = await answering(seat.addresses)
    link = await Link.open(
        address,
        seat.name,
        Ticket(os.environ.get(PASSWORD_VARIABLE, ""), invitation=bytes.fromhex(seat.invitation)),
        trust=seat.trusts,
        identify=partial(shown_to, address, 0),
    )
    reading = asyncio.ensure_future(link.run(lambda _message: None, keep))
    try:
        yield link
    finally:
        link.abort()
        await reading
