"""Many players play over TCP while their server is killed again and again, or the database of its
journal; then the journal is compared with what the players were told.

    python -m tests.stage.siege [--players 40] [--kills 20] [--early-ack] [--postgres]

Law under test: what was acknowledged stands in the journal, at that version, once.
"""

import argparse
import asyncio
import signal
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final, TypeVar

from msgspec import Struct, structs

from protocol.from_client import Act, CreateTable, Join, Resume
from protocol.from_server import Done, Ended, Refused, SeatToken, Update, Welcome
from tests.stage.house import READY, START, Peer, read_view, some_act
from tests.stage.postgres import Cluster
from tests.stage.processes import PROGRAM, started

M = TypeVar("M", bound=Struct)

EARLY_ACK: Final = (sys.executable, "-P", "-m", "tests.stage.early_ack")
PEACE_S: Final = (0.2, 1.0)
"""How long a server lives after it listens: at least and at most."""
THINK_S: Final = 0.04
"""At most this long, so that a match lives through several servers."""
REDIAL_S: Final = 0.02
# Seats are held so long that no bot ever plays.
PATIENT: Final = {"CLOCKTOWERS_LIMITS__GRACE_S": "600", "CLOCKTOWERS_LOG_LEVEL": "warning"}


@dataclass
class Told:
    """What a player was told of a match. `acknowledged`: key → version."""

    match: str
    seat: int
    sent: set[bytes] = field(default_factory=set)
    acknowledged: dict[bytes, int] = field(default_factory=dict)
    newest: int = -1
    steps_back: int = 0
    """How often a view was older than one before."""


@dataclass
class Findings:
    """`lost`: acknowledged and not in the journal at that version. `doubled`: more often in the
    journal than wished for. `steps_back`: players whose match lost what they had seen."""

    sent: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    steps_back: int = 0
    matches: int = 0
    interrupted: int = 0
    """Beginnings in which the server fell before all had a seat; nobody was told of a match."""
    restarts_s: list[float] = field(default_factory=list)
    errors: str = ""

    @property
    def broken(self) -> bool:
        return bool(self.lost or self.doubled or self.steps_back)

    def __str__(self) -> str:
        restart_ms = statistics.median(self.restarts_s) * 1000
        return (
            f"{self.matches} matches, {len(self.restarts_s)} kills: "
            f"{self.sent} actions sent, {self.acknowledged} acknowledged, {self.lost} lost, "
            f"{self.doubled} doubled, {self.steps_back} steps back, "
            f"{self.interrupted} beginnings interrupted; "
            f"from start to listening {restart_ms:.0f} ms (median)"
        )


class Siege:
    """A run. `port` is the server's, which keeps it. With a cluster, each second blow strikes that
    instead of the server."""

    def __init__(self, players: int, seed: int, cluster: Cluster | None = None) -> None:
        self.findings = Findings()
        self.told: list[Told] = []
        self._port = 0
        self._pairs = players // 2
        self._seed = seed
        self._over = False
        self._cluster = cluster
        self._url = cluster.fresh() if cluster else ""

    async def run(self, home: Path, kills: int, program: Sequence[str]) -> Findings:
        rng = Random(self._seed)
        env = PATIENT | ({"CLOCKTOWERS_JOURNAL": self._url} if self._url else {})
        async with asyncio.TaskGroup() as group:
            for number in range(kills + 1):
                begun_s = time.perf_counter()
                args = ("serve", "--host", "127.0.0.1", "--port", str(self._port))
                async with started(home, *args, env=env, program=program) as server:
                    await server.listens()
                    self._port = server.port
                    if number == 0:
                        playing = [group.create_task(self._pair(n)) for n in range(self._pairs)]
                    else:
                        self.findings.restarts_s.append(time.perf_counter() - begun_s)
                    if number < kills:
                        await asyncio.sleep(rng.uniform(*PEACE_S))
                        if self._cluster is not None:
                            await asyncio.to_thread(self._cluster.kill)
                            await asyncio.to_thread(self._cluster.start)
                            await asyncio.sleep(rng.uniform(*PEACE_S))
                        server.signal(signal.SIGKILL)
                    else:
                        self._over = True
                        await asyncio.wait(playing)
                        server.signal(signal.SIGTERM)
                    await server.ends()
                    self.findings.errors += await server.errors()
        self._look_into(home / "state" / "clocktowers" / "serve" / "journal.db")
        return self.findings

    # The players --------------------------------------------------------------------------------

    async def _pair(self, number: int) -> None:
        """Play one match after the other."""
        rng = Random(f"{self._seed} {number}")
        while not self._over:
            try:
                pair = await self._seated(f"Ann{number}", f"Ben{number}")
            except ConnectionError:
                self.findings.interrupted += 1
                continue
            self.findings.matches += 1
            players = [self._play(peer, token, Random(rng.random())) for peer, token in pair]
            for peer in await asyncio.gather(*players):
                peer.abort()

    async def _seated(self, *names: str) -> list[tuple[Peer, SeatToken]]:
        """Two players at a new table, their match begun and each with a token. Raises
        ConnectionError."""
        ann, ben = [await self._welcomed(name) for name in names]
        ann.send(CreateTable(id=1, game="clocktowers", seats=2))
        code = (await _heard(ann, Done)).table
        for wish in (Join(id=1, table=code), structs.replace(READY, id=2)):
            ben.send(wish)
            await _heard(ben, Done)
        ann.send(structs.replace(START, id=2))
        return [(peer, await _heard(peer, SeatToken)) for peer in (ann, ben)]

    async def _welcomed(self, name: str) -> Peer:
        while True:
            with suppress(ConnectionError):
                peer = Peer(*await asyncio.open_connection("127.0.0.1", self._port))
                peer.say_hello(name)
                await _heard(peer, Welcome)
                return peer
            await asyncio.sleep(REDIAL_S)

    async def _play(self, peer: Peer, token: SeatToken, rng: Random) -> Peer:
        """Play to the end of the match, however often the connection breaks; returns the last
        connection."""
        told = Told(token.match, token.seat)
        self.told.append(told)
        player = _Player(peer, told, rng)
        while True:
            try:
                await player.play()
                return player.peer
            except ConnectionError:
                player.peer.abort()
                player.peer = await self._resumed(player.token or token)

    async def _resumed(self, token: SeatToken) -> Peer:
        while True:
            with suppress(ConnectionError):
                peer = await self._welcomed("Somebody")
                peer.send(Resume(id=0, match=token.match, token=token.token))
                await _heard(peer, Done)
                return peer

    # The journal --------------------------------------------------------------------------------

    def _look_into(self, file: Path) -> None:
        what = "SELECT id, seat, key, entry.version FROM entry JOIN match ON match = number"
        if self._cluster is not None:
            rows: Iterable[tuple[str, int, bytes, int]] = self._cluster.ask(what, self._url)
        else:
            rows = sqlite3.connect(file).execute(what)
        kept: dict[tuple[str, int], list[tuple[bytes, int]]] = {}
        for match, seat, key, version in rows:
            kept.setdefault((match, seat), []).append((key, version))
        for told in self.told:
            self._compare(told, kept.get((told.match, told.seat), []))

    def _compare(self, told: Told, kept: list[tuple[bytes, int]]) -> None:
        found = self.findings
        found.sent += len(told.sent)
        found.acknowledged += len(told.acknowledged)
        found.steps_back += told.steps_back
        found.lost += sum(one not in kept for one in told.acknowledged.items())
        times = Counter(key for key, _version in kept)
        found.doubled += sum(count - (key in told.sent) for key, count in times.items())


