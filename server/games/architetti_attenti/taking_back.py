"""What may be taken back: a purchase, and a placed tile unless a new tile was shown after it."""

from protocol.games.architetti_attenti import TakeBack
from protocol.ids import Seat
from server.games.architetti_attenti.state import OVER, PLACE, State


def revocable(state: State) -> Seat | None:
    """The seat whose newest action showed nothing new, if the table lets it be taken back."""
    if state.phase == OVER or state.options.take_back is TakeBack.OFF:
        return None
    if state.phase == PLACE:
        return Seat(state.turn)
    return Seat((state.turn - 1) % state.seats) if state.row[-1] == 0 else None
