"""Features, cards, money and the Bank's lines in words, each a whole phrase so that it
can be translated as one.
"""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from clocktowers_tui.games.wild_wild_pattern.challenges import challenge_words
from clocktowers_tui.text.i18n import N_, _, decimal, kept, ngettext, pgettext
from clocktowers_tui.text.spelling import spelt
from protocol.games.wild_wild_pattern.bank import Line
from protocol.games.wild_wild_pattern.cards import (
    FIRST_COLOUR,
    FIRST_SUIT,
    colour_of,
    is_object,
    is_pattern,
    object_of,
    suit_of,
)
from protocol.games.wild_wild_pattern.pattern import Direction, Pattern

_OBJECTS: Final = "PLSBHDKW"
_COLOURS: Final = "RAYGW"
_SUITS: Final = "CB"
"""The letters where a language's own ones cannot be told apart."""


def feature_words(feature: int) -> str:
    """What a pattern speaks of, before the word card: objects, then colours, then suits."""
    return _features()[feature]


@kept
def _features() -> tuple[str, ...]:
    return (
        _("pistol"),
        _("loot"),
        _("star"),
        _("bottle"),
        _("horseshoe"),
        _("dynamite"),
        _("barrel"),
        _("wanted"),
        _("red"),
        _("azure"),
        _("yellow"),
        _("grey"),
        _("white"),
        _("coin"),
        _("bullets"),
    )


def feature_title(feature: int) -> str:
    """The same on a card: objects in 9 cells, colours and suits in 8."""
    return _titles()[feature]


@kept
def _titles() -> tuple[str, ...]:
    return (
        pgettext("on a card, 9 cells", "Pistol"),
        pgettext("on a card, 9 cells", "Loot"),
        pgettext("on a card, 9 cells", "Star"),
        pgettext("on a card, 9 cells", "Bottle"),
        pgettext("on a card, 9 cells", "Horseshoe"),
        pgettext("on a card, 9 cells", "Dynamite"),
        pgettext("on a card, 9 cells", "Barrel"),
        pgettext("on a card, 9 cells", "Wanted"),
        pgettext("on a card, 8 cells", "Red"),
        pgettext("on a card, 8 cells", "Azure"),
        pgettext("on a card, 8 cells", "Yellow"),
        pgettext("on a card, 8 cells", "Grey"),
        pgettext("on a card, 8 cells", "White"),
        pgettext("on a card, 8 cells", "Coin"),
        pgettext("on a card, 8 cells", "Bullets"),
    )


def feature_short(feature: int) -> str:
    """An object or a colour on a small card, in 6 cells."""
    return _shorts()[feature]


@kept
def _shorts() -> tuple[str, ...]:
    return (
        pgettext("on a card, 6 cells", "Pistol"),
        pgettext("on a card, 6 cells", "Loot"),
        pgettext("on a card, 6 cells", "Star"),
        pgettext("on a card, 6 cells", "Bottle"),
        pgettext("on a card, 6 cells", "H.shoe"),
        pgettext("on a card, 6 cells", "Dynam."),
        pgettext("on a card, 6 cells", "Barrel"),
        pgettext("on a card, 6 cells", "Wanted"),
        pgettext("on a card, 6 cells", "Red"),
        pgettext("on a card, 6 cells", "Azure"),
        pgettext("on a card, 6 cells", "Yellow"),
        pgettext("on a card, 6 cells", "Grey"),
        pgettext("on a card, 6 cells", "White"),
    )


def feature_letter(feature: int) -> str:
    """One capital, other than those of the features of its kind."""
    return _letters()[feature]


@kept
def _letters() -> tuple[str, ...]:
    return (
        *_own_or(_object_letters(), _OBJECTS),
        *_own_or(_colour_letters(), _COLOURS),
        *_own_or(_suit_letters(), _SUITS),
    )


def _own_or(letters: Sequence[str], otherwise: str) -> Sequence[str]:
    told_apart = len({letter.lower() for letter in letters}) == len(letters)
    fit = all(len(letter) == cell_len(letter) == 1 for letter in letters)
    return letters if told_apart and fit else otherwise


def _object_letters() -> tuple[str, ...]:
    return (
        pgettext("one letter for a pistol", "P"),
        pgettext("one letter for loot", "L"),
        pgettext("one letter for a star", "S"),
        pgettext("one letter for a bottle", "B"),
        pgettext("one letter for a horseshoe", "H"),
        pgettext("one letter for dynamite", "D"),
        pgettext("one letter for a barrel (keg)", "K"),
        pgettext("one letter for a wanted poster", "W"),
    )


def _colour_letters() -> tuple[str, ...]:
    return (
        pgettext("one letter for a red card", "R"),
        pgettext("one letter for an azure card", "A"),
        pgettext("one letter for a yellow card", "Y"),
        pgettext("one letter for a grey card", "G"),
        pgettext("one letter for a white card", "W"),
    )


def _suit_letters() -> tuple[str, ...]:
    return (
        pgettext("one letter for a card with a coin", "C"),
        pgettext("one letter for a card with bullets", "B"),
    )


