"""Architetti Attenti on the wire: options, actions, events, views, outcome, each in its file.

`tiles` says how tiles, cells and positions are written.
"""

from protocol.games.architetti_attenti.actions import (
    MOVES as MOVES,
    Action as Action,
    Bought as Bought,
    Buy as Buy,
    Cell as Cell,
    Dealt as Dealt,
    Discarded as Discarded,
    Event as Event,
    Place as Place,
    Placed as Placed,
    Position as Position,
    Refused as Refused,
    Revealed as Revealed,
)
from protocol.games.architetti_attenti.board import (
    CELLS as CELLS,
    COPIES as COPIES,
    HALL as HALL,
    KIND_BITS as KIND_BITS,
    ROW as ROW,
    SHOPS as SHOPS,
    SIDE as SIDE,
    START_GEMS as START_GEMS,
    STEPS as STEPS,
    TILES as TILES,
    Kind as Kind,
)
from protocol.games.architetti_attenti.options import (
    LEVELS as LEVELS,
    PRESETS as PRESETS,
    SEATS as SEATS,
    Blocks as Blocks,
    End as End,
    Options as Options,
    Parks as Parks,
    Rails as Rails,
    TakeBack as TakeBack,
)
from protocol.games.architetti_attenti.views import (
    DecidedBy as DecidedBy,
    Outcome as Outcome,
    Parts as Parts,
    Phase as Phase,
    View as View,
)
