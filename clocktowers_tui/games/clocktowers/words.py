"""Cards, colours and piles in words, each a whole phrase so that it can be translated as one."""

from functools import cache
from typing import Final

from rich.cells import cell_len

from clocktowers_tui.text.i18n import N_, _, ngettext, pgettext
from protocol.games.clocktowers import CODES, FIRST_ROOF, PILES, STOREYS, Pile

_NAMES: Final = (
    N_("a card"),
    N_("floor"),
    N_("floor cat"),
    N_("floor mouse"),
    N_("double floor"),
    N_("double floor cat"),
    N_("double floor mouse"),
    N_("clock"),
    N_("clock mouse"),
    N_("blue roof"),
    N_("green roof"),
    N_("purple roof"),
    N_("red roof"),
    N_("yellow roof"),
)
_PHRASES: Final = (
    N_("a card"),
    N_("a floor"),
    N_("a floor with a cat"),
    N_("a floor with a mouse"),
    N_("a double floor"),
    N_("a double floor with a cat"),
    N_("a double floor with a mouse"),
    N_("a clock"),
    N_("a clock with a mouse"),
    N_("a blue roof"),
    N_("a green roof"),
    N_("a purple roof"),
    N_("a red roof"),
    N_("a yellow roof"),
)


def card_words(card: int) -> str:
    """A card's name; "a card" for what is no card's number."""
    return _(_NAMES[card if 0 <= card < len(_NAMES) else 0])


def card_phrase(card: int) -> str:
    """A card in a sentence that tells what somebody did with it."""
    return _(_PHRASES[card if 0 <= card < len(_PHRASES) else 0])


def colour_words(roof: int) -> str:
    """The colour of a roof card."""
    words = (
        pgettext("on a card, 7 cells", "Blue"),
        pgettext("on a card, 7 cells", "Green"),
        pgettext("on a card, 7 cells", "Purple"),
        pgettext("on a card, 7 cells", "Red"),
        pgettext("on a card, 7 cells", "Yellow"),
    )
    colour = roof - FIRST_ROOF
    return words[colour] if 0 <= colour < len(words) else _("a colour")


def roof_letter(roof: int) -> str:
    """The letter that stands for a roof's colour on the board: capital, one cell."""
    letters = (
        pgettext("one letter for the colour blue", "B"),
        pgettext("one letter for the colour green", "G"),
        pgettext("one letter for the colour purple", "P"),
        pgettext("one letter for the colour red", "R"),
        pgettext("one letter for the colour yellow", "Y"),
    )
    return letters[roof - FIRST_ROOF] if _are_signs(letters) else CODES[roof][1].upper()


@cache
def _are_signs(letters: tuple[str, ...]) -> bool:
    """Whether they are told apart and take a cell each; asked for each roof that is drawn."""
    told_apart = len({letter.lower() for letter in letters}) == len(letters)
    return told_apart and all(
        cell_len(letter) == cell_len(letter.lower()) == 1 for letter in letters
    )


def height_letter() -> str:
    """What stands before a tower's height on the board: one cell."""
    letter = pgettext("one letter for the height of a tower", "h")
    return letter if cell_len(letter) == 1 else "h"


def short_code(card: int) -> str:
    """A card in two cells, as lines of text show it: its code, a roof with the colour's letter."""
    return f"R{roof_letter(card).lower()}" if card >= FIRST_ROOF else CODES[card]


def pile_words(pile: int) -> str:
    words = (_("floors"), _("clocks"), _("roofs"))
    return words[pile] if 0 <= pile < len(words) else _("cards")


def card_title(card: int) -> str:
    """What stands on the card, in at most 7 cells (longer words are cut)."""
    if PILES[card] == Pile.CLOCK:
        return pgettext("on a card, 7 cells", "CLOCK")
    if PILES[card] == Pile.ROOF:
        return pgettext("on a card, 7 cells", "ROOF")
    if STOREYS[card] == 1:
        return pgettext("on a card, 7 cells", "FLOOR")
    return pgettext("on a card, 7 cells", "DOUBLE")


def card_detail(card: int) -> str:
    """The animal or the colour, in at most 7 cells (longer words are cut); "" with neither."""
    if PILES[card] == Pile.ROOF:
        return colour_words(card)
    animals = {
        "c": pgettext("on a card, 7 cells", "cat"),
        "m": pgettext("on a card, 7 cells", "mouse"),
    }
    return animals.get(CODES[card][1], "")


def points_written(points: int) -> str:
    """Points where there is little room."""
    return ngettext("{n} pt", "{n} pts", points).format(n=points)


SCORES: Final = (
    (5, N_("no animals")),
    (4, N_("cats only")),
    (3, N_("cats and mice")),
    (2, N_("mice only")),
)
"""What a complete tower scores, and for what (rules: Points)."""


def scoring_words(between: str) -> str:
    """What complete towers score, in a line."""
    return between.join(f"{points} {_(why)}" for points, why in SCORES)


def brief_scoring_words(between: str) -> str:
    """The same where there is less room."""
    words = (_("plain"), _("cats"), _("both"), _("mice"))
    return between.join(
        f"{points} {why}" for (points, _why), why in zip(SCORES, words, strict=True)
    )
