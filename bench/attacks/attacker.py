"""The attacking process: `python -m bench.attacks.attacker PLAN`, the plan as JSON.

It prints a line when the attack begins and when all its standing connections were opened, goes on
until its input ends, and prints its report.
"""

import asyncio
import socket
import sys
from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import Final, cast

from msgspec import Struct, json, msgpack

from bench.attacks.at_doors import AtADoor, Rekeying, first_words, upgrade
from bench.attacks.plan import Kind, Plan, Report
from protocol.framing import frame
from protocol.from_client import (
    Act,
    BotSeat,
    CreateTable,
    Hello,
    Leave,
    ListTables,
    Rematch,
    Say,
    SetBot,
    Start,
    Watch,
)
from protocol.listing import Filter
from protocol.version import MAGIC, PROTOCOL_VERSIONS
from server.net.open_files import connections_allowed
from server.server import run

_HEADER_BYTES: Final = 4
_ACT: Final = 1
"""The id of actions; what stands in scripts has 0."""
_LONG_FRAME: Final = (60_000).to_bytes(_HEADER_BYTES, "big")
_BYTE_S: Final = 1.0
_SMALL_BYTES: Final = 4096
_TITLE: Final = "x" * 40
_LIST: Final = frame(msgpack.encode(ListTables(id=1)))
_GARBAGE: Final = (
    b"GET / HTTP/1.1\r\n\r\n",
    frame(b"\xc1"),
    frame(b"\x80"),
    frame(msgpack.encode({"type": "nonsense"})),
    frame(b"\x91" * 2000),
    frame(Random(1).randbytes(500)),
    b"\xff" * 64,
)

CHURNING: Final = (
    *(Kind.GARBAGE, Kind.HELLOS, Kind.TABLES, Kind.FILLING, Kind.ARRAYS),
    *(Kind.PASSWORDS, Kind.HANDSHAKES, Kind.REKEYING, Kind.UPGRADES),
)
"""After a connection of this kind ends, the next one comes."""

_ARRAYS: Final = CreateTable(
    id=0, game="clocktowers", seats=2, options={"x": [[[]] * 1000 for _ in range(60)]}
)
_STRONG: Final = [BotSeat(seat, "hard") for seat in range(1, 4)]
_STRONG_TABLE: Final = (
    CreateTable(id=0, game="clocktowers", seats=4, bots=_STRONG),
    Start(id=0),
)
_BEGIN: Final = (
    CreateTable(id=0, game="clocktowers", seats=2, bots=[BotSeat(1, "easy")]),
    Start(id=0),
)
_SCRIPTS: Final[dict[Kind, tuple[Struct, ...]]] = {
    Kind.TABLES: _BEGIN,
    Kind.FILLING: _BEGIN,
    Kind.NEWS: (
        CreateTable(id=0, game="clocktowers", seats=3, title=_TITLE),
        *[SetBot(id=0, seat=1, level="easy"), SetBot(id=0, seat=1, level=None)] * 1000,
    ),
    Kind.MARKS: (
        CreateTable(id=0, game="clocktowers", seats=2),
        *[Say(id=0, text="a" + "\u0345\u0334" * 999)] * 10_000,
    ),
    Kind.BOTS: (*_STRONG_TABLE, Leave(id=0)),
    Kind.SEATED: _STRONG_TABLE,
}
"""What connections of these kinds ask for, one after the other."""
_PAUSES_S: Final = {Kind.NEWS: 1.0}
"""How long they wait before each."""


class View(Struct, gc=False):
    """What a player may do now."""

    seat: int | None = None
    turn: int | None = None
    legal: list[list[object]] = []


class Heard(Struct, gc=False):
    """The fields of a server's message that matter here."""

    type: str
    id: int = 0
    code: str = ""
    table: str | dict[str, object] = ""
    version: int | None = None
    view: View | None = None


class Attack:
    """All connections of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan: Final = plan
        self.report: Final = Report()
        self.garbage: Final[Iterator[bytes]] = cycle(_GARBAGE)
        self.all_here: Final = asyncio.Event()
        self.host: Foe | None = None
        self.table = ""
        self.asking: Final[set[asyncio.Task[None]]] = set()

    async def run(self) -> None:
        """Open the standing connections at the plan's rate; the others come and go till the end."""
        await self._open(self.plan.connections)
        self.all_here.set()
        print("all here", flush=True)
        while self.plan.kind in CHURNING:
            await self._open(self.plan.connections)

    async def _open(self, count: int) -> None:
        loop = asyncio.get_running_loop()
        due_s = loop.time()
        for _ in range(count):
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
            await loop.create_connection(self._foe, sock=sock)
        except OSError:
            sock.close()
            self.report.failed += 1

    def _foe(self) -> asyncio.Protocol:
        match self.plan.kind:
            case Kind.HANDSHAKES:
                return AtADoor(self.report, first_words())
            case Kind.UPGRADES:
                return AtADoor(self.report, upgrade(self.plan.port))
            case Kind.REKEYING:
                return Rekeying(self.report, self.plan.asks)
        return Foe(self)


