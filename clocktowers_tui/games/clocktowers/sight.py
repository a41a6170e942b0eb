"""What a board shows, and where it stands on a board of some size.

Sizes are the board's own; the shell around it takes three rows of the terminal (banner, hint,
footer). Law: the rectangles lie inside the board and never overlap.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from clocktowers_tui.games.clocktowers.choosing import NOTHING, Selection
from clocktowers_tui.games.clocktowers.inks import Glyphs
from clocktowers_tui.games.clocktowers.log import EMPTY_HANDED, NO_NEWS, Holding, News
from clocktowers_tui.games.clocktowers.street import Pitch
from clocktowers_tui.games.clocktowers.towers import HUGE, LARGE, SMALL, Scale
from clocktowers_tui.games.parts import LEAST, UNTAUGHT, Layouts, Taught
from clocktowers_tui.games.spans import Rect
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.i18n import N_
from protocol.games.clocktowers import View

_PILES: Final = 3
_GAP: Final = 1
_ROOMY: Final = 100
_LINES_OF_CODES: Final = 2
_FRAME: Final = 2
"""Rows, and columns, of a frame."""
_FOR_TOWNS: Final = 21
"""With so many rows two towns fit above pictures of cards, and nothing of them is left out."""
_VAST: Final = (180, 50)
"""The smallest board with cards as large as its towers."""
_LADDER: Final = 21
"""Columns of the ladder in its frame."""
_LOG: Final = 20
"""So many columns are worth a frame of the log's own beside the ladder."""


class Arrangement(Layouts):
    AUTOMATIC = "automatic", N_("automatic"), 60, 20
    PICTURES = "pictures", N_("pictures"), 80, 22
    LARGE = "large", N_("large"), 110, 36
    LEDGER = "ledger", N_("ledger"), 60, 20


class Layout(NamedTuple):
    """`towns` by place: the player's own, or seat 0, first, then clockwise.

    `scale` is that of the cards; None: cards are a row of words. `side` is for the ladder and the
    log. `framed`: every part stands in a frame; else `titles` says whether hand and piles begin
    with a row for their title. `pictured`: towers are pictures where they fit.
    """

    scale: Scale | None
    towns: tuple[Rect, ...]
    hand: Rect
    piles: Rect
    side: Rect
    framed: bool = False
    titles: bool = False
    card_gap: int = 0
    pictured: bool = True

    @property
    def edge(self) -> int:
        """Cells around the rows of a part."""
        return _FRAME // 2 if self.framed else 0

    @property
    def rungs_width(self) -> int:
        """Cells for the ladder's rows."""
        beside = _LADDER if self._beside else self.side.width
        return beside - _FRAME * self.framed

    @property
    def _beside(self) -> bool:
        """The log stands beside the ladder, not below it."""
        return self.framed and self.side.width >= _LADDER + _LOG

    def places(self, rungs: int) -> Mapping[str, Rect]:
        """Part → where it stands, with so many rows for the ladder."""
        towns = {f"town-{place}": rect for place, rect in enumerate(self.towns)}
        ladder, log = self._halves(rungs + _FRAME * self.framed)
        others = {"hand": self.hand, "piles": self.piles, "ladder": ladder, "log": log}
        return {
            name: rect
            for name, rect in (towns | others).items()
            if rect.width > 0 and rect.height > _FRAME * self.framed
        }

    def _halves(self, rows: int) -> tuple[Rect, Rect]:
        x, y, width, height = self.side
        if self._beside:
            return Rect(x, y, _LADDER, height), Rect(x + _LADDER, y, width - _LADDER, height)
        rows = min(rows, height)
        return Rect(x, y, width, rows), Rect(x, y + rows, width, height - rows)


def layout(
    width: int, height: int, seats: int, hand_slots: int | None, wish: Arrangement
) -> Layout | None:
    """None when the board is smaller than `LEAST`. `hand_slots` None: the player only watches."""
    if width < LEAST[0] or height < LEAST[1]:
        return None
    match wish.shown(width, height):
        case Arrangement.LARGE:
            return _large(width, height, seats, hand_slots)
        case Arrangement.PICTURES:
            return _pictures(width, height, seats, hand_slots)
        case _:
            return _in_text(width, height, seats, pictured=wish is not Arrangement.LEDGER)


