"""Two nodes, their database and their players, each on a machine of its own; lines are cut in the
middle of their matches, without a word to anybody, and the journal is compared with what the
players were told.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Final
from urllib.parse import quote

from tests.stage.cluster import Node
from tests.stage.cluster_siege import LEASED
from tests.stage.network import Machine, Switch, switch
from tests.stage.players import Players
from tests.stage.postgres import Cluster
from tests.stage.processes import PROGRAM
from tests.stage.siege import Findings, compare

PAIRS: Final = 6
SEED: Final = 1
DIAL_S: Final = 1.0
"""So long a player waits for a machine that may not be there."""
PEACE_MOVES: Final = 60
"""So many are acknowledged before a line is cut."""
BEGIN_S: Final = 30.0


class Evening:
    """What can be cut. `database`, `nodes`: the machines."""

    def __init__(self, joined: Switch, database: Machine, nodes: Sequence[Machine]) -> None:
        self.joined: Final = joined
        self.database: Final = database
        self.nodes: Final = nodes


Cut = Callable[[Evening], None]


@asynccontextmanager
async def nodes_on(
    machines: Sequence[Machine], home: Path, url: str, program: Sequence[str]
) -> AsyncIterator[list[Node]]:
    env = {**LEASED, "CLOCKTOWERS_JOURNAL": url, "CLOCKTOWERS_PASSWORD_IN_CLEAR": "true"}
    nodes = list[Node]()
    async with AsyncExitStack() as stack:
        for name, machine in zip("ab", machines, strict=True):
            node = Node(name, home / name, env, (*machine.enter, *program))
            node.host = machine.ipv4
            stack.push_async_callback(node.stop, signal.SIGKILL)
            await node.start()
            nodes.append(node)
        yield nodes


def database_on(machine: Machine) -> Cluster:
    """A PostgreSQL that the other machines reach."""
    folder = Path(mkdtemp(prefix="pg-", dir="/tmp"))
    callers = folder / "callers"
    callers.write_text("local all all trust\nhost all all 10.77.0.0/24 trust\n")
    callers.chmod(0o644)
    settings = (f"listen_addresses = '{machine.ipv4}'", f"hba_file = '{callers}'")
    return machine.on(lambda: Cluster(*settings, folder=folder))


class Dialling:
    """From this machine; each player goes round the nodes, from one by chance."""

    def __init__(self, machine: Machine, nodes: Sequence[Node]) -> None:
        self._machine: Final = machine
        self._nodes: Final = nodes
        self._next: Final[dict[Random, int]] = {}

    async def __call__(self, rng: Random) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Raises OSError."""
        turn = self._next.get(rng, rng.randrange(len(self._nodes)))
        self._next[rng] = turn + 1
        node = self._nodes[turn % len(self._nodes)]
        line = self._machine.socket()
        try:
            async with asyncio.timeout(DIAL_S):
                await asyncio.get_running_loop().sock_connect(line, (node.host, node.port))
        except BaseException:
            line.close()
            raise
        return await asyncio.open_connection(sock=line)


async def play(
    home: Path,
    cut: Cut,
    *,
    within_s: float,
    silence_s: float | None = None,
    mend: Cut | None = None,
    mend_after_s: float = 0.0,
    program: Sequence[str] = PROGRAM,
) -> Findings:
    """`within_s`: after the cut all have moved on; who has not is stuck. `silence_s`: a player
    dials again when nothing comes for so long; None = when the line breaks."""
    from server.store.connecting import connected

    with switch(4) as (joined, (base, *machines, away)), closing(database_on(base)) as database:
        near = database.fresh()
        url = near.replace(quote(str(database.folder), safe=""), base.ipv4)
        evening = Evening(joined, base, machines)
        async with nodes_on(machines, home, url, program) as nodes:
            playing = Players(PAIRS, SEED, Dialling(away, nodes), (silence_s, silence_s))
            async with asyncio.TaskGroup() as group:
                pairs = playing.start(group)
                await _begun(playing)
                cut(evening)
                playing.over = True
                if mend is not None:
                    await asyncio.sleep(mend_after_s)
                    mend(evening)
                _ended, stuck = await asyncio.wait(pairs, timeout=within_s)
                for pair in stuck:
                    pair.cancel()
            errors = "".join(node.log.read_text() for node in nodes)
        with closing(connected(near)) as journal:
            found = compare(playing, journal)
    found.stuck, found.errors = len(stuck), errors
    return found


async def _begun(playing: Players) -> None:
    async with asyncio.timeout(BEGIN_S):
        while sum(len(told.acknowledged) for told in playing.told) < PEACE_MOVES:  # noqa: ASYNC110  (they are played elsewhere)
            await asyncio.sleep(0.05)
