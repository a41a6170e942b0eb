"""What a board shows: the scene of a moment, and the sight of it on a board of some size."""

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from clocktowers_tui.games.architetti_attenti.choosing import Selection
from clocktowers_tui.games.architetti_attenti.inks import Glyphs
from clocktowers_tui.games.architetti_attenti.layout import Arrangement, Layout
from clocktowers_tui.games.architetti_attenti.log import News
from clocktowers_tui.games.scenes import Taught
from clocktowers_tui.games.spans import Rect
from protocol.games.architetti_attenti import Phase, View

_NO_NEWS: Final[News] = {}


class Scene(NamedTuple):
    """`names` by seat, clean; `log` oldest first; `waiting`: an action is under way; `news`: what
    the others built since the player saw `since`; `looking`: the seat whose board is shown instead
    of the player's own; `wish`: how the player wants it arranged; `known`: what a lesson has
    brought into sight (`lesson.in_sight`); None: all. `taught`: what else it has of the board."""

    view: View
    names: Sequence[str]
    selection: Selection
    waiting: bool = False
    log: Sequence[str] = ()
    news: News = _NO_NEWS
    looking: int | None = None
    wish: Arrangement = Arrangement.AUTOMATIC
    since: View | None = None
    known: Collection[str] | None = None
    taught: Taught | None = None

    def shows(self, what: str) -> bool:
        """Whether the tiles on offer ("row") or a row of the score are in sight."""
        return self.known is None or what in self.known


class Sight(NamedTuple):
    """`places`: where each part stands that is on the board."""

    scene: Scene
    layout: Layout
    glyphs: Glyphs
    places: Mapping[str, Rect]


class Spot(Enum):
    CELL = "cell"
    TILE = "tile"
    PLAYER = "player"
    TURN = "turn"
    """By so many quarters clockwise."""


class Hit(NamedTuple):
    """What lies under the mouse."""

    what: Spot
    number: int = 0


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
