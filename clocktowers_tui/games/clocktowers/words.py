"""Cards, colours, piles and options in words, each a whole phrase, to be translated as one."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from rich.cells import cell_len

from clocktowers_tui.games.face import OptionField
from clocktowers_tui.games.option_fields import choice, first_seat, named, take_back
from clocktowers_tui.text.i18n import N_, _, ngettext, pgettext
from protocol.games.clocktowers import (
    CODES,
    FIRST_ROOF,
    PILES,
    PRESETS,
    SEATS,
    STOREYS,
    ClockMice,
    Ladder,
    OpenMemory,
    Pile,
    TurnOrder,
)

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


# A table's options and presets in words ----------------------------------------------------------


def option_fields(seats: int | None = None) -> Sequence[OptionField]:
    """In the order of the form; the first value of each is the default. See `Face`."""
    return (
        OptionField(
            "first_heights",
            _("First tower of a colour"),
            (([1, 2], _("1 or 2 floors")), ([2], _("2 floors"))),
            sentence=_("How many floors a colour's first tower needs."),
        ),
        choice(
            "turn_order",
            _("A turn"),
            TurnOrder,
            _("play, then draw"),
            _("draw, then play"),
            sentence=_("Draw first, and you choose from four cards."),
        ),
        choice(
            "ladder",
            _("Heights of the next roofs"),
            Ladder,
            _("the same for all"),
            _("each player's own"),
            sentence=_("Does a roof raise the next height for everybody, or for its owner?"),
        ),
        choice(
            "clock_mice",
            _("Mice on clocks"),
            ClockMice,
            _("count"),
            _("do not count"),
            sentence=_("Does a mouse on a clock cost its tower points?"),
        ),
        choice(
            "open_memory",
            _("Cards you saw others take"),
            OpenMemory,
            _("hidden"),
            _("shown"),
            sentence=_("Show them in the others' hands, or remember them?"),
        ),
        take_back(),
        first_seat(seats or max(SEATS)),
    )


def presets() -> Sequence[tuple[str, str]]:
    """(name on the wire, words); the first is the default."""
    return named(PRESETS, _("Standard"), _("Italian sheet"), _("Russian sheet"), _("Dutch sheet"))
