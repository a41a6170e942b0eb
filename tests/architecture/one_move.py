"""What the server does for one ordinary move, from its bytes to those of both players: the files of
the project that practically every move enters, and the Python calls it makes.

    python -P -m tests.architecture.one_move [GAME]

A real server, two sessions on transports that only listen, and a journal in memory. Neither the
loop, which is C in a server with uvloop, nor the journal, which stands for a disk, is counted. The
counts are the same on every machine.
"""

import asyncio
import inspect
import logging
import selectors
import sys
from collections import Counter
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, Final, NamedTuple, cast

import structlog
from msgspec import Struct

from protocol.codec import encode, frame
from protocol.from_client import Act, CreateTable, Hello, Join, Leave, Ready, Start
from protocol.ids import MAGIC, PROTOCOL_VERSIONS, Seat
from server.config import Config, Limits
from server.net.callers import Caller
from server.server import Server
from tests.stage.line import SessionsTransport
from tests.stage.memory_journal import MemoryJournal

ROOT: Final = Path(__file__).parents[2]
MATCHES: Final = 4
PRACTICALLY_EVERY: Final = 0.95

_OTHERS: Final = (
    __file__,
    str(Path(asyncio.__file__).parent),
    selectors.__file__,
    inspect.getfile(MemoryJournal),
    inspect.getfile(SessionsTransport),
)


class Counted(NamedTuple):
    """Of one move. `files`: of the project. `calls`: of Python functions, on average."""

    files: list[str]
    calls: float
    moves: int


class Listener(SessionsTransport):
    """A client's end, and the transport of its connection as the server sees it."""

    def __init__(self, server: Server) -> None:
        self.protocol: asyncio.Protocol = server.session(Caller("127.0.0.1", here=True))
        self.protocol.connection_made(cast(asyncio.BaseTransport, self))

    async def say(self, message: Struct) -> None:
        self.protocol.data_received(frame(encode(message)))
        await _turns()


async def _turns(number: int = 20) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


async def _moves(server: Server, game: str) -> Any:
    """Each move of some matches: whose it is, and its bytes, which the caller sends."""
    dice, people = Random(1), [Listener(server), Listener(server)]
    for one, name in zip(people, ("Ann", "Ben"), strict=True):
        versions = list(PROTOCOL_VERSIONS)
        await one.say(Hello(magic=MAGIC, versions=versions, name=name, changes=True))
    for number in range(MATCHES):
        await people[0].say(CreateTable(id=1, game=game, seats=2))
        (table,) = server.lobby.tables.values()
        await people[1].say(Join(id=1, table=table.code))
        await people[1].say(Ready(id=2))
        await people[0].say(Start(id=2))
        match = table.match
        assert match is not None
        while seats := match.to_act():
            legal = match.rules.legal_actions(match._course.state, Seat(seats[0]))
            key = number.to_bytes(1, "big") + dice.randbytes(7)
            act = Act(id=3, version=match.version, key=key, action=dice.choice(legal))
            yield people[seats[0]].protocol, frame(encode(act))
        await _turns()
        for one in people:
            await one.say(Leave(id=4))


async def _with_server(work: Any) -> None:
    async with asyncio.TaskGroup() as group:
        limits = Limits(commands_s=1e6, commands_burst=10**6)
        await work(Server(Config(limits=limits), MemoryJournal(), group))


def count(game: str = "clocktowers") -> Counted:
    """The files and calls of a move."""
    entered, calls, moves, seen = Counter[str](), Counter[str](), 0, set[str]()

    def called(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and not (name := frame.f_code.co_filename).startswith(_OTHERS):
            calls[name] += 1
            seen.add(name)

    async def work(server: Server) -> None:
        nonlocal moves
        async for protocol, data in _moves(server, game):
            seen.clear()
            sys.setprofile(called)
            protocol.data_received(data)
            await _turns(2)  # the journal's answer, then the turn's end, when everything is written
            sys.setprofile(None)
            entered.update(seen)
            moves += 1

    asyncio.run(_with_server(work))
    often = [Path(name) for name, n in entered.items() if n > moves * PRACTICALLY_EVERY]
    ours = [str(path.relative_to(ROOT)) for path in often if path.is_relative_to(ROOT)]
    return Counted(sorted(ours), calls.total() / moves, moves)


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    game = sys.argv[1] if sys.argv[1:] else "clocktowers"
    found = count(game)
    print(*found.files, sep="\n")
    print(f"{len(found.files)} files, {found.calls:.1f} calls, by {found.moves} moves")


if __name__ == "__main__":
    main()
