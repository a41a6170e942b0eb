"""Every match ends, at whatever pace people act; and nobody is told of another's hidden shot. How
long each turn and round lasts is compared with the oracle."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from msgspec import msgpack
from msgspec.structs import replace

from protocol.games import Switch
from protocol.games.wild_wild_pattern import (
    MAX_IDLE_TURNS,
    MAX_LEVEL_ROUNDS,
    MAX_ROUNDS,
    Click,
    Mode,
    Options,
    Phase,
    RoundBegan,
    Shoot,
    TurnBegan,
)
from protocol.games.wild_wild_pattern.cards import CARDS
from protocol.ids import Seat
from server.games.contract import Addressed, Moment
from server.games.registry import GAMES
from server.matches.replay import events_for
from tests.games.wild_wild_pattern.positions import every_card
from tests.laws.case import Rules

REAL: Rules = GAMES["wild_wild_pattern"].rules
MAX_LAG_MS: Final = 150


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


# Nobody else can tell a hidden shot --------------------------------------------------------------


class SentToSeat(NamedTuple):
    """What a seat was sent at a time: the version counts only the updates that it was sent."""

    at_ms: int
    frame: bytes


def told_in_a_race(
    lags: tuple[int, ...], shots: dict[int, tuple[int, Any]], seat: int, seats: int
) -> list[SentToSeat]:
    """What this seat (or a watcher, if it is none of them) is sent from the cards on until 5000 ms,
    when the others fire so. As the match does it: whom nothing concerns is sent nothing."""
    state = REAL.setup(Options(), seats, seed(1))
    state.hand = [3, 14, 22, 35][:seats]
    state.wheel, state.deck = bytes([1, 7, 13, 19, 25, 31, 37, 10]), bytes([2, 4, 5, 6, 8, 9])
    for other in range(seats):
        REAL.apply(state, Seat(other), REAL.legal_actions(state, other)[0], Moment(0, lags))
    sent: list[SentToSeat] = []

    def broadcast(now_ms: int, events: Sequence[Addressed[Any]], actor: int | None) -> None:
        who = Seat(seat) if seat < seats else None
        theirs = events_for(who, events)
        if theirs or seat == actor:
            view = REAL.view(state, who)
            sent.append(SentToSeat(now_ms, msgpack.encode((view, theirs, REAL.revocable(state)))))

    for now_ms in range(5_000):
        while REAL.deadline(state) == now_ms:
            broadcast(now_ms, REAL.tick(state, now_ms), None)
        for other, (fired_ms, action) in shots.items():
            if fired_ms == now_ms and REAL.refuse(state, Seat(other), action) is None:
                told = REAL.apply(state, Seat(other), action, Moment(now_ms, lags))
                broadcast(now_ms, told, other)
    return sent


LAGS = (0, 150, 30)


def test_nobody_else_can_tell_a_hidden_shot() -> None:
    """Seat 0 shoots, clicks or does nothing at 4000, seat 2 follows: until seat 1's own slow line
    can no longer have been first, at 4150, everybody else is sent the same bytes: none."""
    first: tuple[dict[int, tuple[int, Any]], ...] = (
        {},
        {0: (4_000, Shoot(3))},
        {0: (4_000, Click())},
        {0: (4_000, Shoot(3)), 2: (4_100, Click())},
    )
    for seat in (1, 2, 3):
        heard = [
            [each for each in told_in_a_race(LAGS, shots, seat, 3) if each.at_ms < 4_150]
            for shots in first
            if seat not in shots
        ]
        assert all(each == heard[0] for each in heard), f"seat {seat} knew"
    after = told_in_a_race(LAGS, {0: (4_000, Shoot(3))}, 1, 3)
    assert [each.at_ms for each in after] == [4_150]


def test_only_the_shooter_hears_that_the_shot_has_arrived() -> None:
    told = told_in_a_race(LAGS, {0: (4_000, Shoot(3))}, 0, 3)
    assert [each.at_ms for each in told] == [4_000, 4_150]


def test_the_view_has_no_deadline_of_a_hidden_shot() -> None:
    state = REAL.setup(Options(), 2, seed(1))
    state.hand = [3, 14]
    state.deck = bytes(card for card in CARDS if card not in {*state.wheel, *state.out, 3, 14})
    for seat in range(2):
        REAL.apply(state, Seat(seat), REAL.legal_actions(state, seat)[0], Moment(0, (0, 150)))
    before = [REAL.view(state, seat) for seat in (0, 1, None)]
    REAL.apply(state, Seat(0), Shoot(3), Moment(9_000, (150, 90)))
    assert REAL.deadline(state) == 9_150
    after = [REAL.view(state, seat) for seat in (0, 1, None)]
    assert after[1:] == before[1:]
    assert after[0] == replace(before[0], aimed=3)


# Every match ends --------------------------------------------------------------------------------


MOST_TURNS: Final = 400
"""Far more than a round has: somebody wins a card, or the tenth turn without a shot ends it."""


def played(options: Options, paces_ms: Sequence[int | None], number: int) -> None:
    """A match of people who do something legal or what was legal when they began to think of it,
    each after anything up to their pace; None: never anything at all."""
    seats, rng, now_ms = len(paces_ms), Random(number), 0
    state = REAL.setup(options, seats, seed(number))
    plans: dict[int, tuple[int, Any]] = {}
    while REAL.outcome(state) is None:
        for seat, pace_ms in enumerate(paces_ms):
            if seat not in plans and pace_ms is not None:
                actions = REAL.legal_actions(state, seat)
                if actions:
                    plans[seat] = (now_ms + rng.randint(0, pace_ms), rng.choice(actions))
        due_ms = REAL.deadline(state)
        seat, (at_ms, action) = min(plans.items(), key=lambda plan: plan[1][0], default=NOBODY)
        assert due_ms is None or due_ms >= now_ms
        if due_ms is not None and (seat < 0 or due_ms <= at_ms):
            now_ms = due_ms
            REAL.tick(state, due_ms)
        else:
            assert seat >= 0, "nobody acts, and no clock runs"
            now_ms = at_ms
            del plans[seat]
            if REAL.refuse(state, seat, action) is None:
                lags = tuple(rng.randint(0, MAX_LAG_MS) for _ in range(seats))
                REAL.apply(state, seat, action, Moment(now_ms, lags))
        assert every_card(state) == CARDS
        assert 0 not in state.wheel or state.phase not in FULL
        assert state.round <= MAX_ROUNDS and state.turn <= MOST_TURNS
    assert REAL.deadline(state) is None
    assert not REAL.to_act(state)


NOBODY: Final = (-1, (0, None))
FULL: Final = (Phase.READY, Phase.RACE, Phase.CLICKED, Phase.DECLARE)
PACES_MS: Final = (0, 40, 400, 4_000, 30_000, 300_000)
TABLES: Final = [
    Options(mode=Mode.VIVO),
    Options(mode=Mode.SALOON, race_limit_s=30, lag=Switch.OFF),
    Options(mode=Mode.SALOON, race_limit_s=300),
]


@pytest.mark.parametrize("options", TABLES, ids=["vivo", "saloon-30", "saloon-300"])
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("pace_ms", PACES_MS)
def test_every_match_ends_at_every_pace(options: Options, seats: int, pace_ms: int) -> None:
    played(options, [pace_ms] * seats, pace_ms + seats)


MANY: Final = [pytest.param(number, marks=pytest.mark.soak) for number in range(12, 1000)]


@pytest.mark.parametrize("number", [*range(12), *MANY])
def test_every_match_ends_when_each_has_a_pace_of_their_own(number: int) -> None:
    rng = Random(number)
    paces_ms = [rng.choice([*PACES_MS, None]) for _ in range(2 + number % 3)]
    played(TABLES[number // 3 % 3], paces_ms, number)


@pytest.mark.parametrize(("mode", "rounds"), [("saloon", MAX_ROUNDS), ("vivo", MAX_LEVEL_ROUNDS)])
def test_the_clock_alone_ends_a_match(mode: str, rounds: int) -> None:
    """All of them asleep, and so level."""
    state = REAL.setup(Options(mode=Mode(mode)), 2, seed(1))
    told = [*REAL.opening(state)]
    while (due_ms := REAL.deadline(state)) is not None:
        told += REAL.tick(state, due_ms)
    begun = Counter(type(each.event) for each in told)
    assert (begun[RoundBegan], begun[TurnBegan]) == (rounds, rounds * MAX_IDLE_TURNS)
