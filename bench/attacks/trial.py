"""One attack on one server: how the matches beside it fare without it and with it."""

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct, json
from msgspec.structs import replace

from bench.attacks.honest import Play, Tally, p99, playing
from bench.attacks.plan import Plan, Report
from bench.load.processes import python, queued_s, ran_s, rss_bytes
from tests.stage.processes import PROGRAM, started

T = TypeVar("T")

TABLES: Final = 8
FLOOR_S: Final = 0.05
"""So short a work before an answer bothers nobody, however quick the quiet ones were."""
BOTS_FLOOR_S: Final = 1.5
EACH_S: Final = 0.01
"""What a connection may cost the server is a twentieth of this, or less."""
FEW: Final = 20
"""Fewer connections than that say little: what the matches cost is not the same in every second."""
WORSE: Final = 3.0
ENOUGH: Final = 4 * TABLES
"""So many actions say how answers fare; on a busy machine players take their time."""
SAMPLE_S: Final = 0.05


class Attacked(Struct, frozen=True):
    """A serving process."""

    pid: int
    port: int

    def sockets(self) -> int:
        """How many connections it has open."""
        links = []
        for file in Path(f"/proc/{self.pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                links.append(str(file.readlink()))
        return sum(link.startswith("socket:") for link in links)

    def ran_s(self) -> float:
        """How long its loop has had the processor."""
        return ran_s(self.pid)

    def clock(self) -> float:
        """Seconds, without those in which the server or this process waited for a processor that
        had other work."""
        return time.perf_counter() - queued_s(self.pid) - queued_s(os.getpid())


@asynccontextmanager
async def serving(
    limits: Mapping[str, object],
    settings: Mapping[str, str] | None = None,
    program: Sequence[str] = PROGRAM,
) -> AsyncIterator[Attacked]:
    """A real server in a process of its own, with these limits and otherwise the defaults.
    `settings`: other variables of its environment."""
    # Not all doors: the silent would be led to another process.
    given = {"CLOCKTOWERS_DOORS": "plain,tls", **(settings or {})}
    given |= {f"CLOCKTOWERS_LIMITS__{name.upper()}": str(value) for name, value in limits.items()}
    # What the server has started may write there when the server is killed.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        listens = ("serve", "--host", "127.0.0.1", "--port", "0", "--log-file", f"{folder}/log")
        async with started(Path(folder), *listens, env=given, program=program) as process:
            await process.listens()
            yield Attacked(process.pid, process.port)


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
    the quiet time."""

    quiet: Tally
    each_s: float
    attacked: Tally
    lost: int
    failures: list[str]

    @property
    def limit_s(self) -> float:
        """For how long the loop may hold up the slowest hundredth."""
        return max(WORSE * self.quiet.held_up_s(), FLOOR_S)

    @property
    def bots_limit_s(self) -> float:
        """The same for a bot's action."""
        return max(WORSE * p99(self.quiet.bots_s), BOTS_FLOOR_S)

    @property
    def in_time(self) -> bool:
        bots_s = p99(self.attacked.bots_s)
        quick = self.attacked.held_up_s() <= self.limit_s and bots_s <= self.bots_limit_s
        return quick and self.each_s <= EACH_S

    @property
    def whole(self) -> bool:
        """Whether every action was sent, taken, answered and seen."""
        tally = self.attacked
        troubles = self.lost or tally.refused or tally.unanswered or self.failures
        return bool(tally.sent) and not troubles


async def trial(
    plan: Plan, server: Attacked, *, seconds: float, quiet_s: float
) -> tuple[Fared, Seen]:
    """Matches, undisturbed for a while and then attacked."""
    async with playing(server.port, TABLES, server.clock, server.ran_s) as play:
        before_s = server.ran_s()
        quiet = await _stretch(play, quiet_s)
        share = (server.ran_s() - before_s) / quiet_s
        await play.settled(quiet)
        attacked, seen = await _under_attack(plan, server, _stretch(play, seconds))
        await play.settled(attacked)
        wishes = seen.report.served * max(1, plan.asks) + seen.report.asked
        return Fared(
            quiet=quiet,
            each_s=(seen.server_s - share * seen.on_s) / max(FEW, wishes),
            attacked=attacked,
            lost=play.lost(attacked),
            failures=play.failures,
        ), seen


async def bare(plan: Plan, server: Attacked, *, seconds: float) -> Seen:
    """The attack alone."""
    return (await _under_attack(plan, server, asyncio.sleep(seconds)))[1]


async def _stretch(play: Play, seconds: float) -> Tally:
    """The actions sent in this time, or until there are enough."""
    play.tally = tally = Tally()
    await asyncio.sleep(seconds)
    while tally.sent < ENOUGH and not play.failures:  # noqa: ASYNC110
        await asyncio.sleep(SAMPLE_S)
    play.tally = Tally()
    return tally


async def _under_attack(plan: Plan, server: Attacked, work: Awaitable[T]) -> tuple[T, Seen]:
    """Let the attacking process go on until the work is done; returns what that returns."""
    given = json.encode(replace(plan, port=server.port)).decode()
    program = python("bench.attacks.attacker")
    async with started(Path.cwd(), given, program=program) as process:
        assert await process.line() == "on", await process.errors()
        sockets, began_s, ran_s = server.sockets(), time.monotonic(), server.ran_s()
        sizes_bytes = [rss_bytes(server.pid)]

        async def watch() -> None:
            while True:
                await asyncio.sleep(SAMPLE_S)
                sizes_bytes.append(rss_bytes(server.pid))

        watching = asyncio.create_task(watch())
        try:
            await process.line()  # on a busy machine it takes its time to begin
            done = await work
        finally:
            watching.cancel()
        on_s, ran_s = time.monotonic() - began_s, server.ran_s() - ran_s
        held = server.sockets() - sockets
        process.hang_up()
        report = json.decode(await process.line(), type=Report)
        grown_bytes = max(sizes_bytes) - sizes_bytes[0]
        return done, Seen(
            grown_bytes=grown_bytes, held=held, on_s=on_s, server_s=ran_s, report=report
        )
