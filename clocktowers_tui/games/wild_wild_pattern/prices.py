"""What the Bank pays, as the card on the table has it: all lines, and the player's own Target."""

from collections.abc import Iterator
from typing import Final

from clocktowers_tui.games.spans import Block, Row, Span, cells, cut, line, wrapped
from clocktowers_tui.games.wild_wild_pattern.cards import titled
from clocktowers_tui.games.wild_wild_pattern.glyphs import Glyphs
from clocktowers_tui.games.wild_wild_pattern.goal import wild
from clocktowers_tui.games.wild_wild_pattern.inks import Ink
from clocktowers_tui.games.wild_wild_pattern.sheet import five_colours_win, wins
from clocktowers_tui.games.wild_wild_pattern.words import line_words, money
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import Options, View
from protocol.games.wild_wild_pattern.bank import CENTS, Line, in_play

_TITLE: Final = 19
_PRICE: Final = 6
_GAP: Final = 4


def prices_block(view: View, width: int, glyphs: Glyphs, closes: str) -> Block:
    """`closes`: how the player goes on. At most 17 rows of 60 cells, as the smallest board has."""
    words = [row for text in _rules(view.options) for row in wrapped(text, width)]
    return [
        [Span(cut(_("What the Bank pays after a round"), width), Ink.BOLD)],
        [Span("")],
        *_table(view.options),
        [Span("")],
        *_target(view, glyphs),
        *([Span(text)] for text in words),
        [Span(cut(closes, width), Ink.DIM)],
    ]


def prices_aside(view: View, width: int, height: int, glyphs: Glyphs, closes: str) -> Block:
    """The same beside the Wheel, in one column; the prices first, for 17 rows of 30 cells."""
    lines = [_price(one) for one in in_play(five_colours_win=five_colours_win(view.options))]
    rows = [*lines, *_target(view, glyphs)]
    return [*rows[: height - 1], [Span(cut(closes, width), Ink.DIM)]]


def _table(options: Options) -> Iterator[Row]:
    """Two columns, read downwards."""
    found = in_play(five_colours_win=five_colours_win(options))
    deep = (len(found) + 1) // 2
    for left, right in zip(found[:deep], [*found[deep:], None], strict=False):
        yield [*_price(left), Span(" " * _GAP), *(_price(right) if right else [])]


def _price(one: Line) -> Row:
    price = wins() if one is Line.WILD else Span(money(CENTS[one]), Ink.MONEY)
    title = line(_TITLE, [Span(cut(line_words(one), _TITLE - 1))])
    return [*title, Span(" " * (_PRICE - cells([price]))), price]


def _target(view: View, glyphs: Glyphs) -> Block:
    """Spectators and players that are out have none."""
    if view.seat is None or not view.standing[view.seat]:
        return []
    return [[Span(_("Your Target: ")), Span(titled(view.targets[view.seat], glyphs), Ink.BOLD)]]


def _rules(options: Options) -> Iterator[str]:
    yield _("A line pays once, for exactly that many: three of a colour do not pay as two.")
    yield wild(options)
    yield _("With more than five cards you get nothing.")
