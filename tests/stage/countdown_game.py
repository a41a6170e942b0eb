"""A race for tests: a light goes on now and then, and the first player to press scores a point.

It does what a race must: it orders shots by their arrival less their connection's lag, decides when
no earlier shot can still arrive, lets a lag rise slowly, and shows a light to all together. Its
state lists every call in order, so that a test can compare a replay with what happened.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from msgspec import Struct

from protocol.errors import Refusal
from protocol.games.moves import Moves, Way
from protocol.games.registry import Vocabulary
from protocol.ids import Seat
from server.games.contract import Addressed, Moment, Rules, never
from server.games.notation import Notation

GAME: Final = "countdown"
LIGHT_MS: Final = 500
LIGHTS: Final = 4
RISE_MS: Final = 10
"""How much a lag rises in a light, at most."""


class Options(Struct, frozen=True):
    """`rise_ms`: see RISE_MS. Without `lag` the first to arrive has pressed first."""

    lights: int = LIGHTS
    light_ms: int = LIGHT_MS
    lag: bool = True
    rise_ms: int = RISE_MS


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
    lit: bool
    points: list[int]


class Outcome(Struct, frozen=True):
    points: list[int]


VOCABULARY: Final = Vocabulary(
    id=GAME,
    seats=(2, 3),
    options=Options,
    action=Press,
    event=Lit | Pressed,
    view=View,
    moves=Moves((Way(Press),)),
    levels=("random",),
    outcome=Outcome,
)


@dataclass
class State:
    """`shots`: (when it was pressed as reckoned, seat), as they came; `decided_ms`: when the first
    shot is known. `before`: the lags of the last light, None before any was measured."""

    options: Options
    seats: int
    due_ms: int
    lights: int = 0
    lit: bool = False
    points: list[int] = field(default_factory=list)
    calls: list[tuple[Any, ...]] = field(default_factory=list)
    lags: list[int] = field(default_factory=list)
    before: list[int] | None = None
    shots: list[tuple[int, Seat]] = field(default_factory=list)
    decided_ms: int | None = None
    delays: tuple[int, ...] = ()


class _Countdown:
    """Several may act at once, stale actions count, and the clock ends the match."""

    words = VOCABULARY
    refuses_stale = False
    races = True
    lists_legal = False

    def setup(self, options: Options, seats: int, seed: bytes) -> State:
        return State(options, seats, options.light_ms, points=[0] * seats, lags=[0] * seats)

    def opening(self, state: State) -> list[Addressed[Any]]:
        return []

    def to_act(self, state: State) -> list[Seat]:
        return [] if self.outcome(state) else [Seat(seat) for seat in range(state.seats)]

    def legal_actions(self, state: State, seat: Seat) -> list[Press]:
        return [] if self.refuse(state, seat, Press()) else [Press()]

    def refuse(self, state: State, seat: Seat, action: Press) -> Refusal | None:
        if not state.lit:
            return Refusal("dark")
        return Refusal("pressed") if any(seat == shooter for _, shooter in state.shots) else None

    def apply(self, state: State, seat: Seat, action: Press, at: Moment) -> list[Addressed[Any]]:
        state.calls.append(("press", seat, at.at_ms, at.lags_ms))
        self._note_lags(state, at)
        state.shots.append((at.at_ms - state.lags[seat], seat))
        if state.decided_ms is None:
            state.decided_ms = at.at_ms + max(
                lag for other, lag in enumerate(state.lags) if other != seat
            )
            state.due_ms = max(state.due_ms, state.decided_ms + 1)
        state.delays = ()
        return self._decide(state) if state.decided_ms <= at.at_ms else []

    def _note_lags(self, state: State, at: Moment) -> None:
        if not state.options.lag:
            return
        measured = at.lags_ms or (0,) * state.seats
        before = state.before or [10_000] * state.seats
        state.lags = [
            min(lag_ms, last_ms + state.options.rise_ms)
            for lag_ms, last_ms in zip(measured, before, strict=True)
        ]

    def _decide(self, state: State) -> list[Addressed[Any]]:
        pressed_ms, winner = min(state.shots, key=lambda shot: shot[0])
        state.points[winner] += 1
        state.shots, state.lit, state.decided_ms = [], False, None
        state.before = state.lags[:]
        return [Addressed(None, Pressed(winner, pressed_ms))]

    def deadline(self, state: State) -> int | None:
        if self.outcome(state) is not None:
            return None
        return state.due_ms if state.decided_ms is None else state.decided_ms

    def tick(self, state: State, now_ms: int) -> list[Addressed[Any]]:
        assert now_ms == self.deadline(state), "not in time"
        state.calls.append(("tick", now_ms))
        state.delays = ()
        if state.decided_ms is not None:
            return self._decide(state)
        state.lit = True
        state.lights += 1
        state.due_ms += state.options.light_ms
        slowest_ms = max(state.lags)
        state.delays = tuple(slowest_ms - lag for lag in state.lags)
        return [Addressed(None, Lit(now_ms))]

    def delays(self, state: State) -> tuple[int, ...]:
        return state.delays

    def public(self, state: State) -> View:
        return View(None, state.lights, state.lit, state.points[:])

    def determinize(self, view: View, own_events: Any, rng: Any) -> State:
        raise NotImplementedError

    def outcome(self, state: State) -> Outcome | None:
        return Outcome(state.points[:]) if state.lights > state.options.lights else None


_COUNTDOWN: Final = _Countdown()
COUNTDOWN_RULES: Final[Any] = Rules(
    **{name: getattr(_COUNTDOWN, name) for name in Rules._fields if hasattr(_COUNTDOWN, name)}
)

_ANY: Final = (range(1_000_000), "a whole number")
COUNTDOWN_NOTATION: Final = Notation(
    VOCABULARY,
    rules=Options.__struct_fields__,
    values=dict.fromkeys(Options.__struct_fields__, _ANY),
    setup_to_record=lambda state: {},
    setup_from_record=lambda value, options, seats: COUNTDOWN_RULES.setup(options, seats, b""),
)
"""Plain numbers; this game deals nothing."""


def press(view: View, own_events: Sequence[Any], rng: Random, stop: Any = never) -> Press | None:
    """A bot that presses when it sees a light."""
    return Press() if view.lit else None


def reflex_ms(view: View, rng: Random) -> int:
    """What a practised hand takes."""
    return max(120, round(rng.gauss(250, 40)))
