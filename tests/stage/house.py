"""A real server in this loop and a bare client, for every test that talks over a socket."""

import asyncio
import socket
import ssl
import zlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Executor, Future
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, Self, TypeVar, cast

from msgspec import Struct, msgpack, structs

from protocol import from_client as client
from protocol.codec import read_as
from protocol.connection import Connection
from protocol.from_server import Done, Ended, Goodbye, Listing, RecordPart, Refused, Update, Welcome
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import MAGIC, PROTOCOL_VERSIONS, TableCode
from server.admission.gate import ServerPassword
from server.admission.passwords import hash_now
from server.bots.brains import Brains
from server.config import Config, Limits
from server.doors.certificate import for_server
from server.games.contract import Decided
from server.games.registry import GAMES
from server.net.listener import Address
from server.net.session import Session
from server.server import Server, opened
from server.store.backup import TLS
from server.store.in_database import Journal
from server.tables.lobby import MatchRunner
from server.tables.table import Table
from tests.stage.late import LATE, SELDOM
from tests.stage.memory_journal import MemoryJournal

M = TypeVar("M", bound=Struct)

PATIENCE_S = 60.0
"""A wait that takes longer has failed; it measures nothing."""


LENIENT = Limits(grace_s=0, waiting_s=0, commands_s=1e6, silence_s=1e6)
"""A bot has a dropped player's seat at once; nobody who is quicker than people has to wait, and a
test may leave a peer alone for as long as it takes."""

CLOSING = structs.replace(LENIENT, standstill_s=0)
"""The table of a match closes as soon as nobody is at it."""

AT_HOME = Config(port=0, host=("127.0.0.1",))
INSIDE_TLS = False
"""Whether the peers of a house come through its TLS door."""

READY = client.Ready(id=0)
START = client.Start(id=0)


def anything(message: Struct) -> bool:
    return True


@cache
def looks_at_no_key() -> ssl.SSLContext:
    """A client's end of TLS that takes the server for whatever it says."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@cache
def _key() -> bytes:
    with TemporaryDirectory() as made:
        for_server(AT_HOME, Path(made))
        return (Path(made) / TLS).read_bytes()


def new_folder_with_key() -> Path:
    """A folder for a server that need not make a key."""
    folder = Path(mkdtemp())
    (folder / TLS).write_bytes(_key())
    return folder


class AtHome(Executor):
    """Runs at once, in this process."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class HomeBrains(Brains):
    """Runs the bots' own code in this process, so that no test has to wait for a worker to
    start."""

    def _executor(self) -> Executor:
        return AtHome()

    async def choose(self, *question: Any) -> Decided | None:
        await LATE.wait()
        return await super().choose(*question)


class Listening(HomeBrains):
    """Keeps what is to be decided by: view, events, seed, and of a hint what the last planned."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[Any, ...]] = []

    async def choose(self, *question: Any) -> Decided | None:
        _game, _level, view, events, seed, _asker, *planned = question
        self.asked.append((msgpack.encode(view), msgpack.encode(list(events)), seed, *planned))
        return await super().choose(*question)


class GatedBrains(HomeBrains):
    """Bots decide while the gate is open."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()

    async def choose(self, *question: Any) -> Decided | None:
        await self.gate.wait()
        return await super().choose(*question)


class House:
    """A server that listens on loopback. `tls`: whether peers come through that door."""

    def __init__(self, server: Server, addresses: Sequence[Address], *, tls: bool = False) -> None:
        self.server = server
        self.addresses = addresses
        self.address = addresses[0]
        self.tls = tls
        self._came: list[Peer] = []
        """Nobody's line may end because a test has named its peer no more."""

    @property
    def runner(self) -> MatchRunner:
        return self.server.runner

    def table(self, code: str) -> Table:
        return self.server.lobby.tables[TableCode(code)]

    def session(self, name: str) -> Session:
        """The server's end of the peer of this name."""
        (session,) = (one for one in self.server.peers.connected if one.name == name)
        return session

    async def dial(self, **more: Any) -> "Peer":
        """A connection that has said nothing yet. `more`: as in `dial`."""
        return await dial(self.address, **{"tls": self.tls, **more})

    async def peer(self, name: str, **hello: Any) -> "Peer":
        """A peer that the server has welcomed."""
        peer = await self.dial()
        await peer.come(name, **hello)
        self._came.append(peer)
        return peer

    async def turned_away(self, name: str, **hello: Any) -> Goodbye:
        """What somebody is told who is not let in."""
        peer = await self.dial()
        peer.say_hello(name, **hello)
        return await peer.goodbye()


