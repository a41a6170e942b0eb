"""What an action does, and what the clock does, in Wild Wild Pattern (rules: A turn)."""

from typing import assert_never

from protocol.games.wild_wild_pattern import (
    Action,
    Click,
    Declare,
    Event,
    Lay,
    Pass,
    Passed,
    Ready,
    Shoot,
    Take,
    Use,
)
from protocol.ids import Seat
from server.games.contract import Addressed, Moment
from server.games.wild_wild_pattern import race
from server.games.wild_wild_pattern.legal import legal_actions
from server.games.wild_wild_pattern.race import (
    challenge,
    conclude,
    declare,
    lay,
    plain_prize,
    take,
)
from server.games.wild_wild_pattern.state import (
    CHALLENGE,
    CLICK,
    CLICKED,
    DECLARE,
    RACE,
    READY,
    TAKE,
    State,
    Told,
    to_all,
)


def apply(state: State, seat: Seat, action: Action, at: Moment) -> list[Addressed[Event]]:
    """Change the state in place. Only called after `refuse` said None."""
    state.hold = ()
    state.measured = at.lags_ms or (0,) * state.seats
    return _act(state, seat, action, at)


def _act(state: State, seat: Seat, action: Action, at: Moment) -> Told:
    now_ms = at.at_ms
    match action:
        case Ready():
            return race.get_ready(state, seat, now_ms)
        case Shoot(place=place):
            return race.attempt(state, seat, place, at)
        case Click():
            return race.attempt(state, seat, CLICK, at)
        case Declare(pattern=pattern):
            return declare(state, seat, pattern, now_ms)
        case Take():
            return take(state, seat, action, now_ms)
        case Use():
            return challenge(state, seat, action, now_ms)
        case Lay():
            return lay(state, seat, action, now_ms)
        case Pass():
            return _pass(state, seat, now_ms)
        case _:
            assert_never(action)


def _pass(state: State, seat: Seat, now_ms: int) -> Told:
    if state.phase is DECLARE:
        return declare(state, seat, None, now_ms)
    if state.phase is CHALLENGE:
        return to_all(Passed(seat)) + conclude(state, now_ms)
    return race.give_way(state, seat, now_ms)


def delays(state: State) -> tuple[int, ...]:
    """See `Rules.delays`: delayed is what a race begins with: the seat's own card or a clicked
    card."""
    return state.hold


# The clock ---------------------------------------------------------------------------------------


def deadline(state: State) -> int | None:
    """When the clock does something next: a race is decided, a card replaced, or a phase ends."""
    due = [due_ms for due_ms in state.waits if due_ms is not None]
    if (decided_ms := race.decision_ms(state)) is not None:
        due.append(decided_ms)
    elif state.due_ms is not None:
        due.append(state.due_ms)
    return min(due, default=None)


def tick(state: State, now_ms: int) -> list[Addressed[Event]]:
    """One of these things, in this order."""
    state.hold = ()
    if race.first_try(state) is not None and race.decision_ms(state) == now_ms:
        return race.decide(state, now_ms)
    if now_ms in state.waits:
        return race.end_wait(state, state.waits.index(now_ms), now_ms)
    return _time_is_up(state, now_ms)


def _time_is_up(state: State, now_ms: int) -> Told:
    if state.phase is READY:
        return race.look(state, now_ms)
    if state.phase is RACE or state.phase is CLICKED:
        return race.decide(state, now_ms)
    return _choose(state, now_ms)


def _choose(state: State, now_ms: int) -> Told:
    """For a seat that does not: nothing is declared or used, a plain prize is taken, and a card is
    laid on the lowest place."""
    assert state.acting is not None
    seat = Seat(state.acting)
    if state.phase is DECLARE:
        return declare(state, seat, None, now_ms, late=True)
    if state.phase is TAKE:
        return take(state, seat, plain_prize(state, seat), now_ms, late=True)
    offered = legal_actions(state, seat)
    wish = Pass() if state.phase is CHALLENGE else offered[0]
    return _act(state, seat, wish, Moment(now_ms))