class Foe(asyncio.Protocol):
    """A connection of the attack."""

    def __init__(self, attack: Attack) -> None:
        self._attack = attack
        self._came = b""
        self._served = False
        self._script: list[Struct] = []
        self._watches = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        report = self._attack.report
        report.opened += 1
        report.open += 1
        namesakes = self._attack.plan.kind is Kind.NAMESAKES
        if self._attack.plan.kind is not Kind.SILENT:
            hello = Hello(
                magic=MAGIC,
                versions=list(PROTOCOL_VERSIONS),
                name="Foe" if namesakes else f"Foe {report.opened}",
                password="wrong",
            )
            self._say(hello)

    def connection_lost(self, error: Exception | None) -> None:
        self._attack.report.open -= 1

    def data_received(self, data: bytes) -> None:
        self._came += data
        while len(self._came) >= _HEADER_BYTES:
            end = _HEADER_BYTES + int.from_bytes(self._came[:_HEADER_BYTES], "big")
            if len(self._came) < end:
                return
            heard = msgpack.decode(self._came[_HEADER_BYTES:end], type=Heard)
            self._came = self._came[end:]
            self._hear(heard)

    def _hear(self, heard: Heard) -> None:
        report = self._attack.report
        report.served += not self._served
        self._served = True
        match heard.type:
            case "goodbye":
                report.goodbyes[heard.code] = report.goodbyes.get(heard.code, 0) + 1
            case "notice":
                report.notices += 1
            case "update" if self._attack.plan.kind is Kind.SEATED:
                self._act(heard)
            case "ended" if self._attack.plan.kind is Kind.SEATED:
                self._say(Rematch(id=0))
            case "done" | "refused" if heard.id == _ACT:
                report.refused += heard.type == "refused"
            case "done" if self._attack.plan.kind is Kind.WATCHERS:
                if isinstance(heard.table, str) and heard.table:
                    self._attack.table = heard.table
                if self is self._attack.host:
                    return
                self._watches = not self._watches
                report.asked += 1
                self._say(Watch(id=0, table=self._attack.table) if self._watches else Leave(id=0))
            case "welcome":
                self._welcomed(self._attack.plan.kind)
            case "done" if self._attack.plan.kind in _SCRIPTS:
                self._go_on()
            case "refused" if self._attack.plan.kind is Kind.MARKS:
                self._go_on()
            case "refused" if self._attack.plan.kind is Kind.ARRAYS:
                self._say(_ARRAYS)
            case "refused" if self._attack.plan.kind in _SCRIPTS:
                report.refused += 1
                self._transport.close()
            case "done":
                asking = asyncio.ensure_future(self._ask())
                self._attack.asking.add(asking)
                asking.add_done_callback(self._attack.asking.discard)
            case "listing" if self._attack.plan.kind is Kind.NEWS:
                report.answers += 1
            case "listing":
                report.answers += 1
                self._transport.write(_LIST)

    def _welcomed(self, kind: Kind) -> None:
        match kind:
            case Kind.READERS | Kind.COMMANDS:
                bots = [BotSeat(seat, "normal") for seat in range(1, 4)]
                self._say(CreateTable(id=0, game="clocktowers", seats=4, title=_TITLE, bots=bots))
            case Kind.ARRAYS:
                self._say(_ARRAYS)
            case Kind.WATCHERS if self._attack.host is None:
                self._attack.host = self
                self._say(CreateTable(id=0, game="clocktowers", seats=2))
            case Kind.WATCHERS:
                self._watches = True
                self._say(Watch(id=0, table=self._attack.table))
            case Kind.NEWS if self._attack.report.opened % 10 == 0:
                text = str(self._attack.report.opened)
                self._say(ListTables(id=1, filter=Filter(free_seat=True, text=text)))
            case _ if kind in _SCRIPTS:
                self._script = list(_SCRIPTS[kind])
                self._go_on()
            case Kind.TRICKLE:
                self._transport.write(_LONG_FRAME)
                self._trickle()
            case Kind.GARBAGE:
                self._transport.write(next(self._attack.garbage))
            case Kind.HELLOS:
                self._transport.close()

    def _go_on(self) -> None:
        """Say the next message of the script; behind the last, begin again or cut the line."""
        if not self._script:
            self._attack.report.made += 1
            if self._attack.plan.kind is Kind.SEATED:
                return
            if self._attack.plan.kind in CHURNING:
                self._transport.abort()
                return
            self._script = list(_SCRIPTS[self._attack.plan.kind])
        self._attack.report.asked += 1
        message, pause_s = self._script.pop(0), _PAUSES_S.get(self._attack.plan.kind, 0.0)
        asyncio.get_running_loop().call_later(pause_s, self._say, message)

    def _act(self, heard: Heard) -> None:
        """Do the first thing that may be done, at once."""
        view = heard.view
        if view is not None and view.legal and view.turn == view.seat and heard.version is not None:
            report = self._attack.report
            report.asked += 1
            key = report.asked.to_bytes(8, "big")
            self._say(Act(id=_ACT, version=heard.version, key=key, action=view.legal[0][0]))

    async def _ask(self) -> None:
        """The lobby has its full length."""
        await self._attack.all_here.wait()
        if self._attack.plan.kind is Kind.READERS:
            self._transport.pause_reading()
        self._transport.write(_LIST * self._attack.plan.asks)

    def _trickle(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(b"x")
            asyncio.get_running_loop().call_later(_BYTE_S, self._trickle)

    def _say(self, message: Struct) -> None:
        self._transport.write(frame(msgpack.encode(message)))


async def main(plan: Plan) -> None:
    connections_allowed()
    attack = Attack(plan)
    print("on", flush=True)
    going_on = asyncio.ensure_future(attack.run())
    await asyncio.to_thread(sys.stdin.read)
    going_on.cancel()
    print(json.encode(attack.report).decode(), flush=True)


if __name__ == "__main__":
    run(main(json.decode(sys.argv[1], type=Plan)))
