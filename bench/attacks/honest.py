"""People who play at a steady pace while a server is attacked, and the fate of each action."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Final

from msgspec import Struct, field

from protocol.from_client import Rematch
from protocol.from_server import Done, Ended, Update
from tests.stage.house import START, Peer, begin, read_view, some_act

BOT: Final = "easy"
"""Whom those play against who play alone."""
PASSWORD: Final = "of those who play"
"""Where the server has one."""
PACE_S: Final = 0.04
"""From the moment a player sees that it is their turn, to the action."""


class Tally(Struct):
    """The actions sent in a stretch of time. `latencies_s`: how long each waited for its answer;
    `worked_s`: for how much of that the server's loop had the processor. `bots_s`: how long players
    waited for each action of a bot. `kept`: match and version of each."""

    sent: int = 0
    refused: int = 0
    latencies_s: list[float] = field(default_factory=list)
    worked_s: list[float] = field(default_factory=list)
    bots_s: list[float] = field(default_factory=list)
    kept: set[tuple[str, int]] = field(default_factory=set)

    @property
    def unanswered(self) -> int:
        return self.sent - self.refused - len(self.latencies_s)

    def p99_s(self) -> float:
        """Of the answers to actions."""
        return p99(self.latencies_s)

    def held_up_s(self) -> float:
        """The same, as far as the loop held them up: no longer than it worked meanwhile, nor than
        they waited. A busy disk or player lengthens the one, a player who hears late the other."""
        return p99([min(both) for both in zip(self.latencies_s, self.worked_s, strict=True)])


def p99(measured: list[float]) -> float:
    """A percentile, by nearest rank."""
    ranked = sorted(measured)
    return ranked[max(0, -(-99 * len(ranked) // 100) - 1)] if ranked else 0.0


class Play:
    """All matches. `tally`: that of the present stretch of time. `clock`: seconds, by which answers
    are quick or slow; `worked`: how long the server's loop has had the processor."""

    def __init__(
        self,
        port: int,
        clock: Callable[[], float] = time.perf_counter,
        worked: Callable[[], float] = time.process_time,
    ) -> None:
        self.port: Final = port
        self.clock: Final = clock
        self.worked: Final = worked
        self.tally = Tally()
        self.failures: list[str] = []
        self.players: list[Player] = []

    def lost(self, tally: Tally) -> int:
        """Actions that were kept but not sent to one of the players."""
        return sum(
            any(kept not in player.seen for player in self.players if kept[0] in player.matches)
            for kept in tally.kept
        )

    async def settled(self, tally: Tally, limit_s: float = 10.0) -> None:
        """Wait until the actions of that tally are answered and seen, or the time is over."""
        until_s = time.monotonic() + limit_s
        while (tally.unanswered or self.lost(tally)) and time.monotonic() < until_s:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async def comes(self, name: str) -> Peer:
        """One after the other: a server with a password lets few of one address wait at once."""
        peer = Peer(*await asyncio.open_connection("127.0.0.1", self.port))
        await peer.come(name, password=PASSWORD)
        return peer


class Player:
    """A player at a table for two, with another or `alone` with a bot."""

    def __init__(self, play: Play, name: str, *, alone: bool = False) -> None:
        self.seen: set[tuple[str, int]] = set()
        self.matches: set[str] = set()
        self._play: Final = play
        self._name: Final = name
        self._alone: Final = alone
        self._rng: Final = Random(name)
        self._waits_since_s: float | None = None

    async def run(self, peer: Peer) -> None:
        """Play match after match, at a table whose match has begun."""
        try:
            while True:
                message = await peer.until(Struct, lambda one: isinstance(one, Update | Ended))
                if isinstance(message, Update):
                    await self._see(peer, message)
                else:
                    await peer.done(Rematch(id=0))
        except (AssertionError, OSError) as error:
            self._play.failures.append(f"{self._name}: {error}")

    async def _see(self, peer: Peer, update: Update) -> None:
        self.matches.add(update.match)
        self.seen.add((update.match, update.version))
        view, now_s = read_view(update), self._play.clock()
        if self._alone and self._waits_since_s is not None:
            self._play.tally.bots_s.append(now_s - self._waits_since_s)
        self._waits_since_s = None if view.turn in (None, view.seat) else now_s
        if view.turn == view.seat:
            await asyncio.sleep(PACE_S)
            await self._act(peer, update)

    async def _act(self, peer: Peer, update: Update) -> None:
        play, tally = self._play, self._play.tally
        tally.sent += 1
        sent_at_s, worked_s = play.clock(), play.worked()
        answer = await peer.request(some_act(update, self._rng))
        if isinstance(answer, Done) and answer.version is not None:
            tally.latencies_s.append(play.clock() - sent_at_s)
            tally.worked_s.append(play.worked() - worked_s)
            tally.kept.add((update.match, answer.version))
        else:
            tally.refused += 1


@asynccontextmanager
async def playing(
    port: int, tables: int, clock: Callable[[], float], worked: Callable[[], float]
) -> AsyncIterator[Play]:
    """So many matches of two under way, and half as many against a bot; they go on until the caller
    leaves the block."""
    play = Play(port, clock, worked)
    tasks: list[asyncio.Task[None]] = []

    def plays(name: str, peer: Peer, *, alone: bool = False) -> None:
        play.players.append(player := Player(play, name, alone=alone))
        tasks.append(asyncio.create_task(player.run(peer)))

    try:
        for number in range(tables):
            names = f"Host {number}", f"Guest {number}"
            pair = [await play.comes(name) for name in names]
            await begin(*pair)
            for name, peer in zip(names, pair, strict=True):
                plays(name, peer)
        for number in range(tables // 2):
            peer = await play.comes(f"Alone {number}")
            await peer.create(seats=2, bots=BOT)
            await peer.done(START)
            plays(f"Alone {number}", peer, alone=True)
        while not (play.failures or all(one.matches for one in play.players)):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        yield play
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
