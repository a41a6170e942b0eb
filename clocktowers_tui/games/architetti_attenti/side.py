"""What stands beside the town, from top to bottom: tiles, points, players, log.

Law: from the same layout the same parts come in the same rows, so that choosing moves nothing.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Final, NamedTuple

from clocktowers_tui.games.architetti_attenti import market, preview
from clocktowers_tui.games.architetti_attenti.glyphs import Glyphs
from clocktowers_tui.games.architetti_attenti.inks import KINDS, Ink
from clocktowers_tui.games.architetti_attenti.layout import Scale
from clocktowers_tui.games.architetti_attenti.scores import all_table, own_table
from clocktowers_tui.games.architetti_attenti.sight import (
    Scene,
    home,
    over,
    seats_in_order,
    shown_seat,
)
from clocktowers_tui.games.architetti_attenti.words import kind_letter
from clocktowers_tui.games.nameplate import nameplate
from clocktowers_tui.games.spans import Block, Row, Span, cells, cut, last_lines, line
from clocktowers_tui.text.i18n import _
from protocol.games.architetti_attenti import KIND_BITS, ROW, SIDE, Kind, Phase
from protocol.games.architetti_attenti.board import cell_name

_NARROW: Final = ROW * market.STEP - 1
"""From here on the tiles of the row fit side by side."""
_GAP: Final = 2
_PIECE: Final = 2
"""Cells of the small boards' cells."""


class Spot(Enum):
    CELL = "cell"
    TILE = "tile"
    PLAYER = "player"
    LOG = "log"


class Part(NamedTuple):
    """Rows that belong together. `at`: what a cell of them stands for, in the spot's numbers."""

    rows: Block
    spot: Spot = Spot.LOG
    at: Callable[[int, int], int | None] = lambda x, y: None


def side_parts(scene: Scene, scale: Scale, width: int, height: int, glyphs: Glyphs) -> list[Part]:
    """At most `height` rows; the last part is as much of the log as there is room for."""
    parts = list(_parts(scene, scale, width, glyphs))
    spare = height - sum(len(part.rows) for part in parts)
    blanks = min(len(parts) - 1, max(0, spare - 3))
    spaced = [
        Part([*part.rows, [Span("")]], part.spot, part.at) if n < blanks else part
        for n, part in enumerate(parts)
    ]
    log = last_lines(scene.log, width, spare - blanks)
    return [*spaced, Part([[Span(text)] for text in log], Spot.LOG, lambda x, y: 0)]


def _parts(scene: Scene, scale: Scale, width: int, glyphs: Glyphs) -> Iterator[Part]:
    view = scene.view
    yield Part([_heading(scene, width, glyphs)])
    if over(view):
        seats = seats_in_order(view)
        yield Part(all_table(view, seats, scene.names, width))
    else:
        yield _market(scene, width, glyphs)
        mine = scene.selection if shown_seat(scene) == view.seat else None
        yield Part(own_table(view, shown_seat(scene), mine))
    if scale.pictures and len(view.boards) > 1:
        yield _small_boards(scene, width, glyphs)
    else:
        yield _players(scene, width, glyphs)


def _heading(scene: Scene, width: int, glyphs: Glyphs) -> Row:
    """Whose board is shown, if not the player's own; and how many tiles are left, or which one is
    to be placed."""
    view, seat = scene.view, shown_seat(scene)
    if over(view):
        return _whose(scene, width, glyphs)
    sign = f" {glyphs.sending}" if scene.waiting else ""
    right: Row = [Span(_("Pile: {n}").format(n=view.left) + sign, Ink.DIM)]
    if view.phase is Phase.PLACE:
        right = market.bought(view, glyphs)
    if seat == view.seat:
        return right
    left = line(width - cells(right), _whose(scene, width - cells(right) - 1, glyphs))
    return [*left, *right]


def _whose(scene: Scene, width: int, glyphs: Glyphs) -> Row:
    name = scene.names[shown_seat(scene)]
    text = _("Town of {name}").format(name=name)
    if cells([Span(text)]) > width - 2:
        text = name
    return [Span(f" {cut(text, width - 2, glyphs.ellipsis)} ", Ink.MARKED)]


