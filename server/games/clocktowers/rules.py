"""A turn of Clocktowers: who may do what, why not, and what it does.

Actions are interned in tables: there are 887 of them. The order of `legal_actions`: plays, by card
byte ascending, each card first on a new tower, then on towers ascending; then discards, by card
byte; or draws, by pile.
"""

from bisect import insort
from collections.abc import Sequence
from typing import Final

from protocol.games.clocktowers import (
    CODES,
    FIRST_CLOCK,
    FIRST_ROOF,
    STOREYS,
    Action,
    Choice,
    Completed,
    Discard,
    Discarded,
    Draw,
    Drew,
    Event,
    Phase,
    Pile,
    Play,
    Played,
    Refused,
    YouDiscarded,
)
from protocol.ids import Seat
from protocol.refusal import Refusal, RefusalCode
from server.games.clocktowers.memory import after_discard, after_draw, after_play, certain
from server.games.clocktowers.scoring import tower_points
from server.games.clocktowers.state import DRAW, NOBODY, OVER, PLAY, State
from server.games.contract import Addressed, Moment

MOST_TOWERS: Final = 66

_ACTORS: Final[tuple[tuple[Seat, ...], ...]] = (
    *((Seat(seat),) for seat in range(4)),
    (),
)
_BYTES: Final = tuple(bytes((card,)) for card in range(len(CODES)))
_NEW: Final = tuple(Play(card, None) for card in range(len(CODES)))
_PLAYS: Final = tuple(
    tuple(Play(card, tower) for tower in range(MOST_TOWERS)) for card in range(len(CODES))
)
_DISCARDS: Final = tuple(Discard(card) for card in range(len(CODES)))
_DRAWS: Final = tuple(
    tuple(Draw(pile) for pile in range(3) if open_piles >> pile & 1) for open_piles in range(8)
)

# A discard's two events are the same few over and over; making them is half its cost.
_DISCARDED: Final[tuple[Addressed[Event], ...]] = tuple(
    Addressed(None, Discarded(seat)) for seat in range(4)
)
_YOU_DISCARDED: Final[tuple[tuple[Addressed[Event], ...], ...]] = tuple(
    tuple(Addressed(Seat(seat), YouDiscarded(card)) for card in range(len(CODES)))
    for seat in range(4)
)


def to_act(state: State) -> Sequence[Seat]:
    """The one seat whose turn it is; none when the match is over."""
    return _ACTORS[state.turn]


def legal_actions(state: State, seat: int) -> Sequence[Action]:
    """Every legal action once, in the module's order (rules: A turn). A measured hot loop."""
    if seat != state.turn:
        return ()
    if state.phase == DRAW:
        return _DRAWS[state.open_piles]
    actions: list[Action] = []
    discards: list[Action] = []
    last = 0
    for card in state.hands[seat]:
        if card == last:
            continue
        last = card
        discards.append(_DISCARDS[card])
        row = _PLAYS[card]
        if card < FIRST_CLOCK:
            actions.append(_NEW[card])
            for tower in state.bare[seat]:
                actions.append(row[tower])
        elif card < FIRST_ROOF:
            for tower in state.bare[seat]:
                actions.append(row[tower])
        else:
            fits = state.ladder[state.rows[seat] + card - FIRST_ROOF]
            heights = state.heights[seat]
            for tower in state.clocked[seat]:
                if fits >> heights[tower] & 1:
                    actions.append(row[tower])
    actions += discards
    return actions


def refuse(state: State, seat: int, action: Action) -> Refusal | None:
    """Why the action is impossible, or None. Looks at that action alone."""
    if state.phase == OVER:
        return Refusal(RefusalCode.MATCH_OVER)
    if seat != state.turn:
        return Refusal(RefusalCode.NOT_YOUR_TURN)
    drawing = state.phase == DRAW
    if isinstance(action, Draw) != drawing:
        return Refusal(Refused.WRONG_PHASE, {"phase": Phase.DRAW if drawing else Phase.PLAY})
    if isinstance(action, Draw):
        if not 0 <= action.pile <= Pile.ROOF or not state.left[action.pile]:
            return Refusal(Refused.PILE_EMPTY, {"pile": action.pile})
        return None
    if action.card not in state.hands[seat]:
        return Refusal(Refused.NOT_IN_HAND, {"card": action.card})
    if isinstance(action, Discard):
        return None
    return _refuse_play(state, seat, action.card, action.tower)


