"""What an action does in Architetti Attenti (rules: A turn)."""

from protocol.games.architetti_attenti import (
    Action,
    Bought,
    Buy,
    Discarded,
    Event,
    Parts,
    Place,
    Placed,
    Revealed,
)
from protocol.games.architetti_attenti.board import (
    has_room,
    with_tile,
)
from protocol.games.architetti_attenti.score import parts
from protocol.ids import Seat
from server.games.architetti_attenti.legal import cost
from server.games.architetti_attenti.state import BUY, OVER, PLACE, State, copy
from server.games.contract import BEGINNING, Addressed, Moment


def apply(state: State, seat: Seat, action: Action, at: Moment) -> list[Addressed[Event]]:
    """Change the state in place. Only called after `refuse` said None."""
    events = _buy(state, action) if isinstance(action, Buy) else _place(state, action)
    return [Addressed(None, event) for event in events]


def advance(state: State, seat: Seat, action: Action, at: Moment) -> None:
    """`apply` without its events."""
    apply(state, seat, action, at)


def _buy(state: State, buy: Buy) -> list[Event]:
    """Pay, take the tile, then the gems on it: they cannot pay for it (rules: A turn, 1)."""
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
