"""Where things stand on a board of some size: pure arithmetic, from size and seats to rectangles.

Sizes are the board's own; the shell around it takes three rows of the terminal (banner, hint,
footer). Law: the rectangles lie inside the board and never overlap.
"""

from typing import Final, NamedTuple

from clocktowers_tui.games.clocktowers.cards import CARD_HEIGHT, CARD_WIDTH
from clocktowers_tui.games.clocktowers.spans import Rect

SHELL_ROWS: Final = 3
LEAST: Final = (60, 20 - SHELL_ROWS)
"""The smallest board: a 60x20 terminal."""
_PICTURES: Final = (80, 24 - SHELL_ROWS)
"""From here on towers and cards are drawn as pictures; below it as text."""
_PILES: Final = 3
_GAP: Final = 1
_ROOMY: Final = 100
_LINES_OF_CODES: Final = 2


class Layout(NamedTuple):
    """`towns` by place: one's own, or seat 0, first, then clockwise.

    `hand` and `piles` begin with a row for their title where `titles` says so. In `text` form they
    are one row each. `side` is for the ladder and the log.
    """

    text: bool
    titles: bool
    card_gap: int
    towns: tuple[Rect, ...]
    hand: Rect
    piles: Rect
    side: Rect


def layout(width: int, height: int, seats: int, hand_slots: int) -> Layout | None:
    """None when the board is smaller than `LEAST`."""
    if width < LEAST[0] or height < LEAST[1]:
        return None
    if width < _PICTURES[0] or height < _PICTURES[1]:
        panel = CARD_HEIGHT + (height - LEAST[1]) // 3
        top = height - panel
        return _in_text(width, top, panel, _towns(width, top, seats))
    panel = _panel_height(height)
    top = height - panel
    return _in_pictures(width, top, panel, hand_slots, _towns(width, top, seats))


def _panel_height(height: int) -> int:
    """A row for titles when there are two to spare, and more for the log on tall screens."""
    spare = height - _PICTURES[1]
    return CARD_HEIGHT + (spare >= 2) + min(3, max(0, spare - 6) // 3)


def _in_text(width: int, top: int, panel: int, towns: tuple[Rect, ...]) -> Layout:
    return Layout(
        text=True,
        titles=False,
        card_gap=0,
        towns=towns,
        hand=Rect(0, top, width, 1),
        piles=Rect(0, top + 1, width, 1),
        side=Rect(0, top + _LINES_OF_CODES, width, panel - _LINES_OF_CODES),
    )


def _in_pictures(
    width: int, top: int, panel: int, hand_slots: int, towns: tuple[Rect, ...]
) -> Layout:
    gap = 1 if width >= _ROOMY else 0
    titled = panel > CARD_HEIGHT
    rows = CARD_HEIGHT + titled
    hand = Rect(1, top, max(0, hand_slots * (CARD_WIDTH + gap) - gap), rows)
    piles = Rect(
        hand.x + hand.width + bool(hand_slots), top, _PILES * (CARD_WIDTH + gap) - gap, rows
    )
    side = piles.x + piles.width + 1
    return Layout(
        text=False,
        titles=titled,
        card_gap=gap,
        towns=towns,
        hand=hand,
        piles=piles,
        side=Rect(side, top, width - side, panel),
    )


def _towns(width: int, height: int, seats: int) -> tuple[Rect, ...]:
    """Two streets; or with three players one's own below the two others; or four quarters."""
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
