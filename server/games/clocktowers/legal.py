"""Who may do what in Clocktowers, and why not.

Actions are interned in tables: there are 887 of them. The order of `legal_actions`: plays, by card
byte ascending, each card first on a new tower, then on towers ascending; then discards, by card
byte; or draws, by pile.
"""

from collections.abc import Sequence
from typing import Final

from protocol.games.clocktowers import (
    BOX,
    CODES,
    FIRST_CLOCK,
    FIRST_ROOF,
    Action,
    Discard,
    Draw,
    Phase,
    Pile,
    Play,
    Refused,
)
from protocol.ids import Seat
from protocol.refusal import Refusal, RefusalCode
from server.games.clocktowers.state import DRAW, OVER, State

_ACTORS: Final[tuple[tuple[Seat, ...], ...]] = (
    *((Seat(seat),) for seat in range(4)),
    (),
)
_NEW: Final = tuple(Play(card, None) for card in range(len(CODES)))
_PLAYS: Final = tuple(
    tuple(Play(card, tower) for tower in range(BOX)) for card in range(len(CODES))
)
_DISCARDS: Final = tuple(Discard(card) for card in range(len(CODES)))
_DRAWS: Final = tuple(
    tuple(Draw(pile) for pile in range(3) if open_piles >> pile & 1) for open_piles in range(8)
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
