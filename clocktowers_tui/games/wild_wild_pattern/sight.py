"""What a board shows, and where it stands on a board of some size."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from clocktowers_tui.games.parts import LEAST, SHELL_ROWS, UNTAUGHT, Taught
from clocktowers_tui.games.spans import Block, Rect
from clocktowers_tui.games.wild_wild_pattern.choosing import (
    NOTHING,
    RACES,
    TOGETHER,
    Selection,
    asked,
    wild,
)
from clocktowers_tui.games.wild_wild_pattern.inks import Glyphs
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from protocol.games.wild_wild_pattern import DecidedBy, Declared, Phase, View
from protocol.games.wild_wild_pattern.cards import PLACES

_FRAMED: Final = (110, 36 - SHELL_ROWS)
"""From here on the parts beside the Wheel have frames."""

_MARGINED: Final = 100
_MARGIN: Final = 2
"""From so many cells on text without a frame ends so many before the board, or the side, does."""

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


def layout(width: int, height: int, *, told: int = 4) -> Layout | None:
    """None when the board is smaller than `LEAST`. `told`: rows wanted below the Wheel."""
    if width < LEAST[0] or height < LEAST[1]:
        return None
    framed, wide = _holds(width, height, _FRAMED), _holds(width, height, _WIDE)
    scale = _scale(width, height, 6 if framed else told, framed=framed, wide=wide)
    across, down = 3 * scale.width + 2 * scale.across, 3 * scale.height + 2 * scale.down
    wheel = Rect(0, 0, across, down)
    margin = 0 if framed or width < _MARGINED else _MARGIN
    return Layout(
        scale,
        wheel,
        tuple(place_of(scale, place) for place in range(PLACES)),
        Rect(
            scale.width, scale.height, scale.width + 2 * scale.across, scale.height + 2 * scale.down
        ),
        Rect(0, down, across + (scale is SMALL), height - down),
        Rect(across + 1, 0, width - across - 1 - margin, height),
        framed,
        wide,
    )


def _holds(width: int, height: int, least: tuple[int, int]) -> bool:
    return width >= least[0] and height >= least[1]


def _scale(width: int, height: int, below: int, *, framed: bool, wide: bool) -> Scale:
    """The largest one that leaves room for what stands below and beside."""
    if width < 80 or height < LEAST[1] + below:
        return SMALL
    across, down = (4, 2) if wide else (2, 1)
    beside = 74 if wide else 45 if framed else 33 if width >= _MARGINED else 30
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


# What is to be seen: the scene of a moment, and the sight of it on a board of some size ----------


_ON_THE_WHEEL: Final = (*RACES, Phase.TAKE, Phase.LAY)
"""Choices that need the Wheel alone."""

RACING: Final = (*RACES, Phase.DECLARE)
"""Somebody may be counting seconds."""


class Sheet(Enum):
    """What of the Bank can lie over the board."""

    PAID = "paid"
    PRICES = "prices"


def news(view: View) -> Declared | None:
    """What was declared last, until the next round or race begins, or the player is ready for
    it."""
    ready = view.seat is not None and view.done[view.seat]
    over = view.phase is Phase.READY and (ready or view.turn == 1)
    return None if over or view.phase in RACING else view.declared


class Scene(NamedTuple):
    """`names` by seat, clean; `log` oldest first; `waiting`: an action is under way; `sheet` lies
    over the board, from its line `top` on, or aside. `goes_on`: the player looks at what lies there
    now, or had to, while the Wheel of the last declaration could be shown. `replayed`: no key of
    the board does anything; `away`: seats whose players are not there. `hands`: of two people at
    one keyboard what each sees."""

    view: View
    names: Sequence[str]
    selection: Selection = NOTHING
    waiting: bool = False
    log: Sequence[str] = ()
    sheet: Sheet | None = None
    top: int = 0
    goes_on: bool = False
    taught: Taught = UNTAUGHT
    replayed: bool = False
    away: frozenset[int] = frozenset()
    hands: Sequence[View] = ()

    @property
    def halved(self) -> bool:
        """Whether each of two people has a half of the keyboard now."""
        return bool(self.hands) and self.view.phase in TOGETHER

    @property
    def has_proof(self) -> bool:
        """Whether the Wheel of the turn's declaration can be seen: until the player is ready for
        the next one, but not while they have to do something with what lies there now."""
        view, said = self.view, news(self.view)
        if said is None or said.pattern is None:
            return False
        return len(said.wheel) == PLACES and asked(view) in (None, Phase.READY)

    @property
    def wild(self) -> bytes:
        """The cards with which one player alone wins the match at the Bank, or has, if any."""
        if found := wild(self.view):
            return bytes(sorted(found))
        outcome = self.view.outcome
        if outcome is None or outcome.decided_by is not DecidedBy.WILD or len(outcome.winners) > 1:
            return b""
        brought = {visit.seat: bytes(sorted(visit.cards)) for visit in self.view.bank}
        return brought.get(outcome.winners[0], b"")

    @property
    def has_sheet_aside(self) -> bool:
        """Whether what the Bank pays stands beside the Wheel, because a choice waits there."""
        return self.sheet is not None and asked(self.view) in _ON_THE_WHEEL

    @property
    def has_sheet_over(self) -> bool:
        return self.sheet is not None and not self.has_sheet_aside

    @property
    def wheel(self) -> bytes:
        """The cards of the Wheel that is shown: the proof, or what lies there now."""
        said = self.view.declared
        return said.wheel if said is not None and self.proves else self.view.wheel

    @property
    def proves(self) -> bool:
        return self.has_proof and not self.goes_on


def shown_news(scene: Scene) -> Declared | None:
    """What was declared last, where the Wheel that is shown is about it: not that of the next
    race."""
    shows_the_next = scene.view.phase is Phase.READY and scene.has_proof and scene.goes_on
    return None if shows_the_next else news(scene.view)


class Sight(NamedTuple):
    """`places`: where each part stands that is on the board. `side`: what those parts say whose
    heights follow from it."""

    scene: Scene
    layout: Layout
    glyphs: Glyphs
    places: Mapping[str, Rect]
    side: Mapping[str, Block]
    keymap: Keymap = DEFAULT_KEYS

    def rows(self, height: int) -> int:
        """Of so many at the bottom of the board those that nothing covers. While the player aims
        the card, a hint may be long enough to cover the last one; in a replay on the smallest board
        a verdict leaves one."""
        if self.scene.replayed and self.layout.side.height == LEAST[1]:
            return 1
        aims = asked(self.scene.view) in RACES and self.scene.selection.cursor is not None
        return height - 1 if aims and not self.layout.framed else height


def seats_in_order(view: View) -> list[int]:
    """The player's own seat first, then clockwise; for watchers from seat 0."""
    seats, home = len(view.won), view.seat or 0
    return [(home + step) % seats for step in range(seats)]
