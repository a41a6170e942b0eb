"""How fast the bots act at a table where one person plays against them."""

from enum import StrEnum


class Pace(StrEnum):
    """Changes only when a bot's action is shown, never which one."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"
    AT_ONCE = "at_once"
