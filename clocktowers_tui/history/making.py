"""A review in the making: made by a process, as far as it is not kept already."""

import asyncio
from bisect import insort
from collections.abc import AsyncGenerator
from contextlib import suppress

from clocktowers_tui.history import reviews
from clocktowers_tui.history.matches import NoHistory
from clocktowers_tui.history.review import Reviewed
from clocktowers_tui.net.reviewing import Reviewer, in_words_of
from protocol.errors import RemoteProtocolError
from protocol.recording import Finding


async def made(
    line: bytes, match: str, seat: int, known: Reviewed | None = None
) -> AsyncGenerator[Reviewed, None]:
    """What is found by now, then with each finding, those about this seat first. `match`: its id,
    where it is kept; "" of a file. `known`: what was found before it was stopped. Raises NoReview.
    Close it to stop: nothing is left running then, and the next one goes on from there."""
    if known is None and match:
        known = await asyncio.to_thread(_kept, match)
    if known is not None and known.whole:
        yield known._replace(seat=seat)
        return
    found = list[Finding](known.findings if known is not None else ())
    reviewer = await Reviewer.start(line, seat, [(one.ply, one.seat) for one in found])
    try:
        yield Reviewed(reviewer.begun, seat, tuple(found))
        async for one in reviewer.findings():
            insort(found, one, key=lambda each: (each.ply, each.seat))
            yield Reviewed(reviewer.begun, seat, tuple(found))
    finally:
        await reviewer.stop()
        if match:
            with suppress(NoHistory):  # then it is made again
                await asyncio.to_thread(reviews.keep, match, reviewer.begun, found)


def _kept(match: str) -> Reviewed | None:
    with suppress(NoHistory, RemoteProtocolError):
        if (kept := reviews.of(match)) is not None:
            begun, findings = kept
            return Reviewed(begun, 0, [in_words_of(begun.game, one) for one in findings])
    return None
