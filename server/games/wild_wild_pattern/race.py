"""The race, what a declaration brings, and how a turn ends (rules: A turn).

A try is timed by its arrival less its seat's lag, and decided when no earlier one can still arrive;
so is that there was none in time.
"""

from collections.abc import Iterable, Sequence
from itertools import compress
from operator import attrgetter
from typing import Final

from protocol.games import Switch
from protocol.games.wild_wild_pattern import (
    CHOICE_MS,
    MAX_IDLE_TURNS,
    ROUND_ENDS_AT,
    SONG_MS,
    Aimed,
    Clicked,
    DecidedBy,
    Declared,
    Event,
    Filled,
    Idled,
    Lay,
    Passed,
    Phase,
    Refused,
    Seen,
    Shot,
    Take,
    Use,
    WasLaid,
    WasReady,
    WentOut,
    Won,
)
from protocol.games.wild_wild_pattern.cards import (
    MIN_ANCHORS,
    PLACES,
    Fault,
    Pairs,
    Pattern,
    colour_of,
    is_pattern,
    judged,
    object_of,
    places_to_take,
)
from protocol.ids import Seat
from server.games.contract import Moment
from server.games.wild_wild_pattern.challenges import give, replace, replace_at_once, see, use, uses
from server.games.wild_wild_pattern.scoring import end_match, end_round
from server.games.wild_wild_pattern.state import (
    CLICK,
    State,
    Told,
    Try,
    begin_turn,
    reshuffle,
    to_all,
    to_one,
)

# How a turn ends: cards are taken, a Challenge card is used, what is left in the hands is laid,
# and the gaps are filled (rules: A turn, 2-7).

TOGETHER: Final = (Phase.READY, Phase.RACE, Phase.CLICKED)
"""The phases in which all act at once."""


# Who may act ------------------------------------------------------------------------------------


def to_act(state: State) -> Sequence[Seat]:
    """Everybody at once while one gets ready, races or answers a Click!; else one seat."""
    if state.phase in TOGETHER:
        return [seat for seat in state.in_match() if why_not_now(state, seat) is None]
    return () if state.acting is None else (Seat(state.acting),)


def may_act(state: State, seat: int) -> bool:
    if state.phase in TOGETHER:
        return state.standing[seat] and why_not_now(state, seat) is None
    return seat == state.acting


def why_not_now(state: State, seat: int) -> Refused | None:
    """The same while all may act at once. A measured hot path."""
    if state.phase is Phase.READY:
        return Refused.ALREADY_READY if state.done[seat] else None
    if state.phase is Phase.CLICKED and seat == state.clicker:
        return Refused.OWN_CLICK
    if state.done[seat]:
        return Refused.ALREADY_PASSED
    for a_try in state.tries:
        if a_try.seat == seat:
            return Refused.ALREADY_SHOT
    no_card = state.phase is Phase.RACE and not state.hand[seat]
    return Refused.NO_CARD if no_card else None


def ask(state: State, phase: Phase, seat: int, now_ms: int) -> None:
    """It is this seat's choice."""
    state.phase, state.acting = phase, seat
    state.due_ms = None if state.patient else now_ms + CHOICE_MS


# Nobody declared anything ------------------------------------------------------------------------


def unanswered(state: State, now_ms: int) -> Told:
    """Nobody tried the clicked card: its owner wins the turn, and takes any card."""
    assert state.clicker is not None
    card, state.clicked = state.clicked, 0
    state.discard(card)
    state.winner = state.clicker
    return to_all(WentOut(card)) + let_take(state, [(state.clicker, 1)], now_ms)


def idle(state: State, now_ms: int) -> Told:
    """Nobody shot or clicked: the turn has no winner. After so many such turns, or where nobody
    has a card or gets one, the round is over. In practice players pass, which is not counted."""
    state.idle += not state.options.practises
    told = to_all(Idled(state.idle))
    nobody_can = not any(state.hand) and not state.somebody_waits
    if nobody_can or state.idle >= MAX_IDLE_TURNS:
        return told + to_all(*end_round(state, now_ms))
    return told + conclude(state, now_ms)


