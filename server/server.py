"""A server put together from its parts: what it consists of and keeps in its folder, how it starts,
how it stops in order.

`server.net` knows peers, `server.tables` people and tables; here they meet.
"""

import asyncio
import gc
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import structlog

from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from protocol.invitation import KEY_BYTES
from server.addresses import SEND_S, AddressBook
from server.admission.gate import NO_PASSWORD, Admission, ServerPassword
from server.admission.invitations import Invitations, Whereabouts
from server.bots.brains import Brains
from server.config import Config
from server.doors.certificate import Certificate, for_server
from server.doors.entrance import Doors, Entrance, Port
from server.draining import Draining
from server.guests.keeping import KINDS, Keeping, found_at, opens
from server.guests.passing import inside
from server.net.callers import Caller
from server.net.listener import Address, Bound, bearable, bind, places, places_in
from server.net.peers import Peers, Traffic
from server.net.session import Session
from server.operating.desk import Desk
from server.operating.door import OperatorsDoor
from server.operating.everywhere import Everywhere
from server.store.backup import GUESTS, RECORDS
from server.store.in_database import Journal
from server.store.journal import JournalError
from server.store.lists import Ban, Kept, load_bans, load_invitations
from server.store.private import Shelf, secret
from server.store.statements import Unusable
from server.tables.lobby import Lobby, MatchRunner
from server.tables.names import Names
from server.tables.restoring import Restoring
from server.tables.seat import BOT_NAMES, OFFICES
from server.tables.sleeping import Sleeping
from server.tables.telling import Telling
from server.tasks import Tasks

if TYPE_CHECKING:
    from server.nodes.cluster import Joined

# What a server keeps in its folder. Without a folder its bans and invitations end with it, and it
# has neither TLS nor guests.


@dataclass(frozen=True)
class Belongings:
    """`certificate`: what it shows inside TLS; `guests`: the process of their doors; None = it has
    none. `shut`: the doors for guests that stay shut. `record_key`: as in `MatchRunner`."""

    folder: Path | None = None
    bans: Sequence[Ban] = ()
    invitations: Sequence[Kept] = ()
    certificate: Certificate | None = None
    guests: Keeping | None = None
    shut: frozenset[str] = frozenset(KINDS)
    record_key: bytes = b""

    def doors(
        self, session: Callable[[Caller], asyncio.Protocol], elsewhere: Callable[[], str]
    ) -> Doors:
        """`session`: how to speak with players. `elsewhere`: as in `Keeping.ssh`."""
        doors = Doors(session, certificate=self.certificate)
        if self.guests is None:
            return doors
        return doors._replace(ssh=partial(self.guests.ssh, elsewhere), pages=self.guests.web)

    def chores(
        self, session: Callable[[Caller], asyncio.Protocol]
    ) -> Iterator[Coroutine[Any, Any, None]]:
        """What runs beside the server, as long as it does: the guests' socket, and a watch on the
        certificate's files."""
        if self.folder is not None and self.guests is not None:
            yield inside(self.folder, session)
        if self.certificate is not None:
            yield self.certificate.watch()

    def close(self) -> None:
        if self.guests is not None:
            self.guests.close()


def kept_in(folder: Path, config: Config, word: ServerPassword) -> Belongings:
    """Those in this folder, which are made where there are none. `word`: as in `Admission`. Raises
    ConfigError and Unusable."""
    open_ = {kind for kind in KINDS if opens(kind, config)}
    try:
        record_key = secret(folder / RECORDS)
        if open_:
            secret(folder / GUESTS)  # the process of the doors reads it
    except OSError as error:
        raise Unusable(f"cannot use {error.filename or folder}: {error.strerror}") from None
    return Belongings(
        folder,
        load_bans(folder),
        load_invitations(folder),
        for_server(config, folder),
        Keeping(config, folder, word) if open_ else None,
        shut=frozenset(KINDS) - open_,
        record_key=record_key,
    )


SWITCH_S: Final = 0.0001
"""How long the loop may keep the interpreter to itself while another thread wants it. A commit of
the journal's thread wants it several times: beside a loop that is never idle, as in a flood, it
takes 5 ms with this and 13 ms with Python's own interval of 5 ms, on a machine with two cores that
others keep busy; shorter intervals gain nothing more."""
GARBAGE: Final = 20_000
"""So many more objects than before are made before the youngest are looked through for garbage.
The moves of 1000 matches that wait for their commit are more than Python's own 700: with them, all
that a server has would be looked through again and again."""
PART_POLL_S: Final = 0.01
PRUNE_S: Final = 600.0
QUIET_S: Final = 2.0
"""A journal that has not answered for so long counts as one that fails."""
LAST_TURNS: Final = 3
"""In so many turns the loop reads what players have sent before the server stops, and serves it."""
GOODBYE_S: Final = 1.0
"""How long the last words to players may take to be written when the server stops."""


