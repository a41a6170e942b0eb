"""What a board shows: the scene of a moment, and the sight of it on a board of some size."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from clocktowers_tui.games.clocktowers.choosing import Selection
from clocktowers_tui.games.clocktowers.hand import NEW_HAND, Holding
from clocktowers_tui.games.clocktowers.inks import Glyphs
from clocktowers_tui.games.clocktowers.layout import Arrangement, Layout
from clocktowers_tui.games.clocktowers.log import NO_NEWS, News
from clocktowers_tui.games.clocktowers.street import SCORING, Pitch
from clocktowers_tui.games.scenes import Taught
from clocktowers_tui.games.spans import Rect
from clocktowers_tui.keys.keymap import Keymap
from protocol.games.clocktowers import Action, View


class Scene(NamedTuple):
    """`names` by seat, clean; `log` oldest first; `waiting`: an action is under way; `news`: what
    the others did since the player saw `since`; `wish`: how the player wants it arranged;
    `taught`: what a lesson asks for and hides, none of it in a replay; `holding`: where the cards
    of the hand stand, which the view follows."""

    view: View
    names: Sequence[str]
    selection: Selection
    waiting: bool = False
    log: Sequence[str] = ()
    news: News = NO_NEWS
    wish: Arrangement = Arrangement.AUTOMATIC
    since: View | None = None
    taught: Taught | None = None
    holding: Holding = NEW_HAND

    @property
    def asked(self) -> Sequence[Action] | None:
        """What a lesson asks for."""
        return None if self.taught is None else self.taught.asked

    @property
    def hidden(self) -> frozenset[str]:
        """The notes that a lesson has yet to teach."""
        return frozenset() if self.taught is None else self.taught.hidden

    @property
    def scoring(self) -> bool:
        """Whether what towers score is told."""
        return SCORING not in self.hidden


class Sight(NamedTuple):
    """`places`: where each part stands that is on the board. `pitches`: of the streets, by place;
    None: a ledger."""

    scene: Scene
    layout: Layout
    glyphs: Glyphs
    keymap: Keymap
    places: Mapping[str, Rect]
    pitches: Sequence[Pitch | None]


class Spot(Enum):
    CARD = "card"
    TOWER = "tower"
    """In the player's own town; its number may be NEW or OUT."""
    PILE = "pile"


class Hit(NamedTuple):
    """What lies under the mouse."""

    what: Spot
    number: int = 0


def seats_in_order(view: View) -> list[int]:
    """The player's own seat first, then clockwise; for watchers from seat 0."""
    first = view.seat or 0
    seats = len(view.towns)
    return [(first + step) % seats for step in range(seats)]
