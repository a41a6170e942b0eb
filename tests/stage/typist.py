"""Somebody who plays in plain mode: types lines into a real pipe and reads what is said."""

import asyncio
import io
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import Any

from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.games.registry import SPOKEN
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.wishes import Visit, Wish
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.lines import Lines, Saying
from clocktowers_tui.plain.match import MatchPlace
from protocol.table import Pace
from server.games.registry import GAMES
from tests.stage.house import House, eventually

PLAIN = Look(Palette.DARK, Colours.NONE, GlyphSet.UNICODE)


class Heard(io.StringIO):
    """A terminal that shows every letter."""

    encoding = "utf-8"


class Typist:
    """The player, in this loop; `client` is the program."""

    def __init__(self, settings: Settings, *, prompts: bool = False) -> None:
        read, self._write = os.pipe()
        self._read = read
        self._out = Heard()
        self.client = PlainClient(settings, PLAIN, Lines(read), Saying(self._out, prompts=prompts))
        self.client.own_pace = False

    @property
    def heard(self) -> str:
        return self._out.getvalue()

    @property
    def lines(self) -> list[str]:
        return self.heard.splitlines()

    def type(self, *lines: str) -> None:
        os.write(self._write, "".join(f"{line}\n" for line in lines).encode())

    def type_bytes(self, typed: bytes) -> None:
        """As they come, whatever they are."""
        os.write(self._write, typed)

    def end(self) -> None:
        """There is nothing more to read."""
        if self._write >= 0:
            os.close(self._write)
        self._write = -1

    async def hears(self, words: str, after: int = 0) -> None:
        """Wait until this is said, behind so many characters."""
        await eventually(lambda: words in self.heard[after:])

    async def types(self, line: str, words: str) -> None:
        """Type this, and wait until that is said."""
        before = len(self.heard)
        self.type(line)
        await self.hears(words, before)

    async def plays_to_the_end(self, rng: Random, level: str = "random") -> None:
        """Type what a bot would do, until the match is over."""
        while True:
            await eventually(self._is_needed)
            match = self.client.state.match
            if match is None or match.over:
                return
            action = GAMES[match.game].bots[level](match.view, [], rng)
            assert action is not None
            self.type(SPOKEN[match.game].typed(match.view, action))
            await eventually(partial(self._has_moved_on, match.version))
            assert not self.client.undone, self.lines[-3:]

    def _has_moved_on(self, version: int) -> bool:
        match = self.client.state.match
        return match is None or match.over or match.version != version or self.client.undone

    def _is_needed(self) -> bool:
        place = self.client.place
        return isinstance(place, MatchPlace) and (
            place.match.view is not None and place.needs_nobody_else()
        )

    async def ends(self) -> None:
        """Wait until the player has left the program."""
        await eventually(lambda: self._write < 0)

    async def run(self, wish: Wish | None) -> int:
        """To the end, as `start` does it."""
        try:
            return await self.client.tasks.while_sound(self.client.run(wish))
        finally:
            self.end()


def settings(name: str = "Ann", **more: Any) -> Settings:
    return Settings(name=name, pace=Pace.AT_ONCE, **more)


def visit(at: House, table: str = "", *, watch: bool = False) -> Visit:
    return Visit(Address(*at.address[:2]), table=table, watch=watch)


@asynccontextmanager
async def typing(
    wish: Wish | None = None, name: str = "Ann", *, prompts: bool = False
) -> AsyncIterator[Typist]:
    """Plain mode runs as long as the caller stays in the block, or until the typist leaves."""
    typist = Typist(settings(name), prompts=prompts)
    running = asyncio.ensure_future(typist.run(wish))
    try:
        yield typist
    finally:
        typist.end()
        assert await running in (0, 1)