class Server:
    """The parts of a server, wired together. `group` owns every task; `word`: what everybody must
    show, `invitations`: of this server; `traffic`: counts what is said; `shelf`: its folder, None
    = it has none; `node`: what it is among others, None = it is alone;
    `certificate`: what it shows inside TLS, None = it has no such door; `record_key`: as in
    `MatchRunner`."""

    def __init__(
        self,
        config: Config,
        journal: Journal,
        group: asyncio.TaskGroup,
        word: ServerPassword = NO_PASSWORD,
        invitations: Invitations | None = None,
        traffic: Traffic | None = None,
        shelf: Shelf | None = None,
        node: "Joined | None" = None,
        certificate: Certificate | None = None,
        record_key: bytes = b"",
    ) -> None:
        limits = config.limits
        self.config: Final = config
        self.tasks: Final = Tasks(group)
        self.cluster: Final = None if node is None else node.serve(self)
        self.brains: Final = Brains(config.bot_workers)
        self.names: Final = Names((*BOT_NAMES, *OFFICES), self.cluster)
        self.runner: Final = MatchRunner(journal, self.brains, self.tasks, config, record_key)
        invitations = invitations or Invitations(partial(Whereabouts, ()))
        self.lobby: Final = Lobby(self.runner, self.names, limits, invitations, self.cluster)
        self.peers: Final = Peers(limits, traffic)
        self.entrance: Final = Entrance(limits, config.trusted_proxies, self.peers.hits, self.tasks)
        self.stopping: Final = asyncio.Event()
        """Set when the server is to stop; the caller leaves `opened` then."""
        self.drain: Final = Draining(self.lobby, self.peers, self.stopping)
        self.restoring: Final = Restoring(journal, self.lobby)
        self.telling: Final = Telling(self.lobby, AddressBook(config), config.name)
        self.sleeping: Final = Sleeping(journal, self.lobby, self.restoring, self.telling)
        self.journal: Final = journal
        self._certificate: Final = certificate
        self.admission: Final = Admission(
            config,
            word,
            invitations,
            self.lobby.awaited,
            self.peers.hits,
        )
        self.desk: Final = (
            None if shelf is None else Desk(shelf, self.lobby, self.peers, invitations, self.drain)
        )
        """What its operator changes here."""

    def session(self, caller: Caller) -> Session:
        """The protocol object for a new connection, which every door makes by this."""
        return Session(self, caller)

    def refuses(self, identity: bytes) -> Goodbye | None:
        """The goodbye for a person who may not come in now. `identity`: as in `Session`."""
        if (banned := self.peers.banned.identity(identity)) is not None:
            return banned
        if self.lobby.draining and not self.lobby.awaits():
            return Goodbye(GoodbyeCode.DRAINING)
        return None

    @property
    def key(self) -> bytes:
        """The hash of the key by which players know this server; b"" = it has none."""
        return b"" if self._certificate is None else self._certificate.key

    async def stop(self) -> None:
        """Hear what has come, such as a bye, and tell everybody that the server stops; a node has
        handed its matches over by then. Give the words a moment to be written, and the matches to
        do what they were asked, such as to forget the tokens of players who left."""
        for _ in range(LAST_TURNS):
            await asyncio.sleep(0)
        self.lobby.stop()
        if self.cluster is not None:
            await self.cluster.hand_over()
        self.peers.part()
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_S):
                await self.sleeping.keep_unbegun()
                while self.peers.connected or not self.lobby.idle:  # noqa: ASYNC110  (sessions need no event for this one use)
                    await asyncio.sleep(PART_POLL_S)
        with suppress(TimeoutError):
            async with asyncio.timeout(SEND_S):
                await self.telling.stop()


@asynccontextmanager
async def opened(
    config: Config,
    journal: Journal,
    *,
    word: ServerPassword = NO_PASSWORD,
    folder: Path | None = None,
    traffic: Traffic | None = None,
    node: "Joined | None" = None,
) -> AsyncIterator[tuple[Server, list[Address]]]:
    """A server that listens until the block is left; the current matches of the journal go on.

    The journal stays open, and keeps what was being played. `word`: as in `Admission`. `folder`:
    the server's own, with its bans and its operator's door; None = it has neither. `node`: as in
    `Server`, with its folder. Raises CannotListen, ConfigError, JournalError and Unusable.
    """
    config = bearable(config)
    current = await journal.current()
    shelf, own = None if folder is None else Shelf(folder), Belongings()
    if node is not None:
        shelf = node.files
        word, own = await node.files.share(word, partial(kept_in, shelf.folder, config))
    elif folder is not None:
        own = kept_in(folder, config, word)
    places_in(config.public)  # what is wrong with these is said before a socket is bound
    AddressBook(config)
    bound = [one._replace(doors=one.doors - own.shut) for one in bind(config)]
    invitations = Invitations(lambda: _where(server, bound), own.invitations, shelf)
    asyncio.get_running_loop().set_exception_handler(_log_failed_callback)
    async with asyncio.TaskGroup() as group:
        key, shown = own.record_key, own.certificate
        server = Server(config, journal, group, word, invitations, traffic, shelf, node, shown, key)
        server.peers.banned.replace(own.bans)
        await server.lobby.people.read()  # their days off decide who is late
        # Who dials meanwhile waits in the backlog.
        await server.restoring.run(current, alone=node is None)
        if node is None:
            await server.sleeping.begin()
        if server.cluster is not None:
            await server.cluster.open(bound[0].address)
        door = _operated(server)
        doors = own.doors(server.session, partial(_ssh_elsewhere, server))
        for one in bound:
            server.entrance.listen(one.sock, Port(doors, one.doors, config))
        chores = [
            group.create_task(chore)
            for chore in (
                server.peers.sweep(),
                _prune(config, journal),
                _tell_of_quiet(server),
                *own.chores(server.session),
                server.sleeping.attend(),
                *(server.cluster.chores() if server.cluster is not None else ()),
            )
        ]
        attending = None
        if door is not None:
            attending = group.create_task(door.run())
            attending.add_done_callback(lambda _: door.close())
        try:
            yield server, _addresses(bound)
        finally:
            server.entrance.close()
            if attending is not None:
                attending.cancel()
            try:
                await server.stop()
            finally:
                for chore in chores:
                    chore.cancel()
                own.close()
                server.runner.stop()
                server.tasks.cancel()
                server.brains.close()


