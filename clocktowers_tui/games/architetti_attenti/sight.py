"""What a board shows, where it stands on a board of some size, and the row of tiles, whose width
decides.

Sizes are the board's own; the shell around it takes three rows of the terminal (banner, hint,
footer). Law: the rectangles lie inside the board and never overlap.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.choosing import NOTHING, PARTS, Selection, Stage
from clocktowers_tui.games.architetti_attenti.inks import KINDS, Glyphs, Ink
from clocktowers_tui.games.architetti_attenti.log import News
from clocktowers_tui.games.architetti_attenti.town import (
    LARGE,
    LEFT,
    MIDDLE,
    PICTURES,
    RIGHT,
    SIGNS,
    SMALL,
    TALL,
    VAST,
    Scale,
    Sheet,
    tile_sheet,
)
from clocktowers_tui.games.architetti_attenti.words import kind_letter
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.parts import UNTAUGHT, Layouts, Taught
from clocktowers_tui.games.spans import Block, Rect, Row, Span, line, side_by_side
from clocktowers_tui.text.i18n import N_, _, pgettext
from protocol.games.architetti_attenti import ROW, TILES, Phase, View

LINES: Final = ROW
"""Rows of the tiles as lines."""

_SIGNS: Final = Scale(4, 3)
_SCALES: Final = (LARGE, MIDDLE, _SIGNS)
"""Those of tiles that lie side by side."""


class Boxes(NamedTuple):
    """Tiles side by side. `step`: cells from one to the next."""

    scale: Scale
    step: int

    @property
    def rows(self) -> int:
        """Of the tiles and the prices below them."""
        return self.scale.height + 1

    @classmethod
    def of(cls, width: int, height: int = LARGE.height + 1) -> "Boxes":
        """The largest that fit into so many cells and rows."""
        for scale in (one for one in _SCALES if one.height < height):
            step = min((width + 1) // ROW, 2 * scale.width + 1)
            if step >= 2 * scale.width:
                return cls(scale, step)
        return cls(scale, 2 * scale.width)

    def position(self, x: int, y: int) -> int | None:
        return 1 + x // self.step if 0 <= x < ROW * self.step and 0 <= y < self.rows else None


def boxes(view: View, selection: Selection, sized: Boxes, glyphs: Glyphs) -> Block:
    """Side by side: a tile of the row's first half on the left, below it what it costs."""
    return side_by_side([_box(view, selection, n, sized, glyphs) for n in range(1, ROW + 1)], 0)


def _box(view: View, selection: Selection, position: int, boxes: Boxes, glyphs: Glyphs) -> Block:
    tile, gems = view.row[position - 1], view.on_row[position - 1]
    up = _is_up(selection, position)
    if boxes.scale is _SIGNS:
        sheet = _signs(tile, glyphs, up=up)
    else:
        sheet = tile_sheet(tile, boxes.scale, glyphs, up=up)
    sheet.over(1, 0, str(position))
    if gems:
        sheet.put(2, boxes.scale.height - 1, f"{glyphs.gem}{gems}", Ink.GEM)
    price: Row = [Span(" "), *(_price(view, position, glyphs) if tile else [])]
    return [line(boxes.step, row) for row in [*sheet.rows(), price]]


def _signs(tile: int, glyphs: Glyphs, *, up: bool) -> Sheet:
    """A tile with ground below its signs alone, and a loud upper edge when it is up: this costs
    the fewest bytes."""
    scale = _SIGNS
    sheet = Sheet(2 * scale.width, scale.height)
    for half, (kind, way) in enumerate(zip(TILES[tile], (RIGHT, LEFT), strict=True)):
        sheet.frame(half * scale.width, 0, scale, glyphs.light, None, way)
        if tile:
            sign = glyphs.signs[kind] + kind_letter(kind)
            text = f" {sign}" if half else f"{sign} "
            sheet.put(scale.width if half else 1, 1, text, KINDS[kind])
    if up:
        loud = glyphs.heavy
        edge = loud.nw + loud.across * (2 * scale.width - 2) + loud.ne
        sheet.put(0, 0, edge, Voice.LOUD)
    return sheet


