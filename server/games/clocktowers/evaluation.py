"""What a running match is worth to each seat: points held, and points that its towers may bring.

A tower's hope is what it will score times the chances of the clock, the storeys and the roof it
lacks; cards and ladder steps are given out once, to nearly finished and low towers first. It is
worked out in whole thousandths, and stops where the seat has no turns left to build any more.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from protocol.games.clocktowers import (
    COPIES,
    FIRST_CLOCK,
    FIRST_ROOF,
    LATER_TOWERS,
    START_HAND,
    STOREYS,
    Drew,
    Event,
    View,
    tower_points,
)
from server.games.clocktowers.state import COLOURS, NOBODY, State

PLAIN_CLOCK: Final = FIRST_CLOCK
MOUSE_CLOCK: Final = FIRST_CLOCK + 1

POINT: Final = 1000

# Chances in thousandths that a card will be there when it is wanted, tuned by matches between
# variants.
_IN_HAND: Final = 800
_ON_TOP: Final = 600
_UNSEEN: Final = 130
_UNSEEN_AT_MOST: Final = 500
_FLOOR_IN_HAND: Final = 750
_FLOORS_TO_COME: Final = (1000, 600, 360, 216)
_NOT_BEGUN: Final = 500

_ROOF: Final = bytes((FIRST_ROOF,))
BYTES: Final = tuple(bytes((card,)) for card in range(FIRST_ROOF))


@lru_cache(maxsize=1 << 16)
def brings(tower: bytes, lacking: bytes, count_clock_mice: bool) -> int:
    """The points of a tower with the cards it lacks below its roof, and a roof."""
    return tower_points(tower + lacking + _ROOF, count_clock_mice)


def unseen_cards(view: View, own_events: Sequence[Event]) -> list[int]:
    """By card byte: how many are neither in sight nor known to be gone or in some hand."""
    unseen = list(COPIES)
    for event in own_events:
        if isinstance(event, Drew):
            unseen[event.card] -= 1
    for start in START_HAND:
        unseen[start] -= len(view.hands)
    for top in view.piles:
        unseen[top] -= 1
    return unseen


def chances(unseen: Sequence[int]) -> list[int]:
    """Card → the chance to get an unseen copy; `unseen` says how many there are."""
    return [min(_UNSEEN_AT_MOST, _UNSEEN * copies) for copies in unseen]


def margins(worth: list[int]) -> list[int]:
    """By seat, what it holds and hopes for less the most of any other. `worth`: by seat."""
    return [own - max(worth[:seat] + worth[seat + 1 :]) for seat, own in enumerate(worth)]


def worths(state: State, chance: Sequence[int]) -> list[int]:
    """By seat, what it holds and hopes for, in thousandths of a point; when the match is over, its
    points alone."""
    held = [points * POINT for points in state.points]
    if state.turn == NOBODY:
        return held
    return [points + hopes(state, seat, chance) for seat, points in enumerate(held)]


def hopes(state: State, seat: int, chance: Sequence[int]) -> int:
    """Thousandths of a point the seat may still score; `chance` as `chances` gives it.

    A measured hot path: two of these end every simulation.
    """
    return sum([gain for _tower, gain in _hoped(state, seat, chance)])


def parts(state: State, seat: int, chance: Sequence[int], stand: int) -> dict[str, int]:
    """The same by tower with the points that it has: the first `stand`, by index, and all others
    together."""
    found = {str(tower): 0 for tower in range(stand)} | {LATER_TOWERS: 0}
    held = [(tower, POINT * points) for tower, points in enumerate(state.worth[seat])]
    for tower, points in held + ([] if state.turn == NOBODY else _hoped(state, seat, chance)):
        found[str(tower) if tower < stand else LATER_TOWERS] += points
    return found


def _hoped(state: State, seat: int, chance: Sequence[int]) -> list[tuple[int, int]]:
    """(Tower, what it may still bring); one that is not begun has the next index."""
    stock = _Stock(state, seat, chance)
    turns, found = _turns(state, seat), list[tuple[int, int]]()
    new = len(state.towers[seat])
    for index, tower, height, bare in _projects(state, seat):
        roof, colour, finished = stock.roof(height, bare)
        if not roof:
            continue
        points, clock = stock.clock(tower) if bare else (POINT * brings(tower, b"", stock.count), 0)
        if not points:
            continue
        turns -= 1 + bare + (index == new) + (finished > height)
        if turns < 0:
            break
        stock.use(colour, finished, clock)
        gain = points * roof // POINT
        found.append((index, gain if index < new else gain * _NOT_BEGUN // POINT))
    return found


def _turns(state: State, seat: int) -> int:
    """The turns the seat still has."""
    before = (seat - state.turn) % state.seats
    return (state.turns_left - before + state.seats - 1) // state.seats


def _projects(state: State, seat: int) -> Iterator[tuple[int, bytes, int, bool]]:
    """(index, tower, height, no clock yet): towers with a clock, without, floors in the hand, which
    have the next index."""
    towers, heights = state.towers[seat], state.heights[seat]
    for bare, indexes in ((False, state.clocked[seat]), (True, state.bare[seat])):
        for index in sorted(indexes, key=heights.__getitem__):
            yield index, towers[index], heights[index], bare
    for card in state.hands[seat]:
        if card < FIRST_CLOCK:
            yield len(towers), BYTES[card], STOREYS[card], True


class _Stock:
    """What a seat may count on. Each card and each step of the ladder is assigned once."""

    __slots__ = ("_chance", "_clocks", "_growth", "_ladder", "_roofs", "_top_clock", "count")

    def __init__(self, state: State, seat: int, chance: Sequence[int]) -> None:
        left, row = state.left, state.rows[seat]
        self.count = state.count_clock_mice
        self._ladder = state.ladder[row : row + COLOURS]
        self._top_clock = state.piles[1][-left[1]] if left[1] else 0
        self._clocks = [0, 0]
        # By card; what is only below the top of a pile counts while there is something.
        self._chance = list(chance)
        if left[1] < 2:
            self._chance[PLAIN_CLOCK] = self._chance[MOUSE_CLOCK] = 0
        if left[2] < 2:
            self._chance[FIRST_ROOF:] = COLOURS * (0,)
        self._roofs = self._chance[FIRST_ROOF:]
        if left[2]:
            self._roofs[state.piles[2][-left[2]] - FIRST_ROOF] = _ON_TOP
        self._growth = list(_FLOORS_TO_COME)
        for card in state.hands[seat]:
            if card >= FIRST_ROOF:
                self._roofs[card - FIRST_ROOF] = _IN_HAND
            elif card >= FIRST_CLOCK:
                self._clocks[card - FIRST_CLOCK] += 1
            else:
                self._growth[STOREYS[card]] = _FLOOR_IN_HAND

    def roof(self, height: int, may_grow: bool) -> tuple[int, int, int]:
        """The likeliest (chance with its storeys, colour, height then); chance 0 = none fits."""
        best, colour, finished = 0, 0, height
        growth = self._growth
        for each, roof in enumerate(self._roofs):
            if roof > best:
                fits = self._ladder[each] >> height
                if fits & 1:
                    best, colour, finished = roof, each, height
                elif may_grow and fits & 0b1110:
                    more = 1 if fits & 2 else 2 if fits & 4 else 3
                    likely = roof * growth[more] // POINT
                    if likely > best:
                        best, colour, finished = likely, each, height + more
        return best, colour, finished

    def clock(self, tower: bytes) -> tuple[int, int]:
        """The better clock for a tower: (thousandths of a point to be hoped for, card)."""
        plain = brings(tower, BYTES[PLAIN_CLOCK], self.count) * self._clock(PLAIN_CLOCK)
        mouse = brings(tower, BYTES[MOUSE_CLOCK], self.count) * self._clock(MOUSE_CLOCK)
        return (plain, PLAIN_CLOCK) if plain >= mouse else (mouse, MOUSE_CLOCK)

    def _clock(self, card: int) -> int:
        if self._clocks[card - FIRST_CLOCK]:
            return _IN_HAND
        return _ON_TOP if self._top_clock == card else self._chance[card]

    def use(self, colour: int, finished: int, clock: int) -> None:
        """Assign a roof, its ladder step, and a clock (0 = the tower has one)."""
        self._roofs[colour] = self._chance[FIRST_ROOF + colour]
        self._ladder[colour] = 2 << finished
        if clock and self._clocks[clock - FIRST_CLOCK]:
            self._clocks[clock - FIRST_CLOCK] -= 1
        elif clock == self._top_clock:
            self._top_clock = 0
