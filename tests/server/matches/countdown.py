"""A game for tests that lives by the clock: a light goes on every 500 ms, who presses first scores.

Its state shows every call in order, so that a replay can be compared with what happened.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from msgspec import Struct

from protocol.games.registry import Vocabulary
from protocol.ids import Seat
from protocol.refusal import Refusal
from server.games.contract import Addressed, Moment

GAME: Final = "countdown"
LIGHT_MS: Final = 500
LIGHTS: Final = 4


class Options(Struct, frozen=True):
    pass


class Press(Struct, frozen=True, array_like=True, tag="press"):
    pass


class Lit(Struct, frozen=True, array_like=True, tag="lit"):
    at_ms: int


class Pressed(Struct, frozen=True, array_like=True, tag="pressed"):
    seat: int
    at_ms: int


class View(Struct, frozen=True):
    seat: int | None
    lights: int
    points: list[int]


class Outcome(Struct, frozen=True):
    points: list[int]


@dataclass
class State:
    seats: int
    lights: int = 0
    lit: bool = False
    due_ms: int = LIGHT_MS
    points: list[int] = field(default_factory=list)
    calls: list[tuple[Any, ...]] = field(default_factory=list)


class CountdownRules:
    """Several may act at once, stale actions count, and the clock ends the match."""

    id = GAME
    seats: tuple[int, ...] = (2, 3)
    rules_version = 1
    refuses_stale = False
    races = True
    lists_legal = False

    def setup(self, options: Options, seats: int, seed: bytes) -> State:
        return State(seats, points=[0] * seats)

    def check_options(self, options: Options, seats: int) -> str | None:
        return None

    def rematch_options(self, options: Options, seats: int, seed: bytes) -> Options:
        return options

    def opening(self, state: State) -> list[Addressed[Any]]:
        return []

    def to_act(self, state: State) -> list[Seat]:
        return [] if self.outcome(state) else [Seat(seat) for seat in range(state.seats)]

    def legal_actions(self, state: State, seat: Seat) -> list[Press]:
        return [Press()] if state.lit else []

    def refuse(self, state: State, seat: Seat, action: Press) -> Refusal | None:
        return None if state.lit else Refusal("dark")

    def apply(self, state: State, seat: Seat, action: Press, at: Moment) -> list[Addressed[Any]]:
        state.calls.append(("press", seat, *at))
        state.points[seat] += 1
        state.lit = False
        return [Addressed(None, Pressed(seat, at.at_ms))]

    def revocable(self, state: State) -> Seat | None:
        return None

    def copy(self, state: State) -> State:
        raise NotImplementedError

    def deadline(self, state: State) -> int | None:
        return None if self.outcome(state) else state.due_ms

    def tick(self, state: State, now_ms: int) -> list[Addressed[Any]]:
        assert now_ms == state.due_ms, "not in time"
        state.calls.append(("tick", now_ms))
        state.lit = True
        state.lights += 1
        state.due_ms += LIGHT_MS
        return [Addressed(None, Lit(now_ms))]

    def holds(self, state: State) -> tuple[int, ...]:
        return ()

    def view(self, state: State, seat: Seat | None) -> View:
        return View(seat, state.lights, state.points[:])

    def preview(self, state: State, seat: Seat, action: Press) -> None:
        raise NotImplementedError

    def determinize(self, view: View, own_events: Any, rng: Any) -> State:
        raise NotImplementedError

    def outcome(self, state: State) -> Outcome | None:
        return Outcome(state.points[:]) if state.lights > LIGHTS else None


VOCABULARY: Final = Vocabulary(
    id=GAME,
    seats=(2, 3),
    options=Options,
    presets={},
    action=Press,
    event=Lit | Pressed,
    view=View,
    outcome=Outcome,
)
