"""Positions set up by tile names, for tests of single rules."""

from protocol.games.architetti_attenti import Action, Event, Options, Place
from server.games.architetti_attenti.game import NAMES
from server.games.architetti_attenti.rules import apply, refuse
from server.games.architetti_attenti.state import State, setup
from tests.games.architetti_attenti.meadows import at

SEED = bytes(range(32))
FIRST = Options(first_seat=0)


def tile(name: str) -> int:
    return NAMES.index(name)


def tiles(names: str) -> bytes:
    """ "house-house track-track" → bytes."""
    return bytes(map(tile, names.split()))


def place(cells: str) -> Place:
    """ "a1 b1" → the cells of the first and second half."""
    return Place(*map(at, cells.split()))


def stage(
    row: str = "house-house house-park track-track house-school",
    on_row: tuple[int, ...] = (0, 0, 0, 0),
    options: Options = FIRST,
    seats: int = 2,
) -> State:
    """A fresh deal with these tiles in the row, and these gems on them."""
    state = setup(options, seats, SEED)
    state.row, state.on_row = tiles(row), bytes(on_row)
    return state


def do(state: State, action: Action) -> list[Event]:
    """The seat to act does it; asserts that it may."""
    assert refuse(state, state.turn, action) is None  # type: ignore[arg-type]
    return [told.event for told in apply(state, state.turn, action, 0)]  # type: ignore[arg-type]