def _addresses(bound: Sequence[Bound], *doors: str) -> list[Address]:
    """Those at which all of these doors are open."""
    return [one.address for one in bound if one.doors.issuperset(doors)]


def _where(server: Server, bound: Sequence[Bound]) -> Whereabouts:
    """Where a server with these sockets is found. Browsers on other machines find the page at a
    port of TLS alone."""
    near = _addresses(bound, "tls")
    pages = _addresses(bound, "tls", "web")
    page = pages[0].port * (pages[0].port != near[0].port) if pages else None
    nodes = () if server.cluster is None else server.cluster.dialled_at()
    found = places(",".join((server.config.public, *nodes)), near or _addresses(bound))
    return Whereabouts(found, server.key[:KEY_BYTES], page)


def _ssh_elsewhere(server: Server) -> str:
    """Where guests find another machine of this server, whose doors are like ours; "" = nowhere."""
    place = "" if server.cluster is None else server.cluster.another_place()
    found = found_at("ssh", server.config, places_in(place)[0]) if place else None
    return "" if found is None else str(Address(found.host, found.port))


def _operated(server: Server) -> OperatorsDoor | None:
    """The operator's door; matches are played without it where it cannot be opened, and where there
    is no folder."""
    if (desk := server.desk) is None:
        return None
    commands = desk if server.cluster is None else Everywhere(desk, server.cluster.operators)
    try:
        return OperatorsDoor(desk.folder, commands, server.tasks)
    except OSError as error:
        why = error.strerror or str(error)
        structlog.get_logger().warning("the operator's door cannot be opened", why=why)
        return None


async def _prune(config: Config, journal: Journal) -> None:
    """Let the journal forget what is too old or too much, now and then, for ever."""
    log = structlog.get_logger()
    while True:
        try:
            if pruned := await journal.prune(config.keep_days, config.journal_mb << 20):
                log.info("records pruned", matches=pruned)
        except JournalError as error:
            log.error("journal failed", error=str(error))
        await asyncio.sleep(PRUNE_S)


async def _tell_of_quiet(server: Server) -> None:
    """Let players know whose moves a journal that hangs does not keep, for ever."""
    while True:
        await asyncio.sleep(QUIET_S / 4)
        if server.journal.quiet_s() >= QUIET_S:
            for table in list(server.lobby.tables.values()):
                if table.match is not None:
                    table.match.journal_is_quiet()


def _log_failed_callback(_loop: asyncio.AbstractEventLoop, what: dict[str, Any]) -> None:
    """Log a bug that nobody caught, in the form of all logs: asyncio would print it as text."""
    log = structlog.get_logger()
    log.error("callback failed", why=what["message"], exc_info=what.get("exception"))


def run(main: Coroutine[Any, Any, None]) -> None:
    """`asyncio.run` for a server: on uvloop where it exists (twice the moves a second), with an
    interpreter that its threads share fairly (`SWITCH_S`) and that seldom looks for `GARBAGE`."""
    try:
        import uvloop
    except ImportError:
        new_loop = None
    else:
        new_loop = uvloop.new_event_loop
    before_s, (young, *older) = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(SWITCH_S)
    gc.set_threshold(GARBAGE, *older)
    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(main)
    finally:
        sys.setswitchinterval(before_s)
        gc.set_threshold(young, *older)


def stop_on_signals(stop: Callable[[], None]) -> None:
    """On SIGINT, SIGTERM and SIGHUP call `stop`, which stops in order. A second SIGINT or SIGTERM
    kills the process, also one that hangs; not a SIGHUP, which a terminal and a service manager
    send beside another. Under `nohup` a SIGHUP means nothing."""
    loop = asyncio.get_running_loop()

    def heard(number: signal.Signals) -> None:
        for deadly in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(deadly)
            signal.signal(deadly, signal.SIG_DFL)
        stop()
        structlog.get_logger().info("stopping", signal=number.name)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number is not signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, heard, number)
