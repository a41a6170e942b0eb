"""`python -m bench.memory`: whether a server's memory stays flat while people come, play and go;
with `--client` whether a client's does through a long evening.

Each match on the server is begun by a player who comes on a new connection, reads the list, talks,
acts against a bot and goes in one of four ways: leaves, says bye, is cut off and comes back, is cut
off for good. Waits of the server are shortened so that what is left behind is let go of during the
measurement. The client plays match after match against bots on its own server: Autoplay, at once to
the end, the result, a rematch. After each tenth the memory is read; the second half must not need
more than the first, but for some megabytes that a process takes by chance.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from bench.attacks.trial import Play
from bench.processes import rss_bytes, serving
from protocol.from_client import Bye, Leave, ListTables, Resume, Say
from protocol.from_server import SeatToken, Update
from tests.stage.house import START, some_act
from tests.stage.pseudo_terminal import PseudoTerminal, environment

LIMITS: Final[Mapping[str, object]] = {
    "grace_s": 0.5,
    "standstill_s": 2,
    "untouched_s": 1,
    "commands_s": 1e6,
    "commands_burst": 10**6,
}
CALM_S: Final = 4.0
"""Before the memory is read: longer than anything of the server waits."""
PARTS: Final = 10
PEOPLE: Final = 16
MOST_MB: Final = {"server": 4.0, "client": 2.0}


async def live(play: Play, number: int) -> None:
    """Come, play a little, go."""
    visitor = await play.comes(f"Guest {number}")
    await visitor.request(ListTables(id=0))
    await visitor.create(seats=2, bots="easy", options={"first_seat": 0})
    await visitor.done(Say(id=0, text=f"line {number}"))
    await visitor.done(START)
    token, update = await visitor.until(SeatToken), await visitor.until(Update)
    await visitor.done(some_act(update, Random(number)))
    match number % 4:
        case 0:
            await visitor.done(Leave(id=0))
        case 1:
            visitor.send(Bye())
            await asyncio.sleep(0)
        case 2:
            visitor.abort()
            visitor = await play.comes(f"Back {number}")
            await visitor.done(Resume(id=0, match=token.match, token=token.token))
            await visitor.done(Leave(id=0))
    visitor.abort()


async def visits(matches: int) -> AsyncIterator[float]:
    """Megabytes of the server before, and after each part."""
    async with serving(LIMITS) as server:
        yield rss_bytes(server.pid) / 1e6
        for part in range(PARTS):
            numbers = iter(range(part * matches // PARTS, (part + 1) * matches // PARTS))
            await asyncio.gather(*(_person(Play(server), numbers) for _ in range(PEOPLE)))
            await asyncio.sleep(CALM_S)
            yield rss_bytes(server.pid) / 1e6


async def _person(play: Play, numbers: Iterator[int]) -> None:
    """One of several who take from the same numbers."""
    for number in numbers:
        await live(play, number)


async def evening(matches: int) -> AsyncIterator[float]:
    """Megabytes of the client at the first board, and after each part."""
    arguments = ["-m", "clocktowers_tui", "solo", "--name", "Ann", "--bots", "1"]
    arguments += ["--level", "easy", "--game", "clocktowers"]
    with tempfile.TemporaryDirectory() as home:
        async with PseudoTerminal.run(arguments, environment(home), 120, 40) as terminal:
            await terminal.sees("E Autoplay")
            yield rss_bytes(terminal.child) / 1e6
            for number in range(1, matches + 1):
                await terminal.sees("E Autoplay")
                terminal.press("E")
                await terminal.sees("Autoplay to the end?")
                terminal.press("\x1b[B\r")  # down, Enter
                await terminal.sees("F To the end")
                terminal.press("F")
                await terminal.sees("r Rematch", "turns")
                terminal.painted = b""
                terminal.press("r")
                if number % (matches // PARTS) == 0:
                    yield rss_bytes(terminal.child) / 1e6


async def measured(sizes_mb: AsyncIterator[float]) -> float:
    """How many megabytes the second half needs more than the first."""
    found: list[float] = []
    async for size_mb in sizes_mb:
        print(f"after {len(found) * 100 // PARTS:3} % {size_mb:8.1f} MB", flush=True)
        found.append(size_mb)
    return found[-1] - found[PARTS // 2]


def main(argv: Sequence[str] | None = None) -> int:
    """0: flat; 1: not."""
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__)
    parser.add_argument("--client", action="store_true")
    parser.add_argument("--matches", type=int, help="10000, of a client 60")
    args = parser.parse_args(argv)
    matches = max(PARTS, args.matches or (60 if args.client else 10_000))
    sizes_mb = evening(matches) if args.client else visits(matches)
    most_mb = MOST_MB["client" if args.client else "server"]
    grown_mb = asyncio.run(measured(sizes_mb))
    print(f"the second half needs {grown_mb:+.1f} MB more, at most {most_mb:.1f} is allowed")
    return 1 if grown_mb > most_mb else 0


if __name__ == "__main__":
    sys.exit(main())
