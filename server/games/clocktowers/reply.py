"""What a seat would likely do, decided in microseconds: how the search plays on below its tree.

Rules of thumb over the seat's own hand, towers and ladder and the open tops; weaker than
`normal`. The numbers are points, or shares of them, found by matches between variants.
"""

from functools import lru_cache
from typing import Final

from protocol.games.clocktowers import FIRST_CLOCK, FIRST_ROOF, STOREYS, Action, Discard, Draw, Play
from server.games.clocktowers.evaluation import BYTES, PLAIN_CLOCK, brings
from server.games.clocktowers.state import COLOURS, DRAW, State

# Chances that a roof of the right step is there in time, by where one lies now.
_IN_HAND: Final = 0.9
_ON_TOP: Final = 0.6
_SOMEWHERE: Final = 0.35
_ONE_STOREY_MORE: Final = 0.22
_TWO_STOREYS_MORE: Final = 0.08
_WORTH_A_CLOCK: Final = 0.2
"""A tower with a clock can't grow any more: below this chance the clock spoils it."""

_PLAIN_FLOORS: Final = (1, 4)
_CAT_FLOORS: Final = (2, 5)
_LOW_STEPS: Final = 0b110
_MIDDLE_STEPS: Final = 0b11000
_HEIGHTS: Final = 43
"""From 0 to that of all floors of the box on one tower."""


def reply(state: State) -> Action:
    """A legal action of the seat to act; looks at nothing that the seat cannot see."""
    if state.phase == DRAW:
        return Draw(_pile(state))
    return _roof(state) or _card(state)


# Play or discard ---------------------------------------------------------------------------------


def _roof(state: State) -> Action | None:
    """The roof that scores most, at once."""
    seat = state.turn
    most, best = 0, None
    for card in state.hands[seat]:
        if card < FIRST_ROOF:
            continue
        fits = state.ladder[state.rows[seat] + card - FIRST_ROOF]
        for tower in state.clocked[seat]:
            if fits >> state.heights[seat][tower] & 1:
                points = brings(state.towers[seat][tower], b"", state.count_clock_mice)
                if points > most:
                    most, best = points, (card, tower)
    return None if best is None else Play(*best)


@lru_cache(maxsize=1 << 12)
def _chances(in_hand: int, on_top: int, somewhere: int) -> list[float]:
    """Height → how likely a tower of it gets its roof. Each is a mask of the heights at which a
    roof fits that lies there."""
    return [_chance(in_hand >> up, on_top >> up, somewhere >> up) for up in range(_HEIGHTS)]


def _chance(in_hand: int, on_top: int, somewhere: int) -> float:
    if in_hand & 1:
        return _IN_HAND
    if on_top & 1:
        return _ON_TOP
    if somewhere & 1:
        return _SOMEWHERE
    if somewhere & 2:
        return _ONE_STOREY_MORE
    return _TWO_STOREYS_MORE if somewhere & 4 else 0.0


def _roofs(state: State, seat: int) -> list[float]:
    """`_chances` for the seat."""
    row, left = state.rows[seat], state.left[2]
    in_hand = somewhere = 0
    for card in state.hands[seat]:
        if card >= FIRST_ROOF:
            in_hand |= state.ladder[row + card - FIRST_ROOF]
    if not left:
        return _chances(in_hand, 0, in_hand)
    for fits in state.ladder[row : row + COLOURS]:
        somewhere |= fits
    top = state.ladder[row + state.piles[2][-left] - FIRST_ROOF]
    return _chances(in_hand, top, somewhere)


@lru_cache(maxsize=1 << 15)
def _finished(tower: bytes, count_clock_mice: bool) -> list[int]:
    """Card → what a tower of floors brings once it has this floor and a plain clock, or this clock;
    0 → with a plain clock alone."""
    plain = tower + BYTES[PLAIN_CLOCK]
    floors = [tower + BYTES[card] + BYTES[PLAIN_CLOCK] for card in range(1, FIRST_CLOCK)]
    clocks = [tower + BYTES[card] for card in range(FIRST_CLOCK, FIRST_ROOF)]
    return [brings(built, b"", count_clock_mice) for built in (plain, *floors, *clocks)]


