"""Where a match of Wild Wild Pattern stands: small values, so that a copy costs little.

Law: what a copy shares with its original is immutable; every list is one value a seat.
"""

from itertools import compress
from typing import Final, NamedTuple

from protocol.games.wild_wild_pattern import (
    SEATS,
    ChoiceLimit,
    Declared,
    Options,
    Outcome,
    Phase,
    Practice,
    Visit,
)
from protocol.games.wild_wild_pattern.pattern import PLACES
from protocol.ids import Seat

# The phases under names of their own: a look into an enum takes 70 ns on Python 3.11, a name 2.
READY: Final = Phase.READY
RACE: Final = Phase.RACE
CLICKED: Final = Phase.CLICKED
DECLARE: Final = Phase.DECLARE
TAKE: Final = Phase.TAKE
CHALLENGE: Final = Phase.CHALLENGE
LAY: Final = Phase.LAY
OVER: Final = Phase.OVER

_SEATS: Final = tuple(map(Seat, range(max(SEATS))))

CLICK: Final = -1
"""The place of a `Try` that is a Click!."""


class Try(NamedTuple):
    """A shot or Click! that has arrived and is not decided. `at_ms`: when it was fired, as far as
    that can be known: its arrival less its seat's lag."""

    at_ms: int
    seat: int
    place: int


class State:
    """What the fields hold:

    `unhurried`: nothing but a lost line may end a phase by itself (practice). `patient`: a choice
    that is no race, and being ready, wait for their seat.
    `shuffles`: how many have been made; `round`, `turn`: from 1. `due_ms`: when the phase ends by
    itself. `wheel`: a 0 is a gap. `deck`: top first. `out`: cards out of the game, oldest first.
    By seat: `targets` (objects), `won`, `challenges`, `money` (cents), `standing` (still in the
    match), `hand` (0 = no card; unseen while phase is READY), `done` (ready; or passes), `waits`
    (when the found Challenge card is replaced).
    `tries`: in the order of arrival. `measured`: the newest lags that were handed in; `lags`:
    those that count in this turn, empty before the first race. `hold`: by how much each seat's
    copy of what just happened is held back.
    `acting`: whose choice it is. `place`, `covered`: of the shot. `clicker`, `clicked`: of the
    Click!. `takes`: (seat, cards) still to be taken, `barred` the place that may not be. `winner`:
    of this turn; `ended_by`: of this or, before it has ended, the last turn. `declared`:
    until the next race begins. `layers`: who still
    has to lay a card. `idle`: turns running in which nothing happened; `levels`: rounds running
    that were level; `bank`: the newest visits.
    """

    __slots__ = (
        "acting",
        "bank",
        "barred",
        "challenges",
        "clicked",
        "clicker",
        "covered",
        "deck",
        "declared",
        "done",
        "due_ms",
        "ended_by",
        "hand",
        "hold",
        "idle",
        "lags",
        "layers",
        "levels",
        "measured",
        "money",
        "options",
        "out",
        "patient",
        "phase",
        "place",
        "result",
        "round",
        "seats",
        "seed",
        "shuffles",
        "standing",
        "takes",
        "targets",
        "tries",
        "turn",
        "unhurried",
        "waits",
        "wheel",
        "winner",
        "won",
    )

    def __init__(self, options: Options, seats: int, seed: bytes) -> None:
        self.options = options
        self.seats = seats
        self.seed = seed
        self.shuffles = self.round = self.turn = self.idle = self.levels = 0
        self.unhurried = options.practice is Practice.ON
        self.patient = self.unhurried or options.choice_limit is ChoiceLimit.OFF
        self.phase = READY
        self.due_ms: int | None = None
        self.wheel = bytes(PLACES)
        self.deck = self.out = b""
        self.targets = bytes(seats)
        self.won = [b""] * seats
        self.challenges = [b""] * seats
        self.money = [0] * seats
        self.standing = [True] * seats
        self.hand = [0] * seats
        self.done = [False] * seats
        self.waits: list[int | None] = [None] * seats
        self.tries: tuple[Try, ...] = ()
        self.measured = self.hold = (0,) * seats
        self.lags: tuple[int, ...] = ()
        self.acting: int | None = None
        self.place: int | None = None
        self.covered = self.clicked = 0
        self.clicker: int | None = None
        self.takes: tuple[tuple[int, int], ...] = ()
        self.barred: int | None = None
        self.winner: int | None = None
        self.ended_by = 0
        self.declared: Declared | None = None
        self.layers: tuple[int, ...] = ()
        self.bank: tuple[Visit, ...] = ()
        self.result: Outcome | None = None

    @property
    def somebody_waits(self) -> bool:
        """Whether somebody has found a Challenge card and gets another card for it."""
        return any(due_ms is not None for due_ms in self.waits)

    def in_match(self) -> list[Seat]:
        """The seats that are still in it, ascending."""
        return list(compress(_SEATS, self.standing))

    def from_the_right_of(self, seat: int) -> list[int]:
        """All others still in the match, counter-clockwise (rules: Setting up a round)."""
        order = [(seat - step) % self.seats for step in range(1, self.seats)]
        return [other for other in order if self.standing[other]]

    def put(self, place: int, card: int) -> None:
        """Lay a card on the Wheel; 0 makes a gap."""
        self.wheel = self.wheel[:place] + bytes((card,)) + self.wheel[place + 1 :]

    def discard(self, card: int) -> None:
        """A card leaves the game, until the next shuffle."""
        self.out += bytes((card,))

    def draw(self) -> int:
        """The deck's top card; there must be one."""
        card, self.deck = self.deck[0], self.deck[1:]
        return card


def copy(state: State) -> State:
    """An independent state."""
    twin = State.__new__(State)
    for name in State.__slots__:
        value = getattr(state, name)
        setattr(twin, name, value[:] if isinstance(value, list) else value)
    return twin
