"""A turn of Architetti Attenti: who may do what, why not, and what it does (rules: A turn).

The order of `legal_actions`: purchases by position; or placements by the pair's smaller cell, then
its larger one, the tile's first half first on the smaller. Actions are interned in tables.
"""

from collections.abc import Sequence
from typing import Final

from protocol.games.architetti_attenti import (
    CELLS,
    HALL,
    ROW,
    Action,
    Bought,
    Buy,
    Discarded,
    Event,
    Parts,
    Place,
    Placed,
    Refused,
    Revealed,
)
from protocol.games.architetti_attenti.board import (
    NEIGHBOURS,
    has_room,
    is_double,
    placements,
    with_tile,
)
from protocol.games.architetti_attenti.score import parts
from protocol.ids import Seat
from protocol.refusal import Refusal, RefusalCode
from server.games.architetti_attenti.state import BUY, OVER, PHASES, PLACE, State, copy
from server.games.contract import BEGINNING, Addressed, Moment

_BUYS: Final = tuple(Buy(position) for position in range(1, ROW + 1))
_PLACES: Final = {
    (first, second): Place(first, second) for first in range(CELLS) for second in NEIGHBOURS[first]
}


def to_act(state: State) -> Sequence[Seat]:
    """The one seat whose turn it is, or nobody."""
    return () if state.phase == OVER else (Seat(state.turn),)


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """Every legal action once; empty when the seat is not to act."""
    if state.phase == OVER or seat != state.turn:
        return ()
    if state.phase == BUY:
        gems = state.gems[seat]
        return [
            buy for buy, tile in zip(_BUYS, state.row, strict=True) if tile and cost(buy) <= gems
        ]
    return [_PLACES[cells] for cells in placements(state.boards[seat], state.tile)]


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


# What it does ------------------------------------------------------------------------------------


def apply(state: State, seat: Seat, action: Action, at: Moment) -> list[Addressed[Event]]:
    """Change the state in place. Only called after `refuse` said None."""
    events = _buy(state, action) if isinstance(action, Buy) else _place(state, action)
    return [Addressed(None, event) for event in events]


def _buy(state: State, buy: Buy) -> list[Event]:
    """Pay, take the tile and then the gems on it: one cannot pay with them (rules: A turn, 1)."""
    seat, place = state.turn, buy.position - 1
    tile, gained = state.row[place], state.on_row[place]
    on_row = [gems + (before < place) for before, gems in enumerate(state.on_row)]
    on_row[place] = 0
    state.on_row = bytes(on_row)
    state.row = state.row[:place] + b"\0" + state.row[place + 1 :]
    state.gems[seat] += gained - cost(buy)
    bought = Bought(seat, buy.position, tile, cost(buy), gained)
    if has_room(state.boards[seat]):
        state.tile, state.phase = tile, PLACE
        return [bought]
    state.discarded[seat] += bytes((tile,))
    return [bought, Discarded(seat, tile), *_next_turn(state)]


def _place(state: State, place: Place) -> list[Event]:
    seat, tile = state.turn, state.tile
    state.boards[seat] = with_tile(state.boards[seat], tile, place.first, place.second)
    state.tile = 0
    return [Placed(seat, tile, place.first, place.second), *_next_turn(state)]


def _next_turn(state: State) -> list[Event]:
    """The row slides together, a new tile comes, and the next seat buys; or the match is over as
    soon as the pile is empty, with option `row` the row (rules: A turn, 3)."""
    gap = state.row.index(0)
    row, on_row = (line[:gap] + line[gap + 1 :] for line in (state.row, state.on_row))
    new = state.pile[state.drawn] if state.left else 0
    state.drawn += bool(new)
    state.row, state.on_row = row + bytes((new,)), on_row + b"\0"
    state.phase = OVER if _is_over(state) else BUY
    state.turn = (state.turn + 1) % state.seats
    return [Revealed(new)] if new else []


def _is_over(state: State) -> bool:
    return not (any(state.row) if state.to_the_end else state.left)


def preview(state: State, seat: Seat, action: Action) -> Parts:
    """The seat's score, kind by kind, as a legal action would leave it."""
    after = copy(state)
    apply(after, seat, action, BEGINNING)
    return parts(after.boards[seat], after.gems[seat], state.counting)
