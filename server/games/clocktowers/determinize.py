"""Imagine a whole state that fits everything a seat has been sent; bots search through it.

What the seat knows for certain is copied. What it cannot know is drawn: each opponent's hand from
the hands that fit the public events, the discards that go with it, and the order of the unseen
cards in the piles and among the removed cards.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from protocol.games.clocktowers import (
    FIRST_CLOCK,
    FIRST_ROOF,
    STOREYS,
    Dealt,
    Discarded,
    Drew,
    Event,
    Phase,
    Played,
    View,
)
from protocol.games.clocktowers.cards import REMOVED_FLOORS, REMOVED_ROOFS, pool
from server.games.clocktowers.state import (
    DRAW,
    NOBODY,
    OVER,
    PLAY,
    TURNS,
    Deal,
    Hands,
    State,
    after_discard,
    after_draw,
    after_play,
    begin,
)

_PHASES = {Phase.PLAY: PLAY, Phase.DRAW: DRAW, Phase.OVER: OVER}


class Known(NamedTuple):
    """What a seat can work out from all it was sent; the same for every state it imagines."""

    view: View
    dealt: Dealt
    drawn: list[list[int]]
    memory: list[Hands]


def determinize(view: View, own_events: Sequence[Event], rng: Random) -> State:
    """A state whose view for `view.seat` is `view`; uses `rng.random()` only.

    Raises ValueError for a spectator's view, and for events that do not begin with the deal.
    """
    return imagine(survey(view, own_events), rng)


def survey(view: View, own_events: Sequence[Event]) -> Known:
    """The part of `determinize` that needs no chance; raises the same errors."""
    if view.seat is None:
        raise ValueError("a spectator's view cannot be determinized")
    if not own_events or not isinstance(dealt := own_events[0], Dealt):
        raise ValueError("the events of a seat begin with the deal")
    return Known(view, dealt, *_public(own_events, len(view.hands)))


def imagine(known: Known, rng: Random) -> State:
    """One of the states that fit."""
    view, dealt, drawn, memory = known
    state = State(dealt.options, _imagine_deal(view, dealt.first_seat, drawn, rng))
    _take_over_table(state, view)
    _imagine_hands(state, view, memory, rng)
    if state.memory is not None:
        state.memory = memory[:]
        state.known = view.known[:]
    return state


def _public(events: Iterable[Event], seats: int) -> tuple[list[list[int]], list[Hands]]:
    """The cards drawn from each pile in order, and by seat the hands that fit."""
    drawn: list[list[int]] = [[], [], []]
    memory = [begin() for _ in range(seats)]
    for event in events:
        if isinstance(event, Drew):
            drawn[event.pile].append(event.card)
            memory[event.seat] = after_draw(memory[event.seat], event.card)
        elif isinstance(event, Played):
            memory[event.seat] = after_play(memory[event.seat], event.card)
        elif isinstance(event, Discarded):
            memory[event.seat] = after_discard(memory[event.seat])
    return drawn, memory


def _imagine_deal(view: View, first_seat: int, drawn: list[list[int]], rng: Random) -> Deal:
    """Drawn cards and tops as they were; unseen cards in any order, the removed ones first."""
    seats = len(view.hands)
    gone: list[bytes] = []
    piles: list[bytes] = []
    for pile, taken in enumerate((REMOVED_FLOORS, 0, REMOVED_ROOFS)):
        seen = bytes(drawn[pile])
        if view.piles[pile]:
            seen += view.piles[pile : pile + 1]
        unseen = _less(pool(pile, seats), seen)
        _shuffle(unseen, rng)
        gone.append(bytes(unseen[:taken]))
        piles.append(seen + bytes(unseen[taken:]))
    if view.removed:
        gone = [view.removed[:REMOVED_FLOORS], b"", view.removed[REMOVED_FLOORS:]]
    floors, clocks, roofs = piles
    return Deal(
        seats=seats,
        first_seat=first_seat,
        piles=(floors, clocks, roofs),
        removed=(gone[0], gone[2]),
    )


def _take_over_table(state: State, view: View) -> None:
    """Everything that lies open."""
    state.turn = NOBODY if view.turn is None else view.turn
    state.phase = _PHASES[view.phase]
    state.left = list(view.left)
    state.open_piles = sum(1 << pile for pile, left in enumerate(view.left) if left)
    state.ladder = list(b"".join(view.ladder))
    state.points = list(view.points)
    state.turns_left = TURNS - sum(view.thrown)
    for seat, town in enumerate(view.towns):
        state.towers[seat] = town.towers[:]
        state.heights[seat] = [sum(STOREYS[card] for card in tower) for tower in town.towers]
        state.worth[seat] = town.points
        state.turns_left -= sum(map(len, town.towers))
        for index, tower in enumerate(town.towers):
            if tower[-1] < FIRST_CLOCK:
                state.bare[seat].append(index)
            elif tower[-1] < FIRST_ROOF:
                state.clocked[seat].append(index)


def _imagine_hands(state: State, view: View, memory: list[Hands], rng: Random) -> None:
    """The seat's own hand and discards as they are; for the others a possible hand, or as shown."""
    for seat, hands in enumerate(memory):
        if seat == view.seat:
            hand, discards = view.hand, view.discards
        elif view.shown:
            hand, discards = b"", view.shown[seat]
        else:
            possible = list(hands.items())
            hand, discards = possible[int(rng.random() * len(possible))]
        state.hands[seat] = list(hand)
        state.discards[seat] = discards


def _less(cards: bytes, seen: bytes) -> list[int]:
    rest = list(cards)
    for card in seen:
        rest.remove(card)
    return rest


def _shuffle(cards: list[int], rng: Random) -> None:
    for last in range(len(cards) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        cards[last], cards[other] = cards[other], cards[last]
