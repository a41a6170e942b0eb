"""Matches of Wild Wild Pattern for the two readings to be compared on: the engine's, by chance and
by bots.

Who acts shoots and declares what holds often enough, waits out every clock now and then, and has a
line that is slow at times.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any, Final, NamedTuple

from protocol.games import Switch
from protocol.games.wild_wild_pattern import (
    Declare,
    FiveColours,
    Mode,
    Options,
    PlayedInPair,
    Shoot,
)
from protocol.games.wild_wild_pattern.cards import FEATURE_BITS, PATTERNS, Pattern, made, pairs
from protocol.ids import Seat
from server.games.contract import Moment
from server.games.wild_wild_pattern.game import GAME as WILD_WILD_PATTERN
from server.games.wild_wild_pattern.state import State
from server.recording.bot_matches import Series, play
from server.recording.records import Occupant, Recording, line
from tests.oracle.judging import Json

RULES: Final = WILD_WILD_PATTERN.rules
NOTATION: Final = WILD_WILD_PATTERN.notation
PAUSES_MS: Final = (0, 0, 1, 7, 40, 90, 150, 400, 1000, 3000)
TABLES = [
    (seats, Options(mode=mode, played_in_pair=in_pair, five_colours=five, race_limit_s=s, lag=lag))
    for seats, mode, in_pair, (five, s), lag in product(
        (2, 3, 4), Mode, PlayedInPair, ((FiveColours.WIN, 30), (FiveColours.PAY, 0)), Switch
    )
]
PRACTICE = [
    *((1, Options(five_colours=five, practice=Switch.ON)) for five in FiveColours),
    *((2, Options(mode=mode, practice=Switch.ON)) for mode in Mode),
    (2, Options(choice_limit=Switch.OFF)),
]
STEP = 19
"""Has no divisor in common with the number of tables."""


class Habits(NamedTuple):
    """How a match is played. `idle`: how often the clock is let run; `wins`: how often what is
    shot and declared is right."""

    idle: float
    wins: float


HABITS: Final = (Habits(0.02, 0.9), Habits(0.1, 0.7), Habits(0.3, 0.5), Habits(0.01, 0.98))


class Lines:
    """The seats' lines: each has a delay of its own, which now and then is another."""

    def __init__(self, seats: int, rng: Random) -> None:
        self._rng = rng
        self.lags = [rng.choice((0, 3, 20, 60, 120, 150)) for _ in range(seats)]

    def now(self) -> tuple[int, ...]:
        if self._rng.random() < 0.1:
            at = self._rng.randrange(len(self.lags))
            self.lags[at] = self._rng.randrange(151)
        return tuple(self.lags)


def played(options: Options, seats: int, rng: Random, idle: float | None = None) -> Json:
    """The record of a whole match; with `idle` 1 nobody does anything."""
    habits = rng.choice(HABITS) if idle is None else Habits(idle, 0)
    seed = rng.randbytes(32)
    state = RULES.setup(options, seats, seed)
    people = [Occupant(f"Seat {seat}", "human") for seat in range(seats)]
    recording = Recording(WILD_WILD_PATTERN, options, people, state, seed)
    for moment, seat, action in _plies(state, habits, Lines(seats, rng), rng):
        recording.add(seat, action, at=moment)
    return recording.finish(RULES.outcome(state))


def _plies(
    state: State, habits: Habits, lines: Lines, rng: Random
) -> Iterator[tuple[Moment, Seat, Any]]:
    now = 0
    while RULES.outcome(state) is None:
        due = RULES.deadline(state)
        acting = RULES.to_act(state)
        at = now + rng.choice(PAUSES_MS)
        if due is not None and (not acting or rng.random() < habits.idle):
            at = _about_the_limit(state, due, now, rng) if acting else due
        if due is not None and due <= at:
            RULES.tick(state, due)
            now = max(now, due)
            continue
        now, seat = at, rng.choice(acting)
        action = _chosen(state, seat, habits, rng)
        moment = Moment(now, lines.now())
        RULES.apply(state, seat, action, moment)
        yield moment, seat, action


def _about_the_limit(state: State, due: int, now: int, rng: Random) -> int:
    """When nothing is done for long: often a little before a race's time is up or a little after,
    while somebody on a slow line may have been in time."""
    limit = state.due_ms
    if limit is None or limit >= due or rng.random() < 0.3:
        return due
    return max(now, rng.randrange(limit - 20, due + 1))


def _chosen(state: State, seat: Seat, habits: Habits, rng: Random) -> Any:
    legal = list(RULES.legal_actions(state, seat))
    rng.shuffle(legal)
    if rng.random() < habits.wins:
        for action in legal:
            if _is_right(state, seat, action):
                return action
    # One of each sort first: there are so many declarations, and one Click!.
    kind = rng.choice(sorted({type(action).__name__ for action in legal}))
    return next(action for action in legal if type(action).__name__ == kind)


def _is_right(state: State, seat: Seat, action: Any) -> bool:
    """A declaration that holds, or a shot that makes one hold."""
    match action:
        case Declare(pattern):
            assert state.place is not None
            return _makes(state, state.wheel, state.place, state.covered, pattern)
        case Shoot(place):
            card = state.clicked or state.hand[seat]
            wheel = state.wheel[:place] + bytes((card,)) + state.wheel[place + 1 :]
            return any(
                _makes(state, wheel, place, state.wheel[place], pattern)
                for pattern in PATTERNS
                if FEATURE_BITS[card] & (1 << pattern.anchor | 1 << pattern.partner)
            )
    return False


def _makes(state: State, wheel: bytes, place: int, covered: int, pattern: Pattern) -> bool:
    required = state.options.played_in_pair is PlayedInPair.REQUIRED
    there = bool(pairs(wheel, pattern).anchors)
    return there and bool(made(wheel, place, covered, pattern, in_pair=required).anchors)


def matches(number: int, seed: str) -> Iterator[Json]:
    """So many; neighbours differ in seats and options, and after as many as there are tables
    there was a match at each."""
    rng, tables = Random(seed), [*TABLES, *PRACTICE]
    for n in range(number):
        seats, options = tables[n * STEP % len(tables)]
        yield played(options, seats, rng)


@cache
def theirs() -> list[bytes]:
    """That bots have played at every fifth table, which pairs every value of an option with every
    other; a third lists everything that was legal."""
    return [
        line(simulated(seats, options, n, with_legal=n % 3 == 0))
        for n, (seats, options) in enumerate([*TABLES[::5], *PRACTICE[::3]])
    ]


@cache
def originals() -> list[bytes]:
    """Played by chance at every table, and some that bots have played, with what was legal."""
    return [line(record) for record in matches(len(TABLES) + len(PRACTICE), "originals")] + [
        original for original in theirs() if b'"legal"' in original
    ]


def simulated(seats: int, options: Options, number: int, *, with_legal: bool) -> Json:
    """As the command writes it; bots of all levels race against each other."""
    levels = list(WILD_WILD_PATTERN.bots)
    seated = [levels[(number + seat) % len(levels)] for seat in range(seats)]
    return play(Series(WILD_WILD_PATTERN, options, seated, number, with_legal), 0)
