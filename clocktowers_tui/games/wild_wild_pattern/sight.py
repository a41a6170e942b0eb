"""What there is to be drawn, as plain values."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from clocktowers_tui.games.wild_wild_pattern.selecting import NOTHING, Selection
from protocol.games.wild_wild_pattern import View


class Sheet(Enum):
    """What of the Bank can lie over the board."""

    PAID = "paid"
    PRICES = "prices"


class Scene(NamedTuple):
    """`names` by seat, clean; `log` oldest first; `waiting`: an action is under way; `sheet` lies
    over the board, from its line `top` on."""

    view: View
    names: Sequence[str]
    selection: Selection = NOTHING
    waiting: bool = False
    log: Sequence[str] = ()
    sheet: Sheet | None = None
    top: int = 0


def seats_in_order(view: View) -> list[int]:
    """The player's own seat first, then clockwise; for watchers from seat 0."""
    seats, home = len(view.won), view.seat or 0
    return [(home + step) % seats for step in range(seats)]
