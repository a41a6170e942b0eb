"""The rules of Architetti Attenti: who may do what, and why not; what it does; and who wins."""

from collections.abc import Sequence
from typing import Final

from protocol.errors import Refusal, RefusalCode
from protocol.games import Switch
from protocol.games.architetti_attenti import (
    HALL,
    ROW,
    SEATS,
    Action,
    Bought,
    Buy,
    DecidedBy,
    Discarded,
    Event,
    Outcome,
    Place,
    Placed,
    Refused,
    Revealed,
)
from protocol.games.architetti_attenti.board import (
    NEIGHBOURS,
    fitting,
    has_room,
    is_double,
    ways,
    with_tile,
)
from protocol.games.architetti_attenti.score import parts
from protocol.ids import Seat
from server.games.architetti_attenti.state import BUY, OVER, PHASES, PLACE, State
from server.games.contract import Addressed, Moment

# Who may do what in Architetti Attenti, and why not (rules: A turn).
#
# The order of `legal_actions`: purchases by position; or placements by the pair's smaller cell,
# then its larger one, the tile's first half first on the smaller. Actions are interned in tables.


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


# Who wins: the most points; level seats share the win (rules: Score).


def outcome(state: State) -> Outcome | None:
    """The result, or None while the match runs."""
    if state.phase != OVER:
        return None
    by_seat = tuple(
        parts(board, gems, state.counting)
        for board, gems in zip(state.boards, state.gems, strict=True)
    )
    scores = tuple(score.total for score in by_seat)
    late = state.late
    best = max([points for seat, points in enumerate(scores) if seat != late])
    winners = tuple(seat for seat, points in enumerate(scores) if points == best and seat != late)
    decided_by = DecidedBy.POINTS if len(winners) == 1 else DecidedBy.SHARED
    if state.seats == 1:
        decided_by = DecidedBy.ALONE
    elif late is not None:
        decided_by = DecidedBy.LEFT if state.gone else DecidedBy.TIME
    return Outcome(scores, by_seat, winners, decided_by, late)


def lose(state: State, seat: Seat, gone: bool) -> None:
    """The match is over, and this seat has not won it."""
    state.late, state.gone, state.phase = seat, gone, OVER


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


# What may be taken back: a purchase, and a placed tile unless a new tile was shown after it.


def revocable(state: State) -> Seat | None:
    """The seat whose newest action showed nothing new, if the table lets it be taken back."""
    if state.phase == OVER or state.options.take_back is Switch.OFF:
        return None
    if state.phase == PLACE:
        return Seat(state.turn)
    return Seat((state.turn - 1) % state.seats) if state.row[-1] == 0 else None
