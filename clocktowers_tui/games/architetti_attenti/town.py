"""A player's board as rows: tiles as boxes over two cells, the ghost on top; or small."""

from collections.abc import Sequence
from enum import Enum
from itertools import groupby
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.architetti_attenti.choosing import Ghost
from clocktowers_tui.games.architetti_attenti.inks import KINDS, Glyphs, Ink
from clocktowers_tui.games.architetti_attenti.words import kind_letter, kind_title
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import Block, Frame, Row, Span, centred
from protocol.games.architetti_attenti import CELLS, KIND_BITS, SIDE, STEPS, TILES, Kind
from protocol.games.architetti_attenti.board import (
    NEIGHBOURS,
    cell_name,
    live_tracks,
    mask_of,
    with_tile,
)


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
        self._inks: list[list[Enum | None]] = [[None] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, ink: Enum | None) -> None:
        for at, char in enumerate(text, x):
            self._chars[y][at] = char
            self._inks[y][at] = ink

    def over(self, x: int, y: int, char: str) -> None:
        """In the ink of what stands there; a blank without one is dim."""
        self._chars[y][x] = char
        self._inks[y][x] = self._inks[y][x] or Voice.DIM

    def frame(self, x: int, y: int, size: Scale, frame: Frame, ink: Enum | None, way: int) -> None:
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


def _row(chars: list[str], inks: list[Enum | None]) -> Row:
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
    """What a board shows beside its tiles. `fresh`: cells that others have just built on,
    or that a review speaks of;
    `shares`: cell → points; `named`: the columns' letters stand in the upper edge."""

    laid: Laid | None = None
    fresh: frozenset[int] = frozenset()
    shares: Sequence[int] = ()
    named: bool = False


NO_MARKS: Final = Marks()


def town_block(board: bytes, scale: Scale, glyphs: Glyphs, marks: Marks = NO_MARKS) -> Block:
    """7 x 7 cells of that scale."""
    laid = marks.laid
    if laid is not None and laid.fits:
        board = with_tile(board, laid.tile, *laid.ghost)
    stations = mask_of(board, Kind.STATION)
    counts = stations | live_tracks(mask_of(board, Kind.TRACK), stations)
    return _Town(board, scale, glyphs, marks, Sheet(scale.columns, scale.rows), counts).block()


def tile_sheet(tile: int, scale: Scale, glyphs: Glyphs, *, up: bool) -> Sheet:
    """A tile that lies across, on a sheet of its own; `up`: in the hand. Empty for no tile."""
    board = with_tile(bytes(CELLS), tile, 0, 1) if tile else bytes(CELLS)
    sheet = Sheet(2 * scale.width, scale.height)
    _Town(board, scale, glyphs, NO_MARKS, sheet).across(up=up)
    return sheet


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


