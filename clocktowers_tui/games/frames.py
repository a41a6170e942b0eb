"""The edge of a part: a frame, or a rule above it where rows are dear; and a player's short name.

Law: it is drawn in the inks of `Edge` alone, so that a lesson can make any part's edge loud.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.spans import Block, Row, Span, block, cells, cut, line
from clocktowers_tui.text.i18n import _


class Edge(Enum):
    QUIET = auto()
    TURN = auto()
    """Of the seat to act."""
    LIT = auto()
    """A lesson speaks of it."""
    WORDS = auto()
    """Dim words that a lesson can make loud, in a part without an edge."""


class Frame(NamedTuple):
    """Corners from the upper left one clockwise, then the lines: `across` above and, where there is
    no `foot`, below; `down` left and, where there is no `right`, right."""

    nw: str
    ne: str
    se: str
    sw: str
    across: str
    down: str
    foot: str = ""
    right: str = ""


LIGHT: Final[Mapping[GlyphSet, Frame]] = {
    GlyphSet.UNICODE: Frame("╭", "╮", "╯", "╰", "─", "│"),
    GlyphSet.SAFE: Frame("┌", "┐", "┘", "└", "─", "│"),
    GlyphSet.ASCII: Frame(".", ".", "'", "'", "-", "|"),
}
HEAVY: Final[Mapping[GlyphSet, Frame]] = {
    GlyphSet.UNICODE: Frame("┏", "┓", "┛", "┗", "━", "┃"),
    GlyphSet.SAFE: Frame("╔", "╗", "╝", "╚", "═", "║"),
    GlyphSet.ASCII: Frame("#", "#", "#", "#", "#", "#"),
}


def framed(
    size: tuple[int, int],
    rows: Block,
    frame: Frame,
    title: Row,
    end: Row | None = None,
    edge: Edge = Edge.QUIET,
    across: str = "",
) -> Block:
    """`rows` within a frame; `title` stands left in its upper edge, `end` right. `edge` is that of
    the upper one: whose turn it is costs a row, not a frame.
    `across`: another line for it."""
    width, height = size
    side = Span(frame.down, Edge.QUIET)
    above = ruled(width - 2, across or frame.across, title, end, edge)
    return [
        [Span(frame.nw, edge), *above, Span(frame.ne, edge)],
        *([side, *row, side] for row in block(width - 2, height - 2, rows)),
        [Span(frame.sw + frame.across * (width - 2) + frame.se, Edge.QUIET)],
    ]


def ruled(
    width: int, rule: str, title: Row, end: Row | None = None, edge: Edge = Edge.QUIET
) -> Row:
    """`─ title ──────── end ─`. The end is never cut, the title is."""
    behind: Row = [Span(" "), *end, Span(" "), Span(rule, edge)] if end else []
    before: Row = [Span(rule, edge), Span(" "), *title, Span(" ")] if title else []
    return [*line(width - cells(behind), before, Span(rule, edge)), *behind]


def lit(rows: Block) -> Block:
    """The same with a loud edge."""
    return [[_loud(span) for span in row] for row in rows]


def _loud(span: Span) -> Span:
    return Span(span.text, Edge.LIT) if isinstance(span.ink, Edge) else span


def nameplate(name: str, width: int, ellipsis: str, *, own: bool) -> str:
    """A clean name in at most `width` cells. A mark says that it is the player's own, whatever is
    cut."""
    if not own:
        return cut(name, width, ellipsis)
    words = _("{name} (you)")
    you = cell_len(words.format(name=""))
    return cut(words.format(name=cut(name, max(0, width - you), ellipsis)), width)
