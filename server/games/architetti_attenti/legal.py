"""Who may do what in Architetti Attenti, and why not (rules: A turn).

The order of `legal_actions`: purchases by position; or placements by the pair's smaller cell, then
its larger one, the tile's first half first on the smaller. Actions are interned in tables.
"""

from collections.abc import Sequence
from typing import Final

from protocol.games.architetti_attenti import (
    HALL,
    ROW,
    SEATS,
    Action,
    Buy,
    Place,
    Refused,
)
from protocol.games.architetti_attenti.board import (
    NEIGHBOURS,
    fitting,
    is_double,
    ways,
)
from protocol.ids import Seat
from protocol.refusal import Refusal, RefusalCode
from server.games.architetti_attenti.state import BUY, OVER, PHASES, State

_BUYS: Final = tuple(Buy(position) for position in range(1, ROW + 1))
_PLACES: Final = ways(Place)
_ACTORS: Final = tuple((Seat(seat),) for seat in range(max(SEATS)))


def to_act(state: State) -> Sequence[Seat]:
    """The one seat whose turn it is, or nobody."""
    return () if state.phase == OVER else _ACTORS[state.turn]


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """Every legal action once; empty when the seat is not to act."""
    if state.phase == OVER or seat != state.turn:
        return ()
    if state.phase == BUY:
        gems = state.gems[seat]
        return [
            buy for buy, tile in zip(_BUYS, state.row, strict=True) if tile and cost(buy) <= gems
        ]
    return fitting(state.boards[seat], _PLACES[is_double(state.tile)])


def cost(buy: Buy) -> int:
    """Gems for a position: one for each tile before it."""
    return buy.position - 1


# Why not -----------------------------------------------------------------------------------------


def refuse(state: State, seat: Seat, action: Action) -> Refusal | None:
    """Why the action is impossible, or None."""
    if state.phase == OVER:
        return Refusal(RefusalCode.MATCH_OVER)
    if seat != state.turn:
        return Refusal(RefusalCode.NOT_YOUR_TURN, {"seat": state.turn})
    if isinstance(action, Buy) != (state.phase == BUY):
        return Refusal(Refused.WRONG_PHASE, {"phase": PHASES[state.phase].value})
    if isinstance(action, Buy):
        return _refuse_purchase(state, action)
    return _refuse_place(state.boards[seat], state.tile, action)


def _refuse_purchase(state: State, buy: Buy) -> Refusal | None:
    if not state.row[buy.position - 1]:
        return Refusal(Refused.NO_TILE_THERE, {"position": buy.position})
    gems = state.gems[state.turn]
    if cost(buy) > gems:
        params = {"position": buy.position, "cost": cost(buy), "gems": gems}
        return Refusal(Refused.TOO_FEW_GEMS, {**params})
    return None


def _refuse_place(board: bytes, tile: int, place: Place) -> Refusal | None:
    first, second = place.first, place.second
    if second not in NEIGHBOURS[first]:
        return Refusal(Refused.NOT_NEIGHBOURS, {"first": first, "second": second})
    for cell in (first, second):
        if cell == HALL:
            return Refusal(Refused.TOWN_HALL, {"cell": cell})
        if board[cell]:
            return Refusal(Refused.CELL_TAKEN, {"cell": cell})
    if is_double(tile) and second < first:
        return Refusal(Refused.SAME_HALVES, {"first": first, "second": second})
    return None
