"""The floor for the engine: random games of Clocktowers in one function, written for speed alone.

The deals, rules and choices are those of the contract with standard options. But an action is a
pair of numbers and a tower is one number, nothing is refused, seen or recorded, and nobody is told
anything; of the end only the points are worked out. (To count the choices, not list them, would
save 7 % more, at twice the length.)
Law: the same seed and choices lead to the same points (`tests/bench/test_load.py`).
"""

from bisect import insort
from collections.abc import Callable
from typing import Final

from protocol.games.clocktowers import (
    ANIMALS,
    CODES,
    FIRST_CLOCK,
    FIRST_ROOF,
    START_HAND,
    STOREYS,
)
from protocol.games.clocktowers.cards import dealt
from server.games.clocktowers.state import TURNS

# A tower is its number, its storeys (6 bits) and its kinds of animal (2 bits).
_NUMBER: Final = 8
_STOREYS: Final = 2
_MARKS: Final = tuple({"": 0, "c": 1, "m": 2}[animal] for animal in ANIMALS)
_GROWTH: Final = tuple(storeys << _STOREYS for storeys in STOREYS)
_POINTS: Final = (5, 4, 2, 3)

# A choice is a card and the place of a tower in its list, or one of these.
_NEW: Final = -1
_GONE: Final = -2
_DISCARDS: Final = tuple((card, _GONE) for card in range(len(CODES)))
_ROOFS: Final = tuple(tuple((card, place) for place in range(TURNS)) for card in range(len(CODES)))
_PLAYS: Final = tuple(
    tuple(
        ((card, _NEW),) * (card < FIRST_CLOCK) + tuple((card, place) for place in range(bare))
        for card in range(FIRST_ROOF)
    )
    for bare in range(TURNS)
)
"""By the number of towers without a clock and the card: what can be done with a floor or clock."""


def play(seats: int, seed: bytes, random: Callable[[], float]) -> list[int]:
    """The points by seat of a game in which every choice is drawn from `random`.

    One function, and long, because calls are what costs most.
    """
    dealing = dealt(seats, seed)
    piles = [list(reversed(pile)) for pile in dealing.piles]
    first = dealing.stream.below(seats)
    order = [*range(first, seats), *range(first)]
    ladder = [0b110] * len(CODES)
    hands_and_towers: list[tuple[list[int], list[int], list[int]]] = [
        ([*START_HAND], [], []) for _ in range(seats)
    ]
    towers = [0] * seats
    points = [0] * seats
    for seat in (order * TURNS)[:TURNS]:
        hand, bare, clocked = hands_and_towers[seat]
        plays = _PLAYS[len(bare)]
        choices: list[tuple[int, int]] = []
        discards = []
        last = 0
        for card in hand:
            if card != last:
                last = card
                discards.append(_DISCARDS[card])
                if card < FIRST_ROOF:
                    choices += plays[card]
                elif clocked:
                    fits = ladder[card]
                    for place, tower in enumerate(clocked):
                        if fits >> (tower >> _STOREYS & 63) & 1:
                            choices.append(_ROOFS[card][place])
        choices += discards
        card, place = choices[int(random() * len(choices))]
        hand.remove(card)
        if place >= 0:
            if card < FIRST_CLOCK:
                bare[place] = bare[place] + _GROWTH[card] | _MARKS[card]
            elif card < FIRST_ROOF:
                insort(clocked, bare.pop(place) | _MARKS[card])
            else:
                tower = clocked.pop(place)
                points[seat] += _POINTS[tower & 3]
                ladder[card] = 2 << (tower >> _STOREYS & 63)
        elif place == _NEW:
            bare.append(towers[seat] << _NUMBER | _GROWTH[card] | _MARKS[card])
            towers[seat] += 1
        if piles:
            pile = piles[int(random() * len(piles))]
            insort(hand, pile.pop())
            if not pile:
                piles.remove(pile)
    return points
