"""What may be taken back: a play or discard; never a draw, which has shown a card."""

from protocol.games.clocktowers import TakeBack
from protocol.ids import Seat
from server.games.clocktowers.state import DRAW, OVER, TURNS, State


def revocable(state: State) -> Seat | None:
    """The seat whose play or discard was the newest action, if the table lets it be taken back."""
    if state.phase == OVER or state.options.take_back == TakeBack.OFF or not _was_card(state):
        return None
    if state.phase == DRAW and not state.draw_first:
        return Seat(state.turn)
    return Seat((state.turn or state.seats) - 1)


def _was_card(state: State) -> bool:
    """Whether the newest action was a play or discard: there is one a turn, and a draw as long as
    there are cards, after it or before it."""
    if state.open_piles and not state.draw_first:
        return state.phase == DRAW
    played = TURNS - state.turns_left
    drawn = sum(map(len, state.piles)) - sum(state.left)
    return 0 < played >= drawn if state.draw_first else played > drawn
