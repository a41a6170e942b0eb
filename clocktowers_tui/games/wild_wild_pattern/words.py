"""Features, cards, money and the Bank's lines in words, each a phrase to be translated as one."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from clocktowers_tui.games.spans import are_signs
from clocktowers_tui.games.wild_wild_pattern.actions import LETTERS
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.text.i18n import N_, _, decimal, ngettext, pgettext
from clocktowers_tui.text.spelling import kept, spelt
from protocol.games.wild_wild_pattern.bank import Line
from protocol.games.wild_wild_pattern.cards import (
    FIRST_SUIT,
    Challenge,
    Direction,
    Pattern,
    is_object,
    is_pattern,
    suit_of,
)


class ChallengeNames(NamedTuple):
    """A Challenge card: `title`, in 14 cells its `name` among other cards, if that is another, in
    2 cells its `code`; `does`: what it does, in one line."""

    title: str
    does: str
    code: str
    name: str = ""


@kept
def _challenges() -> dict[int, ChallengeNames]:
    pays = _("the Bank pays it when it is played")
    return {
        Challenge.ONE_CARD: ChallengeNames(
            _("Take a card"),
            _("from the Wheel or from an opponent"),
            pgettext("the Challenge card Take a card, 2 cells", "TA"),
        ),
        Challenge.PIANO_PLAYER: ChallengeNames(
            _("Do not shoot the piano player"),
            _("an opponent's card with bullets leaves the game"),
            pgettext("the piano player's card, 2 cells", "PP"),
            pgettext("the piano player's card, 14 cells", "Piano player"),
        ),
        Challenge.HANDS_UP: ChallengeNames(
            _("Hands up!"),
            _("an opponent's card with a coin leaves the game"),
            pgettext("the Challenge card Hands up!, 2 cells", "HU"),
        ),
        Challenge.TRADE: ChallengeNames(
            _("Trade a card"),
            _("swap a card of yours for an opponent's"),
            pgettext("the Challenge card Trade, 2 cells", "TR"),
        ),
        Challenge.ONE_DOLLAR: ChallengeNames(_("1 dollar"), pays, "$1"),
        Challenge.FIFTY_CENTS: ChallengeNames(_("50 cents"), pays, "50"),
        Challenge.TEN_CENTS: ChallengeNames(_("10 cents"), pays, "10"),
    }


def challenge_names(card: int) -> ChallengeNames:
    return _challenges()[card]


# Features, cards, money and the Bank's lines in words, each a whole phrase so that it can be
# translated as one.


_OBJECTS: Final = "PLSBHDKW"
"""The letters where a language's own ones cannot be told apart."""


class FeatureNames(NamedTuple):
    """A feature: `words` before the word card; `every` and `one`: the first and the second half of
    a pattern; `title` on a card, objects in 9 cells, colours and suits in 8; `short` on a small
    card, in 6 cells, "" of a suit."""

    words: str
    every: str
    one: str
    title: str
    short: str


# By feature: objects, then colours, then suits.

_PHRASES: Final = (
    (N_("pistol"), N_("every pistol"), N_("a pistol")),
    (N_("loot"), N_("every loot"), N_("a loot")),
    (N_("star"), N_("every star"), N_("a star")),
    (N_("bottle"), N_("every bottle"), N_("a bottle")),
    (N_("horseshoe"), N_("every horseshoe"), N_("a horseshoe")),
    (N_("dynamite"), N_("every dynamite"), N_("a dynamite")),
    (N_("barrel"), N_("every barrel"), N_("a barrel")),
    (N_("wanted poster"), N_("every wanted poster"), N_("a wanted poster")),
    (N_("red"), N_("every red card"), N_("a red card")),
    (N_("azure"), N_("every azure card"), N_("an azure card")),
    (N_("yellow"), N_("every yellow card"), N_("a yellow card")),
    (N_("grey"), N_("every grey card"), N_("a grey card")),
    (N_("white"), N_("every white card"), N_("a white card")),
    (N_("coin"), N_("every card with a coin"), N_("a card with a coin")),
    (N_("bullets"), N_("every card with bullets"), N_("a card with bullets")),
)


