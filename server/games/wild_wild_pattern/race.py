"""The race: everybody sees a card, and the first shot or Click! counts (rules: A turn, 1, 2, 4;
Over a network).

A try is timed by its arrival less its seat's lag, and decided when no earlier one can still arrive;
so is that there was none in time.
"""

from itertools import compress
from operator import attrgetter
from typing import Final

from protocol.games.wild_wild_pattern import (
    CHOICE_MS,
    SONG_MS,
    Aimed,
    Clicked,
    Event,
    Lag,
    Passed,
    Seen,
    Shot,
    WasReady,
)
from protocol.ids import Seat
from server.games.contract import Moment
from server.games.wild_wild_pattern.addressing import Told, to_all, to_one
from server.games.wild_wild_pattern.challenges import replace, see
from server.games.wild_wild_pattern.legal import to_act
from server.games.wild_wild_pattern.state import CLICK, CLICKED, DECLARE, RACE, State, Try
from server.games.wild_wild_pattern.turn_end import idle, unanswered

_ARRIVAL: Final = attrgetter("at_ms")
MAX_LAG_MS: Final = 150
"""No line counts as slower, so that nobody gains by one; a record may name any number."""

MAX_RISE_MS: Final = 10
"""So much may a seat's lag rise from turn to turn: to hold some answers back gains nothing."""


def get_ready(state: State, seat: Seat, now_ms: int) -> Told:
    """When all are ready, all look at their cards."""
    state.done[seat] = True
    told = to_all(WasReady(seat))
    return told if to_act(state) else told + look(state, now_ms)


def look(state: State, now_ms: int) -> Told:
    """All see their own card at the same moment: the copies for the quicker lines wait."""
    state.lags = _lags(state)
    seen_ms = _show_at_once(state, now_ms)
    limit_ms = 0 if state.unhurried else state.options.race_limit_s * 1000
    state.phase, state.done = RACE, [False] * state.seats
    state.declared = None
    state.due_ms = seen_ms + limit_ms if limit_ms else None
    told = to_all(Seen())
    for seat in state.in_match():
        told += see(state, seat, seen_ms)
    return told


def _show_at_once(state: State, now_ms: int) -> int:
    """Hold back what is sent now for the quicker lines. When all see it, in match time."""
    slowest_ms = max(compress(state.lags, state.standing))
    state.hold = tuple([max(0, slowest_ms - lag_ms) for lag_ms in state.lags])
    return now_ms + slowest_ms


def _lags(state: State) -> tuple[int, ...]:
    if state.options.lag is Lag.OFF or not any(state.measured):
        return (0,) * state.seats
    capped = tuple(min(lag_ms, MAX_LAG_MS) for lag_ms in state.measured)
    if not state.lags:
        return capped
    return tuple(
        min(measured_ms, lag_ms + MAX_RISE_MS)
        for measured_ms, lag_ms in zip(capped, state.lags, strict=True)
    )


def end_wait(state: State, seat: int, now_ms: int) -> Told:
    """The second is over after which a Challenge card is replaced."""
    return replace(state, seat, now_ms) + nobody_left(state, now_ms)


# Tries -------------------------------------------------------------------------------------------


def attempt(state: State, seat: Seat, place: int, at: Moment) -> Told:
    """A shot at this place, or (CLICK) a Click!, has arrived."""
    state.tries += (Try(at.at_ms - state.lags[seat], seat, place),)
    told = to_one(seat, Aimed(None if place == CLICK else place))
    return told + settle(state, at.at_ms)


def give_way(state: State, seat: Seat, now_ms: int) -> Told:
    """This seat does not try."""
    state.done[seat] = True
    told = to_all(Passed(seat))
    return told + (settle(state, now_ms) or nobody_left(state, now_ms))


def first_try(state: State) -> Try | None:
    """The earliest that came in time; of two at the same moment the one that arrived first."""
    first = min(state.tries, key=_ARRIVAL, default=None)
    late = first is not None and state.due_ms is not None and first.at_ms >= state.due_ms
    return None if late else first


def decision_ms(state: State) -> int | None:
    """When it is known whose try is the first, or that the time was up before; None where neither
    will be. `state.due_ms` is for the slowest line, too."""
    if state.phase not in (RACE, CLICKED):
        return None
    first = first_try(state)
    begun_ms = state.due_ms if first is None else first.at_ms
    rivals = [state.lags[seat] for seat in to_act(state)]
    return None if begun_ms is None else begun_ms + max(rivals, default=0)


def settle(state: State, now_ms: int) -> Told:
    """Decide the race if it can be."""
    due_ms = decision_ms(state)
    return [] if due_ms is None or due_ms > now_ms else decide(state, now_ms)


def decide(state: State, now_ms: int) -> Told:
    """End the race, or the song."""
    first = first_try(state)
    state.tries = ()
    if first is None:
        ends = idle if state.phase is RACE else unanswered
        return ends(state, now_ms)
    state.idle = 0
    state.ended_by = first.seat
    if first.place == CLICK:
        return _click(state, first.seat, now_ms)
    return to_all(_hit(state, first, now_ms))


def _hit(state: State, shot: Try, now_ms: int) -> Event:
    seat, place = shot.seat, shot.place
    card = state.clicked or state.hand[seat]
    if not state.clicked:
        state.hand[seat] = 0
    state.clicked = 0
    state.place, state.covered = place, state.wheel[place]
    state.put(place, card)
    state.phase, state.acting = DECLARE, seat
    state.due_ms = None if state.unhurried else now_ms + CHOICE_MS
    return Shot(seat, place, card, state.covered)


def _click(state: State, seat: int, now_ms: int) -> Told:
    state.clicker, state.clicked, state.hand[seat] = seat, state.hand[seat], 0
    state.phase, state.done = CLICKED, [False] * state.seats
    seen_ms = _show_at_once(state, now_ms)
    state.due_ms = None if state.unhurried else seen_ms + SONG_MS
    return to_all(Clicked(seat, state.clicked)) + nobody_left(state, now_ms)


def nobody_left(state: State, now_ms: int) -> Told:
    """End the race, or the song, when nobody can or will try any more."""
    if to_act(state) or state.tries:
        return []
    if state.phase is CLICKED:
        return unanswered(state, now_ms)
    return idle(state, now_ms) if state.phase is RACE and not state.somebody_waits else []