class _Town(NamedTuple):
    """`counts`: the cells of stations, and of tracks that score; rails are thin elsewhere."""

    board: bytes
    scale: Scale
    glyphs: Glyphs
    marks: Marks
    sheet: Sheet
    counts: int = -1

    def block(self) -> Block:
        laid = self.marks.laid
        covered = laid.ghost if laid is not None and laid.fits else ()
        for cell in range(CELLS):
            if cell not in covered:
                self._cell(cell)
        if laid is not None:
            self._lay(laid)
        if self.marks.named:
            self._name_columns()
        return self.sheet.rows()

    def across(self, *, up: bool) -> None:
        """The first two cells."""
        for cell, way in ((0, RIGHT), (1, LEFT)):
            if self.board[cell]:
                self._cell(cell)
                if up:
                    x, y = self._corner(cell)
                    self.sheet.frame(x, y, self.scale, self.glyphs.heavy, Voice.LOUD, way)

    def _corner(self, cell: int) -> tuple[int, int]:
        return cell % SIDE * self.scale.width, cell // SIDE * self.scale.height

    def _cell(self, cell: int) -> None:
        kind = self.board[cell] & KIND_BITS
        x, y = self._corner(cell)
        for row in range(self.scale.height):
            self.sheet.put(x, y + row, " " * self.scale.width, KINDS[kind])
        if kind == Kind.FREE:
            self._free(cell)
            return
        if not self.scale.framed:
            self._bare(cell, kind)
            return
        way = _UNBROKEN if kind == Kind.TOWN_HALL else self.board[cell] >> 4
        self._half(cell, kind, way, self.glyphs.light, KINDS[kind])
        self._mark(cell, kind)

    def _bare(self, cell: int, kind: int) -> None:
        """Without an edge: a sign and what joins it to the next, or a picture with its letter."""
        (x, y), scale, put, ink = self._corner(cell), self.scale, self.sheet.put, KINDS[kind]
        if scale is PICTURES:
            for row, text in enumerate(self.glyphs.pictures.small[kind], y):
                put(x, row, text, ink)
        elif kind != Kind.TOWN_HALL and self.board[cell] >> 4 == RIGHT:
            put(x + 1, y, self.glyphs.link, ink)
        if scale is SIGNS or kind == Kind.TRACK:
            self._rails(x, y, cell, ink)
            put(x + scale.across, y, self._sign(cell, kind), ink)
        if scale is PICTURES:
            put(x + scale.across, y + 1, kind_letter(kind), ink)
        for at, sign in zip((0, scale.width - 1), self.glyphs.fresh, strict=True):
            if cell in self.marks.fresh and at != scale.across:
                put(x + at, y + scale.height - 1, sign, Voice.LOUD)

    def _free(self, cell: int) -> None:
        """Its middle is marked; where squares are large, grass grows on it."""
        (x, y), scale = self._corner(cell), self.scale
        for row in range(1, scale.height - 1) if scale.pictures else ():
            scattered = (_CELL * cell + _ROW * row) ** 2 % _FIELD
            if scattered % 2 and row != scale.down:
                grass = _GRASS[scattered % len(_GRASS)]
                at = scattered % (scale.width - len(grass))
                self.sheet.put(x + at, y + row, grass, Ink.FREE)
        self.sheet.put(x + scale.across, y + scale.down, self.glyphs.free, Ink.FREE)
        self._mark(cell, Kind.TOWN_HALL)

    def _name_columns(self) -> None:
        """In the edge above the first row, which nothing else uses, with a blank on each side."""
        for column in range(SIDE):
            x = column * self.scale.width + self.scale.across
            for at, char in enumerate(f" {cell_name(column)[0]} ", x - 1):
                self.sheet.over(at, 0, char)

    def _lay(self, laid: Laid) -> None:
        """The tile in hand; where it does not fit, its outline round what stands there."""
        towards = laid.ghost.towards, (laid.ghost.towards + 2) % len(STEPS)
        for cell, kind, way in zip(laid.ghost, TILES[laid.tile], towards, strict=True):
            if laid.fits:
                self._half(cell, kind, way, self.glyphs.heavy, Voice.LOUD)
            else:
                self._outline(cell, kind, way)

    def _outline(self, cell: int, kind: int, way: int) -> None:
        """Crosses in the corners, and the tile's own sign in the lower edge; large squares have
        dashes between the crosses, which would cost many bytes at every step on small ones."""
        (x, y), scale, cross = self._corner(cell), self.scale, self.glyphs.cross
        dashes = ("-", "|") if scale.pictures else ("", "")
        dashed = Frame(cross, cross, cross, cross, *dashes)
        self.sheet.frame(x, y, scale, dashed, Ink.MISFIT, way)
        sign = self.glyphs.signs[kind] + kind_letter(kind)
        self.sheet.put(x + scale.across, y + scale.height - 1, sign, Ink.MISFIT)

    def _half(self, cell: int, kind: int, way: int, frame: Frame, ink: Enum | None) -> None:
        (x, y), scale = self._corner(cell), self.scale
        self.sheet.frame(x, y, scale, frame, ink, way)
        self._rails(x, y, cell, ink)
        if scale.pictures and kind != Kind.TRACK:
            self._picture(x, y, kind, ink)
        else:
            sign = self._sign(cell, kind) + kind_letter(kind)
            self.sheet.put(x + scale.across, y + scale.down, sign, ink)

    def _sign(self, cell: int, kind: int) -> str:
        """Of a track, by the sides on which it is joined."""
        if kind != Kind.TRACK:
            return self.glyphs.signs[kind]
        rails = self.glyphs.rails if self.counts >> cell & 1 else self.glyphs.thin
        return rails[sum(1 << way for way in joins(self.board, cell))]

    def _picture(self, x: int, y: int, kind: int, ink: Enum | None) -> None:
        """The picture below the upper edge, with the letter beside it and the name below it."""
        pictures = self.glyphs.pictures
        rows = (pictures.vast if self.scale.pictures == _TALL else pictures.large)[kind]
        left = x + (self.scale.width - len(rows[0])) // 2
        for row, text in enumerate(rows, y + 1):
            self.sheet.put(left, row, text, ink)
        self.sheet.put(x + self.scale.width - 2, y + 1, kind_letter(kind), ink)
        title = centred(kind_title(kind), self.scale.width - 2)
        if len(title) == cell_len(title):
            self.sheet.put(x + 1, y + 1 + len(rows), title, ink)

    def _rails(self, x: int, y: int, cell: int, ink: Enum | None) -> None:
        """From the middle of a track or station through its edge to what it is joined to."""
        middle, level = x + self.scale.across, y + self.scale.down
        ends = {
            RIGHT: (middle, x + self.scale.width),
            LEFT: (x, middle),
            ABOVE: (y, level),
            BELOW: (level, y + self.scale.height),
        }
        for way in joins(self.board, cell):
            across = way in (RIGHT, LEFT)
            counts = self.counts >> cell & self.counts >> cell + STEPS[way] & 1
            rails = self.glyphs.rails if counts else self.glyphs.thin
            rail = rails[_ACROSS if across else _UPRIGHT]
            for at in range(*ends[way]):
                spot = (at, level) if across else (middle, at)
                sleeper = self.scale.pictures and counts and at % 2
                self.sheet.put(*spot, self.glyphs.sleepers[not across] if sleeper else rail, ink)

    def _mark(self, cell: int, kind: int) -> None:
        x, y = self._corner(cell)
        if cell in self.marks.fresh:
            inset = self.scale.width >= _PICTURE
            # Rails run through the row of their sign: there an edge is marked.
            edge = 0 if self.scale.down else self.scale.height - 1
            row = edge if kind in _RAILS else self.scale.down
            for at, sign in zip(
                (inset, self.scale.width - 1 - inset), self.glyphs.fresh, strict=True
            ):
                self.sheet.put(x + at, y + row, sign, Voice.LOUD)
        if self.marks.shares and kind != Kind.TOWN_HALL:
            share = str(self.marks.shares[cell])
            right = x + self.scale.width - 1 - len(share)
            self.sheet.put(right, y + self.scale.height - 1, share, KINDS[kind])
