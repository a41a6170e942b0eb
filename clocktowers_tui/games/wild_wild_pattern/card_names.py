"""What each Pattern card is called; whole, because in other languages the colour goes with the
object.
"""

from typing import Final

from clocktowers_tui.games.wild_wild_pattern.words import challenge_words, feature_words
from clocktowers_tui.text.i18n import N_, _
from protocol.games.wild_wild_pattern.cards import FIRST_SUIT, is_pattern, suit_of

_NAMES: Final = (
    N_("red pistol"),
    N_("azure pistol"),
    N_("yellow pistol"),
    N_("grey pistol"),
    N_("white pistol"),
    N_("red loot"),
    N_("azure loot"),
    N_("yellow loot"),
    N_("grey loot"),
    N_("white loot"),
    N_("red star"),
    N_("azure star"),
    N_("yellow star"),
    N_("grey star"),
    N_("white star"),
    N_("red bottle"),
    N_("azure bottle"),
    N_("yellow bottle"),
    N_("grey bottle"),
    N_("white bottle"),
    N_("red horseshoe"),
    N_("azure horseshoe"),
    N_("yellow horseshoe"),
    N_("grey horseshoe"),
    N_("white horseshoe"),
    N_("red dynamite"),
    N_("azure dynamite"),
    N_("yellow dynamite"),
    N_("grey dynamite"),
    N_("white dynamite"),
    N_("red barrel"),
    N_("azure barrel"),
    N_("yellow barrel"),
    N_("grey barrel"),
    N_("white barrel"),
    N_("red wanted"),
    N_("azure wanted"),
    N_("yellow wanted"),
    N_("grey wanted"),
    N_("white wanted"),
)
"""By card, the first of which is 1."""


def card_words(card: int) -> str:
    """A card in a sentence: yellow star (coin); a Challenge card's title."""
    if not is_pattern(card):
        return challenge_words(card)
    return _("{card} ({suit})").format(
        card=_(_NAMES[card - 1]), suit=feature_words(FIRST_SUIT + suit_of(card))
    )
