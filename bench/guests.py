"""What guests cost a server: `python -m bench.guests [--door web | --plain]`.

A real server; the callers are in this process, asyncssh's client with a key or, at the door `web`,
what a page does without its browser: a cookie and a WebSocket of their own. Each presses an arrow
key in the lobby every 0.7 s. Says how long a caller waits for the first paint, how
long a key takes to the first byte it causes, and what each process takes: memory as the system
shares it out (PSS), and processor time, of which the callers' own share is told beside. A busy
machine gives larger times: compare runs, and look at the ratios.

`--plain`: half of the guests have no terminal (`ssh -T`) and type a command of plain mode in place
of each key; what the two kinds take in the same run stands side by side.
"""

import argparse
import asyncio
import os
import random
import secrets
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import asyncssh
from aiohttp import ClientSession, CookieJar, WSMsgType

from tests.stage.guests import SshServer, ssh_server

EVERY_S: Final = 0.7
PAINTED: Final = b"New table"
ASKED: Final = b"Your name"
KEYS: Final = (b"\x1b[B", b"\x1b[A")
SAID: Final = b"new makes one"
LINES: Final = (b"settings\n", b"help only\n")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
SETTINGS: Final = """
doors = ["plain", "ssh", "web"]
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
    """A caller's end: `send` presses keys, `abort` hangs up."""

    guest: Guest
    keys: Sequence[bytes]
    send: Callable[[bytes], Awaitable[None]]
    abort: Callable[[], Awaitable[None]]


Call = Callable[[int, str], Awaitable[Line]]
"""Calls at a port under a name; returns when the caller is in the lobby."""


async def by_ssh(key: asyncssh.SSHKey, port: int, name: str, *, plain: bool = False) -> Line:
    connection = await asyncssh.connect(
        "127.0.0.1", port, username=name, client_keys=[key], known_hosts=None, config=None
    )
    guest = Guest()
    terminal = None if plain else "xterm-256color"
    channel, _session = await connection.create_session(
        lambda: guest, term_type=terminal, term_size=(80, 24), encoding=None
    )

    async def send(keys: bytes) -> None:
        channel.write(keys)

    async def abort() -> None:
        connection.abort()

    await guest.until(SAID if plain else PAINTED)
    return Line(guest, LINES if plain else KEYS, send, abort)


async def by_page(port: int, name: str) -> Line:
    """In clear, which is for callers from the server's own machine; the name is typed."""
    at = f"http://127.0.0.1:{port}"
    browser = ClientSession(cookie_jar=CookieJar(unsafe=True), headers={"Origin": at})
    async with browser.post(f"{at}/enter") as answer:
        answer.raise_for_status()
    tab = secrets.token_hex(16)
    socket = await browser.ws_connect(f"{at}/terminal?tab={tab}&columns=80&rows=24")
    guest = Guest()

    async def hear() -> None:
        async for message in socket:
            if message.type is WSMsgType.BINARY:
                guest.data_received(message.data, None)

    hearing = asyncio.ensure_future(hear())

    async def abort() -> None:
        hearing.cancel()
        await browser.close()

    await guest.until(ASKED)
    await socket.send_bytes(name.encode() + b"\r")
    await guest.until(PAINTED)
    return Line(guest, KEYS, socket.send_bytes, abort)


async def timed(call: Call, server: SshServer, name: str) -> tuple[Line, float]:
    """In the lobby; and after how many seconds."""
    began_s = time.perf_counter()
    line = await call(server.port, name)
    return line, time.perf_counter() - began_s


async def press_keys(line: Line, seconds: float, rng: random.Random) -> list[float]:
    """Seconds from each key to the first byte after it."""
    took = []
    end_s = time.perf_counter() + seconds
    await asyncio.sleep(rng.uniform(0, EVERY_S))
    turn = 0
    while (began_s := time.perf_counter()) < end_s:
        line.guest.came.clear()
        await line.send(line.keys[turn % 2])
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


async def measure(call: Call, server: SshServer, guests: int, seconds: float) -> None:
    first, took_s = await timed(call, server, "first")
    print(f"the first caller, for whom the processes start: {ms(took_s)} to the first paint")
    single = []
    for number in range(10):
        line, took_s = await timed(call, server, f"single{number}")
        single.append(took_s)
        await line.abort()
    median = statistics.median(single)
    print(f"a caller alone: {ms(median)} to the first paint (median of 10)")
    await asyncio.sleep(1)
    alone_mb = pss_mb(server.forking)
    lines = [first]
    together = await asyncio.gather(
        *(timed(call, server, f"guest{number}") for number in range(guests - 1))
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
        await line.abort()


async def measure_both(
    key: asyncssh.SSHKey, server: SshServer, guests: int, seconds: float
) -> None:
    """Half of them with a full screen, half in plain mode, all at once."""
    await timed(partial(by_ssh, key), server, "first")
    clients: dict[str, list[int]] = {}
    lines: dict[str, list[Line]] = {}
    for kind, plain in (("full screen", False), ("plain", True)):
        call, known = partial(by_ssh, key, plain=plain), set(server.guests)
        came = [await timed(call, server, f"{kind[:5].strip()}{n}") for n in range(guests // 2)]
        lines[kind] = [line for line, _took_s in came]
        clients[kind] = [pid for pid in server.guests if pid not in known]
        median = ms(statistics.median(took_s for _line, took_s in came))
        print(f"{kind}: {median} to the first words (median of {len(came)}, one after the other)")
    used_s = {kind: -sum(map(cpu_s, pids)) for kind, pids in clients.items()}
    rng = random.Random(1)
    pressing = {
        kind: [asyncio.ensure_future(press_keys(line, seconds, rng)) for line in ours]
        for kind, ours in lines.items()
    }
    for kind, pressed in pressing.items():
        keys = [took_s for taken in await asyncio.gather(*pressed) for took_s in taken]
        used_s[kind] += sum(map(cpu_s, clients[kind]))
        each = statistics.median(map(pss_mb, clients[kind]))
        print(
            f"{kind}: {each:.1f} MB PSS median; {1000 * used_s[kind] / len(keys):.1f} ms of "
            f"processor for a key, {len(keys)} keys; key to bytes p50 {ms(statistics.median(keys))}"
        )
    ratio = used_s["full screen"] / used_s["plain"]
    print(f"processor time, full screen to plain: {ratio:.1f}")
    for line in (one for ours in lines.values() for one in ours):
        await line.abort()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.guests", description=__doc__)
    parser.add_argument("--door", choices=["ssh", "web"], default="ssh")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--guests", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} processors, of which {load:.1f} were busy in the last minute")
    with (
        tempfile.TemporaryDirectory(prefix="guests") as folder,
        ssh_server(Path(folder), settings=SETTINGS) as server,
    ):
        key = asyncssh.generate_private_key("ssh-ed25519")
        call = by_page if given.door == "web" else partial(by_ssh, key)
        what = partial(measure_both, key) if given.plain else partial(measure, call)
        asyncio.run(what(server, given.guests, given.seconds))


if __name__ == "__main__":
    main()
