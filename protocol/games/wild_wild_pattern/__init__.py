"""Wild Wild Pattern on the wire: options, actions, events, views, outcome, each in its file.

`cards` and `pattern` say how cards, features and patterns are written; places of the Wheel are
0-7. Money is in cents, times are match times in milliseconds.
"""

from protocol.games.wild_wild_pattern.actions import (
    Action as Action,
    Card as Card,
    Click as Click,
    Declare as Declare,
    Lay as Lay,
    Pass as Pass,
    Place as Place,
    Ready as Ready,
    Refused as Refused,
    Shoot as Shoot,
    Take as Take,
    Use as Use,
)
from protocol.games.wild_wild_pattern.events import (
    Aimed as Aimed,
    Banked as Banked,
    Clicked as Clicked,
    Declared as Declared,
    Drew as Drew,
    Event as Event,
    Filled as Filled,
    Found as Found,
    Idled as Idled,
    Passed as Passed,
    Replaced as Replaced,
    Reshuffled as Reshuffled,
    RoundBegan as RoundBegan,
    Seen as Seen,
    Shot as Shot,
    TurnBegan as TurnBegan,
    Used as Used,
    Visit as Visit,
    WasLaid as WasLaid,
    WasReady as WasReady,
    WentOut as WentOut,
    Won as Won,
)
from protocol.games.wild_wild_pattern.options import (
    CHOICE_MS as CHOICE_MS,
    LEVELS as LEVELS,
    MAX_IDLE_TURNS as MAX_IDLE_TURNS,
    MAX_LEVEL_ROUNDS as MAX_LEVEL_ROUNDS,
    MAX_PRACTISING as MAX_PRACTISING,
    MAX_RACE_LIMIT_S as MAX_RACE_LIMIT_S,
    MAX_ROUNDS as MAX_ROUNDS,
    MIN_RACE_LIMIT_S as MIN_RACE_LIMIT_S,
    PRESETS as PRESETS,
    READY_MS as READY_MS,
    REPLACED_MS as REPLACED_MS,
    ROUND_ENDS_AT as ROUND_ENDS_AT,
    SALOON_CENTS as SALOON_CENTS,
    SEATS as SEATS,
    SONG_MS as SONG_MS,
    ChoiceLimit as ChoiceLimit,
    FiveColours as FiveColours,
    Lag as Lag,
    Mode as Mode,
    Options as Options,
    PlayedInPair as PlayedInPair,
    Practice as Practice,
)
from protocol.games.wild_wild_pattern.outcome import (
    DecidedBy as DecidedBy,
    Outcome as Outcome,
)
from protocol.games.wild_wild_pattern.views import (
    Phase as Phase,
    View as View,
)
