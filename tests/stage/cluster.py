"""Several servers on one PostgreSQL: each is a node, with a folder, a port and a log of its own.

`python -m tests.stage.cluster`, which `make cluster` runs, starts a database and three nodes and
says what to type.
"""

import asyncio
import ctypes
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from server.server import stop_on_signals
from tests.stage.network import Machine
from tests.stage.postgres import Cluster, missing
from tests.stage.processes import PROGRAM, Process, kept_port, started

NODES: Final = 3
DIAL_S: Final = 1.0
"""So long a machine is waited for that may not be there."""
_PIDFD_GETFD: Final = 438
"""The number of the system call, on every machine."""


class CannotStart(Exception):
    """What the node has said instead."""


class Node:
    """One of them. `process`: None while it does not run; `program`: what is started next;
    `host`: where it listens."""

    def __init__(
        self, name: str, home: Path, env: Mapping[str, str], program: Sequence[str]
    ) -> None:
        self.name: Final = name
        self.home: Final = home
        self.host = "127.0.0.1"
        self.port = 0
        self.process: Process | None = None
        self.program = program
        self._env: Final = {"CLOCKTOWERS_NODE": name, **env}
        self._stack: Final = AsyncExitStack()

    @property
    def log(self) -> Path:
        return self.home / "log"

    async def start(self) -> None:
        """Returns when it listens, at the port that it had before. Raises CannotStart."""
        self.home.mkdir(parents=True, exist_ok=True)
        args = ("serve", "--host", self.host, "--port", str(self.port))
        with self.log.open("ab") as log:
            starting = started(
                self.home, *args, env=self._env, program=self.program, stderr=log.fileno()
            )
            process = await self._stack.enter_async_context(starting)
        first = await process.line()
        if not first.startswith("listening on "):
            await self._stack.aclose()
            raise CannotStart(f"{self.name}: {self.log.read_text()}")
        self.port = int(first.rpartition(":")[2])
        self.process = process

    def hit(self, number: signal.Signals) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.signal(number)

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Let it end by this signal."""
        if self.process is not None:
            self.hit(number)
            await self.process.ends()
        await self._stack.aclose()
        self.process = None

    def cut(self, ports: set[int]) -> int:
        """Break its connections to these ports of this machine, as a network does; returns how
        many. Linux only."""
        cut = 0
        for line in self._sockets():
            with suppress(OSError):
                if line.getpeername()[1] in ports:
                    line.shutdown(socket.SHUT_RDWR)
                    cut += 1
        return cut

    def _sockets(self) -> Iterator[socket.socket]:
        """Of its process, each until the next is asked for."""
        if self.process is None:
            return
        system = ctypes.CDLL(None)
        whose = os.pidfd_open(self.process.pid)
        for file in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with suppress(OSError):
                if str(file.readlink()).startswith("socket:"):
                    ours = system.syscall(_PIDFD_GETFD, whose, int(file.name), 0)
                    if ours < 0:
                        continue  # closed meanwhile
                    with socket.socket(fileno=ours) as line:
                        if line.family is socket.AF_INET:
                            yield line
        os.close(whose)


class Nodes:
    """All of them; index them by number. `away`: the machine from which they are dialled, if they
    have machines of their own."""

    def __init__(self, every: Sequence[Node], away: Machine | None = None) -> None:
        self._all: Final = every
        self._away: Final = away

    def __getitem__(self, number: int) -> Node:
        return self._all[number]

    def __len__(self) -> int:
        return len(self._all)

    async def dial(self, rng: Random) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Some node that runs or does not. Raises OSError."""
        node = rng.choice(self._all)
        return await self._to(node.host, node.port)

    async def follow(self, at: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Where a node leads; by any of them where it does not say. Raises OSError."""
        host, _, port = at.rpartition(":")
        last = self._all[-1]
        return await self._to(host or last.host, int(port or last.port))

    async def _to(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._away is None:
            return await asyncio.open_connection(host, port)
        line = self._away.socket()
        try:
            async with asyncio.timeout(DIAL_S):
                await asyncio.get_running_loop().sock_connect(line, (host, port))
        except BaseException:
            line.close()
            raise
        return await asyncio.open_connection(sock=line)

    def others(self, number: int) -> list[Node]:
        """All but this one, the next one first."""
        return [*self._all[number + 1 :], *self._all[:number]]

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        await asyncio.gather(*(node.stop(number) for node in self._all))

    def logs(self) -> str:
        return "".join(node.log.read_text() for node in self._all if node.log.exists())


@asynccontextmanager
async def nodes_on(
    url: str,
    home: Path,
    count: int = NODES,
    env: Mapping[str, str] | None = None,
    program: Sequence[str] = PROGRAM,
    on: Sequence[Machine] = (),
) -> AsyncIterator[Nodes]:
    """They listen until the block is left. `url`: of a database or an empty schema. `on`: these
    machines, one for each, and one more from which they are dialled."""
    env, every = {"CLOCKTOWERS_JOURNAL": url, **(env or {})}, list[Node]()
    async with AsyncExitStack() as stack:
        for number in range(count):
            name = f"n{number + 1}"
            if on:
                env["CLOCKTOWERS_ADVERTISE"] = on[number].ipv4
                every.append(Node(name, home / name, env, (*on[number].enter, *program)))
                every[-1].host = on[number].ipv4
            else:
                every.append(Node(name, home / name, env, program))
                every[-1].port = stack.enter_context(kept_port())
        nodes = Nodes(every, on[-1] if on else None)
        stack.push_async_callback(nodes.stop, signal.SIGKILL)
        await nodes[0].start()  # it makes the database's tables
        await asyncio.gather(*(node.start() for node in nodes.others(0)))
        yield nodes


async def _play(home: Path) -> None:
    """Until somebody stops it."""
    with closing(Cluster()) as database:
        stop = asyncio.Event()
        stop_on_signals(stop.set)
        env = {"CLOCKTOWERS_ADVERTISE": "127.0.0.1"}
        async with nodes_on(database.url(), home, env=env) as nodes:
            print(said(nodes, database.url()), flush=True)
            await stop.wait()
            print("\nstopping", flush=True)
            await nodes.stop()


def said(nodes: Nodes, url: str) -> str:
    """What to type. `url`: of their database."""
    every = [nodes[0], *nodes.others(0)]
    places = [f"127.0.0.1:{node.port}" for node in every]
    lines = ["Three nodes of one lobby, and their database:", ""]
    for node, place in zip(every, places, strict=True):
        assert node.process is not None
        lines.append(f"  {node.name}  {place}  process {node.process.pid}  {node.log}")
    first, second, *_ = range(len(places))
    programs = Path(sys.executable).parent
    server = programs / "clocktowers-server"
    lines += [f"  database  {url}"]
    lines += ["", "In two other terminals, one table from two nodes:", ""]
    for name, begin in (("Ann", first), ("Ben", second)):
        turned = ",".join(places[begin:] + places[:begin])
        lines.append(f"  {programs / 'clocktowers'} join {turned} --name {name}")
    state = every[0].home / "state" / "clocktowers" / "serve"
    lines += ["", f"Who is there:  {server} who --state {state}"]
    pid = every[0].process.pid if every[0].process else 0
    drain = f"{server} node drain {every[1].name} --journal '{url}'"
    lines += ["", "Then, in mid-match, a crash, and a node that hands its matches over:", ""]
    lines += [f"  kill -9 {pid}", f"  {drain}", "", "Ctrl+C stops all of it."]
    return "\n".join(lines)


def main() -> int:
    if why := missing():
        print(f"make cluster: {why}", file=sys.stderr)
        return 2
    with TemporaryDirectory(prefix="cluster-") as home:
        asyncio.run(_play(Path(home)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
