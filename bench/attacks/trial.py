"""One attack on one server: the people who play there at a steady pace, and how their matches fare
without the attack and with it."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Final

from msgspec import Struct, field, json
from msgspec.structs import replace

from bench.attacks.plan import AttackPlan, Report
from bench.load.figures import percentiles
from bench.processes import Served, python, rss_bytes
from protocol.from_client import Rematch
from protocol.from_server import Done, Ended, Update
from tests.stage.house import Peer, begin, read_view, some_act
from tests.stage.processes import started

PASSWORD: Final = "of those who play"
"""Where the server has one."""
PACE_S: Final = 0.04
"""From the moment a player sees that it is their turn, to the action."""
TABLES: Final = 8
PLAYERS: Final = 2
"""At each."""
FLOOR_ACTIONS: Final = 500
"""So many actions' work before an answer bothers nobody, however quick the quiet ones were."""
EACH_ACTIONS: Final = 50
"""What a connection costs the server is a fifth of that, or less."""
FEW: Final = 20
"""Fewer connections than that say little: what the matches cost is not the same in every second."""
WORSE: Final = 3.0
ENOUGH: Final = 4 * TABLES
"""So many actions say how answers fare; on a busy machine players take their time."""
SAMPLE_S: Final = 0.05


# Those who play -----------------------------------------------------------------------------------


class Tally(Struct):
    """The actions sent in a stretch of time. `held_s`: for how long the server's loop held up the
    answer to each. `kept`: match and version of each."""

    sent: int = 0
    refused: int = 0
    held_s: list[float] = field(default_factory=list)
    kept: set[tuple[str, int]] = field(default_factory=set)

    def answered(self, after_s: float, worked_s: float) -> None:
        """The loop held it up no longer than it worked meanwhile, nor than the player waited. A
        busy disk or player lengthens the one, a player who hears late the other."""
        self.held_s.append(min(after_s, worked_s))

    @property
    def unanswered(self) -> int:
        return self.sent - self.refused - len(self.held_s)

    def held_up_s(self) -> float:
        """For how long 99 of 100 were, at most."""
        return percentiles(self.held_s)[1]


class Play:
    """All matches on a server. `tally`: that of the present stretch of time; `seen`: who has seen
    each version of each match."""

    def __init__(self, server: Served) -> None:
        self.server: Final = server
        self.tally = Tally()
        self.seen: Final = defaultdict[tuple[str, int], set[str]](set)
        self.failures: list[str] = []

    def lost(self, tally: Tally) -> int:
        """Actions that were kept but not sent to one of the players."""
        return sum(len(self.seen[kept]) < PLAYERS for kept in tally.kept)

    async def settled(self, tally: Tally, limit_s: float = 10.0) -> None:
        """Wait until the actions of that tally are answered and seen, or the time is over."""
        until_s = time.monotonic() + limit_s
        while (tally.unanswered or self.lost(tally)) and time.monotonic() < until_s:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async def comes(self, name: str) -> Peer:
        """One after the other: a server with a password lets few of one address wait at once."""
        peer = Peer(*await asyncio.open_connection("127.0.0.1", self.server.port))
        await peer.come(name, password=PASSWORD)
        return peer

    async def player(self, name: str, peer: Peer) -> None:
        """Play match after match, at a table for two whose match has begun."""
        rng = Random(name)
        try:
            while True:
                message = await peer.until(Struct, lambda one: isinstance(one, Update | Ended))
                if not isinstance(message, Update):
                    await peer.done(Rematch(id=0))
                    continue
                self.seen[message.match, message.version].add(name)
                view = read_view(message)
                if view.turn == view.seat:
                    await asyncio.sleep(PACE_S)
                    await self._act(peer, message, rng)
        except (AssertionError, OSError) as error:
            self.failures.append(f"{name}: {error}")

    async def _act(self, peer: Peer, update: Update, rng: Random) -> None:
        tally = self.tally
        tally.sent += 1
        sent_at_s, worked_s = self.server.clock(), self.server.ran_s()
        answer = await peer.request(some_act(update, rng))
        if isinstance(answer, Done) and answer.version is not None:
            tally.answered(self.server.clock() - sent_at_s, self.server.ran_s() - worked_s)
            tally.kept.add((update.match, answer.version))
        else:
            tally.refused += 1


