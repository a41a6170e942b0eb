"""The attacking process: `python -m bench.attacks.attacker PLAN`, the plan as JSON.

It prints a line when the attack begins and when all its standing connections were opened, goes on
until its input ends, and prints its report.
"""

import asyncio
import socket
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from itertools import cycle
from random import Random
from typing import Any, Final, NamedTuple, cast

from msgspec import Struct, json, msgpack

from bench.attacks.at_doors import AtADoor, Rekeying, first_words, upgrade
from bench.attacks.plan import Kind, Plan, Report
from protocol.framing import frame
from protocol.from_client import (
    Act,
    BotSeat,
    CreateTable,
    Leave,
    ListTables,
    Rematch,
    Say,
    SetBot,
    Start,
    Watch,
)
from protocol.listing import Filter
from server.net.open_files import connections_allowed
from server.server import run
from tests.stage.house import hello_of

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


class Then(Enum):
    """What a connection does at the end of its script."""

    AGAIN = auto()
    CUT = auto()
    """The line."""
    STAY = auto()


class Script(NamedTuple):
    """What a connection says, each after the answer to the one before and a pause. `stubborn`: a
    refusal is an answer, too; otherwise it ends the connection."""

    said: Sequence[Struct]
    then: Then
    stubborn: bool = False
    pause_s: float = 0.0


def _table(seats: int, bots: str = "", **more: Any) -> CreateTable:
    others = [BotSeat(seat, bots) for seat in range(1, seats)] if bots else []
    return CreateTable(id=0, game="clocktowers", seats=seats, bots=others, **more)


_BEGIN: Final = (_table(2, "easy"), Start(id=0))
_STRONG_TABLE: Final = (_table(4, "hard"), Start(id=0))
_READ: Final = Script((_table(4, "normal", title=_TITLE),), Then.STAY)
_ARRAYS: Final = _table(2, options={"x": [[[]] * 1000 for _ in range(60)]})
_TO_AND_FRO: Final = [SetBot(id=0, seat=1, level="easy"), SetBot(id=0, seat=1, level=None)] * 1000
_MARKS: Final = Say(id=0, text="a" + "\u0345\u0334" * 999)
SCRIPTS: Final[Mapping[Kind, Script]] = {
    Kind.READERS: _READ,
    Kind.COMMANDS: _READ,
    Kind.TABLES: Script(_BEGIN, Then.CUT),
    Kind.FILLING: Script(_BEGIN, Then.CUT),
    Kind.NEWS: Script((_table(3, title=_TITLE), *_TO_AND_FRO), Then.AGAIN, pause_s=1.0),
    Kind.ARRAYS: Script((_ARRAYS,), Then.AGAIN, stubborn=True),
    Kind.MARKS: Script((_table(2), *[_MARKS] * 10_000), Then.AGAIN, stubborn=True),
    Kind.BOTS: Script((*_STRONG_TABLE, Leave(id=0)), Then.AGAIN),
    Kind.SEATED: Script(_STRONG_TABLE, Then.STAY),
}
CHURNING: Final = (
    *(Kind.GARBAGE, Kind.HELLOS, Kind.TABLES, Kind.FILLING, Kind.ARRAYS),
    *(Kind.PASSWORDS, Kind.HANDSHAKES, Kind.REKEYING, Kind.UPGRADES),
)
"""After a connection of this kind ends, the next one comes."""


class View(Struct, gc=False):
    """What a player may do now."""

    seat: int | None = None
    turn: int | None = None
    legal: list[list[object]] = []


class Heard(Struct, gc=False):
    """The fields of a server's message that matter here. `table`: of a `done`, its code."""

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
        """The first of those who watch: they watch its table."""
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

    def asks(self, foe: "Foe") -> None:
        asking = asyncio.ensure_future(foe.ask())
        self.asking.add(asking)
        asking.add_done_callback(self.asking.discard)

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
        self._kind = attack.plan.kind
        self._came = b""
        self._served = False
        self._script = SCRIPTS.get(self._kind)
        self._to_say = deque(self._script.said if self._script else ())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        report = self._attack.report
        report.opened += 1
        report.open += 1
        if self._kind is not Kind.SILENT:
            name = "Foe" if self._kind is Kind.NAMESAKES else f"Foe {report.opened}"
            self._say(hello_of(name, password="wrong"))

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
        report, stubborn = self._attack.report, self._script is not None and self._script.stubborn
        report.served += not self._served
        self._served = True
        match heard.type:
            case "goodbye":
                report.goodbyes[heard.code] = report.goodbyes.get(heard.code, 0) + 1
            case "notice":
                report.notices += 1
            case "welcome":
                self._welcomed()
            case "update" if self._kind is Kind.SEATED:
                self._act(heard)
            case "ended" if self._kind is Kind.SEATED:
                self._say(Rematch(id=0))
            case "done" | "refused" if heard.id == _ACT:
                report.refused += heard.type == "refused"
            case "done" if self is self._attack.host:
                self._attack.table = str(heard.table)
            case "done" | "refused" if heard.type == "done" or stubborn:
                self._go_on()
            case "refused":
                report.refused += 1
                self._transport.close()
            case "listing":
                report.answers += 1
                if self._kind is not Kind.NEWS:
                    self._transport.write(_LIST)

    def _welcomed(self) -> None:
        attack = self._attack
        match self._kind:
            case Kind.TRICKLE:
                self._transport.write(_LONG_FRAME)
                self._trickle()
            case Kind.GARBAGE:
                self._transport.write(next(attack.garbage))
            case Kind.HELLOS:
                self._transport.close()
            case Kind.NEWS if attack.report.opened % 10 == 0:
                text = str(attack.report.opened)
                self._say(ListTables(id=1, filter=Filter(free_seat=True, text=text)))
            case Kind.WATCHERS if attack.host is None:
                attack.host = self
                self._say(_table(2))
            case Kind.WATCHERS:
                watching = (Watch(id=0, table=attack.table), Leave(id=0))
                self._script = Script(watching, Then.AGAIN, stubborn=True)
                self._to_say = deque(watching)
                self._go_on()
            case _ if self._script is not None:
                self._go_on()

    def _go_on(self) -> None:
        """Say the next message of the script; what follows the last, the script says."""
        assert self._script is not None
        if not self._to_say:
            self._attack.report.made += 1
            if self._script.then is Then.CUT:
                self._transport.abort()
            if self._attack.plan.asks:
                self._attack.asks(self)
            if self._script.then is not Then.AGAIN:
                return
            self._to_say.extend(self._script.said)
        self._attack.report.asked += 1
        loop, message = asyncio.get_running_loop(), self._to_say.popleft()
        loop.call_later(self._script.pause_s, self._say, message)

    async def ask(self) -> None:
        """For many pages at once, when the lobby has its full length."""
        await self._attack.all_here.wait()
        if self._kind is Kind.READERS:
            self._transport.pause_reading()
        self._transport.write(_LIST * self._attack.plan.asks)

    def _act(self, heard: Heard) -> None:
        """Do the first thing that may be done, at once."""
        view = heard.view
        if view is not None and view.legal and view.turn == view.seat and heard.version is not None:
            report = self._attack.report
            report.asked += 1
            key = report.asked.to_bytes(8, "big")
            self._say(Act(id=_ACT, version=heard.version, key=key, action=view.legal[0][0]))

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
