"""Where things stand on a board of some size: pure arithmetic, from a size to rectangles.

Sizes are the board's own; the shell around it takes three rows of the terminal (banner, hint,
footer). Law: the rectangles lie inside the board and never overlap.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from clocktowers_tui.games import arranging
from clocktowers_tui.games.architetti_attenti import market
from clocktowers_tui.games.architetti_attenti.preview import PARTS
from clocktowers_tui.games.architetti_attenti.scale import (
    LARGE,
    MIDDLE,
    PICTURES,
    SIGNS,
    SMALL,
    TALL,
    VAST,
    Scale,
)
from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.spans import Rect


class Arrangement(StrEnum):
    """What the player wants; what does not fit is as good as automatic."""

    AUTOMATIC = "automatic"
    VAST = "vast"
    LARGE = "large"
    MIDDLE = "middle"
    SMALL = "small"


SCALES: Final[Mapping[Arrangement, Scale]] = {
    Arrangement.VAST: VAST,
    Arrangement.LARGE: LARGE,
    Arrangement.MIDDLE: MIDDLE,
    Arrangement.SMALL: SMALL,
}

NEEDS: Final[Mapping[Arrangement, tuple[int, int]]] = {
    Arrangement.VAST: (180, 54 - SHELL_ROWS),
    Arrangement.LARGE: (110, 39 - SHELL_ROWS),
    Arrangement.MIDDLE: (80, 24 - SHELL_ROWS),
    Arrangement.SMALL: (60, 20 - SHELL_ROWS),
}
"""The smallest board for each, the largest first."""

NUMBERS: Final = 1
"""Columns of the rows' numbers."""

RULE: Final = 1
"""Rows of a rule with a title, where there is no frame."""
EDGES: Final = 2
"""Rows of a frame, above and below what it holds."""
INSET: Final = 2
"""Cells of a frame and a blank, on each side of what it holds."""

LEAST: Final = NEEDS[Arrangement.SMALL]
"""The smallest board: a 60x20 terminal."""

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


fits: Final = partial(arranging.fits, NEEDS)
after: Final = partial(arranging.after, NEEDS)
shown: Final = partial(arranging.shown, NEEDS)


def layout(
    width: int, height: int, wish: Arrangement = Arrangement.AUTOMATIC, *, seats: int, over: bool
) -> Layout | None:
    """None when the board is smaller than `LEAST`."""
    if not fits(Arrangement.SMALL, width, height):
        return None
    scale = SCALES[shown(wish, width, height)]
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
    for name, rows in (("row", 0 if over else RULE + market.LINES), ("score", RULE + SCORE)):
        if rows:
            yield name, Rect(side.x, y, side.width, rows), SIGNS
        y += rows
    below = max(y, meadow.height)
    if below < side.height:
        yield "log", Rect(0, below, side.x + side.width, side.height - below), SIGNS


def _framed(side: Rect, meadow: Rect, others: int, over: bool) -> Iterator[Placed]:
    """The tiles, the score, the log; and the others' towns beside them, or below the score."""
    beside = _beside(side, others)
    if beside is not None:
        yield "towns", *beside
        side = side._replace(width=beside[0].x - side.x - 1)
    y = 0
    for name, rows in (
        ("row", 0 if over else market.Boxes.of(side.width - 2 * INSET).rows),
        ("score", SCORE if others else SCORE - len(("built",))),
    ):
        if rows:
            yield name, Rect(side.x, y, side.width, rows + EDGES), SIGNS
            y += rows + EDGES
    rest = Rect(side.x, y, side.width, side.height - y)
    both = NAMES_ROWS[rest.width >= GOAL_WIDTH] + _LOG[0] + 2 * EDGES
    if not others and LETTERS_ROWS + EDGES <= rest.height < both:
        # Alone a player knows what they did; a key shows the log.
        yield "goal", rest, SIGNS
        return
    yield from _below(rest, 0 if beside is not None else others)


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


def _below(rest: Rect, others: int) -> Iterator[Placed]:
    """The others' towns, if there is room for them, and the log beside or below them."""
    for scale in (MIDDLE, PICTURES, SIGNS) if others else ():
        width, height = others * (scale.columns + 1) - 1, scale.rows + 1
        if width > rest.width or height > rest.height:
            continue
        if rest.width - width > _LOG_WIDTH:
            yield "towns", Rect(rest.x, rest.y, width, height), scale
            x = rest.x + width + 1
            yield from _log(Rect(x, rest.y, rest.x + rest.width - x, rest.height))
            return
        if rest.height - height >= _LOG[0] + EDGES:
            yield "towns", Rect(rest.x, rest.y, rest.width, height), scale
            yield from _log(Rect(rest.x, rest.y + height, rest.width, rest.height - height))
            return
    yield from _log(rest)


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
