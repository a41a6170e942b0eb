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
    drawn = state.drawn
    events = [_bought(state, action) if isinstance(action, Buy) else _placed(state, action)]
    advance(state, seat, action, at)
    if isinstance(action, Buy) and not state.tile:
        events.append(Discarded(seat, state.discarded[seat][-1]))
    if state.drawn > drawn:
        events.append(Revealed(state.row[-1]))
    return [Addressed(None, event) for event in events]


def _bought(state: State, buy: Buy) -> Event:
    place = buy.position - 1
    return Bought(state.turn, buy.position, state.row[place], cost(buy), state.on_row[place])


def _placed(state: State, place: Place) -> Event:
    return Placed(state.turn, state.tile, place.first, place.second)


def advance(state: State, seat: Seat, action: Action, at: Moment) -> None:
    """`apply` without its events."""
    if isinstance(action, Buy):
        _buy(state, action)
    else:
        _place(state, action)


def _buy(state: State, buy: Buy) -> None:
    """Pay, take the tile, then the gems on it: they cannot pay for it (rules: A turn, 1)."""
    seat, place, on_row = state.turn, buy.position - 1, state.on_row
    tile = state.row[place]
    state.gems[seat] += on_row[place] - cost(buy)
    state.on_row = bytes([gems + 1 for gems in on_row[:place]]) + b"\0" + on_row[place + 1 :]
    state.row = state.row[:place] + b"\0" + state.row[place + 1 :]
    if has_room(state.boards[seat]):
        state.tile, state.phase = tile, PLACE
    else:
        state.discarded[seat] += bytes((tile,))
        _next_turn(state)


def _place(state: State, place: Place) -> None:
    seat = state.turn
    state.boards[seat] = with_tile(state.boards[seat], state.tile, place.first, place.second)
    state.tile = 0
    _next_turn(state)


def _next_turn(state: State) -> None:
    """The row slides together, a new tile comes, and the next seat buys; or the match is over as
    soon as the pile is empty, with option `row` the row (rules: A turn, 3)."""
    gap = state.row.index(0)
    new = state.pile[state.drawn : state.drawn + 1]
    state.drawn += len(new)
    state.row = state.row[:gap] + state.row[gap + 1 :] + (new or b"\0")
    state.on_row = state.on_row[:gap] + state.on_row[gap + 1 :] + b"\0"
    state.phase = OVER if _is_over(state) else BUY
    state.turn = (state.turn + 1) % state.seats


def _is_over(state: State) -> bool:
    return not (any(state.row) if state.to_the_end else state.left)


def preview(state: State, seat: Seat, action: Action) -> Parts:
    """The seat's score, kind by kind, as a legal action would leave it."""
    after = copy(state)
    apply(after, seat, action, BEGINNING)
    return parts(after.boards[seat], after.gems[seat], state.counting)
