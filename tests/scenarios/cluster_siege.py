"""Players at three nodes of one lobby, while nodes are killed, hang and wake, are drained, lose
their lines to each other, and their database crashes; then the journal is compared with what the
players were told.

Each player dials a node by chance. One of each pair dials again when the line is silent; the other
stays with the node that they have, also when that hangs, has lost the match and wakes: otherwise
nothing would come to the fence.

`play`: two nodes, their database, its standby and their players, each on a machine of its own;
lines are cut in the middle of their matches, without a word to anybody.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Final
from urllib.parse import quote

from tests.stage.changed_server import changed
from tests.stage.cluster import NODES, CannotStart, Node, Nodes, nodes_on
from tests.stage.house import PATIENCE_S, eventually
from tests.stage.network import Machine, Switch, switch
from tests.stage.players import Players
from tests.stage.postgres import Cluster, Pair
from tests.stage.processes import PROGRAM
from tests.stage.siege import PATIENT, WAIT_S, Findings, compare

LEASE_S: Final = 1.0
HANG_S: Final = 1.8 * LEASE_S
SILENCE_S: Final = 0.6
"""One of each pair dials again after so long."""
PEACE_S: Final = (0.3, 0.8)
"""Between two blows: at least and at most."""
TRIES: Final = 20
LEASED: Final = {
    **PATIENT,
    "CLOCKTOWERS_NODE_LEASE_S": str(LEASE_S),
    "CLOCKTOWERS_ADVERTISE": "127.0.0.1",
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
            self._nodes[number].program = changed("newer")
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
    end_s: float = PATIENCE_S,
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
        patience_s = (SILENCE_S, None if patient else SILENCE_S)
        playing = Players(players // 2, seed, nodes.dial, patience_s, nodes.follow)
        async with asyncio.TaskGroup() as group:
            pairs = playing.start(group)
            for blow in blows:
                await playing.at_peace(rng.uniform(*peace_s))
                if until_caught and any(told.steps_back for told in playing.told):
                    break
                await BLOWS[blow](besieged, rng.randrange(len(nodes)))
            await asyncio.sleep(rng.uniform(*PEACE_S))
            stuck = await playing.end(pairs, end_s)
        await nodes.stop()
        errors = nodes.logs()
    with closing(connected(url)) as journal:
        found = compare(playing, journal)
    found.stuck, found.errors = stuck, errors
    return found


# Lines that are cut without a word ----------------------------------------------------------------


_PAIRS: Final = 6
_SEED: Final = 9
"""With it two of the callers follow a node to another one, and three come there through pipes."""
_PEACE_MOVES: Final = 60
"""So many are acknowledged before a line is cut."""


class SiegeEvening:
    """What can be cut. `database`, `nodes`: the machines. `standby`: of the database, which
    waits for it."""

    def __init__(
        self, joined: Switch, database: Machine, nodes: Sequence[Machine], standby: Cluster
    ) -> None:
        self.joined: Final = joined
        self.database: Final = database
        self.nodes: Final = nodes
        self.standby: Final = standby


Cut = Callable[[SiegeEvening], None]


def database_on(machine: Machine, *more: str, copy_of: Cluster | None = None) -> Cluster:
    """A PostgreSQL that the other machines reach. `more`, `copy_of`: as in `Cluster`."""
    folder = Path(mkdtemp(prefix="pg-", dir="/tmp"))
    callers = folder / "callers"
    callers.write_text("local all,replication all trust\nhost all all 10.77.0.0/24 trust\n")
    callers.chmod(0o644)
    settings = (f"listen_addresses = '{machine.ipv4}'", f"hba_file = '{callers}'")
    return machine.on(lambda: Cluster(*settings, *more, folder=folder, copy_of=copy_of))


async def play(
    home: Path,
    cut: Cut,
    *,
    silence_s: float | None = None,
    mend: Cut | None = None,
    mend_after_s: float = 0.0,
    program: Sequence[str] = PROGRAM,
    lease_s: float = LEASE_S,
) -> Findings:
    """Who has not moved on a minute after the cut, or after it is mended, is stuck. `silence_s`: a
    player dials again when nothing comes for so long; None = when the line breaks."""
    from server.store.connecting import connected

    with ExitStack() as stack:
        joined, (base, spare, *machines, away) = stack.enter_context(switch(5))
        waits = "synchronous_standby_names = 'standby'"
        database = stack.enter_context(closing(database_on(base, waits)))
        standby = stack.enter_context(closing(database_on(spare, copy_of=database)))
        near, both = database.fresh(), f"{base.ipv4},{spare.ipv4}"
        url = near.replace(quote(str(database.folder), safe=""), both)
        evening = SiegeEvening(joined, base, machines, standby)
        lease = {"CLOCKTOWERS_NODE_LEASE_S": str(lease_s)}
        env = {**LEASED, **lease, "CLOCKTOWERS_PASSWORD_IN_CLEAR": "true"}
        on = (*machines, away)
        async with nodes_on(url, home, len(machines), env=env, program=program, on=on) as nodes:
            patience_s = (silence_s, silence_s)
            playing = Players(_PAIRS, _SEED, nodes.dial, patience_s, nodes.follow)
            async with asyncio.TaskGroup() as group:
                pairs = playing.start(group)
                await playing.until(_PEACE_MOVES)
                await eventually(lambda: playing.crossing)
                cut(evening)
                playing.over = True
                if mend is not None:
                    await asyncio.sleep(mend_after_s)
                    mend(evening)
                stuck = await playing.end(pairs, PATIENCE_S)
            errors = nodes.logs()
        with closing(connected(f"{near}&host={standby.folder},{database.folder}")) as journal:
            found = compare(playing, journal)
    found.stuck, found.errors = stuck, errors
    return found