def lines(view: View, selection: Selection, glyphs: Glyphs) -> Block:
    """One below the other, `LINES` rows."""
    return [_line(view, selection, position, glyphs) for position in range(1, ROW + 1)]


def _tile_spans(tile: int, glyphs: Glyphs) -> Row:
    first, second = (
        Span(glyphs.signs[kind] + kind_letter(kind), KINDS[kind]) for kind in TILES[tile]
    )
    return [first, Span(" "), second]


def _line(view: View, selection: Selection, position: int, glyphs: Glyphs) -> Row:
    tile, gems = view.row[position - 1], view.on_row[position - 1]
    if not tile:
        return [Span(" ")]
    up = _is_up(selection, position)
    number = Span(f"[{position}]", Voice.MARKED) if up else Span(f" {position} ", Voice.BOLD)
    price = line(_PRICE, _price(view, position, glyphs))
    lying = [Span(f"{glyphs.gem}{gems}", Ink.GEM)] if gems else []
    return [number, Span(" "), *_tile_spans(tile, glyphs), Span("  "), *price, Span(" "), *lying]


_PRICE: Final = 8


def _price(view: View, position: int, glyphs: Glyphs) -> Row:
    """What it costs, or will cost when the row has slid together; what is lacking when the player
    has less."""
    cost = choosing.cost(view, position)
    if not cost:
        return [Span(pgettext("below a tile, 6 cells", "free"), Voice.DIM)]
    text = pgettext("below a tile, 4 cells", "pay")
    if lacks := choosing.lacking(view, position):
        text = pgettext("below a tile that is too dear, 7 cells", "lack")
        return [Span(f"{text} {lacks}", Ink.MISFIT)]
    return [Span(f"{text} {cost}{glyphs.gem}", Ink.GEM)]


def _is_up(selection: Selection, position: int) -> bool:
    return selection.stage is Stage.LOOK and selection.position == position


def bought(view: View, glyphs: Glyphs) -> Row:
    """The tile that has been bought and is to be placed."""
    # TRANSLATORS: before the picture of a bought tile.
    return [Span(_("To build:") + " ", Voice.BOLD), *_tile_spans(view.tile, glyphs)]


# Where things stand on a board of some size: pure arithmetic, from a size to rectangles.


class Arrangement(Layouts):
    # TRANSLATORS: size of the board's pictures, a setting.
    AUTOMATIC = "automatic", N_("automatic"), 60, 20
    VAST = "vast", N_("very large"), 180, 54
    LARGE = "large", N_("large"), 110, 39
    MIDDLE = "middle", N_("middle-sized"), 80, 24
    SMALL = "small", N_("small"), 60, 20


SCALES: Final = dict(zip([*Arrangement][1:], (VAST, LARGE, MIDDLE, SMALL), strict=True))

NUMBERS: Final = 1
"""Columns of the rows' numbers."""

RULE: Final = 1
"""Rows of a rule with a title, where there is no frame."""
EDGES: Final = 2
"""Rows of a frame, above and below what it holds."""
INSET: Final = 2
"""Cells of a frame and a blank, on each side of what it holds."""

SCORE: Final = len(PARTS) + len(("total", "gems", "built"))
"""Rows of the score below the names."""

PANEL: Final = (44, 80)
"""The narrowest panel that leaves room for towns beside it, and the widest."""
_LOG: Final = (2, 8)
"""The fewest lines of the log, and those that it has usually."""
_LOG_WIDTH: Final = 28
"""The narrowest log beside towns."""
_SPARE: Final = 2
"""Rows that may stay empty."""
GOAL_WIDTH: Final = 54
"""From here on a pane is wide."""
GOAL_ROWS: Final = (18, 12)
"""Rows that tell what scores, in any language: in a narrow pane, and in a wide one."""
NAMES_ROWS: Final = (6, 3)
"""Rows of the signs' names."""
LETTERS_ROWS: Final = 3
"""Rows of what the letters mean."""
NAMES_WIDTH: Final = 30
"""The narrowest pane of them."""