# Cards are taken ---------------------------------------------------------------------------------


def let_take(state: State, takes: Iterable[tuple[int, int]], now_ms: int) -> Told:
    """These seats take so many cards of the Wheel each, in this order."""
    state.takes = tuple(takes)
    if not state.takes:
        return claim(state, now_ms)
    ask(state, Phase.TAKE, state.takes[0][0], now_ms)
    return []


def plain_prize(state: State, seat: int) -> Take:
    """What a seat takes that does not choose in time: a card with its Target, else one of a colour
    that it has not won, else any; of several the lowest place."""
    colours = {*map(colour_of, state.won[seat])}

    def rank(place: int) -> tuple[int, int]:
        card = state.wheel[place]
        if object_of(card) == state.targets[seat]:
            return 0, place
        return 1 + (colour_of(card) in colours), place

    return Take(min(places_to_take(state.wheel, state.barred), key=rank))


def take(state: State, seat: int, wish: Take, now_ms: int, *, late: bool = False) -> Told:
    """A card is won. `late`: the seat did not choose it."""
    card = state.wheel[wish.place]
    give(state, seat, card)
    state.put(wish.place, 0)
    (_, cards), *others = state.takes
    left = [(seat, cards - 1)] if cards > 1 else []
    told = to_all(Won(seat, card, wish.place, late))
    return told + let_take(state, [*left, *others], now_ms)


# A Challenge card is used ------------------------------------------------------------------------


def claim(state: State, now_ms: int) -> Told:
    """The winner of the turn may use a Challenge card, if one can be used."""
    state.barred = None
    if state.winner is None or not uses(state, state.winner):
        return conclude(state, now_ms)
    ask(state, Phase.CHALLENGE, state.winner, now_ms)
    return []


def challenge(state: State, seat: int, wish: Use, now_ms: int) -> Told:
    """The winner uses a Challenge card."""
    return to_all(*use(state, seat, wish)) + conclude(state, now_ms)


# What is left is laid ----------------------------------------------------------------------------


def conclude(state: State, now_ms: int) -> Told:
    """The round is over, or what is left in the hands is laid, last by who ended the turn."""
    if any(len(cards) >= ROUND_ENDS_AT for cards in state.won):
        return to_all(*end_round(state, now_ms))
    told = replace_at_once(state, now_ms)
    order = [*state.from_the_right_of(state.ended_by), state.ended_by]
    state.layers = tuple(seat for seat in order if state.hand[seat])
    return told + to_all(*_next_layer(state, now_ms))


def _next_layer(state: State, now_ms: int) -> list[Event]:
    if not state.layers:
        return _fill(state, now_ms)
    ask(state, Phase.LAY, state.layers[0], now_ms)
    return []


def lay(state: State, seat: int, wish: Lay, now_ms: int) -> Told:
    """A card goes from the hand to the Wheel; what it covers leaves the game."""
    card, covered = state.hand[seat], state.wheel[wish.place]
    state.hand[seat] = 0
    state.put(wish.place, card)
    if covered:
        state.discard(covered)
    state.layers = state.layers[1:]
    return to_all(WasLaid(seat, wish.place, card, covered), *_next_layer(state, now_ms))


def _fill(state: State, now_ms: int) -> list[Event]:
    """Gaps get cards from the deck; where it has too few for the next turn, all are shuffled."""
    events = _fill_gaps(state)
    if len(state.deck) < len(state.in_match()):
        events.append(reshuffle(state))
    return events + begin_turn(state, now_ms)


