"""States of the client without a server: a match that bots have played so far.

The same arguments give the same state on every machine, so pictures and figures can be compared.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from clocktowers_tui.games.registry import FACES
from clocktowers_tui.state.connection import Connection, Kind
from clocktowers_tui.state.match import Line, LineKind, Match
from clocktowers_tui.state.store import State
from clocktowers_tui.state.table import Table
from protocol.dealing import commitment
from protocol.games import wild_wild_pattern
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import Seat
from protocol.listing import SeatInfo, SeatKind, TableInfo, TablePhase
from server.games.contract import Moment
from server.games.registry import GAMES
from server.matches.replay import events_for

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
        connection = Connection(kind=Kind.VISIT, address="192.168.1.5:7777", name=NAMES[0])
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
            log=tuple(Line(LineKind.EVENT, event) for event in events),
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
