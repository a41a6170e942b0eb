"""What an action does in Clocktowers (rules: A turn)."""

from bisect import insort
from typing import Final

from protocol.games.clocktowers import (
    CODES,
    FIRST_CLOCK,
    FIRST_ROOF,
    STOREYS,
    Action,
    Choice,
    Completed,
    Discarded,
    Draw,
    Drew,
    Event,
    Play,
    Played,
    YouDiscarded,
    tower_points,
)
from protocol.ids import Seat
from server.games.clocktowers.memory import after_discard, after_draw, after_play, certain
from server.games.clocktowers.state import DRAW, NOBODY, OVER, PLAY, State
from server.games.contract import Addressed, Moment

_BYTES: Final = tuple(bytes((card,)) for card in range(len(CODES)))

# A discard's two events are the same few over and over; making them is half its cost.
_DISCARDED: Final[tuple[Addressed[Event], ...]] = tuple(
    Addressed(None, Discarded(seat)) for seat in range(4)
)
_YOU_DISCARDED: Final[tuple[tuple[Addressed[Event], ...], ...]] = tuple(
    tuple(Addressed(Seat(seat), YouDiscarded(card)) for card in range(len(CODES)))
    for seat in range(4)
)


def apply(state: State, seat: int, action: Action, at: Moment) -> list[Addressed[Event]]:
    """Change the state in place; the action was not refused. Time plays no part."""
    advance(state, seat, action, at)
    return _told(state, seat, action)


def advance(state: State, seat: int, action: Action, at: Moment) -> None:
    """`apply` without its events. A measured hot path of every search."""
    if type(action) is Play:
        _play(state, seat, action.card, action.tower)
    elif isinstance(action, Draw):
        _draw(state, seat, action.pile)
    else:
        _discard(state, seat, action.card)


def _play(state: State, seat: int, card: int, tower: int | None) -> None:
    """Rules: A turn, Floor, Clock and Roof."""
    state.hands[seat].remove(card)
    if state.memory is not None:
        _remember(state, seat, after_play(state.memory[seat], card))
    heights = state.heights[seat]
    if tower is None:
        state.bare[seat].append(len(heights))
        heights.append(STOREYS[card])
        state.towers[seat].append(_BYTES[card])
        state.worth[seat] += b"\0"
    else:
        state.towers[seat][tower] += _BYTES[card]
        if card < FIRST_CLOCK:
            heights[tower] += STOREYS[card]
        elif card < FIRST_ROOF:
            state.bare[seat].remove(tower)
            insort(state.clocked[seat], tower)
        else:
            _complete(state, seat, card, tower)
    _end_card(state, seat)


def _complete(state: State, seat: int, roof: int, tower: int) -> None:
    """Rules: A turn, Roof; The ladder of heights; Score."""
    points = tower_points(state.towers[seat][tower], state.count_clock_mice)
    state.clocked[seat].remove(tower)
    worth = state.worth[seat]
    state.worth[seat] = worth[:tower] + bytes((points,)) + worth[tower + 1 :]
    state.points[seat] += points
    state.ladder[state.rows[seat] + roof - FIRST_ROOF] = 2 << state.heights[seat][tower]


def _discard(state: State, seat: int, card: int) -> None:
    """Rules: A turn, Discard."""
    state.hands[seat].remove(card)
    state.discards[seat] += _BYTES[card]
    if state.memory is not None:
        _remember(state, seat, after_discard(state.memory[seat]))
    _end_card(state, seat)


def _draw(state: State, seat: int, pile: int) -> None:
    """Rules: A turn, The draw."""
    left = state.left[pile]
    card = state.piles[pile][-left]
    state.left[pile] = left - 1
    if left == 1:
        state.open_piles ^= 1 << pile
    insort(state.hands[seat], card)
    if state.memory is not None:
        _remember(state, seat, after_draw(state.memory[seat], card))
    if state.draw_first:
        state.phase = PLAY
    else:
        _next_seat(state, seat)


def _end_card(state: State, seat: int) -> None:
    """After the play or discard of a turn (rules: A turn, The draw and Once all are out)."""
    state.turns_left -= 1
    if state.open_piles and not state.draw_first:
        state.phase = DRAW
    elif state.turns_left:
        _next_seat(state, seat)
    else:
        state.phase = OVER
        state.turn = NOBODY


def _next_seat(state: State, seat: int) -> None:
    """Clockwise, seats ascending; hands run out in turn order, so nobody is ever skipped."""
    state.turn = seat + 1 if seat + 1 < state.seats else 0
    state.phase = DRAW if state.draw_first and state.open_piles else PLAY


def _remember(state: State, seat: int, hands: dict[bytes, bytes]) -> None:
    assert state.memory is not None
    state.memory[seat] = hands
    state.known[seat] = certain(hands)


# What is told ------------------------------------------------------------------------------------


def _told(state: State, seat: int, action: Action) -> list[Addressed[Event]]:
    """The events of an action, worked out from the state that it has left. Of a discard there are
    two types: only the owner is told the card. The card drawn everybody sees, and the next one."""
    if type(action) is Play:
        return _told_of_play(state, seat, action.card, action.tower)
    if isinstance(action, Draw):
        cards, left = state.piles[action.pile], state.left[action.pile]
        top = cards[-left] if left else 0
        return [Addressed(None, Drew(seat, action.pile, cards[-left - 1], top))]
    return [_DISCARDED[seat], _YOU_DISCARDED[seat][action.card]]


def _told_of_play(state: State, seat: int, card: int, tower: int | None) -> list[Addressed[Event]]:
    heights = state.heights[seat]
    if tower is None:
        tower = len(heights) - 1
    height = heights[tower]
    events: list[Addressed[Event]] = [Addressed(None, Played(seat, card, tower, height))]
    if card >= FIRST_ROOF:
        points = state.worth[seat][tower]
        events.append(Addressed(None, Completed(seat, tower, card, height, points, height + 1)))
    return events


def preview(state: State, seat: int, action: Action) -> Choice:
    """What a legal action would do; changes nothing."""
    if type(action) is not Play:
        return Choice(action)
    card, tower = action.card, action.tower
    if tower is None:
        return Choice(action, STOREYS[card])
    height = state.heights[seat][tower] + STOREYS[card]
    if card < FIRST_ROOF:
        return Choice(action, height)
    points = tower_points(state.towers[seat][tower] + _BYTES[card], state.count_clock_mice)
    return Choice(action, height, points, height + 1)
