"""A town as text, one line a tower, cards from the ground up and apart: `1-.2c.K-.Rb`.

For many towers, and for small terminals. What is too long hides its lowest floors in `+4c`. What
a play on it gives stands behind: `h3`, or `h3→4 +5`.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.clocktowers.art import hidden_text
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import ROOFS, Ink
from clocktowers_tui.games.clocktowers.marks import Marks, label, places, tag
from clocktowers_tui.games.clocktowers.words import short_code
from clocktowers_tui.games.spans import Block, Row, Span, cells, line
from protocol.games.clocktowers import FIRST_ROOF, STOREYS, Town

_LABEL: Final = 4
_COMFORT: Final = 18
_LEAST: Final = 9


class Grid(NamedTuple):
    """Columns of `rows` places each, filled downwards; `first` is the first place drawn."""

    columns: int
    rows: int
    column_width: int
    first: int

    def place_at(self, x: int, y: int) -> int | None:
        """The index among the places drawn; None beside the columns."""
        column = x // (self.column_width + 1)
        if column < self.columns and 0 <= y < self.rows:
            return self.first + column * self.rows + y
        return None


def grid(count: int, width: int, rows: int, at: int) -> Grid:
    """As few columns as hold `count` places; if not all fit, a window that shows place `at`."""
    most = max(1, (width + 1) // (_LEAST + 1))
    comfortable = max(1, (width + 1) // (_COMFORT + 1))
    columns = min(most, max(comfortable, -(-count // rows)))
    columns = max(1, min(columns, -(-count // rows)))
    room = columns * rows
    first = max(0, min(at - rows, count - room))
    return Grid(columns, rows, (width + 1) // columns - 1, first)


def ledger(town: Town, width: int, height: int, marks: Marks, glyphs: Glyphs) -> Block:
    """`height` rows of `width` cells."""
    drawn = places(len(town.towers), marks)
    shape = town_grid(town, width, height, marks)
    rows: list[Row] = [[] for _ in range(height)]
    window = drawn[shape.first : shape.first + shape.columns * shape.rows]
    for index, place in enumerate(window):
        row = rows[index % shape.rows]
        cards = town.towers[place] if place >= 0 else b""
        entry = _entry(place, cards, shape.column_width, marks, glyphs)
        row += [*([Span(" ")] if row else []), *entry]
    return [line(width, row) for row in rows]


def town_grid(town: Town, width: int, height: int, marks: Marks) -> Grid:
    drawn = places(len(town.towers), marks)
    at = drawn.index(marks.at) if marks.at in drawn else len(drawn) - 1
    return grid(max(1, len(drawn)), width, height, at)


def _entry(place: int, cards: bytes, width: int, marks: Marks, glyphs: Glyphs) -> Row:
    number = label(place, marks, glyphs)
    head = Span(number.text if len(number.text) > 2 else f" {number.text} ", number.ink)
    pad = Span(" " * (_LABEL - len(head.text) if width > _LEAST + 1 else 0))
    room = width - cells([head, pad])
    end = _effect(place, marks)
    row = _cards(cards, room - cells(end), glyphs)
    if place == marks.at:
        row = [Span("".join(span.text for span in row), Ink.MARKED)]
    return line(width, [head, pad, *row, *end])


def _effect(place: int, marks: Marks) -> Row:
    """What a play there gives."""
    return [Span(f" {tag(marks.legal[place])}", Ink.TAG)] if place in marks.legal else []


def _cards(cards: bytes, width: int, glyphs: Glyphs) -> Row:
    texts = (text for text in _shorter_and_shorter(cards) if cell_len(text) <= width)
    return _coloured(next(texts, glyphs.ellipsis), cards)


def _shorter_and_shorter(cards: bytes) -> Iterator[str]:
    """All cards; with the fewest lowest floors hidden; without dots; only height and roof."""
    floors = [card for card in cards if STOREYS[card]]
    codes = [short_code(card) for card in cards]
    for dot in (".", ""):
        yield dot.join(codes)
        for hidden in range(2, len(floors) + 1):
            yield dot.join([hidden_text(floors[:hidden]), *codes[hidden:]])
    others = "".join(codes[len(floors) :])
    yield hidden_text(floors) + others.replace("-", "")
    yield f"+{sum(STOREYS[card] for card in floors)}{others[-2:].replace('-', '')}"


def _coloured(text: str, cards: bytes) -> Row:
    """The roof's code, always last, on its colour."""
    if not cards or cards[-1] < FIRST_ROOF:
        return [Span(text)]
    return [Span(text[:-2]), Span(text[-2:], ROOFS[cards[-1] - FIRST_ROOF])]
