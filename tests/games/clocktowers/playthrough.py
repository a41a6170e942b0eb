"""Clocktowers in its playthrough: what is played, and how cards are written."""

from protocol.games.clocktowers import CODES, Options
from tests.playthroughs import Playthrough


def card(number: int) -> str:
    return CODES[number] or "--"


def heights(mask: int) -> str:
    """Those that fit, on the ladder of a colour: b g p r y."""
    return "".join(str(height) for height in range(8) if mask >> height & 1) or "-"


CARDS = ("card", "roof", "top", "hand", "discards", "removed", "piles", "towers", "shown")
PLAYTHROUGH = Playthrough(
    "clocktowers",
    {"ladder": heights, **dict.fromkeys(CARDS, card)},
    ["easy"] * 2,
    Options(),
    1,
)
"""Easy bots both play and discard."""
