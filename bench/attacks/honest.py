"""People who play at a steady pace while a server is attacked, and the fate of each action."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any, Final

from msgspec import Struct, field, structs

from protocol.connection import Connection
from protocol.from_client import (
    Act,
    BotSeat,
    CreateTable,
    Hello,
    Join,
    Pong,
    Ready,
    Rematch,
    Request,
    Start,
)
from protocol.from_server import AtTable, Done, Ended, Goodbye, Refused, ServerPing, Update, Welcome
from protocol.listing import TablePhase
from protocol.version import MAGIC, PROTOCOL_VERSIONS

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


class Player:
    """A player at a table for two, with another or with a bot of this level."""

    def __init__(self, play: Play, name: str, bot: str = "") -> None:
        self.play = play
        self.bot = bot
        self.name = name
        self.rng = Random(name)
        self.seen: set[tuple[str, int]] = set()
        self.matches: set[str] = set()
        self.table: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.match = ""
        self._connection = Connection()
        self._asked: dict[int, tuple[Tally, float, float]] = {}
        self._id = 0
        self._waits_since_s: float | None = None
        self.here: Final = asyncio.Event()

    async def run(self, join: "asyncio.Future[str] | None") -> None:
        """Sit down, at this table or a new one, and play match after match."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.play.port)
        versions = list(PROTOCOL_VERSIONS)
        self._write(Hello(magic=MAGIC, versions=versions, name=self.name, password=PASSWORD))
        try:
            while chunk := await self._reader.read(1 << 16):
                self._connection.receive_bytes(chunk)
                while (message := self._connection.next_message()) is not None:
                    await self._hear(message, join)
        finally:
            self._writer.close()
        self.play.failures.append(f"the server closed the line of {self.name}")

    async def _hear(self, message: Any, join: "asyncio.Future[str] | None") -> None:
        if isinstance(message, Welcome | Goodbye):
            self.here.set()
        match message:
            case Welcome() if self.bot:
                bots = [BotSeat(1, self.bot)]
                self._ask(CreateTable(id=0, game="clocktowers", seats=2, bots=bots))
                self._ask(Start(id=0))
            case Welcome() if join is None:
                self._ask(CreateTable(id=0, game="clocktowers", seats=2))
            case Welcome():
                assert join is not None
                self._ask(Join(id=0, table=await join))
                self._ask(Ready(id=0))
            case Done(id=number) | Refused(id=number) if number in self._asked:
                self._answered(message)
            case Done(table=table) if table and not self.table.done():
                self.table.set_result(table)
            case Refused(code=code):
                self.play.failures.append(f"{self.name} was refused: {code}")
            case AtTable(info=info) if (
                join is None and not self.bot and info.phase is TablePhase.WAITING
            ):
                if all(seat.name for seat in info.seats) and info.seats[1].ready:
                    self._ask(Start(id=0))
            case Update():
                self._see(message)
            case Ended():
                self._ask(Rematch(id=0))
            case ServerPing(n=n):
                self._write(Pong(n))
            case Goodbye(code=code):
                self.play.failures.append(f"the server said goodbye to {self.name}: {code}")

    def _see(self, update: Update) -> None:
        self.match = update.match
        self.matches.add(update.match)
        self.seen.add((update.match, update.version))
        view = update.view
        now_s = self.play.clock()
        if self.bot and self._waits_since_s is not None:
            self.play.tally.bots_s.append(now_s - self._waits_since_s)
        self._waits_since_s = None if view.get("turn") in (None, view["seat"]) else now_s
        if view.get("turn") is not None and view["turn"] == view["seat"]:
            choice = self.rng.choice(view["legal"])
            loop = asyncio.get_running_loop()
            loop.call_later(PACE_S, self._act, update.version, choice[0])

    def _act(self, version: int, action: Any) -> None:
        if self._writer.is_closing():
            return
        number = self._ask(Act(id=0, version=version, key=self.rng.randbytes(8), action=action))
        self._asked[number] = (self.play.tally, self.play.clock(), self.play.worked())
        self.play.tally.sent += 1

    def _answered(self, answer: Done | Refused) -> None:
        tally, sent_at_s, worked_s = self._asked.pop(answer.id)
        if isinstance(answer, Refused):
            tally.refused += 1
            return
        tally.latencies_s.append(self.play.clock() - sent_at_s)
        tally.worked_s.append(self.play.worked() - worked_s)
        assert answer.version is not None
        tally.kept.add((self.match, answer.version))

    def _ask(self, wish: Request) -> int:
        self._id += 1
        self._write(structs.replace(wish, id=self._id))
        return self._id

    def _write(self, message: Struct) -> None:
        self._writer.write(self._connection.send(message))


@asynccontextmanager
async def playing(
    port: int, tables: int, clock: Callable[[], float], worked: Callable[[], float]
) -> AsyncIterator[Play]:
    """So many matches of two under way, and half as many against a bot; they go on until the caller
    leaves the block."""
    play = Play(port, clock, worked)
    tasks: list[asyncio.Task[None]] = []

    async def comes(player: Player, join: "asyncio.Future[str] | None" = None) -> None:
        """One after the other: a server with a password lets few of one address wait at once."""
        play.players.append(player)
        tasks.append(asyncio.create_task(player.run(join)))
        await player.here.wait()

    try:
        for number in range(tables):
            await comes(host := Player(play, f"Host {number}"))
            await comes(Player(play, f"Guest {number}"), host.table)
        for number in range(tables // 2):
            await comes(Player(play, f"Alone {number}", BOT))
        while not (play.failures or all(one.match for one in play.players)):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        yield play
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
