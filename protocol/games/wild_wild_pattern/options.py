"""The options of Wild Wild Pattern, and the numbers of its rules.

Times are match times in milliseconds, money is in cents.
"""

from enum import StrEnum
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

LEVELS: Final = ("random", "learner", "easy", "normal", "hard")
"""Of bots, weakest first."""

SEATS: Final = (1, 2, 3, 4)
"""A single seat only for practice."""

READY_MS: Final = 20_000
"""After this time every seat counts as ready (rules: A turn, 1)."""

REPLACED_MS: Final = 1_000
"""A Challenge card seen in the hand is replaced after this time (rules: A turn, 1)."""

CHOICE_MS: Final = 15_000
"""For a declaration and for every other choice (rules: A turn, 2)."""

SONG_MS: Final = 10_000
"""How long the others may try with a clicked card (rules: A turn, 4)."""

ROUND_ENDS_AT: Final = 5
"""Pattern cards that end the round."""

SALOON_CENTS: Final = 300
"""Above this the richest wins in the Saloon."""

MAX_ROUNDS: Final = 20
"""In the Saloon; then the richest wins (rules: Modes)."""

MAX_IDLE_TURNS: Final = 10
"""This many turns in a row in which nobody shot or clicked end the round. The project's own rule:
with it the clock alone brings a match to its end."""

MAX_LEVEL_ROUNDS: Final = 3
"""After this many level rounds in a row the remaining seats share the win (Vivo o Morto!)."""


class Mode(StrEnum):
    SALOON = "saloon"
    VIVO = "vivo"


class PlayedInPair(StrEnum):
    REQUIRED = "required"
    FREE = "free"


class FiveColours(StrEnum):
    WIN = "win"
    PAY = "pay"


class Lag(StrEnum):
    ON = "on"
    OFF = "off"


class Practice(StrEnum):
    ON = "on"
    OFF = "off"


class ChoiceLimit(StrEnum):
    ON = "on"
    OFF = "off"


MIN_RACE_LIMIT_S: Final = 30
"""The shortest limit; 0 means no limit."""

MAX_RACE_LIMIT_S: Final = 300

MAX_PRACTISING: Final = 2
"""Practice is for a single player, alone or against a bot."""


class Options(Struct, frozen=True, kw_only=True):
    """`race_limit_s` 0 is no limit. `practice` is no rule of the game, and for one seat or two: no
    time limits, a seat may pass in a race, and a bot lets the other seat go first. `choice_limit`
    off: only a race, a declaration and a Click! have a time limit."""

    mode: Mode = Mode.SALOON
    played_in_pair: PlayedInPair = PlayedInPair.REQUIRED
    five_colours: FiveColours = FiveColours.WIN
    race_limit_s: Annotated[int, Meta(ge=0, le=MAX_RACE_LIMIT_S)] = 60
    lag: Lag = Lag.ON
    practice: Practice = Practice.OFF
    choice_limit: ChoiceLimit = ChoiceLimit.ON


PRESETS: Final[dict[str, dict[str, Any]]] = {
    "standard": {"mode": "saloon", "practice": "off"},
    "vivo": {"mode": "vivo", "practice": "off"},
    "practice": {"mode": "saloon", "practice": "on"},
}
