"""Rows of styled text in cells, how to put them together, and the edge of a part.

Laws: every function that is told a width gives rows of exactly that many cells, whatever the text;
an edge is drawn in the inks of `Edge` alone, so that a lesson can make any part's edge loud.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from rich.cells import cell_len

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.text.i18n import _
from protocol.text import cells_of

_UNSURE: Final = "?"
_PICTURE: Final = "\N{VARIATION SELECTOR-16}"
_HANGS: Final = 2
"""Cells by which the rest of a long line is moved."""


class Span(NamedTuple):
    """`ink`: one of the game's own; None is text like any other."""

    text: str
    ink: Enum | None = None


Row: TypeAlias = list[Span]
Block: TypeAlias = list[Row]


_BLANK: Final = Span(" ")
_TEXT: Final = itemgetter(0)


class Rect(NamedTuple):
    """A rectangle of cells on the board."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, x: int, y: int) -> bool:
        return 0 <= x - self.x < self.width and 0 <= y - self.y < self.height


def cells(row: Iterable[Span]) -> int:
    return sum(map(cell_len, map(_TEXT, row)))


def is_blank(row: Row) -> bool:
    return all(span.text.isspace() for span in row)


def changed(row: Row, before: Row) -> tuple[int, int] | None:
    """From which cell on, and up to which, one row differs from another of the same width."""
    if row == before:
        return None
    shared = min(len(row), len(before))
    first = next((n for n in range(shared) if row[n] != before[n]), shared)
    rest = shared - first
    last = next((n for n in range(rest) if row[-1 - n] != before[-1 - n]), rest)
    return cells(row[:first]), cells(row) - cells(row[len(row) - last :])


@lru_cache(maxsize=1024)
def measurable(text: str) -> str:
    """`text` without what terminals and Textual are known to measure differently.

    Such characters (skin tones, flags) become `?`. The selector that asks for a wide picture of a
    narrow character goes: terminals disagree on whether to obey.
    """
    if text.isascii():
        return text
    chars = (char for char in text if char != _PICTURE)
    return "".join(char if cell_len(char) == cells_of(char) else _UNSURE for char in chars)


def cut(text: str, width: int, ellipsis: str = "") -> str:
    """`text` in at most `width` cells, its end replaced by the ellipsis when it is longer."""
    if cell_len(text) <= width:
        return text
    room = width - cell_len(ellipsis)
    if room < 0:
        return ""
    end = room if cell_len(text[:room]) <= room else 0
    while cell_len(text[: end + 1]) <= room:
        end += 1
    return text[:end] + ellipsis


def shortened(texts: Sequence[str], room: int | None) -> str:
    """The first of these that takes at most so many cells, None: any; the last where none does. It
    is said in fewer and fewer words."""
    return next((text for text in texts if room is None or cell_len(text) <= room), texts[-1])


@lru_cache(maxsize=64)
def are_signs(letters: Sequence[str]) -> bool:
    """Whether they are told apart and take a cell each, small and large; asked for each drawing."""
    alike = {letter.lower() for letter in letters}
    return len(alike) == len(letters) and all(
        cell_len(letter) == cell_len(letter.lower()) == 1 for letter in letters
    )


def line(width: int, row: Iterable[Span], fill: Span = _BLANK) -> Row:
    """The row cut or filled up to `width` cells; a wide character cut in two leaves a blank."""
    kept: Row = []
    room = width
    for span in row:
        size = cell_len(span.text)
        if size > room:
            text = cut(span.text, room)
            if text:
                kept.append(Span(text, span.ink))
            room -= cell_len(text)
            break
        if span.text:
            kept.append(span)
        room -= size
    if room:
        kept.append(Span(fill.text * room, fill.ink))
    return kept


def split(row: Row, at: int) -> tuple[Row, Row]:
    """The row up to cell `at` and from there on; a wide character cut in two leaves blanks."""
    left: Row = []
    room = at
    for n, (text, ink) in enumerate(row):
        if not room:
            return left, row[n:]
        if cell_len(text) > room:
            kept = cut(text, room)
            rest = text[len(kept) :]
            if (missing := room - cell_len(kept)) > 0:
                kept, rest = kept + " " * missing, " " + rest[1:]
            return [*left, Span(kept, ink)], [Span(rest, ink), *row[n + 1 :]]
        left.append(row[n])
        room -= cell_len(text)
    return left, []


def centred(text: str, width: int) -> str:
    text = cut(text, width)
    left = (width - cell_len(text)) // 2
    return " " * left + text + " " * (width - left - cell_len(text))


def in_the_middle(row: Row, width: int) -> Row:
    """The row with blanks on both sides."""
    return line(width, [Span(" " * max(0, (width - cells(row)) // 2)), *row])


def block(width: int, height: int, rows: Sequence[Row]) -> Block:
    """The rows as a rectangle: cut, or filled with blanks, on the right and below."""
    blanks: Block = [[] for _ in range(height - len(rows))]
    return [line(width, row) for row in [*rows[:height], *blanks]]


def paint(width: int, height: int, placed: Sequence[tuple[Rect, Block]]) -> Block:
    """Blocks on a blank ground; a later one lies over those before it. They must lie inside."""
    painted = block(width, height, [])
    for rect, rows in placed:
        for y, row in enumerate(rows[: rect.height], rect.y):
            left, rest = split(painted[y], rect.x)
            painted[y] = [*left, *row, *split(rest, rect.width)[1]]
    return painted


def side_by_side(blocks: Sequence[Block], gap: int) -> Block:
    """Blocks of the same height, with so many cells between them."""
    apart = [Span(" " * gap)] if gap else []
    rows: Block = []
    for first, *others in zip(*blocks, strict=True):
        rows.append([*first])
        for row in others:
            rows[-1] += [*apart, *row]
    return rows


def flowed(pieces: Iterable[Row], gap: int, width: int) -> Block:
    """Side by side, with so many cells between them, in as many rows as they need."""
    rows: Block = []
    for piece in pieces:
        if rows and cells(rows[-1]) + gap + cells(piece) <= width:
            rows[-1] += [Span(" " * gap), *piece]
        else:
            rows.append([*piece])
    return rows


def wrapped(text: str, width: int) -> list[str]:
    """`text` broken between words into lines of at most `width` cells, and its no-break spaces made
    blanks: a phrase has one between a number and its sign or unit, in every language."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(cut(word, width))
    return [_with_blanks(row) for row in lines]


