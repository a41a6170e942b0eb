"""What is to be seen: the scene of a moment, and the sight of it on a board of some size."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple, TypeAlias

from clocktowers_tui.games.scenes import Taught
from clocktowers_tui.games.spans import Block, Rect
from clocktowers_tui.games.wild_wild_pattern.glyphs import Glyphs
from clocktowers_tui.games.wild_wild_pattern.layout import Layout
from clocktowers_tui.games.wild_wild_pattern.offers import Offer, Task, task
from clocktowers_tui.games.wild_wild_pattern.selecting import NOTHING, Selection
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from protocol.games.wild_wild_pattern import Declared, Phase, View
from protocol.games.wild_wild_pattern.pattern import PLACES

_ON_THE_WHEEL: Final = (Task.SHOOT, Task.TAKE, Task.LAY)
"""Choices that need the Wheel alone."""

_RACING: Final = (Phase.RACE, Phase.CLICKED, Phase.DECLARE)


class Sheet(Enum):
    """What of the Bank can lie over the board."""

    PAID = "paid"
    PRICES = "prices"


def news(view: View) -> Declared | None:
    """What was declared last, until the next round or race begins, or the player is ready for
    it."""
    ready = view.seat is not None and view.done[view.seat]
    over = view.phase is Phase.READY and (ready or view.turn == 1)
    return None if over or view.phase in _RACING else view.declared


class Scene(NamedTuple):
    """`names` by seat, clean; `log` oldest first; `waiting`: an action is under way; `sheet` lies
    over the board, from its line `top` on, or aside. `goes_on`: the player looks at what lies there
    now, or had to, while the Wheel of the last declaration could be shown. `replayed`: no key of
    the board does anything."""

    view: View
    names: Sequence[str]
    selection: Selection = NOTHING
    waiting: bool = False
    log: Sequence[str] = ()
    sheet: Sheet | None = None
    top: int = 0
    goes_on: bool = False
    taught: Taught | None = None
    replayed: bool = False

    @property
    def guided(self) -> bool:
        """Whether a lesson says how to win."""
        return self.taught is not None

    @property
    def led(self) -> bool:
        """Whether it says what to press, too."""
        return self.taught is not None and self.taught.led

    @property
    def reads(self) -> bool:
        """Whether there is only something to read."""
        return self.taught is not None and self.taught.reads

    @property
    def has_proof(self) -> bool:
        """Whether the Wheel of the turn's declaration can be seen: until the player is ready for
        the next one, but not while they have to do something with what lies there now."""
        view, said = self.view, news(self.view)
        if said is None or said.pattern is None:
            return False
        return len(said.wheel) == PLACES and task(view) in (Task.NOTHING, Task.READY)

    @property
    def shows_the_next(self) -> bool:
        """Whether the Wheel of the next race is shown, about which the last shot says nothing."""
        return self.view.phase is Phase.READY and self.has_proof and not self.proves

    @property
    def has_sheet_aside(self) -> bool:
        """Whether what the Bank pays stands beside the Wheel, because a choice waits there."""
        return self.sheet is not None and task(self.view) in _ON_THE_WHEEL

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
    """What was declared last, where the Wheel that is shown is about it."""
    return None if scene.shows_the_next else news(scene.view)


class Sight(NamedTuple):
    """`places`: where each part stands that is on the board. `side`: what those parts say whose
    heights follow from it."""

    scene: Scene
    layout: Layout
    glyphs: Glyphs
    places: Mapping[str, Rect]
    side: Mapping[str, Block]
    keymap: Keymap = DEFAULT_KEYS


class Spot(Enum):
    """What lies under the mouse and is no offer."""

    READY = auto()
    SHEET = auto()


Hit: TypeAlias = Offer | Spot


def seats_in_order(view: View) -> list[int]:
    """The player's own seat first, then clockwise; for watchers from seat 0."""
    seats, home = len(view.won), view.seat or 0
    return [(home + step) % seats for step in range(seats)]
