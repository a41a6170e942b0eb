"""Dialling again after a line broke.

Law: attempts begin one after the other, at most 1.5 s apart for ten minutes and at most 10 s apart
after that, where the address answers. One that hangs is given up after `HANGS_S`, in each round for
so much longer. In the first round the next address is dialled at once.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from random import Random
from typing import Final, TypeAlias

from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.link import Link
from protocol.errors import GoodbyeCode

FIRST_GAP_S: Final = 0.4
MOST_GAP_S: Final = 1.5
EAGER_S: Final = 600.0
PATIENT_GAP_S: Final = 10.0
HANGS_S: Final = 3.0
"""Of the first round; `Patience.open_s` bounds all."""

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


async def lines(
    dial: Dial,
    told: Told,
    worth_it: Callable[[], Awaitable[bool]],
    rng: Random,
    *,
    addresses: int = 1,
) -> AsyncGenerator[Link, None]:
    """A new line, and when it does not last, another one; none when there can be no server any
    more. Raises LinkError when the server wants none. `addresses`: how many `dial` goes round; each
    is dialled as often as one alone would be."""
    now_s, attempts = asyncio.get_running_loop().time, 0
    began_s = now_s()
    while await worth_it():
        attempts += 1
        rounds = 1 + (attempts - 1) // addresses
        due_s = now_s() + gap_s(rounds, now_s() - began_s, rng) / addresses
        told(attempts)
        try:
            async with asyncio.timeout(HANGS_S * rounds):
                link = await dial()
        except TimeoutError:
            pass
        except LinkError as error:
            if for_good(error):
                raise
        else:
            yield link
        if attempts >= addresses:
            await asyncio.sleep(due_s - now_s())


def for_good(error: LinkError) -> bool:
    """Whether the server has said that it does not want this client, or is another server."""
    if isinstance(error, TurnedAway):
        return error.code not in PASSING
    return error.fault is Fault.KEY_CHANGED