def _with_blanks(row: str) -> str:
    return row.replace("\N{NO-BREAK SPACE}", " ")


def hanging(text: str, width: int) -> list[str]:
    """As `wrapped`; the rest of a long line stands below it, further to the right."""
    if cell_len(text) <= width:
        return [_with_blanks(text)]
    words = text.lstrip(" ")
    margin = " " * (len(text) - len(words))
    first, *rest = wrapped(words, max(1, width - len(margin) - _HANGS))
    return [margin + first, *(margin + " " * _HANGS + row for row in rest)]


def whole(texts: Iterable[str], width: int, room: int) -> Iterator[list[str]]:
    """The lines of each text, of the first ones that take at most `room` lines in all."""
    for text in texts:
        lines = wrapped(text, width)
        room -= len(lines)
        if room < 0:
            return
        yield lines


def last_lines(log: Sequence[str], width: int, room: int) -> list[str]:
    """The end of a log, oldest first, in at most `room` lines of `width` cells. Whole sentences
    only: the tail of a cut one would say something else."""
    shown = [*whole(reversed(log), width, room)]
    return [row for rows in reversed(shown) for row in rows]


# The edge of a part: a frame, or a rule above it where rows are dear; and a player's short name.


Edge = Enum("Edge", "QUIET TURN LIT WORDS")
"""`TURN`: of the seat to act; `LIT`: a lesson speaks of it; `WORDS`: dim words that a lesson can
make loud, in a part without an edge."""


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
