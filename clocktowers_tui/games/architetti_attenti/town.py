"""A player's board as rows: tiles as boxes over two cells, the ghost on top; or small."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.architetti_attenti.choosing import Ghost
from clocktowers_tui.games.architetti_attenti.inks import KINDS, Glyphs, Ink
from clocktowers_tui.games.architetti_attenti.words import kind_letter, kind_title
from clocktowers_tui.games.frames import Frame
from clocktowers_tui.games.spans import Block, Row, Span, centred
from protocol.games.architetti_attenti import CELLS, KIND_BITS, SIDE, STEPS, TILES, Kind
from protocol.games.architetti_attenti.board import NEIGHBOURS, cell_name, with_tile


class Scale(NamedTuple):
    """Cells of a square. `pictures`: rows of the picture in it; 0: a sign. `framed`: tiles have an
    edge of their own."""

    width: int
    height: int
    pictures: int = 0
    framed: bool = True

    @property
    def across(self) -> int:
        """The column of a square in which its sign stands; the letter stands to the right of it."""
        return (self.width - 1) // 2

    @property
    def down(self) -> int:
        """The row of a square in which its sign stands."""
        return (self.height - 1) // 2

    @property
    def columns(self) -> int:
        """Cells of a town."""
        return SIDE * self.width

    @property
    def rows(self) -> int:
        return SIDE * self.height


VAST: Final = Scale(14, 7, pictures=4)
TALL: Final = VAST._replace(height=8)
LARGE: Final = Scale(9, 5, pictures=2)
MIDDLE: Final = Scale(6, 3)
SMALL: Final = Scale(4, 2)
PICTURES: Final = Scale(3, 2, framed=False)
"""For others' towns."""
SIGNS: Final = Scale(2, 1, framed=False)
"""The smallest: a sign, and what joins it to the next."""


# A rectangle of cells to draw on, cell by cell, before it becomes rows ---------------------------


RIGHT, BELOW, LEFT, ABOVE = range(4)
"""Sides of a cell, as `STEPS` has them."""


class Sheet:
    """Every character that is put on it takes one cell; what lies outside is the caller's error."""

    def __init__(self, width: int, height: int) -> None:
        self._chars = [[" "] * width for _ in range(height)]
        self._inks: list[list[Ink | None]] = [[None] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, ink: Ink | None) -> None:
        for at, char in enumerate(text, x):
            self._chars[y][at] = char
            self._inks[y][at] = ink

    def over(self, x: int, y: int, char: str) -> None:
        """In the ink of what stands there; a blank without one is dim."""
        self._chars[y][x] = char
        self._inks[y][x] = self._inks[y][x] or Ink.DIM

    def frame(self, x: int, y: int, size: Scale, frame: Frame, ink: Ink | None, way: int) -> None:
        """Three sides of a cell's edge, that towards `way` left open; -1 draws all four."""
        right, low = x + size.width - 1, y + size.height - 1
        for side, row in ((ABOVE, y), (BELOW, low)):
            if side != way:
                self.put(x, row, frame.across * size.width, ink)
        for side, column in ((LEFT, x), (RIGHT, right)):
            if side != way:
                for row in range(y, low + 1):
                    self.put(column, row, frame.down, ink)
        for sides, at, corner in (
            ((ABOVE, LEFT), (x, y), frame.nw),
            ((ABOVE, RIGHT), (right, y), frame.ne),
            ((BELOW, RIGHT), (right, low), frame.se),
            ((BELOW, LEFT), (x, low), frame.sw),
        ):
            if way not in sides:
                self.put(*at, corner, ink)

    def rows(self) -> Block:
        return [_row(*both) for both in zip(self._chars, self._inks, strict=True)]


def _row(chars: list[str], inks: list[Ink | None]) -> Row:
    found: Row = []
    end = 0
    for ink, group in groupby(inks):
        first, end = end, end + len([*group])
        found.append(Span("".join(chars[first:end]), ink))
    return found


# A player's board as rows: tiles as boxes over two cells, tracks joined, the ghost on top --------