def _card(state: State) -> Action:
    """The floor or clock that gains most, or the discard that loses least. A measured hot loop."""
    seat, count = state.turn, state.count_clock_mice
    roofs, towers = _roofs(state, seat), state.towers[seat]
    heights = state.heights[seat]
    begun = [(each, heights[each], _finished(towers[each], count)) for each in state.bare[seat]]
    most, best, where, last = -100.0, 0, -1, 0
    for card in state.hands[seat]:
        if card == last:
            continue
        last = card
        if card < FIRST_CLOCK:
            gain = _new_tower(state, card, roofs)
            if gain > most:
                most, best, where = gain, card, len(towers)
            storeys = STOREYS[card]
            for tower, height, points in begun:
                gain = roofs[height + storeys] * points[card] - roofs[height] * points[0]
                if gain > most:
                    most, best, where = gain, card, tower
        elif card < FIRST_ROOF:
            for tower, height, points in begun:
                worth = points[card] - (1.5 if points[card] < points[0] else 0.0)
                gain = (roofs[height] - _WORTH_A_CLOCK) * worth
                if gain > most:
                    most, best, where = gain, card, tower
        gain = -_use(state, card)
        if gain > most:
            most, best, where = gain, card, -1
    if where < 0:
        return Discard(best)
    return Play(best, where if where < len(towers) else None)


def _new_tower(state: State, card: int, roofs: list[float]) -> float:
    """What a tower on this floor may bring, less with many under way and when time runs out."""
    seat = state.turn
    waiting = len(state.clocked[seat]) + len(state.bare[seat])
    gain = roofs[STOREYS[card]] * (_finished(BYTES[card], state.count_clock_mice)[0] - 1)
    gain *= 1.0 if waiting < 2 else 0.6 if waiting < 4 else 0.3
    return gain * 0.2 if state.turns_left // state.seats < 3 + waiting else gain


def _use(state: State, card: int) -> float:
    """What is lost with a card that is thrown away."""
    if card < FIRST_CLOCK:
        return 0.5 if card in _PLAIN_FLOORS else 0.35 if card in _CAT_FLOORS else 0.0
    if card < FIRST_ROOF:
        return 0.6 if card == PLAIN_CLOCK else 0.2
    seat = state.turn
    fits = state.ladder[state.rows[seat] + card - FIRST_ROOF]
    heights = state.heights[seat]
    if any(fits >> heights[tower] & 1 for tower in state.bare[seat]):
        return 1.2
    return 0.6 if fits & _LOW_STEPS else 0.3 if fits & _MIDDLE_STEPS else 0.1


# Draw --------------------------------------------------------------------------------------------


def _pile(state: State) -> int:
    """The pile whose top card is of most use; of equals the roofs, then the clocks."""
    left, piles = state.left, state.piles
    seat = state.turn
    in_hand = clocks = floors = 0
    for card in state.hands[seat]:
        if card >= FIRST_ROOF:
            in_hand |= state.ladder[state.rows[seat] + card - FIRST_ROOF]
        elif card >= FIRST_CLOCK:
            clocks += 1
        else:
            floors += 1
    most, best = -1.0, 0
    if left[2]:
        most, best = _roof_drawn(state, piles[2][-left[2]], in_hand, clocks), 2
    if left[1] and (use := _clock_drawn(state, piles[1][-left[1]], in_hand, clocks)) > most:
        most, best = use, 1
    if left[0] and _floor_drawn(state, piles[0][-left[0]], floors) > most:
        best = 0
    return best


def _roof_drawn(state: State, card: int, in_hand: int, clocks: int) -> float:
    """`in_hand`: a mask of the heights for which the seat already has a roof."""
    seat, count = state.turn, state.count_clock_mice
    fits = state.ladder[state.rows[seat] + card - FIRST_ROOF]
    use = 0.3 if fits & _LOW_STEPS else 0.1
    wanted = fits & ~in_hand
    heights, towers = state.heights[seat], state.towers[seat]
    for tower in state.clocked[seat]:
        if wanted >> heights[tower] & 1:
            use = max(use, brings(towers[tower], b"", count))
    share = 0.5 if clocks else 0.35
    for tower in state.bare[seat]:
        if wanted >> heights[tower] & 1:
            use = max(use, share * brings(towers[tower], BYTES[PLAIN_CLOCK], count))
    return use


def _clock_drawn(state: State, card: int, in_hand: int, clocks: int) -> float:
    seat, count = state.turn, state.count_clock_mice
    bare, plain = state.bare[seat], card == PLAIN_CLOCK
    use = 0.7 if plain else 0.2
    if clocks:
        use = 0.45 if plain and clocks < 2 else 0.05
    if len(bare) > clocks or (plain and bare and PLAIN_CLOCK not in state.hands[seat]):
        for tower in bare:
            share = 0.6 if in_hand >> state.heights[seat][tower] & 1 else 0.3
            use = max(use, share * brings(state.towers[seat][tower], BYTES[card], count))
    return use


def _floor_drawn(state: State, card: int, floors: int) -> float:
    use = 0.9 if card in _PLAIN_FLOORS else 0.7 if card in _CAT_FLOORS else 0.1
    return use * (1.2 if not floors and len(state.bare[state.turn]) < 2 else 0.8)
