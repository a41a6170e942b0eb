"""Clocktowers on the wire: options, actions, events, views, outcome, each in its file.

Piles are 0 floor, 1 clock, 2 roof. Towers are counted from 0 in the order in which
their owner started them and keep their number when complete.
"""

from protocol.games.clocktowers.actions import (
    Action as Action,
    Card as Card,
    Discard as Discard,
    Draw as Draw,
    Play as Play,
    Refused as Refused,
    TowerIndex as TowerIndex,
)
from protocol.games.clocktowers.cards import (
    ANIMALS as ANIMALS,
    BOX as BOX,
    CODES as CODES,
    COPIES as COPIES,
    FIRST_CLOCK as FIRST_CLOCK,
    FIRST_ROOF as FIRST_ROOF,
    PILE_NAMES as PILE_NAMES,
    PILES as PILES,
    START_HAND as START_HAND,
    STOREYS as STOREYS,
    Pile as Pile,
)
from protocol.games.clocktowers.events import (
    Completed as Completed,
    Dealt as Dealt,
    Discarded as Discarded,
    Drew as Drew,
    Event as Event,
    Played as Played,
    YouDiscarded as YouDiscarded,
)
from protocol.games.clocktowers.options import (
    FIRST_HEIGHTS as FIRST_HEIGHTS,
    LEVELS as LEVELS,
    PRESETS as PRESETS,
    SEATS as SEATS,
    ClockMice as ClockMice,
    Ladder as Ladder,
    OpenMemory as OpenMemory,
    Options as Options,
    TakeBack as TakeBack,
    TurnOrder as TurnOrder,
)
from protocol.games.clocktowers.outcome import (
    DecidedBy as DecidedBy,
    Outcome as Outcome,
)
from protocol.games.clocktowers.score import (
    tower_points as tower_points,
)
from protocol.games.clocktowers.views import (
    Choice as Choice,
    Phase as Phase,
    Town as Town,
    View as View,
)
