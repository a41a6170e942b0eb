"""A review in the making: made by a process, or read where it is kept already."""

import asyncio
from bisect import insort
from collections.abc import AsyncGenerator
from contextlib import suppress

from clocktowers_tui.history import reviews
from clocktowers_tui.history.matches import NoHistory
from clocktowers_tui.history.review import Reviewed
from clocktowers_tui.net.reviewing import Reviewer, in_words_of
from protocol.errors import RemoteProtocolError
from protocol.reviewing import Finding


async def made(line: bytes, match: str, seat: int) -> AsyncGenerator[Reviewed, None]:
    """What is found by now, at first nothing, then with each finding. `match`: its id, where it is
    kept; "" of a file. Raises NoReview. Close it to stop: nothing is left running then."""
    if match and (kept := await asyncio.to_thread(_kept, match, seat)) is not None:
        yield kept
        return
    reviewer = await Reviewer.start(line, seat)
    try:
        found: list[Finding] = []
        yield Reviewed(reviewer.begun, seat, ())
        async for one in reviewer.findings():
            insort(found, one, key=lambda each: each.ply)
            yield Reviewed(reviewer.begun, seat, tuple(found))
        if match:
            with suppress(NoHistory):  # then it is made again
                await asyncio.to_thread(reviews.keep, match, seat, reviewer.begun, found)
    finally:
        await reviewer.stop()


def _kept(match: str, seat: int) -> Reviewed | None:
    with suppress(NoHistory, RemoteProtocolError):
        if (kept := reviews.of(match, seat)) is not None:
            begun, findings = kept
            return Reviewed(begun, seat, [in_words_of(begun.game, one) for one in findings])
    return None
