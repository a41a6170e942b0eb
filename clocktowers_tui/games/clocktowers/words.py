"""Cards, colours, piles and options in words, each a whole phrase, to be translated as one."""

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.face import OptionField, choice_field, first_seat, take_back
from clocktowers_tui.games.spans import are_signs
from clocktowers_tui.text.i18n import N_, _, ngettext, pgettext
from clocktowers_tui.text.spelling import kept
from protocol.games.clocktowers import (
    ANIMALS,
    CODES,
    FIRST_ROOF,
    SEATS,
    Options,
)


class CardNames(NamedTuple):
    """A card: `words` among other words, `phrase` in a sentence that tells what somebody did with
    it; on it stand its `title` and `detail`, its animal or colour, each in 7 cells (longer words
    are cut). `letter`: of a roof's colour."""

    words: str
    phrase: str
    title: str = ""
    detail: str = ""
    letter: str = ""


@kept
def _cards() -> tuple[CardNames, ...]:
    """By card byte; 0 is also what is no card's number."""
    floor, double = (
        pgettext("on a card, 7 cells", "FLOOR"),
        pgettext("on a card, 7 cells", "DOUBLE"),
    )
    clock = pgettext("on a card, 7 cells", "CLOCK")
    roof = pgettext("on a card, 7 cells", "ROOF")
    cat = pgettext("on a card, 7 cells", "cat")
    mouse = pgettext("on a card, 7 cells", "mouse")
    return (
        CardNames(_("a card"), _("a card"), detail=_("a colour")),
        CardNames(_("floor"), _("a floor"), floor),
        CardNames(_("floor cat"), _("a floor with a cat"), floor, cat),
        CardNames(_("floor mouse"), _("a floor with a mouse"), floor, mouse),
        CardNames(_("double floor"), _("a double floor"), double, floor),
        CardNames(_("double floor cat"), _("a double floor with a cat"), double, cat),
        CardNames(_("double floor mouse"), _("a double floor with a mouse"), double, mouse),
        CardNames(_("clock"), _("a clock"), clock),
        CardNames(_("clock mouse"), _("a clock with a mouse"), clock, mouse),
        CardNames(
            _("blue roof"),
            _("a blue roof"),
            roof,
            pgettext("on a card, 7 cells", "Blue"),
            pgettext("one letter for the colour blue", "B"),
        ),
        CardNames(
            _("green roof"),
            _("a green roof"),
            roof,
            pgettext("on a card, 7 cells", "Green"),
            pgettext("one letter for the colour green", "G"),
        ),
        CardNames(
            _("purple roof"),
            _("a purple roof"),
            roof,
            pgettext("on a card, 7 cells", "Purple"),
            pgettext("one letter for the colour purple", "P"),
        ),
        CardNames(
            _("red roof"),
            _("a red roof"),
            roof,
            pgettext("on a card, 7 cells", "Red"),
            pgettext("one letter for the colour red", "R"),
        ),
        CardNames(
            _("yellow roof"),
            _("a yellow roof"),
            roof,
            pgettext("on a card, 7 cells", "Yellow"),
            pgettext("one letter for the colour yellow", "Y"),
        ),
    )


def card_names(card: int) -> CardNames:
    rows = _cards()
    return rows[card if 0 <= card < len(rows) else 0]


def roof_letter(roof: int) -> str:
    """The letter that stands for a roof's colour on the board: capital, one cell."""
    letters = tuple(one.letter for one in _cards()[FIRST_ROOF:])
    return card_names(roof).letter if are_signs(letters) else CODES[roof][1].upper()


def card_words(card: int) -> str:
    return card_names(card).words


def card_phrase(card: int) -> str:
    return card_names(card).phrase


def colour_words(roof: int) -> str:
    """The colour of a roof card."""
    return card_names(roof).detail


def height_letter() -> str:
    """What stands before a tower's height on the board: one cell."""
    letter = pgettext("one letter for the height of a tower", "h")
    return letter if cell_len(letter) == 1 else "h"


def animal_letter(beast: str) -> str:
    """The letter of a cat ("c") or a mouse ("m") on the board: one cell; "" for neither."""
    cat, mouse = pgettext("one letter for a cat", "c"), pgettext("one letter for a mouse", "m")
    return {"c": cat, "m": mouse}[beast] if beast and are_signs((cat, mouse)) else beast


def short_code(card: int) -> str:
    """A card in two cells, as lines of text show it: its code, with the letter of the animal or,
    of a roof, of the colour."""
    if card >= FIRST_ROOF:
        return f"R{roof_letter(card).lower()}"
    return CODES[card][:1] + (animal_letter(ANIMALS[card]) or CODES[card][1:])


def pile_words(pile: int) -> str:
    words = (_("floors"), _("clocks"), _("roofs"))
    return words[pile] if 0 <= pile < len(words) else _("cards")


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


def brief_scoring_words(between: str, *, briefer: bool = False) -> str:
    """The same where there is less room."""
    cats, mice, both = _("cats"), _("mice"), _("both") if briefer else _("cats+mice")
    return between.join([f"5 {_(SCORES[0][1])}", f"4 {cats}", f"3 {both}", f"2 {mice}"])


# A table's options and presets in words ----------------------------------------------------------


_choice: Final = partial(choice_field, Options)


def option_fields(seats: int | None = None) -> Sequence[OptionField]:
    """In the order of the form; the first value of each is the default. See `Face`."""
    return (
        OptionField(
            "first_heights",
            _("First tower of a colour"),
            (([1, 2], _("1 or 2 floors")), ([2], _("2 floors"))),
            sentence=_("How many floors a colour's first tower needs."),
        ),
        _choice(
            "turn_order",
            # TRANSLATORS: name of a rule: play first or draw first.
            _("A turn"),
            _("play, then draw"),
            _("draw, then play"),
            sentence=_("Draw first, and you choose from four cards."),
        ),
        _choice(
            "ladder",
            _("Heights of the next roofs"),
            _("the same for all"),
            _("each player's own"),
            sentence=_("Does a roof raise the next height for everybody, or for its owner?"),
        ),
        _choice(
            "clock_mice",
            _("Mice on clocks"),
            # TRANSLATORS: value of a rule: mice on clocks count.
            _("count"),
            _("do not count"),
            sentence=_("Does a mouse on a clock cost its tower points?"),
        ),
        _choice(
            "open_memory",
            _("Cards you saw others take"),
            # TRANSLATORS: value of a rule: cards that others took are not shown.
            _("hidden"),
            # TRANSLATORS: value of a rule: cards that others took are shown.
            _("shown"),
            sentence=_("Show them in the others' hands, or remember them?"),
        ),
        take_back(),
        first_seat(seats or max(SEATS)),
    )


PRESET_NAMES: Final = N_("Standard"), N_("Italian sheet"), N_("Russian sheet"), N_("Dutch sheet")