def _in_text(width: int, height: int, seats: int, *, pictured: bool) -> Layout:
    panel = _LINES_OF_CODES + 3 + (height - LEAST[1]) // 3
    top = height - panel
    hand, piles = Rect(0, top, width, 1), Rect(0, top + 1, width, 1)
    below = Rect(0, top + _LINES_OF_CODES, width, panel - _LINES_OF_CODES)
    return Layout(None, _towns(width, top, seats), hand, piles, below, pictured=pictured)


def _pictures(width: int, height: int, seats: int, hand_slots: int | None) -> Layout:
    """A row for titles when there are two to spare, and more for the log on tall screens."""
    spare = height - _FOR_TOWNS
    titles = spare >= 2
    panel = SMALL.card_height + titles + min(3, max(0, spare - 6) // 3)
    top = height - panel
    towns = _towns(width, top, seats)
    rows = SMALL.card_height + titles
    gap = 1 if width >= _ROOMY else 0
    hand = Rect(1, top, _cards(hand_slots, SMALL, gap), rows)
    start = hand.x + hand.width + (1 + gap) * bool(hand_slots)
    piles = Rect(start, top, _cards(_PILES, SMALL, gap), rows)
    side = piles.x + piles.width + 1 + gap
    beside = Rect(side, top, width - side, panel)
    return Layout(SMALL, towns, hand, piles, beside, titles=titles, card_gap=gap)


def _large(width: int, height: int, seats: int, hand_slots: int | None) -> Layout:
    """The others side by side, the player's own town below them over the full width; for two, and
    for those who watch, all alike. Below stand cards, ladder and log, and all in frames."""
    scale = HUGE if width >= _VAST[0] and height >= _VAST[1] else LARGE
    panel = scale.card_height + _FRAME
    top = height - panel
    upper = top // 2
    if hand_slots is not None and seats > 2:
        own = Rect(0, upper, width, top - upper)
        towns = [own, *_side_by_side(width, 0, upper, seats - 1)]
    else:
        towns = [*_towns(width, top, seats)]
    hand = Rect(0, top, (_cards(hand_slots, scale, 1) + _FRAME) * bool(hand_slots), panel)
    piles = Rect(hand.width, top, _cards(_PILES, scale, 1) + _FRAME, panel)
    side = piles.x + piles.width
    beside = Rect(side, top, width - side, panel)
    return Layout(scale, tuple(towns), hand, piles, beside, framed=True, card_gap=1)


def _cards(count: int | None, scale: Scale, gap: int) -> int:
    return max(0, (count or 0) * (scale.card_width + gap) - gap)


def _side_by_side(width: int, y: int, height: int, count: int) -> list[Rect]:
    each = (width - _GAP * (count - 1)) // count
    starts = [place * (each + _GAP) for place in range(count)]
    ends = [*(start - _GAP for start in starts[1:]), width]
    return [Rect(start, y, end - start, height) for start, end in zip(starts, ends, strict=True)]


def _towns(width: int, height: int, seats: int) -> tuple[Rect, ...]:
    """Two streets; or with three players the own street below the others; or four quarters."""
    upper = (height + (seats > 3)) // 2
    lower = height - upper
    if seats == 2:
        return Rect(0, upper, width, lower), Rect(0, 0, width, upper)
    left, right = _side_by_side(width, 0, upper, 2)
    if seats == 3:
        return Rect(0, upper, width, lower), left, right
    return left, right, *_side_by_side(width, upper, lower, 2)


# The scene of a moment, and the sight of it on a board of some size ------------------------------


class Scene(NamedTuple):
    """`names` by seat, clean; `log` oldest first; `waiting`: an action is under way; `news`: what
    the others did since the player saw `since`; `wish`: how the player wants it arranged;
    `taught`: what a lesson asks for and hides, none of it in a replay; `holding`: what
    the hand's cards do not say themselves."""

    view: View
    names: Sequence[str]
    waiting: bool = False
    log: Sequence[str] = ()
    selection: Selection = NOTHING
    news: News = NO_NEWS
    wish: Arrangement = Arrangement.AUTOMATIC
    since: View | None = None
    taught: Taught = UNTAUGHT
    holding: Holding = EMPTY_HANDED


class Sight(NamedTuple):
    """`places`: where each part stands that is on the board. `pitches`: of the streets, by place;
    None: a ledger."""

    scene: Scene
    layout: Layout
    glyphs: Glyphs
    keymap: Keymap
    places: Mapping[str, Rect]
    pitches: Sequence[Pitch | None]


def seats_in_order(view: View) -> list[int]:
    """The player's own seat first, then clockwise; for watchers from seat 0."""
    first = view.seat or 0
    seats = len(view.towns)
    return [(first + step) % seats for step in range(seats)]