def _fill_gaps(state: State) -> list[Event]:
    events: list[Event] = []
    for place in range(PLACES):
        while not state.wheel[place]:
            if not state.deck:
                return [*events, reshuffle(state)]
            card = state.draw()
            if is_pattern(card):
                state.put(place, card)
                events.append(Filled(place, card))
            else:
                state.discard(card)
                events.append(WentOut(card))
    return events


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
    limit_ms = 0 if state.options.practises else state.options.race_limit_s * 1000
    state.phase, state.done = Phase.RACE, [False] * state.seats
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
    if state.options.lag is Switch.OFF or not any(state.measured):
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
    if state.phase not in (Phase.RACE, Phase.CLICKED):
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
        ends = idle if state.phase is Phase.RACE else unanswered
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
    state.phase, state.acting = Phase.DECLARE, seat
    state.due_ms = None if state.options.practises else now_ms + CHOICE_MS
    return Shot(seat, place, card, state.covered)


def _click(state: State, seat: int, now_ms: int) -> Told:
    state.clicker, state.clicked, state.hand[seat] = seat, state.hand[seat], 0
    state.phase, state.done = Phase.CLICKED, [False] * state.seats
    seen_ms = _show_at_once(state, now_ms)
    state.due_ms = None if state.options.practises else seen_ms + SONG_MS
    return to_all(Clicked(seat, state.clicked)) + nobody_left(state, now_ms)


def nobody_left(state: State, now_ms: int) -> Told:
    """End the race, or the song, when nobody can or will try any more."""
    if to_act(state) or state.tries:
        return []
    if state.phase is Phase.CLICKED:
        return unanswered(state, now_ms)
    return idle(state, now_ms) if state.phase is Phase.RACE and not state.somebody_waits else []


# What a declaration brings: cards of the Wheel, or a card for each of the others.
#
# Rules: A turn, 3.


def declare(
    state: State, seat: int, pattern: Pattern | None, now_ms: int, *, late: bool = False
) -> Told:
    """None is no declaration, which is a wrong one; `late`: there is none because of the time."""
    assert state.place is not None
    wheel, place, covered = state.wheel, state.place, state.covered
    found: Pairs | Fault | None = None
    if pattern is not None:
        found = judged(wheel, place, covered, pattern, in_pair=state.options.in_pair)
    right = found if isinstance(found, Pairs) else Pairs((), 0)
    state.declared = Declared(
        seat,
        pattern,
        len(right.anchors),
        wild=right.is_wild,
        fault=found if isinstance(found, Fault) else None,
        late=late,
        wheel=wheel,
        place=place,
        covered=covered,
    )
    told = to_all(state.declared)
    if pattern is None or not right.anchors:
        return told + _miss(state, seat, now_ms)
    if right.is_wild:
        end_match(state, [seat], DecidedBy.WILD_PATTERN)
        return told
    state.winner = seat
    more = len(right.anchors) > MIN_ANCHORS
    reward = _suit_reward if pattern.has_suit else _colour_reward
    return told + reward(state, seat, more, now_ms)


def _suit_reward(state: State, seat: int, more: bool, now_ms: int) -> Told:
    """The covered card; where the pattern repeats twice or more, the played one as well."""
    assert state.place is not None
    covered, state.covered = state.covered, 0
    give(state, seat, covered)
    told = to_all(Won(seat, covered))
    if more:
        played = state.wheel[state.place]
        give(state, seat, played)
        state.put(state.place, 0)
        told += to_all(Won(seat, played, state.place))
    return told + claim(state, now_ms)


def _colour_reward(state: State, seat: int, more: bool, now_ms: int) -> Told:
    """Any card but the played one; where the pattern repeats twice or more, any two."""
    covered, state.covered = state.covered, 0
    state.discard(covered)
    state.barred = None if more else state.place
    return to_all(WentOut(covered)) + let_take(state, [(seat, 1 + more)], now_ms)


def _miss(state: State, seat: int, now_ms: int) -> Told:
    """The played card leaves the game, the covered one is on the Wheel again, and each of the
    others takes a card, from the right on; the clicker as one of them."""
    assert state.place is not None
    played = state.wheel[state.place]
    state.put(state.place, state.covered)
    state.covered = 0
    state.discard(played)
    takes = [(other, 1) for other in state.from_the_right_of(seat)]
    return to_all(WentOut(played)) + let_take(state, takes, now_ms)
