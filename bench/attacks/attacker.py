"""The attacking process: `python -m bench.attacks.attacker PLAN`, the plan as JSON.

It prints a line when the attack begins and when all its standing connections were opened, and its
report for each line of its input, and goes on until that ends.
"""

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import count, cycle
from random import Random
from typing import Final

from msgspec import Struct, json, msgpack

from bench.attacks.at_doors import AtADoor, Rekeying, first_words, upgrade
from bench.attacks.plan import AttackPlan, Kind, Report
from protocol.codec import frame
from protocol.from_client import ListTables, Request
from protocol.from_server import Done, Goodbye, Listing, Refused
from server.net.listener import connections_allowed
from server.server import run
from tests.stage.house import Peer

_LONG_FRAME: Final = (60_000).to_bytes(4, "big")
_BYTE_S: Final = 1.0
_SMALL_BYTES: Final = 4096
_TITLE: Final = "x" * 40
_LIST: Final = frame(msgpack.encode(ListTables(id=1)))
_GARBAGE: Final = cycle(
    (
        b"GET / HTTP/1.1\r\n\r\n",
        frame(b"\xc1"),
        frame(b"\x80"),
        frame(msgpack.encode({"type": "nonsense"})),
        frame(b"\x91" * 2000),
        frame(Random(1).randbytes(500)),
        b"\xff" * 64,
    )
)
CHURNING: Final = (
    *(Kind.GARBAGE, Kind.HELLOS),
    *(Kind.PASSWORDS, Kind.HANDSHAKES, Kind.REKEYING, Kind.UPGRADES),
)
"""After a connection of this kind ends, the next one comes."""


class Onslaught:
    """All connections of a plan."""

    def __init__(self, plan: AttackPlan) -> None:
        self.plan: Final = plan
        self.report: Final = Report()
        self.all_here: Final = asyncio.Event()
        self._numbers: Final = count()
        self._lives: Final[set[asyncio.Task[None]]] = set()

    async def run(self) -> None:
        """Open the standing connections at the plan's rate; the others come and go till the end."""
        await self._open(self.plan.connections)
        self.all_here.set()
        print("all here", flush=True)
        while self.plan.kind in CHURNING:
            await self._open(self.plan.connections)

    async def _open(self, connections: int) -> None:
        loop = asyncio.get_running_loop()
        due_s = loop.time()
        for _ in range(connections):
            due_s += 1 / self.plan.rate_s
            if self.report.open < self.plan.connections:
                await self._open_one(loop)
            await asyncio.sleep(max(0.0, due_s - loop.time()))

    async def _open_one(self, loop: asyncio.AbstractEventLoop) -> None:
        sock = socket.socket()
        sock.setblocking(False)
        try:
            sock.bind((self.plan.source, 0))
            if self.plan.kind is Kind.READERS:
                # What lies here does not burden the server.
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SMALL_BYTES)
            await loop.sock_connect(sock, ("127.0.0.1", self.plan.port))
            if at_door := _AT_DOORS.get(self.plan.kind):
                await loop.create_connection(lambda: at_door(self), sock=sock)
            else:
                foe = Foe(self, next(self._numbers), *await asyncio.open_connection(sock=sock))
                self._lives.add(life := asyncio.create_task(foe.live()))
                life.add_done_callback(self._lives.discard)
        except OSError:
            sock.close()


class Foe(Peer):
    """A connection of the attack; what it hears is counted."""

    def __init__(
        self,
        attack: Onslaught,
        number: int,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        super().__init__(reader, writer)
        self.attack: Final = attack
        self.number: Final = number
        self._served = False
        attack.report.opened += 1
        attack.report.open += 1

    async def live(self) -> None:
        kind = self.attack.plan.kind
        try:
            if kind is not Kind.SILENT:
                await self.come(f"Foe {self.number}", password="wrong")
            await _AFTER_HELLO.get(kind, Foe.stays)(self)
        except (AssertionError, OSError):
            pass  # the server has hung up, or refused
        finally:
            self.attack.report.open -= 1
            self.abort()

    async def stays(self) -> None:
        """Until the server hangs up."""
        while True:
            with suppress(TimeoutError):
                if await self._receive() is None:
                    return

    async def request(self, wish: Request) -> Done | Refused | Listing:
        self.attack.report.asked += 1
        return await super().request(wish)

    async def _receive(self) -> Struct | None:
        message = await super()._receive()
        self.seen.clear()
        report = self.attack.report
        report.served += message is not None and not self._served
        self._served = True
        match message:
            case Goodbye(code=code):
                report.goodbyes[code] = report.goodbyes.get(code, 0) + 1
            case Listing():
                report.answers += 1
        return message


# What they do when they are welcome --------------------------------------------------------------


async def read_pages(foe: Foe) -> None:
    await foe.create(seats=4, bots="normal", title=_TITLE)
    await foe.attack.all_here.wait()  # the lobby has its full length
    foe.write(_LIST * foe.attack.plan.asks)
    if foe.attack.plan.kind is Kind.READERS:
        foe.stop_reading()
        await foe.stays()
    while await foe.until(Listing):
        foe.write(_LIST)


async def trickle(foe: Foe) -> None:
    async def drip() -> None:
        while True:
            foe.write(b"x")
            await asyncio.sleep(_BYTE_S)

    foe.write(_LONG_FRAME)
    dripping = asyncio.create_task(drip())
    await foe.stays()
    dripping.cancel()


async def say_nonsense(foe: Foe) -> None:
    foe.write(next(_GARBAGE))
    await foe.stays()


_AT_DOORS: Final[Mapping[Kind, Callable[[Onslaught], asyncio.Protocol]]] = {
    Kind.HANDSHAKES: lambda attack: AtADoor(attack.report, first_words()),
    Kind.UPGRADES: lambda attack: AtADoor(attack.report, upgrade(attack.plan.port)),
    Kind.REKEYING: lambda attack: Rekeying(attack.report, attack.plan.asks),
}
_AFTER_HELLO: Final[Mapping[Kind, Callable[[Foe], Awaitable[None]]]] = {
    Kind.READERS: read_pages,
    Kind.COMMANDS: read_pages,
    Kind.TRICKLE: trickle,
    Kind.GARBAGE: say_nonsense,
    Kind.HELLOS: lambda foe: asyncio.sleep(0),
}
"""The others stay until the server hangs up."""


async def main(plan: AttackPlan) -> None:
    connections_allowed()
    attack = Onslaught(plan)
    print("on", flush=True)
    going_on = asyncio.ensure_future(attack.run())
    while await asyncio.to_thread(sys.stdin.readline):
        print(json.encode(attack.report).decode(), flush=True)
    going_on.cancel()


if __name__ == "__main__":
    run(main(json.decode(sys.argv[1], type=AttackPlan)))
