"""What a seat may see: everything except the order of the pile and the removed tiles."""

from protocol.games.architetti_attenti import View
from server.games.architetti_attenti.state import OVER, PHASES, State


def view(state: State, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None); see `View` in `protocol.games`."""
    over = state.phase == OVER
    options = state.options
    return View(
        seat=seat,
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
