"""Where things stand on a board of some size: pure arithmetic, from size and seats to rectangles.

Sizes are the board's own; the shell around it takes three rows of the terminal (banner, hint,
footer). Law: the rectangles lie inside the board and never overlap.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from clocktowers_tui.games import arranging
from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.clocktowers.scale import LARGE, SMALL, Scale
from clocktowers_tui.games.spans import Rect

_PILES: Final = 3
_GAP: Final = 1
_ROOMY: Final = 100
_LINES_OF_CODES: Final = 2


class Arrangement(StrEnum):
    """What the player wants; what does not fit is as good as automatic."""

    AUTOMATIC = "automatic"
    PICTURES = "pictures"
    LARGE = "large"
    LEDGER = "ledger"


NEEDS: Final[Mapping[Arrangement, tuple[int, int]]] = {
    Arrangement.LARGE: (110, 36 - SHELL_ROWS),
    Arrangement.PICTURES: (80, 24 - SHELL_ROWS),
    Arrangement.LEDGER: (60, 20 - SHELL_ROWS),
}
"""The smallest board for each, the richest first."""

LEAST: Final = NEEDS[Arrangement.LEDGER]
"""The smallest board: a 60x20 terminal."""


class Layout(NamedTuple):
    """`towns` by place: the player's own, or seat 0, first, then clockwise.

    `scale` is that of the cards and of the first town, None for text; then `hand` and `piles` are
    one row each, else they begin with a row for their title where `titles` says so. `side` is for
    the ladder and the log.
    """

    scale: Scale | None
    titles: bool
    card_gap: int
    towns: tuple[Rect, ...]
    hand: Rect
    piles: Rect
    side: Rect

    def places(self, rungs: int) -> Mapping[str, Rect]:
        """Part → where it stands, with so many rows for the ladder."""
        towns = {f"town-{place}": rect for place, rect in enumerate(self.towns)}
        x, y, width, height = self.side
        ladder, log = Rect(x, y, width, rungs), Rect(x, y + rungs, width, height - rungs)
        return {
            **towns,
            "hand": self.hand,
            "piles": self.piles,
            "ladder": ladder,
            **({"log": log} if log.height > 0 else {}),
        }

    def scale_of(self, place: int) -> Scale | None:
        """How a town is drawn: only the first may be large."""
        return SMALL if self.scale is LARGE and place else self.scale


fits: Final = partial(arranging.fits, NEEDS)
after: Final = partial(arranging.after, NEEDS)


def layout(
    width: int,
    height: int,
    seats: int,
    hand_slots: int,
    wish: Arrangement = Arrangement.AUTOMATIC,
) -> Layout | None:
    """None when the board is smaller than `LEAST`."""
    if width < LEAST[0] or height < LEAST[1]:
        return None
    match _arranged(width, height, wish, watching=not hand_slots):
        case Arrangement.LARGE:
            return _large(width, height, seats, hand_slots)
        case Arrangement.PICTURES:
            top = height - _panel_height(height)
            towns = _towns(width, top, seats)
            return _in_pictures(SMALL, width, height, top, hand_slots, towns)
        case _:
            return _in_text(width, height, seats)


def _arranged(width: int, height: int, wish: Arrangement, *, watching: bool) -> Arrangement:
    """The arrangement that the wish leads to. A watcher has no town of their own to see larger."""
    if wish is not Arrangement.AUTOMATIC and fits(wish, width, height):
        return wish
    return next(
        one
        for one in NEEDS
        if fits(one, width, height) and not (watching and one is Arrangement.LARGE)
    )


def _panel_height(height: int) -> int:
    """A row for titles when there are two to spare, and more for the log on tall screens."""
    spare = height - NEEDS[Arrangement.PICTURES][1]
    return SMALL.card_height + (spare >= 2) + min(3, max(0, spare - 6) // 3)


def _in_text(width: int, height: int, seats: int) -> Layout:
    panel = _LINES_OF_CODES + 3 + (height - LEAST[1]) // 3
    top = height - panel
    return Layout(
        scale=None,
        titles=False,
        card_gap=0,
        towns=_towns(width, top, seats),
        hand=Rect(0, top, width, 1),
        piles=Rect(0, top + 1, width, 1),
        side=Rect(0, top + _LINES_OF_CODES, width, panel - _LINES_OF_CODES),
    )


def _in_pictures(
    scale: Scale, width: int, height: int, top: int, hand_slots: int, towns: tuple[Rect, ...]
) -> Layout:
    panel = height - top
    gap = 1 if width >= _ROOMY else 0
    titled = panel > scale.card_height
    rows = scale.card_height + titled
    hand = Rect(1, top, max(0, hand_slots * (scale.card_width + gap) - gap), rows)
    start = hand.x + hand.width + (1 + gap) * bool(hand_slots)
    piles = Rect(start, top, _PILES * (scale.card_width + gap) - gap, rows)
    side = piles.x + piles.width + 1 + gap
    return Layout(
        scale=scale,
        titles=titled,
        card_gap=gap,
        towns=towns,
        hand=hand,
        piles=piles,
        side=Rect(side, top, width - side, panel),
    )


def _large(width: int, height: int, seats: int, hand_slots: int) -> Layout:
    """The others side by side, the player's own town below them over the full width."""
    top = height - LARGE.card_height - 1
    upper = top * 3 // 8
    own = Rect(0, upper, width, top - upper)
    towns = (own, *_side_by_side(width, upper, seats - 1))
    return _in_pictures(LARGE, width, height, top, hand_slots, towns)


def _side_by_side(width: int, height: int, count: int) -> list[Rect]:
    each = (width - _GAP * (count - 1)) // count
    starts = [place * (each + _GAP) for place in range(count)]
    ends = [*(start - _GAP for start in starts[1:]), width]
    return [Rect(start, 0, end - start, height) for start, end in zip(starts, ends, strict=True)]


def _towns(width: int, height: int, seats: int) -> tuple[Rect, ...]:
    """Two streets; or with three players the own street below the others; or four quarters."""
    half = (width - _GAP) // 2
    upper = (height + 1) // 2
    lower = height - upper
    right = half + _GAP
    if seats == 2:
        return Rect(0, upper, width, lower), Rect(0, 0, width, upper)
    others = Rect(0, 0, half, upper), Rect(right, 0, width - right, upper)
    if seats == 3:
        return Rect(0, upper, width, lower), *others
    return *others, Rect(0, upper, half, lower), Rect(right, upper, width - right, lower)
