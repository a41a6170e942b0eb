"""A server that is a node: its journal, its place among the others, and what they share."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import structlog
from msgspec import structs

from protocol.errors import Refusal
from protocol.from_client import Request
from protocol.invitation import Place
from server.admission.gate import ServerPassword
from server.config import Config
from server.games.registry import GAMES
from server.net.listener import ANYWHERE, Address, bind, lan_addresses, places_in
from server.net.peers import Peers
from server.net.session import Session
from server.nodes.asking import Asking
from server.nodes.claiming import Claiming, Stranded
from server.nodes.directory import FILES, RENEWALS, Directory, Node
from server.nodes.kept import AUTHORITY, PASSWORD, Files, Keys
from server.nodes.operators import Operators
from server.nodes.port import NodePort
from server.nodes.posting import Naming, Posting
from server.nodes.sending import Sending, Tickets
from server.operating.banning import turn_out_banned
from server.operating.desk import Desk
from server.operating.everywhere import Everywhere
from server.settings import ConfigError
from server.store.connecting import AGE, Age, Bounded, Lasting
from server.store.fenced import FencedJournal
from server.store.journal import JournalError
from server.store.lists import BANS, INVITATIONS, load_bans, load_invitations
from server.store.private import Shelf
from server.tables.record import deal_in

if TYPE_CHECKING:
    from server.server import Server

AGAIN_S: Final = 1.0
T = TypeVar("T")


class Cluster:
    """`directory`: who else is there. To be called in this order: `share`, `serve`, `open`."""

    def __init__(self, config: Config, journal: FencedJournal, age: Age) -> None:
        self.journal: Final = journal
        self.directory: Final = Directory(config, journal, age, self)
        self._config: Final = config
        self._loop: Final = asyncio.get_running_loop()
        self._asking: Final = Asking(config.journal, age, _in_haste)
        self._desk: Desk | None = None
        """What an operator changes here; None: nobody can come yet, and no node can be asked."""

    async def share(
        self, folder: Path, word: ServerPassword, kept_in: Callable[[ServerPassword], T]
    ) -> tuple[Shelf, ServerPassword, T]:
        """Have the files of the cluster in this folder, and ours in the cluster. `kept_in` makes
        what is missing there, and returns what there is. Raises Unusable."""
        self._files = files = Files(folder, self.directory, self)
        await files.fetch()
        word = await files.password(word)
        own = kept_in(word)
        while not await files.share():
            await files.fetch()
            own = kept_in(word)
        return files, word, own

    def serve(self, server: "Server") -> None:
        """Share the lobby of this server with other nodes."""
        self._server = server
        every_s = self._config.node_lease_s / RENEWALS
        journal, directory, lobby = self.journal, self.directory, server.lobby
        self.claiming = Claiming(journal, directory, server.restoring, lobby, every_s)
        self.naming = Naming(self._asking, directory, lobby.names)
        self.posting = Posting(self._asking, directory, lobby, self.naming)

    def elsewhere(self, session: Session, request: Request, refusal: Refusal) -> bool:
        """Take care of a request that this server refuses: another node may have what it names, or
        there are codes for tables soon. Returns whether that is so."""
        codes = self.posting.codes
        return self.sending.seek(session, request, refusal) or codes.later(
            session, request, refusal
        )

    async def open(self, desk: Desk, first: Address) -> Everywhere:
        """Let the other nodes in, tell them where, and know what they have. Returns what does an
        operator's commands on all nodes. `first`: where this server listens. Raises CannotListen,
        ConfigError and JournalError."""
        (listening, address), players = _port_of_nodes(self._config, first), self._config.advertise
        if players:
            players = str(Address(*places_in(players, first.port)[0][:2]))
        authority = await asyncio.to_thread((desk.folder / AUTHORITY).read_bytes)
        try:
            keys = Keys(authority, self.directory.id, desk.folder)
        except (OSError, ValueError) as error:
            raise ConfigError(f"cannot make a key for this node: {error}") from None
        directory, server = self.directory, self._server
        port = NodePort(self, desk.lobby.limits, keys, listening, server.tasks)
        self.sending = Sending(self, server, Tickets(authority, directory), port)
        self.operators = Operators(directory, port, desk)
        self._desk = desk
        await directory.announce(address, players)
        await self.posting.turn()
        return Everywhere(desk, self.operators)

    def file_changed(self, name: str) -> None:
        """Another node has changed this file, of which ours is a copy now. Called in another
        thread."""
        if (desk := self._desk) is None:
            return
        if name == BANS:
            desk.banned.replace(load_bans(desk.folder))
            self._loop.call_soon_threadsafe(lambda: self._server.tasks.spawn(turn_out_banned(desk)))
        elif name == INVITATIONS:
            desk.invitations.replace(load_invitations(desk.folder))
        elif name == PASSWORD:
            self._server.admission.ask(self._files.asked())

    def chores(self, stopping: asyncio.Event, peers: Peers) -> Iterator[Coroutine[Any, Any, None]]:
        """What runs as long as the server does. `stopping`: set when it is to stop; `peers`: its
        callers."""
        yield self.directory.run(stopping)
        yield self.directory.watch()
        yield self.claiming.run()
        yield self.posting.run()
        yield Stranded(self.directory, self.operators, peers, self._config.node_lease_s).run()
        yield self._see_whether_others_reach_us()
        yield self._hear()

    async def _hear(self) -> None:
        """Take what other nodes change in the files, for ever."""
        changed = self.directory.told[FILES]
        changed.set()  # something may have been told before
        while True:
            await changed.wait()
            changed.clear()
            try:
                await self._files.look()
            except Exception as error:
                structlog.get_logger().error("files of the cluster are late", why=str(error))
                changed.set()
                await asyncio.sleep(AGAIN_S)

    async def _see_whether_others_reach_us(self) -> None:
        """Where players are to dial; if nobody answers there, they are led here by the others."""
        directory = self.directory
        if directory.players and not await self.operators.see(directory.players):
            structlog.get_logger().error(
                "no other node gets through to --advertise: players are led here by the others",
                advertise=directory.players,
            )
            with suppress(JournalError):
                await directory.announce(directory.address, "")

    def dialled_at(self) -> list[str]:
        """Where players dial the nodes that live, this one first."""
        others = [node.players for node in self.directory.others]
        return [place for place in (self.directory.players, *others) if place]

    # What its parts ask ---------------------------------------------------------------------------

    async def reaches(self, node: Node) -> bool:
        """Whether that node reaches the database. Raises OSError where it does not answer."""
        return self._desk is None or await self.operators.reaches(node)

    def knows(self, address: str) -> bool:
        """Whether a node is there."""
        return any(
            node.address.rpartition(":")[0].strip("[]") == address
            for node in self.directory.living.values()
        )

    # Its end --------------------------------------------------------------------------------------

    async def hand_over(self) -> None:
        """Let go of all matches, so that other nodes go on with them at once; let no node in any
        more, and tell those whom others serve that this one stops."""
        try:
            await self.claiming.release()
        except (JournalError, TimeoutError) as error:
            structlog.get_logger().error("matches are not handed over", why=str(error))
        self.sending.close()

    async def leave(self) -> None:
        self._asking.close()
        await self.directory.leave()


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
        host = next(iter(lan_addresses()), "127.0.0.1")
    return bound.sock, str(Address(host, bound.address.port))


@asynccontextmanager
async def joined(config: Config, folder: Path) -> AsyncIterator[Cluster]:
    """Until the block is left this process is the node that the settings name. `folder`: its own.
    Raises Unusable."""
    plays = [(name, game.rules.rules_version) for name, game in GAMES.items()]
    age = Age(folder / AGE)
    connect = partial(Lasting, config.journal, config.journal_wait_s, config.node, age)
    journal = FencedJournal(connect, config.journal, deal_in, plays)
    cluster = Cluster(config, journal, age)
    try:
        await cluster.directory.join()
        yield cluster
    finally:
        await journal.close()
        await cluster.leave()
