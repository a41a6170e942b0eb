"""A server with a single table and one free chair; its bots act when the program says so.

A fixed number makes the deal, so a match is the same every time; the rules are the server's own.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from msgspec import Struct, convert

from bench.staging import YOU, Staged
from protocol.from_client import Act, Hello, Join, Leave, ListTables, Ping, Pong, Say
from protocol.from_server import (
    AtTable,
    Done,
    Ended,
    Listing,
    Said,
    ServerPing,
    ServerPong,
    Started,
    Update,
    Welcome,
)
from protocol.games.registry import GAMES
from protocol.listing import SeatInfo, SeatKind, TableInfo, TablePhase
from protocol.version import PROTOCOL_VERSIONS
from tests.stage.server_end import ServerEnd

CODE: Final = "7F3K"
OTHERS: Final = ("日本 Bob", "Chiara", "Dmitri")


class OneTable:
    """`opponent` makes the bot whose turn it is act; the client's own actions come over the
    connection."""

    def __init__(self, number: int, played: int = 0, game: str = "clocktowers") -> None:
        """`played`: how many actions bots have played before the client sits down."""
        self.staged = Staged(1 + len(OTHERS), number, game=game)
        for _ in range(played):
            self.staged.play_one()
        self.scene: Any = None
        """What the client's board made of the last view, for a game that asks."""
        self._name = ""
        self._told = 0
        self._lines = 0
        self._ponged = asyncio.Event()
        self._connection: ServerEnd | None = None
        self._writer: asyncio.StreamWriter | None = None

    def my_turn(self) -> bool:
        return not self.staged.over and self.staged.to_act() == YOU

    def opponent(self) -> None:
        self.staged.play_one()
        self._update()

    def talk(self, text: str) -> None:
        """Let the player opposite say this."""
        self._lines += 1
        self._say(Said(n=self._lines, name=OTHERS[1], seat=2, text=text))

    async def ping(self) -> None:
        """Wait until the client has answered a ping."""
        self._ponged.clear()
        self._say(ServerPing(1))
        await self._ponged.wait()

    # The connection ------------------------------------------------------------------------------

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        """The address, as a player types it."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        try:
            yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connection, self._writer = ServerEnd(), writer
        while received := await reader.read(4096):
            self._connection.receive_bytes(received)
            while (message := self._connection.next_message()) is not None:
                self._hear(message)
        writer.close()

    def _say(self, *messages: Struct) -> None:
        assert self._connection is not None and self._writer is not None
        for message in messages:
            self._writer.write(self._connection.send(message))

    def _hear(self, message: Struct) -> None:
        match message:
            case Hello(name=name):
                self._name = name
                version = PROTOCOL_VERSIONS[0]
                self._say(Welcome(version=version, name=name, games=[self.staged.game]))
            case Pong():
                self._ponged.set()
            case Ping(n=number):
                self._say(ServerPong(number))
            case ListTables(id=request):
                self._say(Listing(id=request, tables=[self._info(waiting=True)], page=0, total=1))
            case Join(id=request):
                self._say(Done(id=request, table=CODE), AtTable(info=self._info(), seat=YOU))
                self._begin()
            case Act(id=request, action=action):
                self.staged.act(convert(action, GAMES[self.staged.game].action))
                self._say(Done(id=request, version=self.staged.plies))
                self._update()
            case Leave(id=request) | Say(id=request):
                self._say(Done(id=request))

    def _begin(self) -> None:
        self._say(Started(match="staged", table=CODE, game=self.staged.game, sha256="0" * 64))
        self._update()

    def _update(self) -> None:
        events = self.staged.heard()
        fresh, self._told = events[self._told :], len(events)
        plies = self.staged.plies
        view: Any = self.staged.view()
        self._say(Update(match="staged", version=plies, ply=plies, view=view, events=fresh))
        if self.staged.over:
            self._say(Ended(match="staged", outcome=self.staged.outcome(), seed="00" * 32))

    def _info(self, *, waiting: bool = False) -> TableInfo:
        mine = SeatInfo(kind=SeatKind.HUMAN, name=self._name)
        others = [SeatInfo(kind=SeatKind.HUMAN, name=name) for name in OTHERS]
        return TableInfo(
            table=CODE,
            game=self.staged.game,
            title="Thursday",
            phase=TablePhase.WAITING if waiting else TablePhase.PLAYING,
            seats=[SeatInfo(kind=SeatKind.FREE) if waiting else mine, *others],
            host=1,
            options={},
        )
