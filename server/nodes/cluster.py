"""A server that is a node: its parts, in the order in which they begin.

`joined` makes the process a node, so that its server finds its journal and the shared files. The
`Cluster` is made with that server. `open` lets other nodes in, once the matches are restored. The
`chores` run until the server stops, which hands its matches over; then the node leaves.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from random import choice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import structlog
from msgspec import structs

from protocol.from_server import DueMatch
from protocol.invitation import Place
from protocol.networks import lan_addresses
from server.config import Config
from server.games.registry import GAMES
from server.net.listener import ANYWHERE, Address, bind, places_in
from server.nodes.asking import Asking
from server.nodes.claiming import Claiming
from server.nodes.directory import LOOK_S, Directory, Node
from server.nodes.kept import AUTHORITY, Files
from server.nodes.naming import Naming
from server.nodes.operators import Operators
from server.nodes.pipes import Pipes
from server.nodes.port import Keys, NodePort
from server.nodes.posting import Posting
from server.nodes.sending import Sending
from server.nodes.stranded import Stranded
from server.nodes.tickets import Tickets
from server.settings import ConfigError
from server.store.connecting import AGE, Age, Bounded, Lasting
from server.store.fenced import PEOPLE, FencedJournal
from server.store.journal import JournalError
from server.tables.record import place_in

if TYPE_CHECKING:
    from server.net.session import Session
    from server.server import Server


class Joined(NamedTuple):
    """What a node has before its server is made. `asking`: for what need not survive the
    database."""

    directory: Directory
    files: Files
    asking: Asking

    def serve(self, server: "Server") -> "Cluster":
        """What this server asks of the cluster. Raises ConfigError."""
        return Cluster(server, self)


class Cluster:
    """Made with its `server`, of whose parts it asks nothing before `open`. `directory`: who else
    is there."""

    def __init__(self, server: "Server", node: Joined) -> None:
        """Raises ConfigError."""
        self._server: Final = server
        self._files: Final = node.files
        self.directory: Final = node.directory
        folder, config, asking = node.files.folder, server.config, node.asking
        try:
            authority = (folder / AUTHORITY).read_bytes()
            keys = Keys(authority, self.directory.id, folder)
        except (OSError, ValueError) as error:
            raise ConfigError(f"cannot make a key for this node: {error}") from None
        self._port: Final = NodePort(self, server, keys)
        self.naming: Final = Naming(asking, self.directory, server)
        self.posting: Final = Posting(asking, self.directory, server, self.naming)
        self.claiming: Final = Claiming(self.directory, server, config.node_lease_s)
        self.tickets: Final = Tickets(authority, self.directory)
        self.pipes: Final = Pipes(server, self._port, self.tickets)
        self.sending: Final = Sending(self, server)
        self.operators: Final = Operators(self.directory, self._port, server)

    async def open(self, first: Address) -> None:
        """Let the other nodes in, tell them where, and know what they have. `first`: where this
        server listens. Raises CannotListen, ConfigError and JournalError."""
        config = self._server.config
        (listening, address), players = _port_of_nodes(config, first), config.advertise
        if players:
            players = str(Address(*places_in(players, first.port)[0][:2]))
        self._port.listen(listening)
        await self.directory.announce(address, players)
        await self.claiming.have_tables()  # else who comes at once would find none
        await self.posting.turn()

    def chores(self) -> Iterator[Coroutine[Any, Any, None]]:
        """What runs as long as the server does."""
        server, directory = self._server, self.directory
        yield directory.run(server.stopping)
        yield directory.watch(self)
        yield self.claiming.run()
        yield self.posting.run()
        yield Stranded(directory, self.sending, server.peers, server.config.node_lease_s).run()
        yield self._read_people()
        yield self._see_whether_others_reach_us()
        yield self._files.run(server)

    async def _read_people(self) -> None:
        """Know what other nodes keep of people, for ever."""
        told, changed = self.directory.told[PEOPLE], self.directory.changed
        while True:
            await told.wait()
            told.clear()
            who = () if b"" in changed else (*changed,)
            changed.clear()
            try:
                await self._server.sleeping.read_people(who)
            except JournalError:  # else a player on days off might lose here
                changed.add(b"")
                told.set()
                await asyncio.sleep(LOOK_S)

    async def _see_whether_others_reach_us(self) -> None:
        """Where players are to dial, once there is another node that tries it; if it gets no
        answer, they are led here by the others."""
        directory, reached = self.directory, None
        while directory.players and reached is None:
            reached = await self.operators.see(directory.players)
            await asyncio.sleep(LOOK_S)
        if reached is False:
            structlog.get_logger().error(
                "no other node gets through to --advertise: players are led here by the others",
                advertise=directory.players,
            )
            with suppress(JournalError):
                await directory.announce(directory.address, "")

    # What the server asks -------------------------------------------------------------------------

    @property
    def tables(self) -> int | None:
        """How many this node has; None: it takes no new ones."""
        lobby = self._server.lobby
        return None if lobby.draining else len(lobby.tables)

    def dialled_at(self) -> list[str]:
        """Where players dial the nodes that live, this one first."""
        nodes = self.directory.own, *self.directory.others
        return [node.players for node in nodes if node.players]

    def another_place(self) -> str:
        """Where players dial another node, which takes new tables; "" = nowhere."""
        loads, others = self.directory.loads, self.directory.others
        places = [node.players for node in others if node.players and node.number in loads]
        return choice(places) if places else ""

    async def waiting(self, asks: "Session", matches: set[str]) -> tuple[list[DueMatch], set[str]]:
        """As `Sleeping.waiting`, of those that are not played here; and those of which nothing is
        known now, since their node is gone or hangs. Another one is played nowhere."""
        found, asked = list[DueMatch](), dict[Node, list[str]]()
        try:
            for id, code, due, due_at in await self.directory.dues([*matches]):
                one = id if id in matches else code
                found.append(self._server.sleeping.due(asks.identity, one, bytes(due), due_at))
            rest = matches - {one.match for one in found}
            for one, home in zip(rest, await asyncio.gather(*map(self._home, rest)), strict=True):
                if home is not None:
                    asked.setdefault(home, []).append(one)
        except JournalError:
            return found, matches - {one.match for one in found}
        told = await asyncio.gather(
            *(self.operators.waiting(home, asks, some) for home, some in asked.items())
        )
        unknown = set[str]()
        for some, said in zip(asked.values(), told, strict=True):
            found += said or ()
            unknown.update(some if said is None else ())
        return found, unknown

    async def _home(self, match: str) -> Node | None:
        """As in `Directory`, by the match's id or the code of its table."""
        home = await self.directory.home_of(match)
        return await self.directory.home_of_table(match) if home is None else home

    async def hand_over(self) -> None:
        """Let go of all matches, so that other nodes go on with them at once; let no node in any
        more, and tell those whom others serve that this one stops."""
        try:
            await self.claiming.release()
        except (JournalError, TimeoutError) as error:
            structlog.get_logger().error("matches are not handed over", why=str(error))
        self._port.close()
        self.pipes.close()


