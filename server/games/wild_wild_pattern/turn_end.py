"""How a turn ends: cards are taken, a Challenge card is used, what is left in the hands is laid,
and the gaps are filled (rules: A turn, 2-7)."""

from collections.abc import Iterable

from protocol.games.wild_wild_pattern import (
    CHOICE_MS,
    MAX_IDLE_TURNS,
    ROUND_ENDS_AT,
    Event,
    Filled,
    Idled,
    Lay,
    Phase,
    Take,
    Use,
    WasLaid,
    WentOut,
    Won,
)
from protocol.games.wild_wild_pattern.cards import colour_of, is_pattern, object_of
from protocol.games.wild_wild_pattern.pattern import PLACES
from server.games.wild_wild_pattern.addressing import Told, to_all
from server.games.wild_wild_pattern.challenges import give, replace_at_once, use, uses
from server.games.wild_wild_pattern.legal import places_to_take
from server.games.wild_wild_pattern.scoring import end_round
from server.games.wild_wild_pattern.setup import begin_turn, reshuffle
from server.games.wild_wild_pattern.state import CHALLENGE, LAY, TAKE, State


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
    state.idle += not state.unhurried
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
    ask(state, TAKE, state.takes[0][0], now_ms)
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

    return Take(min(places_to_take(state), key=rank))


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
    ask(state, CHALLENGE, state.winner, now_ms)
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
    ask(state, LAY, state.layers[0], now_ms)
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
