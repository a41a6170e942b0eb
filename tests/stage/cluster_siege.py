"""Players at three nodes of one lobby, while nodes are killed, hang and wake, are drained, lose
their lines to each other, and their database crashes; then the journal is compared with what the
players were told.

    python -m tests.stage.cluster_siege [--nodes 3] [--players 40] [--rounds 3] [--seed 1] [BLOW …]

Each player dials a node by chance. One of each pair dials again when the line is silent; the other
stays with the node that they have, also when that hangs, has lost the match and wakes: otherwise
nothing would come to the fence.
"""

import argparse
import asyncio
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Final

from tests.stage.cluster import NODES, CannotStart, Node, Nodes, nodes_on
from tests.stage.newer_node import NEWER
from tests.stage.players import Players
from tests.stage.postgres import Cluster
from tests.stage.processes import PROGRAM
from tests.stage.siege import PATIENT, WAIT_S, Findings, compare
from tests.stage.standby import Pair

LEASE_S: Final = 1.0
HANG_S: Final = 1.8 * LEASE_S
SILENCE_S: Final = 0.6
"""One of each pair dials again after so long."""
PEACE_S: Final = (0.3, 0.8)
"""Between two blows: at least and at most."""
TRIES: Final = 20
END_S: Final = 30.0
"""All pairs come to the end of their match within so long."""
LEASED: Final = {
    **PATIENT,
    "CLOCKTOWERS_NODE_LEASE_S": str(LEASE_S),
    "CLOCKTOWERS_JOURNAL_WAIT_S": WAIT_S,
}


class Besieged:
    """What is struck. A node is asked to come back after it was killed or drained."""

    def __init__(self, nodes: Nodes, database: Cluster | Pair, url: str, rng: Random) -> None:
        self._nodes: Final = nodes
        self._database: Final = database
        self._url: Final = url
        self._rng: Final = rng

    async def killed(self, number: int) -> None:
        await self._nodes[number].stop(signal.SIGKILL)
        await asyncio.sleep(self._rng.uniform(*PEACE_S))
        await self._back(number)

    async def drained(self, number: int) -> None:
        await self._nodes[number].stop(signal.SIGTERM)
        await self._back(number)

    async def _back(self, number: int) -> None:
        """As a service manager does it: again while the database is away."""
        for _ in range(TRIES):
            with suppress(CannotStart):
                await self._nodes[number].start()
                return
            await asyncio.sleep(PEACE_S[0])
        raise CannotStart(f"many tries: {self._nodes[number].log.read_text()}")

    async def upgraded(self, _number: int) -> None:
        """One after the other, to a version that changes the database."""
        for number in range(len(self._nodes)):
            self._nodes[number].program = NEWER
            await self.drained(number)

    async def hung(self, number: int) -> None:
        """At least until the others have all of its matches."""
        node = self._nodes[number]
        node.hit(signal.SIGSTOP)
        await asyncio.sleep(HANG_S)
        for _ in range(TRIES):
            if not await asyncio.to_thread(self._plays, node):
                break
            await asyncio.sleep(PEACE_S[0])
        node.hit(signal.SIGCONT)

    def _plays(self, node: Node) -> bool:
        """Whether the database says that it has matches; also where that does not answer."""
        import psycopg

        what = "SELECT 1 FROM match JOIN node ON node.number = owner WHERE held = 1 AND node.id ="
        try:
            return bool(self._database.ask(f"{what} '{node.name}'", self._url))
        except psycopg.Error:
            return True

    async def database(self, _number: int) -> None:
        """Killed and started; of a pair the standby takes over."""
        await asyncio.to_thread(self._database.kill)
        await asyncio.to_thread(self._database.start)

    async def cut(self, _number: int) -> None:
        """The lines between nodes, from either end."""
        addresses = self._database.ask("SELECT address FROM node", self._url)
        ports = {int(address.rpartition(":")[2]) for (address,) in addresses if address}
        for node in (self._nodes[0], *self._nodes.others(0)):
            node.cut(ports)

    async def everything(self, number: int) -> None:
        another = (number + 1) % len(self._nodes)
        await self.cut(number)
        await asyncio.gather(self.killed(number), self.hung(another), self.database(number))


BLOWS: Final[Mapping[str, Callable[[Besieged, int], Awaitable[None]]]] = {
    "kill": Besieged.killed,
    "hang": Besieged.hung,
    "drain": Besieged.drained,
    "upgrade": Besieged.upgraded,
    "database": Besieged.database,
    "cut": Besieged.cut,
    "everything": Besieged.everything,
}


async def besiege(
    home: Path,
    database: Cluster | Pair,
    blows: Sequence[str],
    *,
    players: int = 12,
    seed: int = 1,
    program: Sequence[str] = PROGRAM,
    end_s: float = END_S,
    patient: bool = True,
    until_caught: bool = False,
    peace_s: tuple[float, float] = PEACE_S,
    count: int = NODES,
) -> Findings:
    """The blows of BLOWS in this order, each at one of `count` nodes by chance. `patient`: of each
    pair one is. `until_caught`: no more of them once a player was shown a match that went back."""
    from server.store.connecting import connected

    rng, url = Random(seed), database.fresh()
    async with nodes_on(url, home, count, env=LEASED, program=program) as nodes:
        besieged = Besieged(nodes, database, url, rng)
        playing = Players(
            players // 2, seed, nodes.dial, (SILENCE_S, None if patient else SILENCE_S)
        )
        async with asyncio.TaskGroup() as group:
            pairs = playing.start(group)
            for blow in blows:
                await playing.at_peace(rng.uniform(*peace_s))
                if until_caught and any(told.steps_back for told in playing.told):
                    break
                await BLOWS[blow](besieged, rng.randrange(len(nodes)))
            await asyncio.sleep(rng.uniform(*PEACE_S))
            playing.over = True
            _ended, stuck = await asyncio.wait(pairs, timeout=end_s)
            for pair in stuck:
                pair.cancel()
        await nodes.stop()
        errors = nodes.logs()
    with closing(connected(url)) as journal:
        found = compare(playing, journal)
    found.stuck, found.errors = len(stuck), errors
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("blows", nargs="*", metavar="BLOW", help=", ".join(BLOWS))
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    blows = (args.blows or list(BLOWS)) * args.rounds
    with tempfile.TemporaryDirectory() as home, closing(Cluster()) as database:
        many = {"players": args.players, "count": args.nodes}
        run = besiege(Path(home), database, blows, seed=args.seed, **many)
        findings = asyncio.run(run)
    print(findings, findings.errors)
    return 1 if findings.broken else 0


if __name__ == "__main__":
    sys.exit(main())
