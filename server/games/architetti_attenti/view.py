"""What a seat may see, and states that fit what it has seen."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from protocol.games.architetti_attenti import Deal, Dealt, Event, Revealed, View, pool
from server.games.architetti_attenti.state import OVER, PHASES, State, fresh


def public(state: State) -> View:
    """What everybody may see."""
    over = state.phase == OVER
    options = state.options
    return View(
        turn=None if over else state.turn,
        phase=PHASES[state.phase],
        row=state.row,
        on_row=state.on_row,
        left=state.left,
        tile=state.tile,
        boards=state.boards[:],
        gems=bytes(state.gems),
        discarded=state.discarded[:],
        blocks=options.blocks,
        parks=options.parks,
        rails=options.rails,
        end=options.end,
        removed=state.deal.removed if over else b"",
    )


# Imagine a state that fits what a seat has been sent: shuffle the tiles it has not seen.


def determinize(view: View, own_events: Sequence[Event], rng: Random) -> State:
    """See `Rules.determinize`. Only the order of the pile and the removed tiles are imagined."""
    dealt = next(event for event in own_events if isinstance(event, Dealt))
    shown = bytes(event.tile for event in own_events if isinstance(event, Revealed))
    seats = len(view.boards)
    unseen = [*(Counter(pool(seats)) - Counter(dealt.row + shown)).elements()]
    if view.removed:
        unseen = [*view.removed]
    else:
        unseen.sort(key=lambda tile: rng.random())
    deal = Deal(
        seats=seats,
        first_seat=dealt.first_seat,
        row=dealt.row,
        pile=shown + bytes(unseen[: view.left]),
        removed=bytes(unseen[view.left :]),
    )
    state = fresh(dealt.options, deal)
    state.turn = dealt.first_seat if view.turn is None else view.turn
    state.phase = PHASES.index(view.phase)
    state.row, state.on_row = view.row, view.on_row
    state.drawn = len(shown)
    state.tile = view.tile
    state.boards = view.boards[:]
    state.gems = [*view.gems]
    state.discarded = view.discarded[:]
    return state