async def dial(
    address: Address, *, tls: bool = False, first: bytes = b"", sock: socket.socket | None = None
) -> "Peer":
    """A connection that has said nothing but this, outside TLS. `sock`: what to dial with."""
    sock = sock or socket.socket()
    sock.setblocking(False)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    await asyncio.get_running_loop().sock_connect(sock, address)
    reader, writer = await asyncio.open_connection(sock=sock)
    outside = cast(asyncio.ReadTransport, writer.transport)
    writer.write(first)
    if tls:
        await writer.start_tls(looks_at_no_key())
    return Peer(reader, writer, outside)


@asynccontextmanager
async def house(
    *,
    limits: Limits | None = None,
    brains: Brains | None = None,
    journal: Journal | None = None,
    password: str | None = None,
    bot_pace_s: float = 0,
    config: Config = AT_HOME,
    **more: Any,
) -> AsyncIterator[House]:
    """A server until the caller leaves the block; its bots think in this process unless told
    otherwise. `config`: the settings beside these. `more`: as in `opened`."""
    config = structs.replace(config, bot_pace_s=bot_pace_s, limits=limits or LENIENT)
    kept = journal or MemoryJournal()
    word = ServerPassword(None if password is None else hash_now(password))
    if tls := INSIDE_TLS:
        more.setdefault("folder", new_folder_with_key())
    async with opened(config, kept, word=word, **more) as (server, addresses):
        at = House(server, addresses, tls=tls)
        at.runner.brains = brains or HomeBrains()
        try:
            yield at
        finally:
            at.runner.brains.close()


def hello_of(name: str, **hello: Any) -> client.Hello:
    return client.Hello(name=name, **{"magic": MAGIC, "versions": list(PROTOCOL_VERSIONS), **hello})


