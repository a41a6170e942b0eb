"""The `normal` level: weighs the position after each of its actions, one step ahead.

A position is worth the points it holds plus, for every tower begun and every floor in the hand, the
points it may bring times the chance of getting what it lacks. Clocks and roofs are assigned one
after the other, nearly finished towers first, and each assigned roof moves the ladder on, so that
no two towers count on the same card or the same step.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final, NamedTuple

from protocol.games.clocktowers import (
    COPIES,
    FIRST_CLOCK,
    FIRST_ROOF,
    START_HAND,
    STOREYS,
    Action,
    ClockMice,
    Dealt,
    Discard,
    Draw,
    Drew,
    Event,
    View,
    tower_points,
)
from server.games.contract import Stop, never

# Chances that a card will be there when it is wanted, tuned by matches between variants.
_IN_HAND: Final = 0.8
_ON_TOP: Final = 0.6
_UNSEEN: Final = 0.13
_UNSEEN_AT_MOST: Final = 0.5
_FLOOR_IN_HAND: Final = 0.75
_FLOOR_TO_COME: Final = 0.6
_NOT_BEGUN: Final = 0.5
_HIGHER_AT_MOST: Final = 3
_JITTER: Final = 1e-6

_PLAIN_CLOCK: Final = FIRST_CLOCK
_MOUSE_CLOCK: Final = FIRST_CLOCK + 1


class _Table(NamedTuple):
    """What all positions of a decision have in common."""

    tops: bytes
    unseen: list[int]
    left: int
    count_clock_mice: bool


class _Position(NamedTuple):
    """`towers` by index, complete ones empty; `ladder`: the seat's own row of five masks."""

    points: int
    towers: list[bytes]
    hand: list[int]
    ladder: list[int]


class _Way(NamedTuple):
    """How a tower may be finished: what it brings, and what it uses up."""

    value: float
    height: int
    clock: int
    roof: int


def normal(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """The action after which the position is worth most; equals are decided by `rng.random()`."""
    assert view.seat is not None
    table = _table(view, own_events)
    row = view.ladder[view.seat % len(view.ladder)]
    town = view.towns[view.seat]
    best: Action = view.legal[0].action
    best_worth = -1.0
    for choice in view.legal:
        position = _Position(
            choice.points,
            [
                b"" if points else tower
                for tower, points in zip(town.towers, town.points, strict=True)
            ],
            list(view.hand),
            list(row),
        )
        after = _after(position, choice.action, choice.next_height, view.piles)
        worth = _worth(after, table, choice.action) + rng.random() * _JITTER
        if worth > best_worth:
            best, best_worth = choice.action, worth
    return best


def _table(view: View, own_events: Sequence[Event]) -> _Table:
    options = next((event.options for event in own_events if isinstance(event, Dealt)), None)
    ignore = options is not None and options.clock_mice == ClockMice.IGNORE
    return _Table(view.piles, unseen_cards(view, own_events), sum(view.left), not ignore)


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


def _after(position: _Position, action: Action, next_height: int, tops: bytes) -> _Position:
    """The position an action leads to."""
    if isinstance(action, Draw):
        position.hand.append(tops[action.pile])
        return position
    position.hand.remove(action.card)
    if isinstance(action, Discard):
        return position
    if action.tower is None:
        position.towers.append(bytes((action.card,)))
    elif action.card < FIRST_ROOF:
        position.towers[action.tower] += bytes((action.card,))
    else:
        position.towers[action.tower] = b""
        position.ladder[action.card - FIRST_ROOF] = 1 << next_height
    return position


def _worth(position: _Position, table: _Table, action: Action) -> float:
    """Points and hopes."""
    tops = list(table.tops)
    if isinstance(action, Draw):
        tops[action.pile] = 0
    hand = position.hand[:]
    ladder = position.ladder[:]
    worth = float(position.points)
    for tower, begun in _projects(position):
        way = _best_way(tower, hand, ladder, tops, table)
        if way is None:
            continue
        worth += way.value if begun else way.value * _NOT_BEGUN
        for card in (way.clock, way.roof):
            if card in hand:
                hand.remove(card)
            elif card in tops:
                tops[tops.index(card)] = 0
        ladder[way.roof - FIRST_ROOF] = 2 << way.height
    return worth


def _projects(position: _Position) -> Iterable[tuple[bytes, bool]]:
    """Towers waiting for a roof, towers of floors, floors in the hand; low ones first."""
    towers = [tower for tower in position.towers if tower]
    towers.sort(key=lambda tower: (tower[-1] < FIRST_CLOCK, _height(tower)))
    for tower in towers:
        yield tower, True
    for card in position.hand:
        if card < FIRST_CLOCK:
            yield bytes((card,)), False


def _height(tower: bytes) -> int:
    return sum(STOREYS[card] for card in tower)


def _best_way(
    tower: bytes, hand: list[int], ladder: list[int], tops: list[int], table: _Table
) -> _Way | None:
    """The most promising clock, height and roof for a tower, or None when nothing would fit."""
    low = _height(tower)
    if tower[-1] >= FIRST_CLOCK:
        clocks = [(0, 1.0)]
        high = low
    else:
        clocks = [(card, _chance(card, hand, tops, table)) for card in (_PLAIN_CLOCK, _MOUSE_CLOCK)]
        high = low + _HIGHER_AT_MOST
    best: _Way | None = None
    for clock, clock_chance in clocks:
        built = tower if not clock else tower + bytes((clock,))
        points = tower_points(built + bytes((FIRST_ROOF,)), table.count_clock_mice)
        for colour, fits in enumerate(ladder):
            for height in range(low, high + 1):
                if not fits >> height & 1:
                    continue
                roof = FIRST_ROOF + colour
                value = (
                    points
                    * clock_chance
                    * _chance(roof, hand, tops, table)
                    * _growth(height - low, hand)
                )
                if value and (best is None or value > best.value):
                    best = _Way(value, height, clock, roof)
    return best


def _chance(card: int, hand: list[int], tops: list[int], table: _Table) -> float:
    """How likely the card will be in the hand when it is wanted."""
    if card in hand:
        return _IN_HAND
    if card in tops:
        return _ON_TOP
    if table.left <= len(table.tops):
        return 0.0
    return min(_UNSEEN_AT_MOST, _UNSEEN * table.unseen[card])


def _growth(storeys: int, hand: list[int]) -> float:
    """How likely a tower gets that many storeys more."""
    if not storeys:
        return 1.0
    if any(STOREYS[card] == storeys for card in hand):
        return _FLOOR_IN_HAND
    return float(_FLOOR_TO_COME**storeys)