def _in_haste(connection: Bounded) -> None:
    """What a lobby tells need not survive the database."""
    connection.execute("SET synchronous_commit = off")


def _port_of_nodes(config: Config, first: Address) -> tuple[socket.socket, str]:
    """The socket for other nodes, and where they find it. Raises CannotListen and ConfigError."""
    (place,) = places_in(config.node_address, 0) or [Place(first.host, 0)]
    given = structs.replace(config, host=(place.host,), port=place.port, doors=("plain",))
    (bound,) = bind(given)
    host = place.host if config.node_address else bound.address.host
    if host in ANYWHERE:
        # Not how the operator has come who starts this node.
        host = next(iter(lan_addresses(ssh="")), "127.0.0.1")
    return bound.sock, str(Address(host, bound.address.port))


@asynccontextmanager
async def joined(config: Config, folder: Path) -> AsyncIterator[Joined]:
    """Until the block is left this process is the node that the settings name. `folder`: its own.
    Raises Unusable."""
    plays = [(name, game.rules.rules_version) for name, game in GAMES.items()]
    age = Age(folder / AGE)
    connect = partial(Lasting, config.journal, config.journal_wait_s, config.node, age)
    journal = FencedJournal(connect, config.journal, place_in, plays)
    directory = Directory(config, journal, age)
    asking = Asking(config.journal, age, _in_haste)
    try:
        await directory.join()
        yield Joined(directory, Files(folder, directory), asking)
    finally:
        await journal.close()
        asking.close()
        await directory.leave()
