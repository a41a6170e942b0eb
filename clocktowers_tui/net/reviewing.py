"""The process that reviews a record for this player: it knows the rules and the bots.

It says what it finds as soon as it has it. To stop it, at any time, leaves nothing running.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Final, Self

import msgspec

from clocktowers_tui.net.piped import Piped, program
from protocol.codec import read_as
from protocol.errors import RemoteProtocolError
from protocol.games.registry import GAMES
from protocol.recording import (
    REVIEW,
    Begun,
    Finding,
    Judged,
    LastWord,
    Raced,
    Review,
    ReviewTold,
    Unfit,
    framed,
)

PROGRAM: Final = program("server.recording", REVIEW)
SILENCE_S: Final = 120
"""Far above what one decision takes on a slow machine."""
_read: Final = msgspec.msgpack.Decoder(ReviewTold).decode


class NoReview(Exception):
    """The record cannot be reviewed; the text says what is wrong with it, in the server's words, ""
    where the process failed."""


class Reviewer:
    """The process, with one record. Made by `start`; `stop` at the end."""

    def __init__(self, process: Piped) -> None:
        self._process: Final = process
        self.begun = Begun("", [], [], [], [])

    @classmethod
    async def start(cls, line: bytes, seat: int, known: Sequence[tuple[int, int]] = ()) -> Self:
        """Review this line's record, this seat's findings first. `known`: as in `Review`. Raises
        NoReview, and leaves no process then."""
        try:
            reviewer = cls(await Piped.start(PROGRAM))
        except OSError:
            raise NoReview("") from None
        try:
            await reviewer._process.write(line + b"\n" + framed(Review(seat, list(known))))
            begun = await reviewer._next()
            if not isinstance(begun, Begun):
                raise NoReview("")
            reviewer.begun = begun
        except BaseException:
            await reviewer.stop()
            raise
        return reviewer

    async def findings(self) -> AsyncGenerator[Finding, None]:
        """Each once, as they are made. Raises NoReview."""
        while not isinstance(told := await self._next(), LastWord):
            if not isinstance(told, Judged | Raced):
                raise NoReview("")
            try:
                yield in_words_of(self.begun.game, told)
            except RemoteProtocolError:
                raise NoReview("") from None

    async def _next(self) -> ReviewTold:
        try:
            async with asyncio.timeout(SILENCE_S):
                told: ReviewTold = _read(await self._process.next())
        except (TimeoutError, EOFError, OSError, msgspec.DecodeError):
            raise NoReview("") from None
        if isinstance(told, Unfit):
            raise NoReview(told.why)
        return told

    async def stop(self) -> None:
        await self._process.stop()


def in_words_of(game: str, found: Finding) -> Finding:
    """With the view and the actions as the game has them. Raises RemoteProtocolError."""
    words = GAMES[game]
    view = read_as(found.view, words.view)
    if isinstance(found, Raced):
        came = None if found.came is None else read_as(found.came, words.event)
        return msgspec.structs.replace(found, view=view, came=came)
    action, best = (read_as(one, words.action) for one in (found.action, found.best))
    return msgspec.structs.replace(found, view=view, action=action, best=best)
