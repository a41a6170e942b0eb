"""What a seat may see: everything except the order of the pile and the removed tiles."""

from typing import Any

from msgspec.structs import replace

from protocol.games.architetti_attenti import View
from server.games.architetti_attenti.state import OVER, PHASES, State


def view(state: State, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None); see `View` in `protocol.games`."""
    return public(state) if seat is None else replace(public(state), **own(state, seat))


def own(state: State, seat: int) -> dict[str, Any]:
    """What a seat's view has in place of a spectator's: whose it is."""
    return {"seat": seat}


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