_RAILS: Final = (Kind.TRACK, Kind.STATION)
_PICTURE: Final = 5
_TALL: Final = 4
_UNBROKEN: Final = -1
_GRASS: Final = ('"', ",'", "',\"", '",')
_CELL, _ROW, _FIELD = 61, 101, 127
"""Primes, so that it grows without a pattern, and always in the same places."""
_ACROSS: Final = 1 << RIGHT | 1 << LEFT
_UPRIGHT: Final = 1 << BELOW | 1 << ABOVE


class Laid(NamedTuple):
    """A tile that is about to be placed."""

    tile: int
    ghost: Ghost
    fits: bool


class Marks(NamedTuple):
    """What a board shows beside its tiles. `fresh`: cells that others have just built on;
    `shares`: cell → points; `named`: the columns' letters stand in the upper edge."""

    laid: Laid | None = None
    fresh: frozenset[int] = frozenset()
    shares: Sequence[int] = ()
    named: bool = False


NO_MARKS: Final = Marks()


def town_block(board: bytes, scale: Scale, glyphs: Glyphs, marks: Marks = NO_MARKS) -> Block:
    """7 x 7 cells of that scale."""
    return _Town(board, scale, glyphs, marks).block()


def tile_sheet(tile: int, scale: Scale, glyphs: Glyphs, *, up: bool) -> Sheet:
    """A tile that lies across, on a sheet of its own; `up`: in the hand. Empty for no tile."""
    board = with_tile(bytes(CELLS), tile, 0, 1) if tile else bytes(CELLS)
    return _Town(board, scale, glyphs, NO_MARKS, (2, 1)).across(up=up)


def joins(board: bytes, cell: int) -> list[int]:
    """The sides (`STEPS`) on which a track or station joins what lies there (rules: Score)."""
    kind = board[cell] & KIND_BITS
    if kind not in _RAILS:
        return []
    return [
        way
        for way, step in enumerate(STEPS)
        if cell + step in NEIGHBOURS[cell]
        and board[cell + step] & KIND_BITS in _RAILS
        and Kind.TRACK in (kind, board[cell + step] & KIND_BITS)
    ]


def track_sign(glyphs: Glyphs, joined: Sequence[int]) -> str:
    """Three cells of a track that is joined on these sides."""
    across = glyphs.rails[_ACROSS]
    ends = (across if way in joined else " " for way in (LEFT, RIGHT))
    return rail(glyphs, joined).join(ends)


def rail(glyphs: Glyphs, joined: Sequence[int]) -> str:
    """The middle of a track that is joined on these sides."""
    return glyphs.rails[sum(1 << way for way in joined)]


