"""Many tables say `start` at once, their server is killed within 40 ms and started again; then all
players come back.

python -m tests.stage.killed_beginnings [--tables 300] [--early]

Laws under test: a `done` to `start` is answered after every player was sent a token; after a
restart every seat of a table that somebody was told of is still its player's.
"""

import argparse
import asyncio
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from msgspec import structs

from protocol.from_client import CreateTable, Join, Request, Resume
from protocol.from_server import Done, Ended, Refused, SeatToken
from tests.stage.house import READY, START, Peer
from tests.stage.processes import PROGRAM, Process, started
from tests.stage.siege import PATIENT

EARLY: Final = (sys.executable, "-P", "-m", "tests.stage.early_start")
WITHIN_S: Final = 0.04
TABLES_AT_ONCE: Final = 20
START_ID: Final = 1000


@dataclass
class Findings:
    """`told_nobody`: tables whose host heard `done`, with no token at any player. `half_told`: one
    player has a token, the other never got one. `lost`: seats that are not their player's any more
    although somebody heard of the match."""

    tables: int = 0
    done: int = 0
    told_nobody: int = 0
    half_told: int = 0
    all_told: int = 0
    lost: int = 0
    errors: str = ""

    def __str__(self) -> str:
        return (
            f"{self.tables} tables: {self.done} answered done, {self.told_nobody} of them with no "
            f"token at any player; a token at one of two players {self.half_told}, at both "
            f"{self.all_told}; {self.lost} seats lost"
        )


class Pair:
    """The players of one table, by seat."""

    def __init__(self, number: int, rng: Random) -> None:
        self.names = (f"Ann{number}", f"Ben{number}")
        self.identities = (rng.randbytes(32), rng.randbytes(32))
        self.peers: list[Peer] = []
        self.table = ""

    async def sit_down(self, server: Process) -> None:
        """To the point where the host may say `start`."""
        self.peers = [
            await server.peer(name, identity=identity)
            for name, identity in zip(self.names, self.identities, strict=True)
        ]
        ann, ben = self.peers
        self.table = (await ann.done(CreateTable(id=0, game="clocktowers", seats=2))).table
        await ben.done(Join(id=0, table=self.table))
        await ben.done(READY)

    def tokens(self) -> list[SeatToken | None]:
        """By seat, the newest token that its player heard."""
        heard = [[m for m in peer.seen if isinstance(m, SeatToken)] for peer in self.peers]
        return [theirs[-1] if theirs else None for theirs in heard]

    @property
    def done(self) -> bool:
        """Whether the host was told that the match begins."""
        return any(isinstance(m, Done) and m.id == START_ID for m in self.peers[0].seen)

    async def come_back(self, server: Process) -> list[bool]:
        """By seat, whether its player has it again: by the token, or without one by identity."""
        tokens, there = self.tokens(), []
        for seat, name in enumerate(self.names):
            peer = await server.peer(name, identity=self.identities[seat])
            token = tokens[seat]
            wish: Request = Join(id=0, table=self.table, seat=seat)
            if token is not None:
                wish = Resume(id=0, match=token.match, token=token.token)
            answer = await peer.request(wish)
            if not isinstance(answer, Refused):
                ended = await peer.until(Ended)
                assert ended.aborted, "nobody had acted"
            there.append(not isinstance(answer, Refused))
        return there


async def run(home: Path, tables: int, seed: int, program: Sequence[str] = PROGRAM) -> Findings:
    """As many rounds as it takes, each with a server that falls at a random moment."""
    found, rng = Findings(), Random(seed)
    for number in range(0, tables, TABLES_AT_ONCE):
        at_once = min(TABLES_AT_ONCE, tables - number)

        async def at_random(pairs: list[Pair]) -> None:
            await asyncio.sleep(rng.uniform(0, WITHIN_S))

        await one_round(home / str(number), at_once, rng, at_random, found, program)
    return found


async def at_first_done(pairs: list[Pair]) -> None:
    """The moment at which a server that promises too early has most to be ashamed of."""
    hosts = [asyncio.ensure_future(pair.peers[0].answer(START_ID)) for pair in pairs]
    await asyncio.wait(hosts, return_when=asyncio.FIRST_COMPLETED)
    for host in hosts:
        host.cancel()
    await asyncio.wait(hosts)


async def one_round(
    home: Path,
    tables: int,
    rng: Random,
    moment: Callable[[list[Pair]], Awaitable[None]],
    found: Findings,
    program: Sequence[str] = PROGRAM,
) -> None:
    """The server is killed at that `moment` after all hosts have said `start`."""
    serve = ("serve", "--host", "127.0.0.1", "--port", "0")
    pairs = [Pair(number, rng) for number in range(tables)]
    async with started(home, *serve, env=PATIENT, program=program) as server:
        await server.listens()
        for pair in pairs:
            await pair.sit_down(server)
        for pair in pairs:
            pair.peers[0].send(structs.replace(START, id=START_ID))
        await moment(pairs)
        server.signal(signal.SIGKILL)
        await server.ends()
        for peer in [peer for pair in pairs for peer in pair.peers]:
            with suppress(ConnectionError):
                await peer.closed()
        found.errors += await server.errors()
    async with started(home, *serve, env=PATIENT, program=program) as server:
        await server.listens()
        for pair in pairs:
            _count(pair, await pair.come_back(server), found)
        server.signal(signal.SIGTERM)
        await server.ends()
        found.errors += await server.errors()


def _count(pair: Pair, there: list[bool], found: Findings) -> None:
    told = sum(token is not None for token in pair.tokens())
    found.tables += 1
    found.done += pair.done
    found.told_nobody += pair.done and not told
    found.half_told += told == 1
    found.all_told += told == 2
    if pair.done or told:
        found.lost += there.count(False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--early", action="store_true", help="the server that must be caught")
    args = parser.parse_args()
    program = EARLY if args.early else PROGRAM
    with tempfile.TemporaryDirectory() as home:
        findings = asyncio.run(run(Path(home), args.tables, args.seed, program))
    print(findings, findings.errors)
    return 1 if findings.told_nobody or findings.lost else 0


if __name__ == "__main__":
    sys.exit(main())
