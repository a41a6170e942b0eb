"""Wild Wild Pattern in its playthrough: what is played, and how cards and features are written."""

from typing import Final

from protocol.games.wild_wild_pattern import Lag, Options
from protocol.games.wild_wild_pattern.cards import CARD_NAMES, FEATURE_NAMES
from tests.playthroughs import Playthrough

CARDS: Final = (
    *("card", "cards", "challenge", "challenges", "clicked", "covered"),
    *("given", "gone", "out", "wanted", "wheel", "won"),
)


def card(number: int) -> str:
    return CARD_NAMES[number] or "...."


PLAYTHROUGH = Playthrough(
    "wild_wild_pattern",
    {
        **dict.fromkeys(CARDS, card),
        **dict.fromkeys(("anchor", "partner", "target", "targets"), FEATURE_NAMES.__getitem__),
    },
    ["easy", "normal"],
    Options(lag=Lag.OFF),
    32,
)