class _Town:
    def __init__(
        self,
        board: bytes,
        scale: Scale,
        glyphs: Glyphs,
        marks: Marks,
        size: tuple[int, int] = (SIDE, SIDE),
    ) -> None:
        self._scale, self._glyphs, self._marks = scale, glyphs, marks
        laid = marks.laid
        fits = laid is not None and laid.fits
        self._board = with_tile(board, laid.tile, *laid.ghost.cells) if laid and fits else board
        self._sheet = Sheet(size[0] * scale.width, size[1] * scale.height)

    def block(self) -> Block:
        laid = self._marks.laid
        covered = laid.ghost.cells if laid is not None and laid.fits else ()
        for cell in range(CELLS):
            if cell not in covered:
                self._cell(cell)
        if laid is not None:
            self._lay(laid)
        if self._marks.named:
            self._name_columns()
        return self._sheet.rows()

    def across(self, *, up: bool) -> Sheet:
        """The first two cells."""
        for cell, way in ((0, RIGHT), (1, LEFT)):
            if self._board[cell]:
                self._cell(cell)
                if up:
                    x, y = self._corner(cell)
                    self._sheet.frame(x, y, self._scale, self._glyphs.heavy, Ink.GHOST, way)
        return self._sheet

    def _corner(self, cell: int) -> tuple[int, int]:
        return cell % SIDE * self._scale.width, cell // SIDE * self._scale.height

    def _cell(self, cell: int) -> None:
        kind = self._board[cell] & KIND_BITS
        x, y = self._corner(cell)
        for row in range(self._scale.height):
            self._sheet.put(x, y + row, " " * self._scale.width, KINDS[kind])
        if kind == Kind.FREE:
            self._free(cell)
            return
        way = _UNBROKEN if kind == Kind.TOWN_HALL else self._board[cell] >> 4
        self._half(cell, kind, way, self._glyphs.light, KINDS[kind])
        self._mark(cell, kind)

    def _free(self, cell: int) -> None:
        """Its middle is marked; where squares are large, grass grows on it."""
        (x, y), scale = self._corner(cell), self._scale
        for row in range(1, scale.height - 1) if scale.pictures else ():
            scattered = (_CELL * cell + _ROW * row) ** 2 % _FIELD
            if scattered % 2 and row != scale.down:
                grass = _GRASS[scattered % len(_GRASS)]
                at = scattered % (scale.width - len(grass))
                self._sheet.put(x + at, y + row, grass, Ink.MEADOW)
        self._sheet.put(x + scale.across, y + scale.down, self._glyphs.free, Ink.MEADOW)

    def _name_columns(self) -> None:
        """In the edge above the first row, which nothing else uses, with a blank on each side."""
        for column in range(SIDE):
            x = column * self._scale.width + self._scale.across
            for at, char in enumerate(f" {cell_name(column)[0]} ", x - 1):
                self._sheet.over(at, 0, char)

    def _lay(self, laid: Laid) -> None:
        """The tile in hand; where it does not fit, its outline round what stands there."""
        towards = laid.ghost.towards, (laid.ghost.towards + 2) % len(STEPS)
        for cell, kind, way in zip(laid.ghost.cells, TILES[laid.tile], towards, strict=True):
            if laid.fits:
                self._half(cell, kind, way, self._glyphs.heavy, Ink.GHOST)
            else:
                self._outline(cell, kind, way)

    def _outline(self, cell: int, kind: int, way: int) -> None:
        """Crosses in the corners, and the tile's own sign in the lower edge; large squares have
        dashes between the crosses, which would cost many bytes at every step on small ones."""
        (x, y), scale, cross = self._corner(cell), self._scale, self._glyphs.cross
        dashes = ("-", "|") if scale.pictures else ("", "")
        dashed = Frame(cross, cross, cross, cross, *dashes)
        self._sheet.frame(x, y, scale, dashed, Ink.MISFIT, way)
        sign = self._glyphs.signs[kind] + kind_letter(kind)
        self._sheet.put(x + scale.across, y + scale.height - 1, sign, Ink.MISFIT)

    def _half(self, cell: int, kind: int, way: int, frame: Frame, ink: Ink | None) -> None:
        x, y = self._corner(cell)
        self._sheet.frame(x, y, self._scale, frame, ink, way)
        joined = joins(self._board, cell)
        self._rails(x, y, joined, ink)
        if self._scale.pictures and kind != Kind.TRACK:
            self._picture(x, y, kind, ink)
        else:
            self._sign(cell, kind, ink)

    def _sign(self, cell: int, kind: int, ink: Ink | None) -> None:
        """With its letter."""
        x, y = self._corner(cell)
        sign = self._glyphs.signs[kind]
        if kind == Kind.TRACK:
            sign = rail(self._glyphs, joins(self._board, cell))
        x, y = x + self._scale.across, y + self._scale.down
        self._sheet.put(x, y, sign + kind_letter(kind), ink)

    def _picture(self, x: int, y: int, kind: int, ink: Ink | None) -> None:
        """The picture below the upper edge, with the letter beside it and the name below it."""
        pictures = self._glyphs.pictures
        rows = (pictures.vast if self._scale.pictures == _TALL else pictures.large)[kind]
        left = x + (self._scale.width - len(rows[0])) // 2
        for row, text in enumerate(rows, y + 1):
            self._sheet.put(left, row, text, ink)
        self._sheet.put(x + self._scale.width - 2, y + 1, kind_letter(kind), ink)
        title = centred(kind_title(kind), self._scale.width - 2)
        if len(title) == cell_len(title):
            self._sheet.put(x + 1, y + 1 + len(rows), title, ink)

    def _rails(self, x: int, y: int, joined: Sequence[int], ink: Ink | None) -> None:
        """From the middle of a track or station through its edge to what it is joined to."""
        middle, level = x + self._scale.across, y + self._scale.down
        ends = {
            RIGHT: (middle, x + self._scale.width),
            LEFT: (x, middle),
            ABOVE: (y, level),
            BELOW: (level, y + self._scale.height),
        }
        for way in joined:
            across = way in (RIGHT, LEFT)
            rail = self._glyphs.rails[_ACROSS if across else _UPRIGHT]
            for at in range(*ends[way]):
                spot = (at, level) if across else (middle, at)
                sleeper = self._scale.pictures and at % 2
                self._sheet.put(*spot, self._glyphs.sleepers[not across] if sleeper else rail, ink)

    def _mark(self, cell: int, kind: int) -> None:
        x, y = self._corner(cell)
        if cell in self._marks.fresh:
            inset = self._scale.width >= _PICTURE
            # Rails run through the row of their sign: there an edge is marked.
            edge = 0 if self._scale.down else self._scale.height - 1
            row = edge if kind in _RAILS else self._scale.down
            for at, sign in zip(
                (inset, self._scale.width - 1 - inset), self._glyphs.fresh, strict=True
            ):
                self._sheet.put(x + at, y + row, sign, Ink.FRESH)
        if self._marks.shares and kind != Kind.TOWN_HALL:
            share = str(self._marks.shares[cell])
            right = x + self._scale.width - 1 - len(share)
            self._sheet.put(right, y + self._scale.height - 1, share, KINDS[kind])


