"""One attack on one server: how the matches beside it fare without it and with it."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from msgspec import Struct, json
from msgspec.structs import replace

from bench.attacks.honest import Play, Tally, p99, playing
from bench.attacks.plan import Plan, Report
from bench.load.processes import queued_s, ran_s, rss_bytes
from tests.stage.processes import alive, children

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


class CannotAttack(Exception):
    """The server or the attack did not begin; the text says what was seen instead."""


class Server(Struct, frozen=True):
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


@contextmanager
def serving(
    limits: Mapping[str, object],
    tree: str = "",
    program: Sequence[str] = ("server",),
    settings: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """A real server in a process of its own, with these limits and otherwise the defaults; out of
    another tree of this project, if one is named. `program`: the module that is run, and its first
    arguments. `settings`: other variables of its environment."""
    given = {f"CLOCKTOWERS_LIMITS__{name.upper()}": str(value) for name, value in limits.items()}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as log:
        args = ("serve", "--host", "127.0.0.1", "--port", "0", "--state", folder)
        if tree:
            given["PYTHONPATH"] = tree
        else:
            given["CLOCKTOWERS_DOORS"] = "plain,tls"  # the silent would be led to another process
        given |= settings or {}
        with _started(*program, *args, env=given, log=log) as process:
            try:
                line = _line(process)
            except CannotAttack:
                log.seek(0)
                raise CannotAttack(log.read().decode()) from None
            try:
                yield Server(process.pid, int(line.rpartition(":")[2]))
            finally:
                _end(process.pid)


def _end(pid: int) -> None:
    """Kill the server and what it has started, and wait until nobody writes into its folder."""
    stopped: list[int] = []
    for one in (waiting := [pid]):  # a process that is stopped starts no other
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGSTOP)
            stopped.append(one)
        waiting += [child for child in children(one) if child not in waiting]
    for one in stopped:
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
    while any(alive(one) for one in stopped):
        time.sleep(SAMPLE_S)


@contextmanager
def _started(
    module: str, *args: str, env: Mapping[str, str] | None = None, log: IO[bytes] | None = None
) -> "Iterator[subprocess.Popen[str]]":
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", module, *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        env={**os.environ, **(env or {})},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    if not (line := process.stdout.readline()):
        raise CannotAttack("a process ended before it began; the reason stands above")
    return line


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
    plan: Plan, server: Server, *, seconds: float, quiet_s: float
) -> tuple[Fared, Seen]:
    """Matches, undisturbed for a while and then attacked."""
    async with playing(server.port, TABLES, server.clock, server.ran_s) as play:
        ran_s = server.ran_s()
        quiet = await _stretch(play, quiet_s)
        share = (server.ran_s() - ran_s) / quiet_s
        await play.settled(quiet)
        async with _attacking(plan, server) as attack:
            attacked = await _stretch(play, seconds)
            seen = await attack.ended()
        await play.settled(attacked)
        wishes = seen.report.served * max(1, plan.asks) + seen.report.asked
        each_s = (seen.server_s - share * seen.on_s) / max(FEW, wishes)
        lost = play.lost(attacked)
        return Fared(
            quiet=quiet, each_s=each_s, attacked=attacked, lost=lost, failures=play.failures
        ), seen


async def bare(plan: Plan, server: Server, *, seconds: float) -> Seen:
    """The attack alone."""
    async with _attacking(plan, server) as attack:
        await asyncio.sleep(seconds)
        return await attack.ended()


async def _stretch(play: Play, seconds: float) -> Tally:
    """The actions sent in this time, or until there are enough."""
    play.tally = tally = Tally()
    await asyncio.sleep(seconds)
    while tally.sent < ENOUGH and not play.failures:  # noqa: ASYNC110
        await asyncio.sleep(SAMPLE_S)
    play.tally = Tally()
    return tally


class _Attack:
    def __init__(self, process: "subprocess.Popen[str]", server: Server) -> None:
        self._process = process
        self._server = server
        self._sockets = server.sockets()
        self._sizes_bytes = [rss_bytes(server.pid)]
        self._began_s = asyncio.get_running_loop().time()
        self._ran_s = server.ran_s()

    async def watch(self) -> None:
        """Note again and again how much memory the server has."""
        while True:
            await asyncio.sleep(SAMPLE_S)
            self._sizes_bytes.append(rss_bytes(self._server.pid))

    async def ended(self) -> Seen:
        """End the attack, and return what it has done."""
        on_s = asyncio.get_running_loop().time() - self._began_s
        server_s = self._server.ran_s() - self._ran_s
        held = self._server.sockets() - self._sockets
        assert self._process.stdin is not None
        self._process.stdin.close()
        report = json.decode(await asyncio.to_thread(_line, self._process), type=Report)
        grown_bytes = max(self._sizes_bytes) - self._sizes_bytes[0]
        return Seen(grown_bytes=grown_bytes, held=held, on_s=on_s, server_s=server_s, report=report)


@asynccontextmanager
async def _attacking(plan: Plan, server: Server) -> AsyncIterator[_Attack]:
    given = json.encode(replace(plan, port=server.port)).decode()
    with _started("bench.attacks.attacker", given) as process:
        await asyncio.to_thread(_line, process)
        attack = _Attack(process, server)
        watching = asyncio.create_task(attack.watch())
        await asyncio.to_thread(_line, process)  # on a busy machine it takes its time to begin
        try:
            yield attack
        finally:
            watching.cancel()
