"""`python -m bench.attacks.shapes`: what the costliest messages of each shape cost the loop.

A server in this process with many tables, and sessions without sockets: the time is that from the
bytes to the answer in the outbox. Each shape is sent on a connection of its own, as often as the
server takes it there, and the shortest of several times counts.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgpack

from protocol.framing import MAX_FRAME_BYTES, frame
from protocol.version import MAGIC, PROTOCOL_VERSIONS
from server.config import Config, Limits
from server.net.caller import Caller
from server.server import Server
from tests.stage.memory_journal import MemoryJournal

MOST_MS: Final = 2.0
TIMES: Final = 7
MARK: Final = "\u0301\u0323"


class Sink(asyncio.Transport):
    """Takes everything and keeps nothing."""

    def __init__(self) -> None:
        super().__init__()

    def write(self, data: Any) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    resume_reading = close = abort = pause_reading

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0


def packed(message: dict[str, Any]) -> bytes:
    """A frame; the payload is a map, as every message is."""
    payload: bytes = msgpack.packb(message)
    assert len(payload) <= MAX_FRAME_BYTES, len(payload)
    return frame(payload)


def shapes() -> Iterator[tuple[str, bytes]]:
    """Name and frame."""
    create = {"type": "create", "id": 1, "game": "clocktowers", "seats": 2}
    small: list[Any] = [[[]] * 1000 for _ in range(31)]
    yield "create, small arrays", packed({**create, "options": {"x": small, "y": small}})
    nested: Any = []
    for _ in range(400):
        nested = [nested]
    yield "create, deep arrays", packed({**create, "options": {"x": [nested] * 60}})
    names = {f"{n:04}": 0 for n in range(1000)}
    yield "create, many options", packed({**create, "options": names})
    many = {f"{n:03}": dict.fromkeys("abcdefghijkl", 0) for n in range(900)}
    yield "create, maps", packed({**create, "options": many})
    yield "create, title of marks", packed({**create, "title": MARK * 100})
    yield (
        "act, small arrays",
        packed({"type": "act", "id": 1, "version": 0, "key": b"x", "action": small}),
    )
    yield "say, marks", packed({"type": "say", "id": 1, "text": "a" + MARK * 999})
    mixed = "".join(f"a{MARK * 4}" for _ in range(222))
    yield "say, short runs of marks", packed({"type": "say", "id": 1, "text": mixed})
    wide = "".join(chr(0x4E00 + 7 * n) for n in range(2000))
    yield "say, wide letters", packed({"type": "say", "id": 1, "text": wide})
    jamo = "\u1100\u1161\u11a8" * 666
    yield "say, letters to compose", packed({"type": "say", "id": 1, "text": jamo})
    yield "say, 60 kB", packed({"type": "say", "id": 1, "text": "x" * 60_000})
    yield "list", packed({"type": "list", "id": 1})
    for text in ("q", "\u0130" * 100):
        filter_ = {"text": text, "free_seat": True}
        yield f"list, filter {text[:1]!r}", packed({"type": "list", "id": 1, "filter": filter_})
    yield (
        "resume, unknown",
        packed({"type": "resume", "id": 1, "match": "x" * 40, "token": bytes(32)}),
    )
    yield "text for a number", packed({"type": "ping", "n": "9" * 60_000})
    yield "no map", frame(msgpack.packb(small))


def hello(name: str) -> bytes:
    return packed(
        {"type": "hello", "magic": MAGIC, "versions": list(PROTOCOL_VERSIONS), "name": name}
    )


async def measured(server: Server, shape: bytes, name: str) -> float:
    """Milliseconds of one message of this shape, with everything that it makes the loop do at
    once."""
    session = server.session(Caller("192.0.2.1"))
    session.connection_made(Sink())
    session.data_received(hello(name))
    create = {"type": "create", "id": 1, "game": "clocktowers", "seats": 2}
    if b"\xa4type\xa3say" in shape:
        session.data_received(packed(create))
    await asyncio.sleep(0)
    began_s = time.perf_counter()
    session.data_received(shape)
    took_s = time.perf_counter() - began_s
    for _ in range(200):
        if session.allowance.wait_s is None:
            break
        began_s = time.perf_counter()
        await asyncio.sleep(0)
        took_s = max(took_s, time.perf_counter() - began_s)
    session.connection_lost(None)
    return took_s * 1000


async def tables(server: Server, count: int) -> None:
    """So many tables, each with its host."""
    for number in range(count):
        session = server.session(Caller("192.0.2.1"))
        session.connection_made(Sink())
        session.data_received(hello(f"Host {number}"))
        title = f"Table {number} of an evening at home"
        wish = {"type": "create", "id": 1, "game": "clocktowers", "seats": 4, "title": title}
        session.data_received(packed(wish))
        await asyncio.sleep(0)


async def whole(count: int, report: Callable[[str, float], None]) -> None:
    limits = Limits(connections=10**6, per_address=10**6)
    for name in Limits.__struct_fields__:
        if "_per_" in name and name != "hints_per_minute":
            limits = type(limits)(
                **{**{f: getattr(limits, f) for f in limits.__struct_fields__}, name: 10**6}
            )
    async with asyncio.TaskGroup() as group:
        server = Server(Config(limits=limits), MemoryJournal(), group)
        await tables(server, count)
        for name, shape in shapes():
            times = [await measured(server, shape, f"Foe {turn}") for turn in range(TIMES)]
            report(name, min(times))
        server.tasks.cancel()
        server.lobby.stop()


def main(argv: Sequence[str] | None = None) -> int:
    """0: no shape costs more than it may; 1: one does."""
    parser = argparse.ArgumentParser(prog="python -m bench.attacks.shapes", description=__doc__)
    parser.add_argument("--tables", type=int, default=1500)
    args = parser.parse_args(argv)
    worst_ms = 0.0

    def report(name: str, took_ms: float) -> None:
        nonlocal worst_ms
        worst_ms = max(worst_ms, took_ms)
        print(f"{name:28}{took_ms:8.2f} ms", flush=True)

    asyncio.run(whole(args.tables, report))
    return 1 if worst_ms > MOST_MS else 0


if __name__ == "__main__":
    sys.exit(main())
