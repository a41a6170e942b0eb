"""Cards as rows of text: large ones on the Wheel and in the hand, and in four cells among the won.

Law: a card says what it is by text alone, whatever its size: the object's and the suit's sign with
a letter or a word, the colour as a letter or a word.
"""

from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.spans import Block, Row, Span, centred, cut, line
from clocktowers_tui.games.wild_wild_pattern.glyphs import PICTURES, Glyphs
from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS, Ink
from clocktowers_tui.games.wild_wild_pattern.layout import LARGE, SMALL, Scale
from clocktowers_tui.games.wild_wild_pattern.words import (
    challenge_code,
    feature_letter,
    feature_title,
    features_of,
)
from protocol.games.wild_wild_pattern.cards import colour_of, is_pattern, object_of

COMPACT: Final = 4
"""Cells of a card among others."""


class Edge(NamedTuple):
    """`label` stands in the upper edge, `ink` is the whole edge's; `heavy`: it may be picked, or
    has just been played."""

    label: str = ""
    ink: Ink | None = None
    heavy: bool = False
    label_ink: Ink | None = Ink.BOLD


PLAIN: Final = Edge()


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


def card_block(card: int, scale: Scale, glyphs: Glyphs, edge: Edge = PLAIN) -> Block:
    """A Pattern card of that scale; 0 is a gap."""
    inside = scale.width - 2
    if not card:
        rows: Block = [[Span(" " * inside)] for _ in range(scale.height - 2)]
    else:
        ink = ink_of(card)
        rows = [[Span(centred(text, inside), ink)] for text in _texts(card, scale, glyphs)]
    return framed(rows, scale, glyphs, edge)


def back_block(scale: Scale, glyphs: Glyphs, edge: Edge = PLAIN) -> Block:
    """A card face down."""
    back: Row = [Span(centred(glyphs.back * 3, scale.width - 2), Ink.DIM)]
    above: Block = [[]] * ((scale.height - 3) // 2)
    return framed([*above, back], scale, glyphs, edge)


def framed(rows: Block, scale: Scale, glyphs: Glyphs, edge: Edge) -> Block:
    """The rows in an edge; what is wider is cut, what is missing blank."""
    frame = glyphs.pick if edge.heavy else glyphs.card
    inside = scale.width - 2
    label = cut(edge.label, inside)
    rest = frame.across * (inside - cell_len(label))
    full = [*rows, *[[]] * (scale.height - 2 - len(rows))]
    middle: Block = [
        [Span(frame.down, edge.ink), *line(inside, row), Span(frame.down, edge.ink)]
        for row in full[: scale.height - 2]
    ]
    return [
        [Span(frame.nw, edge.ink), Span(label, edge.label_ink), Span(rest + frame.ne, edge.ink)],
        *middle,
        [Span(frame.sw + frame.across * inside + frame.se, edge.ink)],
    ]


def _texts(card: int, scale: Scale, glyphs: Glyphs) -> list[str]:
    obj, colour, suit = features_of(card)
    if scale.height == SMALL.height:
        return [f"{signed(obj, glyphs)} {feature_letter(colour)} {signed(suit, glyphs)}"]
    first = titled(obj, glyphs)
    room = scale.width - 2
    second = _apart(feature_title(colour), signed(suit, glyphs), room)
    if scale.height < OWN_ROWS:
        return [_left(first, room), second]
    words = [first, feature_title(colour), titled(suit, glyphs)]
    if scale is not LARGE:
        return ["", *words]
    return [words[0], *PICTURES[object_of(card)], *words[1:]]


OWN_ROWS: Final = 6


def _left(text: str, room: int) -> str:
    return text + " " * (room - cell_len(text))


def _apart(left: str, right: str, room: int) -> str:
    return left + " " * max(1, room - cell_len(left) - cell_len(right)) + right
