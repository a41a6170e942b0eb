"""Cards as rows of text, with drawings of their objects: large ones on the Wheel and in the hand,
and in one line among the won.

Laws: a card says what it is by text alone, whatever its size: the object's and the suit's sign,
the colour as a letter or a word. All cards of a size have one form, that in which the longest fits.
"""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from rich.cells import cell_len

from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import Block, Frame, Row, Span, centred, cut, line, shortened
from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS, Glyphs, Ink
from clocktowers_tui.games.wild_wild_pattern.sight import Scale
from clocktowers_tui.games.wild_wild_pattern.words import (
    challenge_names,
    feature_letter,
    feature_names,
)
from protocol.games.wild_wild_pattern.cards import (
    FEATURES,
    FEATURES_OF,
    FIRST_COLOUR,
    FIRST_SUIT,
    Object,
    colour_of,
    is_pattern,
    object_of,
)

COMPACT: Final = 4
"""Cells of a card in a code."""

_LABEL: Final = 3
"""Cells of a place's digit in a rim."""

_OBJECTS: Final = range(FIRST_COLOUR)
_COLOURS: Final = range(FIRST_COLOUR, FIRST_SUIT)
_SUITS: Final = range(FIRST_SUIT, FEATURES)

DRAWN: Final = 5
"""Rows of a card from which on there is a drawing on it, and its words stand in its rim."""


class Form(Enum):
    """How a card is named in one line, the longest first."""

    WORDS = auto()
    SIGNS = auto()
    CODE = auto()


class Rim(NamedTuple):
    """`label` stands in the upper rim, `ink` is the whole rim's, that of the card where it is None;
    so is its `frame`, and what a frame has not, which is cheap to come and go."""

    label: str = ""
    ink: Enum | None = None
    frame: Frame | None = None
    label_ink: Enum | None = Voice.BOLD


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
    return f"{sign} {feature_names(feature).title}" if sign else feature_names(feature).title


def named(card: int, form: Form, glyphs: Glyphs) -> Span:
    """A card in one line: Ω Grey coin, or Ω Grey ¢, or `compact`."""
    if form is Form.CODE:
        return compact(card, glyphs)
    if not is_pattern(card):
        names = challenge_names(card)
        return Span(names.name or names.title, Ink.CHALLENGE)
    obj, colour, suit = FEATURES_OF[card]
    last = feature_names(suit).words if form is Form.WORDS else glyphs.signs[suit]
    return Span(f"{glyphs.signs[obj]} {feature_names(colour).title} {last}", ink_of(card))


def named_alike(cards: Sequence[int], room: int, glyphs: Glyphs) -> list[Span]:
    """All in the longest form in which each has room, or else in codes."""
    for form in Form:
        found = [named(card, form, glyphs) for card in cards]
        if all(cell_len(one.text) <= room for one in found):
            break
    return found


def fitting(feature: int, room: int, glyphs: Glyphs) -> str:
    """The longest name of an object that is not wider than `room`."""
    names = feature_names(feature)
    short = glyphs.signs[feature] + names.short
    return shortened((titled(feature, glyphs), names.title, short, signed(feature, glyphs)), room)


def compact(card: int, glyphs: Glyphs) -> Span:
    """A card in `COMPACT` cells: sign and letter of the object, letters of colour and suit."""
    if not is_pattern(card):
        code = challenge_names(card).code
        return Span(f"[{code}{' ' * (COMPACT - 2 - cell_len(code))}]", Ink.CHALLENGE)
    obj, colour, suit = FEATURES_OF[card]
    text = signed(obj, glyphs) + feature_letter(colour) + feature_letter(suit)
    return Span(text, ink_of(card))


# Large cards -------------------------------------------------------------------------------------


