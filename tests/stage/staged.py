"""A match that bots have played so far, for the client: as what it believes, or at a server of a
single table with one free chair, whose bots act when the program says so.

The same arguments give the same match on every machine, so pictures and figures can be compared;
the rules are the server's own.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any, Final

from msgspec import Struct, msgpack

from clocktowers_tui.games.registry import FACES
from clocktowers_tui.state import table as believed
from clocktowers_tui.state.match import LineKind, LogLine, Match
from clocktowers_tui.state.store import State
from clocktowers_tui.state.table import Table
from protocol.dealing import commitment
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
from protocol.games import wild_wild_pattern
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import PROTOCOL_VERSIONS, Seat
from protocol.table import SeatInfo, SeatKind, TableInfo, TablePhase
from server.games.contract import Moment
from server.games.registry import GAMES
from server.matches.replay import events_for
from tests.stage.pseudo_terminal import PseudoTerminal, environment
from tests.stage.server_end import ServerEnd

CODE: Final = "7F3K"
OTHERS: Final = ("日本 Bob", "Chiara", "Dmitri")
NAMES: Final = ("Ann", "Björn", "Chiara", "Dmitri")
YOU: Final = Seat(0)
OPTIONS: Final[Mapping[str, Any]] = {"wild_wild_pattern": wild_wild_pattern.Options(race_limit_s=0)}
"""For games whose usual options do not fit: a race without a limit, since a running clock is
painted."""


class Staged:
    """A match in which bots of level `normal` play every seat; the client looks on from `YOU`."""

    def __init__(
        self,
        seats: int,
        number: int,
        options: Any = None,
        game: str = "clocktowers",
        seed: bytes = b"",
    ) -> None:
        self.game = game
        self._game = GAMES[game]
        self._seed = seed or bytes([number]) * 32
        self._options = options or OPTIONS.get(game) or VOCABULARIES[game].options()
        self.state = self._game.rules.setup(self._options, seats, self._seed)
        self.seats = seats
        self.plies = 0
        self._now_ms = 0
        self._turn_began = True
        self._rngs = [Random(number * 10 + seat) for seat in range(seats)]
        self._heard: list[list[Any]] = [[] for _ in range(seats)]
        self._hear(self._game.rules.opening(self.state))

    def play(self, plies: int) -> None:
        """Play so many actions, then on until a turn of `YOU` begins, or to the end."""
        while not self.over and not (self.plies >= plies and self._my_turn_begins()):
            self.play_one()

    def play_one(self) -> None:
        """Let the first seat that wants to act do so; if none does, the clock goes on."""
        for seat in self._game.rules.to_act(self.state):
            action = self._wish(seat)
            if action is not None:
                self._act(seat, action)
                return
        self._tick()

    def bot_action(self) -> Any:
        """What the bot in the seat to act would do."""
        return self._wish(self.to_act())

    def _wish(self, seat: Seat) -> Any:
        view = self._game.rules.view(self.state, seat)
        return self._game.bots["normal"](view, self._heard[seat], self._rngs[seat])

    def act(self, action: Any, seat: Seat | None = None) -> None:
        """Do this for the seat, or for the one to act; it must be legal."""
        self._act(self.to_act() if seat is None else seat, action)

    def _act(self, seat: Seat, action: Any) -> None:
        turn = self._turn()
        self._hear(self._game.rules.apply(self.state, seat, action, Moment(self._now_ms)))
        self.plies += 1
        while not self.over and not self._game.rules.to_act(self.state):
            self._tick()
        self._turn_began = self._turn() != turn

    def _tick(self) -> None:
        due_ms = self._game.rules.deadline(self.state)
        assert due_ms is not None, "nobody acts, and nothing is due"
        self._now_ms = due_ms
        self._hear(self._game.rules.tick(self.state, due_ms))

    def to_act(self) -> Seat:
        return self._game.rules.to_act(self.state)[0]

    def view(self) -> Any:
        """What `YOU` sees."""
        return self._game.rules.view(self.state, YOU)

    def heard(self) -> list[Any]:
        """What `YOU` has been told so far."""
        return self._heard[YOU]

    def outcome(self) -> Any:
        return self._game.rules.outcome(self.state)

    @property
    def over(self) -> bool:
        return self.outcome() is not None

    def client_state(self) -> State:
        """What the client of `YOU` believes."""
        people = [SeatInfo(kind=SeatKind.HUMAN, name=name) for name in NAMES[: self.seats]]
        phase = TablePhase.ENDED if self.over else TablePhase.PLAYING
        info = TableInfo(
            table="7F3K",
            game=self.game,
            title="Thursday",
            phase=phase,
            seats=people,
            host=int(YOU),
            options={},
        )
        visit = believed.Kind.VISIT
        connection = believed.Connection(kind=visit, address="192.168.1.5:7777", name=NAMES[0])
        return State(connection=connection, table=Table(info, YOU), match=self._match())

    def _match(self) -> Match:
        events = tuple(self._heard[YOU])
        return Match(
            id="staged",
            table="7F3K",
            game=self.game,
            sha256=commitment(self._seed),
            names=NAMES[: self.seats],
            version=self.plies,
            ply=self.plies,
            view=self.view(),
            log=tuple(LogLine(LineKind.EVENT, event) for event in events),
            events=events,
            over=self.over,
            outcome=self.outcome(),
            seed=self._seed.hex() if self.over else "",
        )

    def _turn(self) -> tuple[int | None, int]:
        """Where players take turns, whose it is and which of theirs."""
        view = self.view()
        return view.turn, FACES[self.game].turn(view)

    def _my_turn_begins(self) -> bool:
        return self.to_act() == YOU and self._turn_began

    def _hear(self, events: Any) -> None:
        for seat, heard in enumerate(self._heard):
            heard += events_for(Seat(seat), events)


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
                self.staged.act(msgpack.decode(action, type=VOCABULARIES[self.staged.game].action))
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


CLIENT: Final = ("-m", "clocktowers_tui")
"""Python's arguments for our client."""
PLAYER: Final = "Zoe\u0331\u0308"
"""Its last letter keeps a combining mark."""


@asynccontextmanager
async def at_table(
    table: OneTable,
    program: Sequence[str] = CLIENT,
    environ: Mapping[str, str] | None = None,
    flags: Sequence[str] = (),
) -> AsyncIterator[PseudoTerminal]:
    """The client, seated and shown the match."""
    with tempfile.TemporaryDirectory() as home:
        async with table.listening() as address:
            arguments = [*program, *flags, "join", address, "--table", CODE, "--name", PLAYER]
            surroundings = environment(home) | dict(environ or {})
            async with PseudoTerminal.run(arguments, surroundings) as terminal:
                await terminal.sees("Chia")
                await terminal.settles()
                yield terminal
