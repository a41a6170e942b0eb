"""What guests over SSH cost a server: `python -m bench.guests [--guests 40] [--seconds 10]`.

A real server; the callers are asyncssh's client in this process, each with a key of its own, who
press an arrow key in the lobby every 0.7 s. Says how long a caller waits for the first paint, how
long a key takes to the first byte it causes, and what each process takes: memory as the system
shares it out (PSS), and processor time, of which the callers' own share is told beside. A busy
machine gives larger times: compare runs, and look at the ratios.
"""

import argparse
import asyncio
import os
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import asyncssh

from tests.stage.guests import SshServer, ssh_server

EVERY_S: Final = 0.7
PAINTED: Final = b"New table"
KEYS: Final = (b"\x1b[B", b"\x1b[A")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
SETTINGS: Final = """
doors = ["plain", "ssh"]
[limits]
guests = 1000
guests_per_identity = 1000
per_address = 1000
"""


class Guest(asyncssh.SSHClientSession[bytes]):
    """One caller."""

    def __init__(self) -> None:
        self.painted = b""
        self.came = asyncio.Event()

    def data_received(self, data: bytes, datatype: Any) -> None:
        self.painted = self.painted[-64:] + data
        self.came.set()

    async def until(self, words: bytes) -> None:
        while words not in self.painted:
            self.came.clear()
            await self.came.wait()


class Line(NamedTuple):
    connection: asyncssh.SSHClientConnection
    channel: asyncssh.SSHClientChannel[bytes]
    guest: Guest


async def call(server: SshServer, name: str, key: asyncssh.SSHKey) -> tuple[Line, float]:
    """In the lobby; and after how many seconds."""
    began_s = time.perf_counter()
    connection = await asyncssh.connect(
        "127.0.0.1", server.port, username=name, client_keys=[key], known_hosts=None, config=None
    )
    guest = Guest()
    channel, _session = await connection.create_session(
        lambda: guest, term_type="xterm-256color", term_size=(80, 24), encoding=None
    )
    await guest.until(PAINTED)
    return Line(connection, channel, guest), time.perf_counter() - began_s


async def press_keys(line: Line, seconds: float, rng: random.Random) -> list[float]:
    """Seconds from each key to the first byte after it."""
    took = []
    end_s = time.perf_counter() + seconds
    await asyncio.sleep(rng.uniform(0, EVERY_S))
    turn = 0
    while (began_s := time.perf_counter()) < end_s:
        line.guest.came.clear()
        line.channel.write(KEYS[turn % 2])
        turn += 1
        await line.guest.came.wait()
        took.append(time.perf_counter() - began_s)
        await asyncio.sleep(max(0.0, began_s + EVERY_S - time.perf_counter()))
    return took


def pss_mb(pid: int) -> float:
    told = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(told.split("\nPss:")[1].split()[0]) / 1024


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


async def measure(server: SshServer, guests: int, seconds: float) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    first, took_s = await call(server, "first", key)
    print(f"the first caller, for whom the processes start: {ms(took_s)} to the first paint")
    single = []
    for number in range(10):
        line, took_s = await call(server, f"single{number}", key)
        single.append(took_s)
        line.connection.abort()
    median = statistics.median(single)
    print(f"a caller alone: {ms(median)} to the first paint (median of 10)")
    await asyncio.sleep(1)
    alone_mb = pss_mb(server.forking)
    lines = [first]
    together = await asyncio.gather(
        *(call(server, f"guest{number}", key) for number in range(guests - 1))
    )
    lines += [line for line, _took_s in together]
    waited = [took_s for _line, took_s in together]
    if waited:
        print(f"{len(waited)} at once: {ms(statistics.median(waited))} median, {ms(max(waited))}")
    pids = server.guests
    assert len(pids) == guests, len(pids)
    before = [cpu_s(pid) for pid in (server.pid, server.doors, *pids)]
    ours_s, began_s = time.process_time(), time.perf_counter()
    rng = random.Random(1)
    keys = [
        took_s
        for taken in await asyncio.gather(*(press_keys(line, seconds, rng) for line in lines))
        for took_s in taken
    ]
    passed_s, ours_s = time.perf_counter() - began_s, time.process_time() - ours_s
    after = [cpu_s(pid) for pid in (server.pid, server.doors, *pids)]
    used = [end_s - start_s for start_s, end_s in zip(before, after, strict=True)]
    print(
        f"{guests} guests, a key each {EVERY_S} s: {len(keys)} keys, key to bytes "
        f"p50 {ms(statistics.median(keys))}, p95 {ms(quantile(keys, 0.95))}, max {ms(max(keys))}"
    )
    shares = [100 * one / passed_s for one in (used[0], used[1], sum(used[2:]), ours_s)]
    named = zip(("server", "doors", "clients", "callers here"), shares, strict=True)
    print("of a core: " + ", ".join(f"{name} {share:.0f} %" for name, share in named))
    each = [pss_mb(pid) for pid in pids]
    whole = sum(each) + pss_mb(server.forking) + pss_mb(server.doors)
    print(
        f"PSS: a guest {statistics.median(each):.1f} MB median; doors {pss_mb(server.doors):.0f}, "
        f"forking {pss_mb(server.forking):.0f} MB ({alone_mb:.0f} with one guest); "
        f"all together {whole / guests:.1f} MB for each guest"
    )
    for line in lines:
        line.connection.abort()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.guests", description=__doc__)
    parser.add_argument("--guests", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} processors, of which {load:.1f} were busy in the last minute")
    with (
        tempfile.TemporaryDirectory(prefix="guests") as folder,
        ssh_server(Path(folder), settings=SETTINGS) as server,
    ):
        asyncio.run(measure(server, given.guests, given.seconds))


if __name__ == "__main__":
    main()
