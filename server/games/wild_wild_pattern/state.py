"""Where a match of Wild Wild Pattern stands, and how a match, a round and a turn begin.

Law: what a copy shares with its original is immutable; every list is one value a seat.
"""

from dataclasses import dataclass
from itertools import compress
from typing import Any, Final, NamedTuple, TypeAlias

from protocol.games import Switch
from protocol.games.wild_wild_pattern import (
    MAX_PRACTISING,
    MIN_RACE_LIMIT_S,
    READY_MS,
    SEATS,
    Declared,
    Event,
    Mode,
    Options,
    Outcome,
    Phase,
    Reshuffled,
    RoundBegan,
    TurnBegan,
    Visit,
)
from protocol.games.wild_wild_pattern.cards import PLACES
from protocol.games.wild_wild_pattern.options import reshuffled, round_deal
from protocol.ids import Seat
from server.games.contract import Addressed

# Addresses events: to all seats, or to a single seat.


Told: TypeAlias = list[Addressed[Event]]
"""Events with their receivers, in order."""


def to_all(*events: Event) -> Told:
    return [Addressed(None, event) for event in events]


def to_one(seat: int, event: Event) -> Told:
    return [Addressed(Seat(seat), event)]


_SEATS: Final = tuple(map(Seat, range(max(SEATS))))

CLICK: Final = -1
"""The place of a `Try` that is a Click!."""


class Try(NamedTuple):
    """A shot or Click! that has arrived and is not decided. `at_ms`: when it was fired, as far as
    that can be known: its arrival less its seat's lag."""

    at_ms: int
    seat: int
    place: int


@dataclass(slots=True, eq=False)
class State:
    """What the fields hold:

    `shuffles`: how many have been made; `round`, `turn`: from 1. `due_ms`: when the phase ends by
    itself. `wheel`: a 0 is a gap. `deck`: top first. `out`: cards out of the game, oldest first.
    By seat: `targets` (objects), `won`, `challenges`, `money` (cents), `standing` (still in the
    match), `hand` (0 = no card; unseen while all get ready), `done` (ready; or passes), `waits`
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

    options: Options
    seats: int
    seed: bytes
    targets: bytes
    won: list[bytes]
    challenges: list[bytes]
    money: list[int]
    standing: list[bool]
    hand: list[int]
    done: list[bool]
    waits: list[int | None]
    measured: tuple[int, ...]
    hold: tuple[int, ...]
    lags: tuple[int, ...] = ()
    shuffles: int = 0
    round: int = 0
    turn: int = 0
    phase: Phase = Phase.READY
    due_ms: int | None = None
    wheel: bytes = bytes(PLACES)
    deck: bytes = b""
    out: bytes = b""
    tries: tuple[Try, ...] = ()
    acting: int | None = None
    place: int | None = None
    covered: int = 0
    clicker: int | None = None
    clicked: int = 0
    takes: tuple[tuple[int, int], ...] = ()
    barred: int | None = None
    winner: int | None = None
    ended_by: int = 0
    declared: Declared | None = None
    layers: tuple[int, ...] = ()
    idle: int = 0
    levels: int = 0
    bank: tuple[Visit, ...] = ()
    result: Outcome | None = None

    @property
    def somebody_waits(self) -> bool:
        """Whether somebody has found a Challenge card and gets another card for it."""
        return any(due_ms is not None for due_ms in self.waits)

    @property
    def patient(self) -> bool:
        """Whether a choice that is no race, and being ready, wait for their seat."""
        return self.options.practises or self.options.choice_limit is Switch.OFF

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


def fresh(options: Options, seats: int, seed: bytes) -> State:
    """Nothing has been dealt."""
    nothing = (0,) * seats
    return State(
        options,
        seats,
        seed,
        targets=bytes(seats),
        won=[b""] * seats,
        challenges=[b""] * seats,
        money=[0] * seats,
        standing=[True] * seats,
        hand=[0] * seats,
        done=[False] * seats,
        waits=[None] * seats,
        measured=nothing,
        hold=nothing,
    )


def copy(state: State) -> State:
    """An independent state."""
    values = (getattr(state, name) for name in State.__slots__)
    copied: list[Any] = [value[:] if isinstance(value, list) else value for value in values]
    return State(*copied)


# From options, seats and a seed to a fresh state; a round and a turn begin (rules: Setting up).


def check_options(options: Options, seats: int) -> str | None:
    """The name of the first option whose value this game does not have, or None."""
    alone = seats == 1
    if alone and options.mode is Mode.VIVO:
        return "mode"
    if 0 < options.race_limit_s < MIN_RACE_LIMIT_S:
        return "race_limit_s"
    crowded = seats > MAX_PRACTISING
    unfit = crowded if options.practises else alone
    return "practice" if unfit else None


def setup(options: Options, seats: int, seed: bytes) -> State:
    """A fresh state; `protocol.games.wild_wild_pattern.options` says how the seed is used."""
    state = fresh(options, seats, seed)
    begin_round(state, 0)
    return state


def opening(state: State) -> list[Addressed[Event]]:
    """The first Wheel."""
    return to_all(_round_began(state), _turn_began(state))


def begin_round(state: State, now_ms: int) -> list[Event]:
    """All cards come back, new Targets are dealt; only money is kept (rules: Setting up)."""
    deal = round_deal(state.seed, state.shuffles)
    state.shuffles += 1
    state.round += 1
    state.turn = state.idle = 0
    targets = iter(deal.targets)
    state.targets = bytes(next(targets) if stands else 0 for stands in state.standing)
    state.wheel, state.deck, state.out = deal.wheel
    state.won = [b""] * state.seats
    state.challenges = [b""] * state.seats
    state.hand = [0] * state.seats
    began = [_round_began(state)]
    return began + begin_turn(state, now_ms)


def begin_turn(state: State, now_ms: int) -> list[Event]:
    """Everybody gets a card unseen, from the lowest seat on (rules: A turn, 1)."""
    for seat in state.in_match():
        state.hand[seat] = state.draw()
    state.turn += 1
    state.phase = Phase.READY
    state.due_ms = None if state.patient else now_ms + READY_MS
    state.done = [False] * state.seats
    state.waits = [None] * state.seats
    state.acting = state.clicker = state.place = state.barred = state.winner = None
    state.covered = state.clicked = 0
    return [_turn_began(state)]


def reshuffle(state: State) -> Reshuffled:
    """Wheel, deck and what is out of the game make a new Wheel and deck (rules: A turn, 7)."""
    cards = state.wheel.replace(b"\0", b"") + state.deck + state.out
    wheel = reshuffled(state.seed, state.shuffles, cards)
    state.shuffles += 1
    state.wheel, state.deck, state.out = wheel
    return Reshuffled(wheel.cards, len(wheel.deck), wheel.gone)


def _round_began(state: State) -> Event:
    held = sum(1 for card in state.hand if card)
    return RoundBegan(
        round=state.round,
        targets=state.targets,
        wheel=state.wheel,
        left=len(state.deck) + held,
        gone=state.out,
        options=state.options,
    )


def _turn_began(state: State) -> Event:
    return TurnBegan(state.turn, len(state.deck))
