"""A card in a frame, nine cells wide and five rows high, and a row of them."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from clocktowers_tui.games.clocktowers.art import picture
from clocktowers_tui.games.clocktowers.glyphs import Frame, Glyphs
from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.spans import Block, Row, Span, centred, line
from clocktowers_tui.games.clocktowers.words import card_detail, card_title
from clocktowers_tui.i18n import pgettext

CARD_WIDTH: Final = 9
CARD_HEIGHT: Final = 5
_INNER: Final = CARD_WIDTH - 2


class Held(NamedTuple):
    """One card of the row. `card` 0 = an empty place. `left`: cards in the pile.

    `at`: the keys stand on it. `chosen`: it is taken up and waits for its tower.
    """

    card: int
    key: str
    left: int | None = None
    at: bool = False
    chosen: bool = False


def framed_cards(held: Sequence[Held], gap: int, glyphs: Glyphs) -> Block:
    """The cards side by side, `gap` cells between them."""
    rows: Block = [[] for _ in range(CARD_HEIGHT)]
    for index, one in enumerate(held):
        for row, part in zip(rows, framed(one, glyphs), strict=True):
            row += [*([Span(" " * gap)] if index and gap else []), *part]
    return rows


def framed(held: Held, glyphs: Glyphs) -> Block:
    frame = glyphs.heavy if held.chosen else glyphs.light
    ink = Ink.BOLD if held.chosen or held.at else Ink.DIM
    side = Span(frame.down, ink)
    inner = _face(held, glyphs)
    return [_top(held, frame, ink), *([side, *row, side] for row in inner), _foot(held, frame, ink)]


def card_at(count: int, gap: int, x: int) -> int | None:
    """Which of `count` cards stands at column `x` of the row."""
    index, within = divmod(x, CARD_WIDTH + gap)
    return index if 0 <= index < count and within < CARD_WIDTH else None


def _top(held: Held, frame: Frame, ink: Ink) -> Row:
    key = Span(held.key, Ink.MARKED if held.at or held.chosen else Ink.BOLD)
    rest = frame.across * (_INNER - len(held.key)) + frame.ne
    return [Span(frame.nw, ink), key, Span(rest, ink)]


def _foot(held: Held, frame: Frame, ink: Ink) -> Row:
    count = "" if held.left is None else f"x{held.left}"
    across = Span(frame.sw + frame.across * (_INNER - len(count)), ink)
    return [across, Span(count, Ink.BOLD), Span(frame.se, ink)]


def _face(held: Held, glyphs: Glyphs) -> Block:
    if not held.card:
        blank = [Span(" " * _INNER)]
        return [
            blank,
            [Span(centred(pgettext("on a card, 7 cells", "empty"), _INNER), Ink.DIM)],
            blank,
        ]
    ink = Ink.BOLD if held.chosen else Ink.PLAIN
    return [
        line(_INNER, [Span(" "), *picture(held.card, glyphs)]),
        [Span(centred(card_title(held.card), _INNER), ink)],
        [Span(centred(card_detail(held.card), _INNER), ink)],
    ]
