"""The process that replays a record for this player: the rules are the server's.

It hears one client through a pipe, so that it needs no port, no password and no journal. Each view
comes out of it whole; nothing here is patched.
"""

import asyncio
from typing import Any, Final, Self

import msgspec

from clocktowers_tui.net.piped import Piped, program
from protocol.codec import read_as
from protocol.games.registry import GAMES
from protocol.recording import (
    REPLAY,
    Hear,
    Heard,
    Opened,
    ReplayAnswered,
    Show,
    Shown,
    Unfit,
    framed,
)

PROGRAM: Final = program("server.recording", REPLAY)
ANSWER_S: Final = 20
_read: Final = msgspec.msgpack.Decoder(ReplayAnswered).decode


class NoReplay(Exception):
    """The record cannot be replayed; the text says what is wrong with it, in the server's words, ""
    where the process failed."""


class Projector:
    """The process, with one record. Made by `start`; `stop` at the end. Each request raises
    NoReplay."""

    def __init__(self, process: Piped) -> None:
        self._process: Final = process
        self._turn: Final = asyncio.Lock()
        self.opened = Opened("", [], [], None, opens=False)

    @classmethod
    async def start(cls, line: bytes) -> Self:
        """Replay the record of this line. Raises NoReplay, and leaves no process then."""
        try:
            process = await Piped.start(PROGRAM)
        except OSError:
            raise NoReplay("") from None
        projector = cls(process)
        try:
            opened = await projector._ask(line + b"\n", Opened)
            words = GAMES[opened.game]
            outcome = read_as(opened.outcome, words.outcome)
            projector.opened = msgspec.structs.replace(opened, outcome=outcome)
        except BaseException:
            await projector.stop()
            raise
        return projector

    async def show(self, ply: int, eyes: int) -> Shown:
        """The view is the game's own."""
        shown: Shown = await self._ask(framed(Show(ply, eyes)), Shown)
        view = read_as(shown.view, GAMES[self.opened.game].view)
        return msgspec.structs.replace(shown, view=view)

    async def hear(self, eyes: int) -> list[list[Any]]:
        """The game's events, for the deal and each ply."""
        heard = await self._ask(framed(Hear(eyes)), Heard)
        kind = GAMES[self.opened.game].event
        return [[read_as(event, kind) for event in events] for events in heard.events]

    async def _ask(self, asked: bytes, kind: type[Any]) -> Any:
        async with self._turn:
            try:
                async with asyncio.timeout(ANSWER_S):
                    await self._process.write(asked)
                    answer = _read(await self._process.next())
            except (TimeoutError, EOFError, OSError, msgspec.DecodeError):
                await self.stop()  # a late answer would be taken for that to the next request
                raise NoReplay("") from None
        if isinstance(answer, Unfit):
            raise NoReplay(answer.why)
        assert isinstance(answer, kind)
        return answer

    async def stop(self) -> None:
        await self._process.stop()
