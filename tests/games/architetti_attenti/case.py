"""Architetti Attenti for the laws."""

from itertools import product
from random import Random

import msgspec
from msgspec.structs import replace

from protocol.games import Switch, architetti_attenti as aa
from server.games.architetti_attenti.state import State, copy as copy_state
from tests.laws.case import Case


def plies(seats: int) -> int:
    """A purchase and a placement for each tile of the pile and of the row (rules: A turn)."""
    return 2 * (aa.TURNS * seats + aa.ROW)


def disguise(state: State, seat: int | None, rng: Random, keep: int) -> State:
    """Shuffles the tiles of the pile, of which nobody sees even the next, with the removed ones."""
    seen = state.drawn + keep - 1
    unseen = list(state.pile[seen:] + state.deal.removed)
    rng.shuffle(unseen)
    hidden = len(state.pile[seen:])
    twin = copy_state(state)
    twin.pile = state.pile[:seen] + bytes(unseen[:hidden])
    twin.deal = replace(state.deal, pile=twin.pile, removed=bytes(unseen[hidden:]))
    return twin


CASE = Case(
    options=(
        aa.Options(),
        msgspec.convert(aa.PRESETS["letter"] | {"first_seat": 0}, aa.Options),
        aa.Options(end=aa.End.ROW),
        aa.Options(end=aa.End.ROW, take_back=Switch.OFF),
    ),
    actions=(
        *(aa.Buy(position) for position in range(1, aa.ROW + 1)),
        *(aa.Place(first, second) for first, second in product(range(aa.CELLS), repeat=2)),
    ),
    plies=plies,
    disguise=disguise,
)