class Layout(NamedTuple):
    """`scale`: of the meadow, `towns`: of the others' towns. `headed`: the columns' letters stand
    in a row above the meadow, or else in its upper edge. `framed`: panes have frames."""

    scale: Scale
    headed: bool
    framed: bool
    towns: Scale
    places: Mapping[str, Rect]


def layout(
    width: int, height: int, wish: Arrangement = Arrangement.AUTOMATIC, *, seats: int, over: bool
) -> Layout | None:
    """None when the board is smaller than the smallest layout."""
    if not Arrangement.SMALL.fits(width, height):
        return None
    scale = SCALES[wish.shown(width, height)]
    if scale is VAST and height > TALL.rows:
        scale = TALL
    meadow_height = min(height, scale.rows + 1)
    meadow = Rect(0, 0, NUMBERS + scale.columns, meadow_height)
    framed = scale is not SMALL
    side = Rect(meadow.width + 1, 0, width - meadow.width - 1, height)
    towns, places = SIGNS, {"meadow": meadow}
    found = Layout(scale, meadow_height > scale.rows, framed, towns, places)
    arrange = _framed if framed else _bare
    for name, rect, scale in arrange(side, meadow, seats - 1, over):
        places[name] = rect
        towns = scale if name == "towns" else towns
    below = height - meadow_height
    if framed and "goal" not in places and below >= LETTERS_ROWS + EDGES:
        places["goal"] = Rect(0, meadow_height, meadow.width, below)
    return found._replace(towns=towns)


Placed = tuple[str, Rect, Scale]


def _bare(side: Rect, meadow: Rect, others: int, over: bool) -> Iterator[Placed]:
    """On the smallest boards: headings instead of frames, and the log below everything."""
    y = 0
    for name, rows in (("row", 0 if over else RULE + LINES), ("score", RULE + SCORE)):
        if rows:
            yield name, Rect(side.x, y, side.width, rows), SIGNS
        y += rows
    below = max(y, meadow.height)
    if below < side.height:
        yield "log", Rect(0, below, side.x + side.width, side.height - below), SIGNS


def _framed(side: Rect, meadow: Rect, others: int, over: bool) -> Iterator[Placed]:
    """The tiles, the score, the log; and the others' towns beside them, or below the score where
    they are as large and leave larger tiles."""
    score = (SCORE if others else SCORE - len(("built",))) + EDGES
    beside, panel = _beside(side, others), side
    if beside is not None:
        panel = side._replace(width=beside[0].x - side.x - 1)
        top = _market(side) + score
        below = _below(side._replace(y=top, height=side.height - top), others)
        if below is not None and below[1] >= beside[1] and _market(side) > _market(panel):
            beside, panel = None, side
    if beside is not None:
        yield "towns", *beside
    y = 0
    for name, rows in (("row", 0 if over else _market(panel)), ("score", score)):
        if rows:
            yield name, panel._replace(y=y, height=rows), SIGNS
            y += rows
    rest = panel._replace(y=y, height=panel.height - y)
    both = NAMES_ROWS[rest.width >= GOAL_WIDTH] + _LOG[0] + 2 * EDGES
    if not others and LETTERS_ROWS + EDGES <= rest.height < both:
        # Alone a player knows what they did; a key shows the log.
        yield "goal", rest, SIGNS
        return
    below = _below(rest, others) if beside is None else None
    if below is not None:
        towns, scale, rest = below
        yield "towns", towns, scale
    yield from _log(rest)


def _market(panel: Rect) -> int:
    """Rows of the tiles in their frame."""
    return Boxes.of(panel.width - 2 * INSET).rows + EDGES


