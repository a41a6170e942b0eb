"""Clocktowers on the wire: options, actions, events, views, outcome, each in its file.

Piles are 0 floor, 1 clock, 2 roof. Towers are counted from 0 in the order in which
their owner started them and keep their number when complete.
"""

from protocol.games.clocktowers.actions import (
    CARD as CARD,
    MOVES as MOVES,
    TOWER as TOWER,
    Action as Action,
    Card as Card,
    Completed as Completed,
    Dealt as Dealt,
    Discard as Discard,
    Discarded as Discarded,
    Draw as Draw,
    Drew as Drew,
    Event as Event,
    Play as Play,
    Played as Played,
    Refused as Refused,
    TowerIndex as TowerIndex,
    YouDiscarded as YouDiscarded,
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
from protocol.games.clocktowers.views import (
    Choice as Choice,
    DecidedBy as DecidedBy,
    Outcome as Outcome,
    Phase as Phase,
    Town as Town,
    View as View,
    height_of as height_of,
    ladder_of as ladder_of,
    tower_points as tower_points,
)
