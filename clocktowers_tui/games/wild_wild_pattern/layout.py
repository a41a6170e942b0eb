"""Where things stand on a board of some size: pure arithmetic, from a size to rectangles.

Sizes are the board's own; the shell around it takes three rows of the terminal (banner, hint,
footer). Law: the ring fills the height, but for a few rows below it to say what goes on; nothing
overlaps but the player's own card, which lies in the hole of the Wheel.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.spans import Rect
from protocol.games.wild_wild_pattern.pattern import PLACES

LEAST: Final = (60, 20 - SHELL_ROWS)
"""The smallest board: a 60x20 terminal."""

_FRAMED: Final = (110, 36 - SHELL_ROWS)
"""From here on the parts beside the Wheel have frames."""

_WIDE: Final = (160, 50 - SHELL_ROWS)

_RING: Final = ((1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (0, 0))
"""Place → column and row of the Wheel's three by three; the middle is the player's."""


class Scale(NamedTuple):
    """How large a card is drawn. `across`, `down`: cells between two cards, for the arrows."""

    width: int
    height: int
    across: int = 1
    down: int = 1


SMALL: Final = Scale(9, 4)


class Layout(NamedTuple):
    """`places`: the cards of the Wheel, within it. `told` is below the Wheel, `side` beside it for
    all the rest. `framed`: the parts there have frames; `wide`: won cards are drawn as cards."""

    scale: Scale
    wheel: Rect
    places: tuple[Rect, ...]
    own: Rect
    told: Rect
    side: Rect
    framed: bool
    wide: bool

    def whole(self) -> Rect:
        """All of the board."""
        height = self.side.height
        return Rect(0, 0, self.side.x + self.side.width, height)


def layout(width: int, height: int) -> Layout | None:
    """None when the board is smaller than `LEAST`."""
    if width < LEAST[0] or height < LEAST[1]:
        return None
    framed, wide = _holds(width, height, _FRAMED), _holds(width, height, _WIDE)
    scale = _scale(width, height, framed=framed, wide=wide)
    across, down = 3 * scale.width + 2 * scale.across, 3 * scale.height + 2 * scale.down
    wheel = Rect(0, 0, across, down)
    return Layout(
        scale,
        wheel,
        tuple(place_of(scale, place) for place in range(PLACES)),
        Rect(
            scale.width,
            scale.height,
            scale.width + 2 * scale.across,
            scale.height + 2 * scale.down,
        ),
        Rect(0, down, across, height - down),
        Rect(across + 1, 0, width - across - 1, height),
        framed,
        wide,
    )


def _holds(width: int, height: int, least: tuple[int, int]) -> bool:
    return width >= least[0] and height >= least[1]


def _scale(width: int, height: int, *, framed: bool, wide: bool) -> Scale:
    """The largest one that leaves room for what stands below and beside."""
    if width < 80 or height < 21:
        return SMALL
    across, down = (4, 2) if wide else (2, 1)
    beside = 74 if wide else 45 if framed else 30
    below = 6 if framed else 4
    tall = (height - below - 2 * down) // 3
    broad = (width - beside - 1 - 2 * across) // 3
    return Scale(min(broad, 3 * tall), min(tall, broad * 3 // 5), across, down)


def place_of(scale: Scale, place: int) -> Rect:
    """Where a card of the Wheel lies, within it."""
    column, row = _RING[place]
    x, y = column * (scale.width + scale.across), row * (scale.height + scale.down)
    return Rect(x, y, scale.width, scale.height)


def beside(scale: Scale) -> tuple[tuple[int, int, int, int], ...]:
    """(x, y, cells, way) of the eight arrows, each after the place of its number; ways are right,
    down, left, up."""
    ways = (0, 1, 1, 2, 2, 3, 3, 0)
    found = []
    for place, way in enumerate(ways):
        here, there = (place_of(scale, (place + step) % PLACES) for step in (0, 1))
        if way in (0, 2):
            left = min(here, there, key=lambda rect: rect.x)
            found.append((left.x + left.width, left.y + (scale.height - 1) // 2, scale.across, way))
        else:
            upper = min(here, there, key=lambda rect: rect.y)
            below = upper.y + upper.height + (scale.down - 1) // 2
            found.append((upper.x + scale.width // 2, below, 1, way))
    return tuple(found)


def stacked(side: Rect, heights: Mapping[str, int], last: str | None) -> Mapping[str, Rect]:
    """Parts one below the other, each with its height as far as there is room; the last part has
    what is left, if anything."""
    found, y, end = {}, side.y, side.y + side.height
    for name, height in heights.items():
        tall = end - y if name == last else min(height, end - y)
        if tall > 0:
            found[name] = Rect(side.x, y, side.width, tall)
            y += tall
    if last is not None and last not in heights and y < end:
        found[last] = Rect(side.x, y, side.width, end - y)
    return found
