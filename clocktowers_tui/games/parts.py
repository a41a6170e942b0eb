"""The parts of a board: what each draws, what lies under its cells, and where it stands. Pure.

A game has a `Part` for each id, and a sight: a frozen value with what its parts need to be
drawn, among it `places`, the rectangle of each part that is on the board now.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.scenes import Step
from clocktowers_tui.games.spans import Block, Rect, Row, Span, block, last_lines
from clocktowers_tui.keys.keymap import Keymap

Size: TypeAlias = tuple[int, int]
"""Columns and rows."""
Cell: TypeAlias = tuple[int, int]
"""Column and row of a part, from 0."""


class Hit(NamedTuple):
    """What lies under the mouse and may be picked: a function of `choosing`, which is given the
    view, the selection and this card, tower or place."""

    choose: Callable[..., Step]
    what: tuple[Any, ...] = ()


class Shared(Enum):
    """What may be picked on every board and is no choice."""

    LOG = auto()


class Placed(Protocol):
    """A sight: what `Part` needs to know of it."""

    @property
    def places(self) -> Mapping[str, Rect]: ...


Sight = TypeVar("Sight", bound=Placed)


class PlainSight(NamedTuple):
    """The sight of a game that needs no more."""

    scene: Any
    look: Look
    keymap: Keymap
    places: Mapping[str, Rect]


def nothing(_sight: Any, _size: Size, _at: Cell) -> Any:
    """Under a part that is only looked at."""
    return None


def differs(_before: Any, _sight: Any) -> bool:
    """Every sight may show a part otherwise."""
    return False


class Part(NamedTuple, Generic[Sight]):
    """`drawn`: exactly as many rows and cells as the size says. `under`: a `Hit`, one of `Shared`,
    or what the game's own board picks; None: nothing. `same`: whether it looks as it did at an
    earlier sight of this size, so that it need not be drawn."""

    drawn: Callable[[Sight, Size], Block]
    under: Callable[[Sight, Size, Cell], Any] = nothing
    same: Callable[[Sight, Sight], bool] = differs


def log_rows(log: Sequence[str], size: Size) -> Block:
    """The last whole lines of the log, oldest first."""
    width, height = size
    rows: list[Row] = [[Span(text)] for text in last_lines(log, width, height)]
    return block(width, height, rows)


def log_under(_sight: Any, _size: Size, _at: Cell) -> Shared:
    return Shared.LOG