class Peer:
    """The client's end of a connection. Messages that nobody has asked for wait in `pending`.
    `outside`: of TLS, which reads ahead. `patience_s`: how long a message is waited for; None =
    as long as the line stands."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        outside: asyncio.ReadTransport | None = None,
        patience_s: float | None = PATIENCE_S,
    ) -> None:
        self.name = ""
        self.game = "clocktowers"
        self.pending: deque[Struct] = deque()
        self.seen: list[Struct] = []
        self._reader = reader
        self._writer = writer
        self._outside = outside or cast(asyncio.ReadTransport, writer.transport)
        self._patience_s = patience_s
        self._connection = Connection()
        self._id = 0

    def calls_at(self) -> object:
        """The address that was dialled."""
        return self._writer.get_extra_info("peername")

    # Out ----------------------------------------------------------------------------------------

    def say_hello(self, name: str, **hello: Any) -> None:
        self.send(hello_of(name, **hello))

    async def come(self, name: str, **hello: Any) -> None:
        """Say hello and be welcomed."""
        self.say_hello(name, **hello)
        self.name = (await self.until(Welcome)).name

    def send(self, message: Struct) -> None:
        self._writer.write(self.worded(message))

    def worded(self, message: Struct) -> bytes:
        """Send a message as bytes, in some way."""
        return self._connection.send(message)

    def write(self, data: bytes) -> None:
        """Send bytes that no honest client would send."""
        self._writer.write(data)

    def end(self) -> None:
        """Say nothing more, but read what is answered."""
        self._writer.write_eof()

    def abort(self) -> None:
        """Cut the connection."""
        self._writer.transport.abort()

    def stop_reading(self) -> None:
        """Let what comes pile up at the server."""
        self._outside.pause_reading()

    def read_again(self) -> None:
        """Take what has piled up."""
        self._outside.resume_reading()

    async def close(self) -> None:
        self._writer.close()
        with suppress(ssl.SSLError):  # the server was still speaking
            await self._writer.wait_closed()

    # In -----------------------------------------------------------------------------------------

    async def _receive(self) -> Struct | None:
        """The next message; None when the server has closed."""
        while (message := self._connection.next_message()) is None:
            async with asyncio.timeout(self._patience_s):
                chunk = await self._reader.read(65536)
            await LATE.wait(SELDOM)
            if not chunk:
                return None
            self._connection.receive_bytes(chunk)
        self.seen.append(message)
        return message

    async def until(self, kind: type[M], where: Callable[[M], bool] = anything) -> M:
        """The next message of that kind; passes over those before it."""
        while True:
            message = self.pending.popleft() if self.pending else await self._receive()
            assert message is not None, f"closed while waiting for {kind.__name__}"
            if isinstance(message, kind) and where(message):
                return message

    async def request(self, wish: client.Request) -> Done | Refused | Listing:
        """Send with a fresh id and wait for the answer; everything else stays `pending`."""
        self._id += 1
        self.send(structs.replace(wish, id=self._id))
        return await self.answer(self._id)

    async def answer(self, number: int) -> Done | Refused | Listing:
        while True:
            message = await self._receive()
            assert message is not None, "closed instead of answered"
            if isinstance(message, Done | Refused | Listing) and message.id == number:
                return message
            self.pending.append(message)

    async def done(self, wish: client.Request) -> Done:
        answer = await self.request(wish)
        assert isinstance(answer, Done), answer
        return answer

    async def refused(self, wish: client.Request) -> Refused:
        answer = await self.request(wish)
        assert isinstance(answer, Refused), answer
        return answer

    async def goodbye(self) -> Goodbye:
        """The server's last word; checks that only the end of the connection follows."""
        word = await self.until(Goodbye)
        assert await self._receive() is None
        return word

    async def closed(self) -> None:
        """Wait until the server has closed, whatever it says before."""
        try:
            while await self._receive() is not None:
                pass
        except ConnectionError:
            pass

    async def answered(self) -> None:
        """Wait until the server has served everything sent so far."""
        await self.request(client.ListTables(id=0))

    async def record(self, match: str, proof: bytes | None = None) -> bytes:
        """Ask for the record of a match that is over: its line, without its end."""
        before = len(self.records())
        await self.done(client.GetRecord(id=0, match=match, proof=proof))
        parts = self.records()[before:]
        assert [part.more for part in parts] == [True] * (len(parts) - 1) + [False]
        return zlib.decompress(b"".join(part.part for part in parts)).removesuffix(b"\n")

    def records(self) -> list[RecordPart]:
        """All parts of records that have come."""
        return [message for message in self.seen if isinstance(message, RecordPart)]

    # In a match ---------------------------------------------------------------------------------

    async def create(self, seats: int = 2, bots: str = "", **wish: Any) -> str:
        """Make a table for `game`; `bots` is the level on all other seats."""
        others = [client.BotSeat(seat, bots) for seat in range(1, seats)] if bots else []
        table = client.CreateTable(id=0, game=self.game, seats=seats, bots=others, **wish)
        return (await self.done(table)).table

    async def play(self, rng: Random, ply: int | None = None) -> Ended | Update:
        """Act at random at every turn of this peer, to the end or until so many `ply` stand.

        The update at which it stopped is still there to be acted on.
        """
        while True:
            message = await self.until(Struct, lambda m: isinstance(m, Update | Ended))
            if isinstance(message, Ended):
                return message
            assert isinstance(message, Update)
            if ply is not None and message.ply >= ply:
                self.pending.appendleft(message)
                return message
            view = read_view(message, self.game)
            if view.turn is not None and view.turn == view.seat:
                await self.done(some_act(message, rng, self.game))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()


def read_view(update: Update, game: str = "clocktowers") -> Any:
    return read_as(update.view, VOCABULARIES[game].view)


def some_act(update: Update, rng: Random, game: str = "clocktowers") -> client.Act:
    """A legal action out of the view, as a request with a key of its own; where the view lists
    none, a bot's choice."""
    view = read_view(update, game)
    if GAMES[game].rules.lists_legal:
        action = view.legal[rng.randrange(len(view.legal))].action
    else:
        action = GAMES[game].bots["random"](view, [], rng)
    return client.Act(id=0, version=update.version, key=rng.randbytes(8), action=action)


async def seated_pair(at: House, **wish: Any) -> tuple[Peer, Peer, str]:
    """Two people at a table of their own; the match has begun."""
    ann, ben = await at.peer("Ann"), await at.peer("Ben")
    return ann, ben, await begin(ann, ben, **wish)


async def begin(host: Peer, guest: Peer, **wish: Any) -> str:
    """They begin a match at a new table, whose code is returned."""
    code = await host.create(seats=2, **wish)
    await guest.done(client.Join(id=0, table=code))
    await guest.done(READY)
    await host.done(START)
    return code


async def eventually(happened: Callable[[], bool]) -> None:
    """Wait for something that no message tells of."""
    async with asyncio.timeout(PATIENCE_S):
        while not happened():  # noqa: ASYNC110  (that is the point)
            await asyncio.sleep(0.005)
    await LATE.wait()