def _refuse_play(state: State, seat: int, card: int, tower: int | None) -> Refusal | None:
    """Rules: A turn, Floor and Clock; which tower takes which card."""
    if tower is None:
        if card < FIRST_CLOCK:
            return None
        return Refusal(Refused.NEEDS_TOWER, {"card": card})
    towers = len(state.towers[seat])
    if not 0 <= tower < towers:
        return Refusal(Refused.NO_SUCH_TOWER, {"tower": tower, "towers": towers})
    if state.worth[seat][tower]:
        return Refusal(Refused.TOWER_COMPLETE, {"tower": tower})
    has_clock = tower in state.clocked[seat]
    if card >= FIRST_ROOF:
        if not has_clock:
            return Refusal(Refused.NO_CLOCK, {"tower": tower})
        return _refuse_height(state, seat, card, tower)
    if has_clock:
        return Refusal(Refused.HAS_CLOCK, {"tower": tower, "card": card})
    return None


def _refuse_height(state: State, seat: int, roof: int, tower: int) -> Refusal | None:
    """Rules: A turn, Roof; The ladder of heights."""
    fits = state.ladder[state.rows[seat] + roof - FIRST_ROOF]
    height = state.heights[seat][tower]
    if fits >> height & 1:
        return None
    heights = [step for step in range(fits.bit_length()) if fits >> step & 1]
    return Refusal(
        Refused.WRONG_HEIGHT, {"tower": tower, "card": roof, "height": height, "heights": heights}
    )


def apply(state: State, seat: int, action: Action, at: Moment) -> list[Addressed[Event]]:
    """Change the state in place; the action was not refused. Time plays no part."""
    if type(action) is Play:
        return _play(state, seat, action.card, action.tower)
    if isinstance(action, Draw):
        return _draw(state, seat, action.pile)
    return _discard(state, seat, action.card)


def _play(state: State, seat: int, card: int, tower: int | None) -> list[Addressed[Event]]:
    """Rules: A turn, Floor, Clock and Roof. A measured hot path."""
    state.hands[seat].remove(card)
    if state.memory is not None:
        _remember(state, seat, after_play(state.memory[seat], card))
    heights = state.heights[seat]
    if tower is None:
        tower = len(heights)
        heights.append(STOREYS[card])
        state.towers[seat].append(_BYTES[card])
        state.worth[seat].append(0)
        state.bare[seat].append(tower)
    else:
        state.towers[seat][tower] += _BYTES[card]
        if card < FIRST_CLOCK:
            heights[tower] += STOREYS[card]
        elif card < FIRST_ROOF:
            state.bare[seat].remove(tower)
            insort(state.clocked[seat], tower)
    height = heights[tower]
    events: list[Addressed[Event]] = [Addressed(None, Played(seat, card, tower, height))]
    if card >= FIRST_ROOF:
        events.append(Addressed(None, _complete(state, seat, card, tower, height)))
    _end_card(state, seat)
    return events


def _complete(state: State, seat: int, roof: int, tower: int, height: int) -> Completed:
    """Rules: A turn, Roof; The ladder of heights; Score."""
    points = tower_points(state.towers[seat][tower], state.count_clock_mice)
    state.clocked[seat].remove(tower)
    state.worth[seat][tower] = points
    state.points[seat] += points
    state.ladder[state.rows[seat] + roof - FIRST_ROOF] = 2 << height
    return Completed(seat, tower, roof, height, points, height + 1)


def _discard(state: State, seat: int, card: int) -> list[Addressed[Event]]:
    """Rules: A turn, Discard. Two types of event: only the owner is told the card."""
    state.hands[seat].remove(card)
    state.discards[seat].append(card)
    if state.memory is not None:
        _remember(state, seat, after_discard(state.memory[seat]))
    _end_card(state, seat)
    return [_DISCARDED[seat], _YOU_DISCARDED[seat][card]]


def _draw(state: State, seat: int, pile: int) -> list[Addressed[Event]]:
    """Rules: A turn, The draw; everybody sees the card, and the next one as soon as it is gone."""
    cards = state.piles[pile]
    left = state.left[pile]
    card = cards[-left]
    left -= 1
    state.left[pile] = left
    if left:
        top = cards[-left]
    else:
        top = 0
        state.open_piles ^= 1 << pile
    insort(state.hands[seat], card)
    if state.memory is not None:
        _remember(state, seat, after_draw(state.memory[seat], card))
    if state.draw_first:
        state.phase = PLAY
    else:
        _next_seat(state, seat)
    return [Addressed(None, Drew(seat, pile, card, top))]


def _end_card(state: State, seat: int) -> None:
    """After the one play or discard of a turn (rules: A turn, The draw and Once all are out)."""
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


def preview(state: State, seat: int, action: Action) -> Choice:
    """What a legal action would do; changes nothing."""
    if not isinstance(action, Play):
        return Choice(action)
    card, tower = action.card, action.tower
    if tower is None:
        return Choice(action, STOREYS[card])
    height = state.heights[seat][tower] + STOREYS[card]
    if card < FIRST_ROOF:
        return Choice(action, height)
    points = tower_points(state.towers[seat][tower] + _BYTES[card], state.count_clock_mice)
    return Choice(action, height, points, height + 1)