def _beside(side: Rect, others: int) -> tuple[Rect, Scale] | None:
    """The largest towns for which there is room beside the panel."""
    for scale in (MIDDLE, PICTURES):
        down = min(others, side.height // (scale.rows + 1))
        if not down:
            continue
        width = -(-others // down) * (scale.columns + 1) - 1
        if side.width - width - 1 >= PANEL[0]:
            return Rect(side.x + side.width - width, 0, width, side.height), scale
    return None


def _below(rest: Rect, others: int) -> tuple[Rect, Scale, Rect] | None:
    """The largest towns for which there is room, and what they leave beside or below them."""
    for scale in (MIDDLE, PICTURES, SIGNS) if others else ():
        width, height = others * (scale.columns + 1) - 1, scale.rows + 1
        if width > rest.width or height > rest.height:
            continue
        if rest.width - width > _LOG_WIDTH:
            x = rest.x + width + 1
            left = Rect(x, rest.y, rest.x + rest.width - x, rest.height)
            return Rect(rest.x, rest.y, width, height), scale, left
        if rest.height - height >= _LOG[0] + EDGES:
            left = rest._replace(y=rest.y + height, height=rest.height - height)
            return rest._replace(height=height), scale, left
    return None


def _log(rest: Rect) -> Iterator[Placed]:
    """The log, and above it what the signs mean: with what they bring where all of that fits, else
    their names. The log is as short as a glance needs, but for where nothing else would fill the
    board."""
    wide = rest.width >= GOAL_WIDTH
    for goal, log, width in (
        (GOAL_ROWS[wide], _LOG[1] // 2, PANEL[0]),
        (NAMES_ROWS[wide], _LOG[0], NAMES_WIDTH),
    ):
        if rest.width >= width and rest.height >= goal + log + 2 * EDGES:
            yield "goal", rest._replace(height=goal + EDGES), SIGNS
            rest = rest._replace(y=rest.y + goal + EDGES, height=rest.height - goal - EDGES)
            break
    usual = _LOG[1] + EDGES
    height = usual if usual < rest.height <= usual + _SPARE else rest.height
    if height > EDGES:
        yield "log", rest._replace(height=height), SIGNS


# The scene of a moment, and the sight of it on a board of some size ------------------------------


_NO_NEWS: Final[News] = {}


class Scene(NamedTuple):
    """`names` by seat, clean; `log` oldest first; `waiting`: an action is under way; `news`: what
    the others built since the player saw `since`; `looking`: the seat whose board is shown instead
    of the player's own; `wish`: how the player wants it arranged; `taught`:
    what a lesson has of the board, and hides of it; `away`: seats whose players are not there."""

    view: View
    names: Sequence[str]
    waiting: bool = False
    log: Sequence[str] = ()
    selection: Selection = NOTHING
    news: News = _NO_NEWS
    looking: int | None = None
    wish: Arrangement = Arrangement.AUTOMATIC
    since: View | None = None
    taught: Taught = UNTAUGHT
    away: frozenset[int] = frozenset()

    def name_ink(self, seat: int) -> Voice:
        return Voice.DIM if seat in self.away else Voice.BOLD

    def shows(self, what: str) -> bool:
        """Whether the tiles on offer ("row") or a row of the score are in sight."""
        return what not in self.taught.hidden


class Sight(NamedTuple):
    """`places`: where each part stands that is on the board."""

    scene: Scene
    layout: Layout
    glyphs: Glyphs
    places: Mapping[str, Rect]


class Neighbour(NamedTuple):
    """What lies under the mouse: the seat whose town is to be shown."""

    seat: int


def home(view: View) -> int:
    """Whose board is shown first: the player's own; to watchers the first seat's."""
    return view.seat or 0


def shown_seat(scene: Scene) -> int:
    return home(scene.view) if scene.looking is None else scene.looking


def seats_in_order(view: View) -> list[int]:
    """The player's own seat first, then clockwise; for watchers from seat 0."""
    seats = len(view.boards)
    return [(home(view) + step) % seats for step in range(seats)]


def over(view: View) -> bool:
    return view.phase is Phase.OVER
