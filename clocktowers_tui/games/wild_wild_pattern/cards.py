"""Cards as rows of text: large ones on the Wheel and in the hand, and in four cells among the won.

Law: a card says what it is by text alone, whatever its size: the object's and the suit's sign with
a letter or a word, the colour as a letter or a word.
"""

from enum import Enum
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.spans import Block, Row, Span, centred, cut, line
from clocktowers_tui.games.wild_wild_pattern.art import drawing
from clocktowers_tui.games.wild_wild_pattern.glyphs import Glyphs
from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS, Ink
from clocktowers_tui.games.wild_wild_pattern.layout import Scale
from clocktowers_tui.games.wild_wild_pattern.words import (
    challenge_code,
    feature_letter,
    feature_title,
    features_of,
)
from protocol.games.wild_wild_pattern.cards import colour_of, is_pattern, object_of

COMPACT: Final = 4
"""Cells of a card among others."""

_DRAWN: Final = 5
"""Rows of a card from which on there is a drawing on it, and its words stand in its rim."""


class Rim(NamedTuple):
    """`label` stands in the upper rim, `ink` is the whole rim's, that of the card where it is None;
    `heavy`: something is to be said of this card. `flat`: its upper side alone says it, which costs
    the terminal less where many cards change at once."""

    label: str = ""
    ink: Enum | None = None
    heavy: bool = False
    flat: bool = False
    label_ink: Enum | None = Ink.BOLD


PLAIN: Final = Rim()


def ink_of(card: int) -> Ink:
    """The ground of a card."""
    return COLOURS[colour_of(card)] if is_pattern(card) else Ink.CHALLENGE


def signed(feature: int, glyphs: Glyphs) -> str:
    """A feature in two cells, or one: its sign, if it has one, and its letter."""
    return glyphs.signs.get(feature, "") + feature_letter(feature)


def titled(feature: int, glyphs: Glyphs) -> str:
    """A feature's sign, if it has one, and its title."""
    sign = glyphs.signs.get(feature, "")
    return f"{sign} {feature_title(feature)}" if sign else feature_title(feature)


def compact(card: int, glyphs: Glyphs) -> Span:
    """A card in `COMPACT` cells: sign and letter of the object, letters of colour and suit."""
    if not is_pattern(card):
        return Span(f"[{_left(challenge_code(card), COMPACT - 2)}]", Ink.CHALLENGE)
    obj, colour, suit = features_of(card)
    text = signed(obj, glyphs) + feature_letter(colour) + feature_letter(suit)
    return Span(text, ink_of(card))


# Large cards -------------------------------------------------------------------------------------


def card_block(card: int, scale: Scale, glyphs: Glyphs, rim: Rim = PLAIN) -> Block:
    """A Pattern card of that scale; 0 is a gap."""
    width, inside = scale.width - 2, scale.height - 2
    if not card:
        return _rimmed([], scale, glyphs, rim, None)
    ink = ink_of(card)
    if scale.height < _DRAWN:
        texts = _texts(card, width, glyphs)
        return _rimmed([[Span(text, ink)] for text in texts], scale, glyphs, rim, ink)
    art = drawing(object_of(card), width, inside, glyphs.halves)
    above = [""] * ((inside - len(art)) // 2)
    rows: Block = [[Span(_left(text, width), ink)] for text in [*above, *art]]
    return _rimmed(rows, scale, glyphs, rim, ink, *_words(card, width, rim, glyphs))


def challenge_block(card: int, scale: Scale, glyphs: Glyphs) -> Block:
    """A Challenge card of that scale."""
    row: Row = [Span(centred(challenge_code(card), scale.width - 2), Ink.CHALLENGE)]
    return _rimmed([row], scale, glyphs, PLAIN, Ink.CHALLENGE)


def back_block(scale: Scale, glyphs: Glyphs, rim: Rim = PLAIN) -> Block:
    """A card face down."""
    inside = scale.height - 2
    back: Row = [Span(glyphs.back * (scale.width - 2), Ink.DIM)]
    return _rimmed([back] * inside, scale, glyphs, rim, None)


def _texts(card: int, width: int, glyphs: Glyphs) -> list[str]:
    """Two rows."""
    obj, colour, suit = features_of(card)
    second = _apart(cut(feature_title(colour), width - 2), signed(suit, glyphs), width)
    title = titled(obj, glyphs)
    return [cut(title if cell_len(title) <= width else title.replace(" ", "", 1), width), second]


def _words(card: int, width: int, rim: Rim, glyphs: Glyphs) -> tuple[str, str]:
    """What stands in the upper and in the lower rim."""
    obj, colour, suit = features_of(card)
    room = width - cell_len(rim.label) - 1
    title = titled(obj, glyphs)
    above = title if cell_len(title) <= room else cut(feature_title(obj), max(0, room))
    long = f"{feature_title(colour)} {glyphs.signs[suit]} {feature_title(suit)}"
    short = f"{feature_title(colour)} {signed(suit, glyphs)}"
    return above, long if cell_len(long) <= width - 2 else short


def _rimmed(
    rows: Block, scale: Scale, glyphs: Glyphs, rim: Rim, ink: Ink | None, *words: str
) -> Block:
    """The rows in a rim with its label and up to two words; what is wider is cut."""
    frame = glyphs.pick if rim.heavy else glyphs.card
    width = scale.width - 2
    around: Enum | None = rim.ink or ink
    title, below = words or ("", "")
    label = cut(rim.label, width)
    blank: Row = [Span(" " * width, ink)]
    full = [*rows, *[blank] * (scale.height - 2 - len(rows))]
    side = Span(glyphs.card.down, ink) if rim.flat else Span(frame.down, around)
    middle: Block = [
        [side, *line(width, row, Span(" ", ink)), side] for row in full[: scale.height - 2]
    ]
    upper: Row = [Span(label, rim.label_ink if label else around), *_in_rim(title, ink)]
    across, foot = Span(frame.across, around), glyphs.card if rim.flat else frame
    beneath = ink if rim.flat else around
    lower = line(width, _in_rim(below, ink), Span(foot.across, beneath))
    return [
        [Span(frame.nw, around), *line(width, upper, across), Span(frame.ne, around)],
        *middle,
        [Span(foot.sw, beneath), *lower, Span(foot.se, beneath)],
    ]


def _in_rim(words: str, ink: Ink | None) -> Row:
    return [Span(f" {words} ", ink)] if words else []


def _left(text: str, room: int) -> str:
    return text + " " * (room - cell_len(text))


def _apart(left: str, right: str, room: int) -> str:
    return left + " " * (room - cell_len(left) - cell_len(right)) + right