@kept
def _on_cards() -> Sequence[tuple[str, str]]:
    return (
        (pgettext("on a card, 9 cells", "Pistol"), pgettext("on a card, 6 cells", "Pistol")),
        (pgettext("on a card, 9 cells", "Loot"), pgettext("on a card, 6 cells", "Loot")),
        (pgettext("on a card, 9 cells", "Star"), pgettext("on a card, 6 cells", "Star")),
        (pgettext("on a card, 9 cells", "Bottle"), pgettext("on a card, 6 cells", "Bottle")),
        (pgettext("on a card, 9 cells", "Horseshoe"), pgettext("on a card, 6 cells", "H.shoe")),
        (pgettext("on a card, 9 cells", "Dynamite"), pgettext("on a card, 6 cells", "Dynam.")),
        (pgettext("on a card, 9 cells", "Barrel"), pgettext("on a card, 6 cells", "Barrel")),
        (pgettext("on a card, 9 cells", "Wanted"), pgettext("on a card, 6 cells", "Wanted")),
        (pgettext("on a card, 8 cells", "Red"), pgettext("on a card, 6 cells", "Red")),
        (pgettext("on a card, 8 cells", "Azure"), pgettext("on a card, 6 cells", "Azure")),
        (pgettext("on a card, 8 cells", "Yellow"), pgettext("on a card, 6 cells", "Yellow")),
        (pgettext("on a card, 8 cells", "Grey"), pgettext("on a card, 6 cells", "Grey")),
        (pgettext("on a card, 8 cells", "White"), pgettext("on a card, 6 cells", "White")),
        (pgettext("on a card, 8 cells", "Coin"), ""),
        (pgettext("on a card, 8 cells", "Bullets"), ""),
    )


@kept
def feature_names(feature: int) -> FeatureNames:
    words, every, one = map(_, _PHRASES[feature])
    return FeatureNames(words, every, one, *_on_cards()[feature])


@kept
def _letters() -> Sequence[str]:
    objects = (
        pgettext("one letter for a pistol", "P"),
        pgettext("one letter for loot", "L"),
        pgettext("one letter for a star", "S"),
        pgettext("one letter for a bottle", "B"),
        pgettext("one letter for a horseshoe", "H"),
        pgettext("one letter for dynamite", "D"),
        pgettext("one letter for a barrel (keg)", "K"),
        pgettext("one letter for a wanted poster", "W"),
    )
    keys = (DEFAULT_KEYS.keys(letter)[0].upper() for letter in LETTERS)
    return (*(objects if are_signs(objects) else _OBJECTS), *keys)


def feature_letter(feature: int) -> str:
    """One capital, other than those of the features of its kind. Of a colour and a suit it is the
    key that declares it; a card's digit declares an object."""
    return _letters()[feature]


def in_short(partner: int) -> str:
    """The second half of a pattern among longer words."""
    if is_object(partner):
        return feature_names(partner).one
    return _("a coin") if partner == FIRST_SUIT else feature_names(partner).words


def pattern_words(pattern: Pattern) -> str:
    """A declaration as a sentence without a capital and an end."""
    first, second = feature_names(pattern.anchor), feature_names(pattern.partner)
    return _sentence(pattern.direction, first.every, second.one)


def unfinished_words(direction: Direction | None, anchor: int | None) -> str:
    """A declaration as far as it goes."""
    if direction is None:
        return _("before or after every …")
    first = _("every …") if anchor is None else feature_names(anchor).every
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
        Line.TWO_COLOUR: pgettext("the Bank, 18 cells", "2 of one colour"),
        Line.THREE_COLOUR: pgettext("the Bank, 18 cells", "3 of one colour"),
        Line.FOUR_COLOUR: pgettext("the Bank, 18 cells", "4 of one colour"),
        Line.FIVE_COLOUR: pgettext("the Bank, 18 cells", "5 of one colour"),
        Line.TWO_OBJECT: pgettext("the Bank, 18 cells", "2 of one object"),
        Line.THREE_OBJECT: pgettext("the Bank, 18 cells", "3 of one object"),
        Line.FOUR_OBJECT: pgettext("the Bank, 18 cells", "4 of one object"),
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
    N_("red wanted poster"),
    N_("azure wanted poster"),
    N_("yellow wanted poster"),
    N_("grey wanted poster"),
    N_("white wanted poster"),
)
"""Card byte less 1 → its whole name: in other languages the colour agrees with the object."""


def card_title(card: int) -> str:
    """A card's colour and object; a Challenge card's title."""
    return _(_CARDS[card - 1]) if is_pattern(card) else challenge_names(card).title


def card_words(card: int) -> str:
    """A card in a sentence: yellow star (coin); a Challenge card's title."""
    if not is_pattern(card):
        return challenge_names(card).title
    return _("{card} ({suit})").format(
        card=card_title(card), suit=feature_names(FIRST_SUIT + suit_of(card)).words
    )