def _market(scene: Scene, width: int, glyphs: Glyphs) -> Part:
    if width >= _NARROW:
        rows = market.boxes(scene.view, scene.selection, glyphs)
        return Part(rows, Spot.TILE, lambda x, y: _position(x // market.STEP, y))
    rows = market.lines(scene.view, scene.selection, glyphs)
    return Part(rows, Spot.TILE, lambda x, y: _position(y, y))


def _position(place: int, y: int) -> int | None:
    return place + 1 if place < ROW and y < market.BOXED else None


# Players -----------------------------------------------------------------------------------------


def _players(scene: Scene, width: int, glyphs: Glyphs) -> Part:
    seats = seats_in_order(scene.view)
    rows = [_player(scene, seat, width, glyphs) for seat in seats]
    return Part(rows, Spot.PLAYER, lambda x, y: seats[y] if y < len(seats) else None)


def _player(scene: Scene, seat: int, width: int, glyphs: Glyphs) -> Row:
    """Turn, name, points, gems, and where they have just built."""
    view = scene.view
    points = f"{preview.points(view, seat).total:>4} "
    gems = f"{glyphs.gem}{view.gems[seat]}"
    built = _built(scene, seat, glyphs)
    room = width - 2 - len(points) - 3 - 1 - _BUILT
    who = nameplate(scene.names[seat], room, glyphs.ellipsis, own=seat == view.seat)
    name = line(room, [Span(who, _ink(scene, seat))])
    mark = Span(f"{glyphs.turn} " if seat == view.turn else "  ", Ink.TURN)
    return [mark, *name, Span(points, Ink.BOLD), Span(gems.ljust(4), Ink.GEM), built]


_BUILT: Final = len(">c4 d4<")


def _built(scene: Scene, seat: int, glyphs: Glyphs) -> Span:
    fresh = sorted(scene.news.get(seat, ()))
    if len(fresh) != 2:
        return Span("")
    before, after = glyphs.fresh
    return Span(before + " ".join(map(cell_name, fresh)) + after, Ink.FRESH)


def _ink(scene: Scene, seat: int) -> Ink | None:
    shown = seat == shown_seat(scene) and seat != home(scene.view)
    return Ink.MARKED if shown else None


def _small_boards(scene: Scene, width: int, glyphs: Glyphs) -> Part:
    """The others' boards side by side, each below its player's name; the player's own name
    first."""
    own, *others = seats_in_order(scene.view)
    step = SIDE * _PIECE + _GAP
    rows: Block = [_player(scene, own, width, glyphs)]
    columns = [_small_board(scene, seat, glyphs) for seat in others]
    for row in range(len(columns[0])):
        rows.append([span for column in columns for span in line(step, column[row])])

    def seat_at(x: int, y: int) -> int | None:
        if y == 0 or y > len(columns[0]):
            return own if y == 0 else None
        return others[x // step] if x // step < len(others) else None

    return Part(rows, Spot.PLAYER, seat_at)


def _small_board(scene: Scene, seat: int, glyphs: Glyphs) -> Block:
    view, room = scene.view, SIDE * _PIECE
    mark = f"{glyphs.turn} " if seat == view.turn else ""
    name = cut(scene.names[seat], room - len(mark), glyphs.ellipsis)
    head: Row = [Span(mark, Ink.TURN), Span(name, _ink(scene, seat))]
    points = Span(f"{preview.points(view, seat).total:>3} ", Ink.BOLD)
    rows: Block = [head, [points, Span(f"{glyphs.gem}{view.gems[seat]}", Ink.GEM)]]
    fresh = scene.news.get(seat, frozenset())
    return [*rows, *(_line_of(view.boards[seat], row, fresh, glyphs) for row in range(SIDE))]


def _line_of(board: bytes, row: int, fresh: frozenset[int], glyphs: Glyphs) -> Row:
    found: Row = []
    for cell in range(row * SIDE, (row + 1) * SIDE):
        kind = board[cell] & KIND_BITS
        if kind == Kind.FREE:
            found.append(Span(glyphs.free + " ", Ink.DIM))
            continue
        joined = kind != Kind.TOWN_HALL and board[cell] >> 4 == 0
        link = Span(glyphs.link if joined else " ", KINDS[kind])
        if cell in fresh:
            link = Span(glyphs.fresh[1], Ink.FRESH)
        found += [Span(kind_letter(kind), KINDS[kind]), link]
    return found
