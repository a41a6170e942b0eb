"""`python -m bench.memory`: whether a server's memory stays flat while people come, play and go.

Each match is begun by a player who comes on a new connection, reads the list, talks, acts in some
turns against a bot and goes in one of four ways: leaves, says bye, is cut off and comes back, is
cut off for good. The waits of the server (grace, standstill) are shortened so that what is left
behind is let go of during the measurement. After each tenth the memory is read; the second half
must not need more than the first, but for some megabytes that a process takes by chance.
"""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from itertools import count
from random import Random
from typing import Any, Final, TypeVar

from msgspec import Struct, structs

from bench.attacks.trial import Server, serving
from bench.load.processes import rss_bytes
from protocol.connection import Connection
from protocol.from_client import (
    Act,
    BotSeat,
    Bye,
    CreateTable,
    Hello,
    Leave,
    ListTables,
    Request,
    Resume,
    Say,
    Start,
)
from protocol.from_server import Done, Listing, Refused, SeatToken, Update, Welcome
from protocol.version import MAGIC, PROTOCOL_VERSIONS

M = TypeVar("M", bound=Struct)

LIMITS: Final = {
    "grace_s": 0.5,
    "standstill_s": 2,
    "untouched_s": 1,
    "commands_s": 1e6,
    "commands_burst": 10**6,
}
KEEPING: Final = {**LIMITS, "standstill_s": 9000, "untouched_s": 9000}
CALM_S: Final = 4.0
"""Before the memory is read: longer than anything of the server waits."""
PARTS: Final = 10
PEOPLE: Final = 16
MOST_MB: Final = 4.0


class Visitor:
    """A connection of somebody who waits for each answer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._connection = Connection()
        self._ids = count(1)

    def say(self, message: Struct) -> None:
        self._writer.write(self._connection.send(message))

    async def hear(self, kind: type[M]) -> M:
        while True:
            while (message := self._connection.next_message()) is None:
                if not (chunk := await self._reader.read(65536)):
                    raise ConnectionError("the server closed")
                self._connection.receive_bytes(chunk)
            if isinstance(message, kind):
                return message

    async def ask(self, wish: Request) -> Any:
        number = next(self._ids)
        self.say(structs.replace(wish, id=number))
        while True:
            answer = await self.hear(Struct)
            if isinstance(answer, Done | Refused | Listing) and answer.id == number:
                return answer

    def cut(self) -> None:
        self._writer.transport.abort()


async def come(port: int, name: str) -> Visitor:
    visitor = Visitor(*await asyncio.open_connection("127.0.0.1", port))
    visitor.say(Hello(magic=MAGIC, versions=list(PROTOCOL_VERSIONS), name=name))
    await visitor.hear(Welcome)
    return visitor


async def live(port: int, number: int, rng: Random) -> None:
    """Come, play a little, go."""
    visitor = await come(port, f"Guest {number}")
    await visitor.ask(ListTables(id=0))
    bots = [BotSeat(1, "easy")]
    wish = CreateTable(id=0, game="clocktowers", seats=2, bots=bots, options={"first_seat": 0})
    await visitor.ask(wish)
    await visitor.ask(Say(id=0, text=f"line {number}"))
    visitor.say(Start(id=10**6))
    token = await visitor.hear(SeatToken)
    update = await visitor.hear(Update)
    choice = rng.choice(update.view["legal"])
    act = Act(id=0, version=update.version, key=rng.randbytes(8), action=choice[0])
    await visitor.ask(act)
    match number % 4:
        case 0:
            await visitor.ask(Leave(id=0))
        case 1:
            visitor.say(Bye())
            await asyncio.sleep(0)
        case 2:
            visitor.cut()
            visitor = await come(port, f"Back {number}")
            await visitor.ask(Resume(id=0, match=token.match, token=token.token))
            await visitor.ask(Leave(id=0))
    visitor.cut()


async def part(server: Server, numbers: Sequence[int]) -> None:
    """These matches, some at a time."""
    waiting = list(numbers)

    async def person() -> None:
        while waiting:
            number = waiting.pop()
            await live(server.port, number, Random(number))

    async with asyncio.TaskGroup() as group:
        for _ in range(PEOPLE):
            group.create_task(person())
    await asyncio.sleep(CALM_S)


async def measured(matches: int, limits: Mapping[str, object]) -> list[float]:
    """Megabytes before, and after each part."""
    with serving(limits) as server:
        sizes_mb = [rss_bytes(server.pid) / 1e6]
        size = matches // PARTS
        for number in range(PARTS):
            await part(server, range(number * size, (number + 1) * size))
            sizes_mb.append(rss_bytes(server.pid) / 1e6)
            print(f"{(number + 1) * size:7} matches {sizes_mb[-1]:8.1f} MB", flush=True)
        return sizes_mb


def main(argv: Sequence[str] | None = None) -> int:
    """0: flat; 1: not."""
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument(
        "--keep", action="store_true", help="the control: the server waits for all who were cut off"
    )
    args = parser.parse_args(argv)
    sizes_mb = asyncio.run(measured(args.matches, KEEPING if args.keep else LIMITS))
    grown_mb = sizes_mb[-1] - sizes_mb[PARTS // 2]
    print(f"the second half needs {grown_mb:+.1f} MB more, at most {MOST_MB:.1f} is allowed")
    return 1 if grown_mb > MOST_MB else 0


if __name__ == "__main__":
    sys.exit(main())