def features_of(card: int) -> tuple[int, int, int]:
    """Object, colour and suit of a Pattern card."""
    return object_of(card), FIRST_COLOUR + colour_of(card), FIRST_SUIT + suit_of(card)


def every(feature: int) -> str:
    """The first half of a pattern."""
    return _everies()[feature]


@kept
def _everies() -> tuple[str, ...]:
    return (
        _("every pistol"),
        _("every loot"),
        _("every star"),
        _("every bottle"),
        _("every horseshoe"),
        _("every dynamite"),
        _("every barrel"),
        _("every wanted"),
        _("every red card"),
        _("every azure card"),
        _("every yellow card"),
        _("every grey card"),
        _("every white card"),
        _("every card with a coin"),
        _("every card with bullets"),
    )


def a_card(feature: int) -> str:
    """The second half of a pattern."""
    return _ones()[feature]


@kept
def _ones() -> tuple[str, ...]:
    return (
        _("a pistol"),
        _("a loot"),
        _("a star"),
        _("a bottle"),
        _("a horseshoe"),
        _("a dynamite"),
        _("a barrel"),
        _("a wanted"),
        _("a red card"),
        _("an azure card"),
        _("a yellow card"),
        _("a grey card"),
        _("a white card"),
        _("a card with a coin"),
        _("a card with bullets"),
    )


def in_short(partner: int) -> str:
    """The second half of a pattern among longer words."""
    if is_object(partner):
        return a_card(partner)
    return _("a coin") if partner == FIRST_SUIT else feature_words(partner)


def pattern_words(pattern: Pattern) -> str:
    """A declaration as a sentence without a capital and an end."""
    return _sentence(pattern.direction, every(pattern.anchor), a_card(pattern.partner))


def unfinished_words(direction: Direction | None, anchor: int | None) -> str:
    """A declaration as far as it goes."""
    if direction is None:
        return _("before or after every …")
    first = _("every …") if anchor is None else every(anchor)
    return _sentence(direction, first, spelt("…"))


def _sentence(direction: Direction, anchor: str, partner: str) -> str:
    text = (
        _("before {anchor} comes {partner}")
        if direction is Direction.BEFORE
        else _("after {anchor} comes {partner}")
    )
    return text.format(anchor=anchor, partner=partner)


def capital(sentence: str) -> str:
    """As the first one of a line."""
    return sentence[:1].upper() + sentence[1:]


def money(cents: int) -> str:
    return "$" + decimal(cents / 100, ".2f")


def cards_counted(n: int) -> str:
    return ngettext("{n} card", "{n} cards", n).format(n=n)


def line_words(line: Line) -> str:
    """A line of the Bank's sheet, in at most 18 cells; *exactly* so many."""
    return {
        Line.ONE_OF_A_SUIT: pgettext("the Bank, 18 cells", "just 1 of a suit"),
        Line.FIVE_OF_A_SUIT: pgettext("the Bank, 18 cells", "5 of a suit"),
        Line.TWO_COLOUR: pgettext("the Bank, 18 cells", "2 same colour"),
        Line.THREE_COLOUR: pgettext("the Bank, 18 cells", "3 same colour"),
        Line.FOUR_COLOUR: pgettext("the Bank, 18 cells", "4 same colour"),
        Line.FIVE_COLOUR: pgettext("the Bank, 18 cells", "5 same colour"),
        Line.TWO_OBJECT: pgettext("the Bank, 18 cells", "2 same object"),
        Line.THREE_OBJECT: pgettext("the Bank, 18 cells", "3 same object"),
        Line.FOUR_OBJECT: pgettext("the Bank, 18 cells", "4 same object"),
        Line.FIVE_OBJECTS: pgettext("the Bank, 18 cells", "5 unlike objects"),
        Line.ONE_TARGET: pgettext("the Bank, 18 cells", "1 of the Target"),
        Line.TWO_TARGETS: pgettext("the Bank, 18 cells", "2 of the Target"),
        Line.THREE_TARGETS: pgettext("the Bank, 18 cells", "3 of the Target"),
        Line.FOUR_TARGETS: pgettext("the Bank, 18 cells", "4 of the Target"),
        Line.FIVE_COLOURS: pgettext("the Bank, 18 cells", "5 colours"),
        Line.WILD: pgettext("the Bank, 18 cells", "WILD"),
    }[line]


_CARDS: Final = (
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
"""Card byte less 1 → its whole name: in other languages the colour agrees with the object."""


def card_title(card: int) -> str:
    """A card's colour and object; a Challenge card's title."""
    return _(_CARDS[card - 1]) if is_pattern(card) else challenge_words(card)


def card_words(card: int) -> str:
    """A card in a sentence: yellow star (coin); a Challenge card's title."""
    if not is_pattern(card):
        return challenge_words(card)
    return _("{card} ({suit})").format(
        card=card_title(card), suit=feature_words(FIRST_SUIT + suit_of(card))
    )
