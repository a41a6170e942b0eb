"""Motion at the peaks of a match: a roof, a block of houses, a hit, a win.

Cells of the board light up one after the other, ever more slowly, a label rises above them, and all
is as before. Laws: a motion takes at most 0.7 s and 2 kB; any key ends it; it neither begins nor
goes on while the terminal has not taken what was painted last; it says nothing that the board does
not say without it.
"""

from asyncio import Event
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

from rich.cells import cell_len
from rich.style import Style

from clocktowers_tui.games.spans import Block, Rect, Row, Span, cells, split

Peak = TypeVar("Peak")
_Inks: TypeAlias = Mapping[Enum | None, Style]

STEPS_S: Final = (0.0, 0.05, 0.12, 0.22, 0.36)
"""When each step begins: all rectangles are lit from the last one on."""
END_S: Final = 0.7
MOST_CELLS: Final = 160
"""More are not lit: what they cost is within 2 kB (`tests/bench` counts)."""


_TITLE: Final = 0
"""The row of a part that has its title: no label rises there."""


class Glow(Enum):
    """How lit cells look: drawn on a ground of their own, or on the board's."""

    GROUND = auto()
    TEXT = auto()


class Win(NamedTuple):
    """A peak of every game: the match is over, and this seat has won it alone."""

    seat: int


class Shine(NamedTuple):
    """Where a peak is seen: `lit` in a part of the board, from the first to the last. `label`
    begins at the column and row `at`, and ends a row higher if there is one; or it is `spelt`
    there, letter by letter."""

    part: str
    lit: tuple[Rect, ...]
    label: str = ""
    at: tuple[int, int] = (0, 0)
    spelt: bool = False


class Playing(NamedTuple):
    """A shine at one of its steps."""

    shine: Shine
    step: int

    def on(self, rows: Block, inks: _Inks) -> Block:
        """The rows of the part meanwhile."""
        (_part, lit, label, (x, y), spelt), last = self.shine, self.step == len(STEPS_S) - 1
        count = -(-len(lit) * (self.step + 1) // len(STEPS_S))
        rows = list(rows)
        for rect in _affordable(lit)[:count]:
            for row in range(max(0, rect.y), min(rect.y + rect.height, len(rows))):
                rows[row] = _relit(rows[row], rect.x, rect.width, inks)
        if spelt:
            label = label[: -(-len(label) * (self.step + 1) // len(STEPS_S))].ljust(len(label))
        elif last and y > _TITLE + 1:
            y -= 1
        if label and 0 <= y < len(rows):
            rows[y] = _labelled(rows[y], x, label)
        return rows


def upwards(rows: Block, holds: Callable[[int, int], bool]) -> tuple[Rect, ...]:
    """What is drawn in the cells (column, row) that `holds`, row by row from the lowest up to the
    next blank one."""
    found: list[Rect] = []
    for y in reversed(range(len(rows))):
        held = [x for x in range(cells(rows[y])) if holds(x, y)]
        if not held:
            continue
        first, width = held[0], held[-1] - held[0] + 1
        drawn, _right = split(split(rows[y], first)[1], width)
        if all(span.text.isspace() for span in drawn):
            if found:
                break
            continue
        found.append(Rect(first, y, width, 1))
    return tuple(found)


def fitting(rects: Sequence[Rect]) -> tuple[Rect, ...]:
    """As much of each as may be lit in all; they are of one size. Of large ones the edges."""
    if not rects:
        return ()
    _x, _y, width, height = rects[0]
    rows = max(1, min(height, MOST_CELLS // (len(rects) * width)))
    if 2 * rows > height:
        return tuple(rect._replace(y=rect.y + (height - rows) // 2, height=rows) for rect in rects)
    edges = (0, height - 1)[:rows]
    return tuple(rect._replace(y=rect.y + y, height=1) for rect in rects for y in edges)


def above(lit: Sequence[Rect], label: str) -> tuple[int, int]:
    """Where a label begins, over the middle of what is lit last."""
    x, y, width, _height = lit[-1] if lit else Rect(0, 0, 0, 0)
    return max(0, x + (width - cell_len(label)) // 2), y - 1


def _affordable(lit: tuple[Rect, ...]) -> tuple[Rect, ...]:
    """The first ones, of as many cells as may be lit."""
    kept, room = [], MOST_CELLS
    for rect in lit:
        room -= rect.width * rect.height
        if room >= 0:
            kept.append(rect)
    return tuple(kept)


def _relit(row: Row, x: int, width: int, inks: _Inks) -> Row:
    left, rest = split(row, x)
    lit, right = split(rest, width)
    return [*left, *(Span(text, _glow(inks[ink])) for text, ink in lit), *right]


def _labelled(row: Row, x: int, label: str) -> Row:
    left, rest = split(row, x)
    _covered, right = split(rest, cell_len(label))
    return [*left, Span(label, Glow.TEXT), *right]


def _glow(style: Style) -> Glow:
    return Glow.GROUND if style.bgcolor or style.reverse else Glow.TEXT


class Timer(Protocol):
    def stop(self) -> None: ...


@runtime_checkable
class Mover(Protocol):
    """An app that knows whether anything may move now."""

    may_move: bool


def may_move(app: Any) -> bool:
    return isinstance(app, Mover) and app.may_move


class Motion(Generic[Peak]):
    """Plays a peak. `later`: calls after so many seconds; `changed`: draws the board again; `may`:
    whether anything may move now."""

    def __init__(
        self,
        later: Callable[[float, Callable[[], None]], Timer],
        changed: Callable[[], None],
        may: Callable[[], bool],
    ) -> None:
        self.peak: Peak | None = None
        """What is playing."""
        self.step = 0
        self._later = later
        self._changed = changed
        self._may = may
        self._timer: Timer | None = None
        self._still = Event()
        self._still.set()

    def begin(self, peak: Peak) -> None:
        """Play this instead of what is playing; the caller draws the board."""
        if self._timer is not None:
            self._timer.stop()
        if self._may():
            self.peak, self.step = peak, 0
            self._still.clear()
            self._wait()

    def end(self) -> None:
        """Show the board as it is."""
        if self._timer is None:
            return
        self._timer.stop()
        self._timer = self.peak = None
        self._still.set()
        self._changed()

    async def ended(self) -> None:
        """Wait until nothing is playing."""
        await self._still.wait()

    def _wait(self) -> None:
        times = (*STEPS_S, END_S)
        self._timer = self._later(times[self.step + 1] - times[self.step], self._go_on)

    def _go_on(self) -> None:
        if self.step + 1 == len(STEPS_S) or not self._may():
            self.end()
            return
        self.step += 1
        self._changed()
        self._wait()