class _Player:
    """Acts when it is its turn; sends what was not answered again with its key."""

    def __init__(self, peer: Peer, told: Told, rng: Random) -> None:
        self.peer = peer
        self.token: SeatToken | None = None
        self._told = told
        self._rng = rng
        self._requests = 100
        self._unanswered: Act | None = None
        self._update: Update | None = None

    async def play(self) -> None:
        """Play until the result. Raises ConnectionError."""
        if self._unanswered is not None:
            self.peer.send(self._unanswered)
        while not isinstance(message := await _next(self.peer), Ended):
            match message:
                case SeatToken():
                    self.token = message
                case Update(version=version):
                    self._told.steps_back += version < self._told.newest
                    self._told.newest = version
                    self._update = message
                case Done() | Refused() if self._unanswered and message.id == self._unanswered.id:
                    self._answered(self._unanswered, message)
            await self._act()

    def _answered(self, act: Act, answer: Done | Refused) -> None:
        self._unanswered = None
        if isinstance(answer, Refused) or answer.version is None:
            return  # the server has lost what this act was meant for
        self._told.acknowledged[act.key] = answer.version
        if self._update is not None and self._update.version < answer.version:
            self._update = None  # the newer view is on its way

    async def _act(self) -> None:
        update = self._update
        if update is None or self._unanswered is not None:
            return
        view = read_view(update)
        if view.turn == view.seat:
            await asyncio.sleep(self._rng.uniform(0, THINK_S))
            self._requests += 1
            self._unanswered = structs.replace(some_act(update, self._rng), id=self._requests)
            self._told.sent.add(self._unanswered.key)
            self.peer.send(self._unanswered)


async def _next(peer: Peer) -> Struct:
    message = peer.pending.popleft() if peer.pending else await peer._receive()
    if message is None:
        raise ConnectionResetError
    return message


async def _heard(peer: Peer, kind: type[M]) -> M:
    """The next message of that kind; those before it stay for later."""
    before: list[Struct] = []
    while not isinstance(message := await _next(peer), kind):
        before.append(message)
    peer.pending.extendleft(reversed(before))
    return message


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--early-ack", action="store_true", help="the server that must be caught")
    parser.add_argument("--postgres", action="store_true", help="the journal is in PostgreSQL")
    args = parser.parse_args()
    cluster = Cluster() if args.postgres else None
    program = EARLY_ACK if args.early_ack else PROGRAM
    with tempfile.TemporaryDirectory() as home:
        siege = Siege(args.players, args.seed, cluster)
        findings = asyncio.run(siege.run(Path(home), args.kills, program))
    if cluster is not None:
        cluster.close()
    print(findings)
    return 1 if findings.broken else 0


if __name__ == "__main__":
    sys.exit(main())