def card_block(card: int, scale: Scale, glyphs: Glyphs, rim: Rim = PLAIN) -> Block:
    """A Pattern card of that scale; 0 is a gap."""
    width, inside = scale.width - 2, scale.height - 2
    if not card:
        return _rimmed([], scale, glyphs, rim, None)
    ink = ink_of(card)
    if scale.height < DRAWN:
        texts = [[Span(text, ink)] for text in _texts(card, width, glyphs)]
        *_others, suit = FEATURES_OF[card]
        return _rimmed(texts, scale, glyphs, rim, ink, "", [_suit(suit, glyphs, long=False)])
    art = drawing(object_of(card), width, inside, glyphs.halves)
    above: Block = [[]] * ((inside - len(art)) // 2)
    rows = [*above, *([Span(row, ink)] for row in art)]
    return _rimmed(rows, scale, glyphs, rim, ink, *_words(card, width, rim, glyphs))


def challenge_block(card: int, scale: Scale, glyphs: Glyphs) -> Block:
    """A Challenge card of that scale."""
    row: Row = [Span(centred(challenge_names(card).code, scale.width - 2), Ink.CHALLENGE)]
    return _rimmed([row], scale, glyphs, PLAIN, Ink.CHALLENGE)


def back_block(scale: Scale, glyphs: Glyphs, rim: Rim = PLAIN) -> Block:
    """A card face down: a band across it."""
    band: Row = [Span(glyphs.back * (scale.width - 2), Voice.DIM)]
    return _rimmed([*[[]] * ((scale.height - 3) // 2), band], scale, glyphs, rim, None)


def _texts(card: int, width: int, glyphs: Glyphs) -> list[str]:
    """Two rows."""
    obj, colour, _suit = FEATURES_OF[card]
    things = [feature_names(one) for one in (obj, colour)]
    whole = _longest(_OBJECTS) < width
    thing, ground = (one.title if whole else one.short for one in things)
    return [glyphs.signs[obj] + thing, ground]


def _suit(suit: int, glyphs: Glyphs, *, long: bool) -> Span:
    """Cut out of the ground of its card, by which it is found."""
    words = f"{glyphs.signs[suit]} {feature_names(suit).title}" if long else signed(suit, glyphs)
    return Span(f" {words} ", Ink.SUIT)


def _words(card: int, width: int, rim: Rim, glyphs: Glyphs) -> tuple[str, Row]:
    """What stands in the upper and in the lower rim, with a blank before and after it where there
    is room for that."""
    obj, colour, suit = FEATURES_OF[card]
    room = width - max(_LABEL, cell_len(rim.label)) - _longest(_OBJECTS)
    gap, lead = " " if room >= 4 else "", "" if rim.label and room < 4 else " "
    names = feature_names(obj)
    whole = cell_len(rim.label + glyphs.signs[obj]) + _longest(_OBJECTS) <= width
    thing = names.title if whole else names.short
    above = f"{lead}{glyphs.signs[obj]}{gap}{thing}"
    long = _longest(_COLOURS) + _longest(_SUITS) + 5 <= width
    below = [Span(f" {feature_names(colour).title}", ink_of(card)), _suit(suit, glyphs, long=long)]
    used = cell_len(rim.label) + cell_len(above)
    return above + " " * (used < width), below


def _longest(features: range) -> int:
    return max(cell_len(feature_names(feature).title) for feature in features)


def _rimmed(
    rows: Block,
    scale: Scale,
    glyphs: Glyphs,
    rim: Rim,
    ink: Enum | None,
    title: str = "",
    below: Sequence[Span] = (),
) -> Block:
    """The rows in a rim with its label and a title, above, and `below`; what is wider is cut."""
    frame, width, height = rim.frame or glyphs.light, scale.width - 2, scale.height - 2
    around = rim.ink or ink
    title_row = [Span(cut(rim.label, width), rim.label_ink), Span(title, ink)]
    upper = line(width, title_row, Span(frame.across, around))
    lower = line(width, below, Span(frame.foot or frame.across, around))
    side = Span(frame.down or glyphs.light.down, around if frame.down else ink)
    full = [*rows, *[[]] * (height - len(rows))][:height]
    return [
        [Span(frame.nw, around), *upper, Span(frame.ne, around)],
        *([side, *line(width, row, Span(" ", ink)), side] for row in full),
        [Span(frame.sw, around), *lower, Span(frame.se, around)],
    ]


# The objects as drawings: small, middle and large, two dots of a drawing in each cell.
#
# Law: a drawing has one colour, so it is the same picture in every palette and without colours; in
# ASCII other characters stand for the halves of a cell.


Dots: TypeAlias = Sequence[str]
"""Rows of dots, `#` or blank; two rows stand in one row of cells."""

_HALVES: Final = {".": "  ", "▀": "# ", "▄": " #", "█": "##"}
"""A cell below → its upper and its lower dot."""


def drawing(obj: Object, width: int, height: int, halves: str) -> list[str]:
    """The largest one that fits, in rows of `width` cells; none where none fits. `halves`: a cell
    with its upper, its lower and both its dots."""
    for dots in _sizes(obj):
        if len(dots[0]) <= width and len(dots) // 2 <= height:
            return [centred(row, width) for row in _cells(dots, halves)]
    return []


def _cells(dots: Dots, halves: str) -> list[str]:
    signs = dict(zip(((True, False), (False, True), (True, True)), halves, strict=True))
    return [
        "".join(
            signs.get((up != " ", low != " "), " ") for up, low in zip(upper, lower, strict=True)
        )
        for upper, lower in [*pairwise(dots)][::2]
    ]


@cache
def _sizes(obj: Object) -> Sequence[Dots]:
    """The largest first."""
    return _doubled(_MIDDLE[obj]), _MIDDLE[obj], _SMALL[obj]


def _doubled(dots: Dots) -> Dots:
    """Twice as large, with slanting edges smooth (Eric's Pixel Expansion)."""
    found: list[str] = []
    for y, row in enumerate(dots):
        upper, lower = "", ""
        for x, own in enumerate(row):
            up, left = _at(dots, x, y - 1, own), _at(dots, x - 1, y, own)
            down, right = _at(dots, x, y + 1, own), _at(dots, x + 1, y, own)
            flat = up == down or left == right
            upper += own if flat or up != left else up
            upper += own if flat or up != right else up
            lower += own if flat or down != left else down
            lower += own if flat or down != right else down
        found += [upper, lower]
    return found


def _at(dots: Dots, x: int, y: int, otherwise: str) -> str:
    return dots[y][x] if 0 <= y < len(dots) and 0 <= x < len(dots[y]) else otherwise


def _drawn(text: str) -> Sequence[Dots]:
    """The dots of drawings that stand below as on a card, one after the other."""
    return [[*_dotted(part.split())] for part in text.split("\n\n")]


def _dotted(cells: Sequence[str]) -> Iterator[str]:
    for row in cells:
        yield from ("".join(dots) for dots in zip(*(_HALVES[cell] for cell in row), strict=True))


_SMALL: Final = _drawn(
    """
███████████▄
.....▀█▀████
.........███

...▀████▀...
.▄██▀.▀███▄.
.▀████▄███▀.

.....██.....
.▀▀██████▀▀.
..▄█▀..▀█▄..

.....██.....
....█▀▀█....
....████....

..▄█▀▀▀▀█▄..
..██....██..
..██▄..▄██..

......▄▀▄▀..
..██▄██▄██..
..██.██.██..

..▄█▀██▀█▄..
..██▀██▀██..
..▀██████▀..

.█▀▀▀██▀▀▀█.
.█.▀████▀.█.
.█▄██████▄█."""
)

_MIDDLE: Final = _drawn(
    """
.▄▄▄▄▄▄▄▄▄▄▄▄▄█▄
▀████████▀██████
.......█▀▀█████▄
........▀▀.█████
...........▀████
............████

....▀██████▀....
....▄▄████▄▄....
..▄██▀▀..▀▀██▄..
.▄███▄.▀▀▀████▄.
.████▀▀▀▀..████.
..▀████▄▄████▀..

.......██.......
▄▄▄▄▄▄████▄▄▄▄▄▄
.▀▀██████████▀▀.
....████████....
...███▀..▀███...
..█▀▀......▀▀█..

......▀██▀......
.......██.......
.....▄████▄.....
....█▀▀▀▀▀▀█....
....█.▀.▀▀.█....
....████████....

..▄▄████████▄▄..
.▄██▀▀....▀▀██▄.
.█▄█........█▄█.
.█▀█........█▀█.
.▀██▄......▄██▀.
.▄█▄█▄....▄█▄█▄.

..........▄.▀▄.▀
.......▄▀▀.▄▀▀▄.
..███.███.███...
..███████████...
..███.███.███...
..███.███.███...

..▄█▀▀█▀▀█▀▀█▄..
..██▄▄█▄▄█▄▄██..
.██...█..█...██.
.██...█..█...██.
..██▀▀█▀▀█▀▀██..
..▀█▄▄█▄▄█▄▄█▀..

█▀▀█▀█▀██▀█▀█▀▀█
█.....▄▄▄▄.....█
█..▄▄▄████▄▄▄..█
█.....█▄▄█.....█
█....▄▄██▄▄....█
█▄▄▄████████▄▄▄█"""
)
