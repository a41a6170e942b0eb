"""The parts of a board: what each draws, what lies under its cells, where it stands. Pure.

A game has a `Part` for each id, a scene, which is what is to be seen, and a sight: a frozen value
with what its parts need to be drawn, among it `places`, the rectangle of each part that is on the
board now. Of its layouts a board takes the one that the player wants, where it fits.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, StrEnum, auto
from typing import Any, Final, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.keys import Step
from clocktowers_tui.games.spans import Block, Rect, Row, Span, block, last_lines
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.i18n import _

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


# The layouts of a board.


SHELL_ROWS: Final = 3
"""What is around a board: banner, hint and the keys."""
LEAST: Final = (60, 20 - SHELL_ROWS)
"""The smallest board of a game that needs no larger one: a 60x20 terminal."""


class Layouts(StrEnum):
    """A game's layouts, automatic first. `words`: what each is called, translated when it is shown;
    `needs`: the smallest board for it. What the player wants and what does not fit is as good as
    automatic, which is the layout that needs most of those that fit."""

    words: str
    needs: tuple[int, int]

    def __new__(cls, name: str, words: str, columns: int, rows: int) -> Self:
        """In columns and rows of the terminal."""
        layout = str.__new__(cls, name)
        layout._value_ = name
        layout.words, layout.needs = words, (columns, rows - SHELL_ROWS)
        return layout

    @classmethod
    def of(cls, word: str) -> Self:
        """The layout of this word, automatic for any other."""
        return next((one for one in cls if one == word), next(iter(cls)))

    def fits(self, width: int, height: int) -> bool:
        """Whether a board of this size can be arranged so."""
        return width >= self.needs[0] and height >= self.needs[1]

    def shown(self, width: int, height: int) -> Self:
        """How a board of this size is arranged; it must fit some layout."""
        _automatic, *others = type(self)
        fitting = [one for one in others if one.fits(width, height)]
        return self if self in fitting else max(fitting, key=lambda one: one.needs)

    def after(self, width: int, height: int) -> tuple[Self, list[Self]]:
        """The next arrangement that looks otherwise, and those passed over that do not fit."""
        order = [*type(self)]
        turned = [*order[order.index(self) + 1 :], *order]
        fitting = [one for one in turned if one.fits(width, height)]
        now = self.shown(width, height)
        other = (one for one in fitting if one.shown(width, height) != now)
        found = next(other, fitting[0])
        passed = turned[: turned.index(found)]
        return found, [one for one in passed if one not in fitting]

    def arranged(self, skipped: Sequence[Self], key: str) -> str:
        """How the board stands now and which key changes that; where larger ones were passed over,
        what the nearest of those needs. Sizes are the terminal's."""
        layout = _(self.words)
        if not skipped:
            return _("Board: {layout} ({key}: another)").format(layout=layout, key=key)
        width, height = min(one.needs for one in skipped)
        return _("Board: {layout} ({key}: another); a larger one needs {size}.").format(
            layout=layout, key=key, size=f"{width}x{height + SHELL_ROWS}"
        )


# What a board knows of every game: its scene.


class Taught(NamedTuple):
    """What a lesson has of the board. `wanted`: the only actions that it takes, none where there is
    something to read; `sought`: those of which the player finds one; `hidden`: parts, and notes of
    the game's own, that it has yet to show; `guided`: whether there is a lesson at all."""

    wanted: Sequence[Any] | None = None
    sought: Sequence[Any] | None = None
    hidden: frozenset[str] = frozenset()
    guided: bool = True

    @property
    def asked(self) -> Sequence[Any] | None:
        return self.sought if self.wanted is None else self.wanted

    @property
    def asks(self) -> bool:
        """Whether it waits for the player."""
        return self.asked is not None

    @property
    def led(self) -> bool:
        """Whether it says what to press."""
        return self.wanted is not None

    @property
    def reads(self) -> bool:
        """Whether there is only something to read."""
        return self.wanted is not None and not self.wanted


UNTAUGHT: Final = Taught(guided=False)
"""Outside a lesson."""


class Staged(Protocol):
    """What every scene has. `names` by seat; `waiting`: an action is under way to the server."""

    @property
    def view(self) -> Any: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def selection(self) -> Any: ...
    @property
    def waiting(self) -> bool: ...
    @property
    def taught(self) -> Taught: ...
    def _replace(self, *args: Any, **changes: Any) -> Self: ...


class PlainScene(NamedTuple):
    """The scene of a game that needs no more."""

    view: Any
    names: Sequence[str]
    selection: Any = None
    waiting: bool = False
    log: Sequence[str] = ()
    taught: Taught = UNTAUGHT


class Given(NamedTuple):
    """What the screen tells the board; names and log can be measured."""

    view: Any
    names: tuple[str, ...]
    waiting: bool
    log: tuple[str, ...]