# A player's town without edges round its tiles, as the others' are drawn: a sign a square, or a
# picture with the letter in it.


def small_town(board: bytes, scale: Scale, fresh: frozenset[int], glyphs: Glyphs) -> Block:
    """`fresh`: the squares that were just built on."""
    drawn = _signs if scale is SIGNS else _pictures
    rows = (range(start, start + SIDE) for start in range(0, SIDE * SIDE, SIDE))
    return [line for cells in rows for line in drawn(board, cells, fresh, glyphs)]


def _signs(board: bytes, cells: range, fresh: frozenset[int], glyphs: Glyphs) -> Iterator[Row]:
    found: Row = []
    for cell in cells:
        kind = board[cell] & KIND_BITS
        if kind == Kind.FREE:
            found.append(Span(glyphs.free + " ", Ink.MEADOW))
            continue
        joined_on = joins(board, cell)
        sign = rail(glyphs, joined_on) if kind == Kind.TRACK else glyphs.signs[kind]
        joined = kind != Kind.TOWN_HALL and board[cell] >> 4 == 0
        link = Span(glyphs.link if joined else " ", KINDS[kind])
        if RIGHT in joined_on:
            link = Span(rail(glyphs, [RIGHT]), KINDS[kind])
        if cell in fresh:
            link = Span(glyphs.fresh[1], Ink.FRESH)
        found += [Span(sign, KINDS[kind]), link]
    yield found


def _pictures(board: bytes, cells: range, fresh: frozenset[int], glyphs: Glyphs) -> Iterator[Row]:
    upper: Row = []
    lower: Row = []
    for cell in cells:
        kind = board[cell] & KIND_BITS
        if kind == Kind.FREE:
            upper.append(Span(f" {glyphs.free} ", Ink.MEADOW))
            lower.append(Span("   ", Ink.MEADOW))
            continue
        top, below = glyphs.pictures.small[kind]
        if kind == Kind.TRACK:
            top = track_sign(glyphs, joins(board, cell))
        upper.append(Span(top, KINDS[kind]))
        marks = glyphs.fresh if cell in fresh else (below[0], below[-1])
        ink = Ink.FRESH if cell in fresh else KINDS[kind]
        lower += [Span(marks[0], ink), Span(kind_letter(kind), KINDS[kind]), Span(marks[1], ink)]
    yield upper
    yield lower