@asynccontextmanager
async def playing(server: Served) -> AsyncIterator[Play]:
    """Matches of two under way, until the caller leaves the block."""
    play, tasks = Play(server), list[asyncio.Task[None]]()
    try:
        for number in range(TABLES):
            names = f"Host {number}", f"Guest {number}"
            pair = [await play.comes(name) for name in names]
            await begin(*pair)
            tasks += map(asyncio.create_task, map(play.player, names, pair))
        under_way = set[str]()
        while len(under_way) < TABLES and not play.failures:
            await asyncio.sleep(0.01)
            under_way |= {match for (match, _), saw in play.seen.items() if len(saw) == PLAYERS}
        yield play
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


# The attack and what came of it -------------------------------------------------------------------


class Seen(Struct, kw_only=True):
    """What an attack did to the server. `grown_bytes`: memory, at most; `held`: the attack's
    connections that were open in the end; `on_s`: how long it went on; `server_s`: how long the
    server's loop had the processor meanwhile."""

    grown_bytes: int
    held: int
    on_s: float
    server_s: float
    report: Report


class Fared(Struct, kw_only=True):
    """What it did to the matches beside it; `failures` are broken connections, in words.
    `each_s`: the server's processor time for each connection of the attack, or each thing that it
    asks for, whatever else runs on the machine; without that of the matches, which is known from
    the quiet time, as is `action_s`, that for one of their actions."""

    quiet: Tally
    action_s: float
    each_s: float
    attacked: Tally
    lost: int
    failures: list[str]

    @property
    def limit_s(self) -> float:
        """For how long the loop may hold up the slowest hundredth."""
        return max(WORSE * self.quiet.held_up_s(), FLOOR_ACTIONS * self.action_s)

    @property
    def each_limit_s(self) -> float:
        """What a connection may cost at most."""
        return EACH_ACTIONS * self.action_s

    @property
    def in_time(self) -> bool:
        quick = self.attacked.held_up_s() <= self.limit_s
        return quick and self.each_s <= self.each_limit_s

    @property
    def whole(self) -> bool:
        """Whether every action was sent, taken, answered and seen."""
        tally = self.attacked
        troubles = self.lost or tally.refused or tally.unanswered or self.failures
        return bool(tally.sent) and not troubles


async def trial(
    plan: AttackPlan, server: Served, *, seconds: float, quiet_s: float
) -> tuple[Fared, Seen]:
    """Matches, undisturbed for a while and then attacked."""
    async with playing(server) as play:
        before_s = server.ran_s()
        quiet = await _stretch(play, quiet_s)
        ran_s = server.ran_s() - before_s
        await play.settled(quiet)
        async with attacking(plan, server) as so_far:
            attacked = await _stretch(play, seconds)
            seen = await so_far()
        await play.settled(attacked)
        wishes = seen.report.served * max(1, plan.asks) + seen.report.asked
        wishes = wishes or seen.report.opened  # who says nothing is told nothing
        return Fared(
            quiet=quiet,
            action_s=ran_s / quiet.sent,
            each_s=(seen.server_s - ran_s / quiet_s * seen.on_s) / max(FEW, wishes),
            attacked=attacked,
            lost=play.lost(attacked),
            failures=play.failures,
        ), seen


async def _stretch(play: Play, seconds: float) -> Tally:
    """The actions sent in this time, or until there are enough."""
    tally = play.tally = Tally()
    await asyncio.sleep(seconds)
    while tally.sent < ENOUGH and not play.failures:  # noqa: ASYNC110
        await asyncio.sleep(SAMPLE_S)
    play.tally = Tally()
    return tally


@asynccontextmanager
async def attacking(
    plan: AttackPlan, server: Served
) -> AsyncIterator[Callable[[], Awaitable[Seen]]]:
    """The attacking process goes on until the block is left; yields what says how far it is."""
    given = json.encode(replace(plan, port=server.port)).decode()
    async with started(Path.cwd(), given, program=python("bench.attacks.attacker")) as process:
        assert await process.line() == "on", await process.errors()
        sockets, began_s, ran_s = server.sockets(), time.monotonic(), server.ran_s()
        proc = Path(f"/proc/{server.pid}")
        (proc / "clear_refs").write_text("5")  # the most memory is that from now on
        before_bytes = rss_bytes(server.pid)

        async def so_far() -> Seen:
            on_s, server_s = time.monotonic() - began_s, server.ran_s() - ran_s
            held = server.sockets() - sockets
            process.write("\n")
            report = json.decode(await process.line(), type=Report)
            most_kb = int((proc / "status").read_text().split("VmHWM:")[1].split()[0])
            grown_bytes = most_kb * 1024 - before_bytes
            return Seen(
                grown_bytes=grown_bytes, held=held, on_s=on_s, server_s=server_s, report=report
            )

        await process.line()  # on a busy machine it takes its time to begin
        yield so_far
