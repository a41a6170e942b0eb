"""Motion at the peaks of a match: a roof settles, points fly to the score, windows light up.

A moment is a few frames over the board as it is. Laws: it takes at most 0.3 s and 2 kB; what has
happened is on the board from its first frame on, and any key ends it; it neither begins nor goes on
while the terminal has not taken what was painted last; it says nothing that the board does not say
without it.
"""

from asyncio import Event
from collections.abc import Callable, Container, Mapping, Sequence
from enum import Enum
from typing import Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from rich.cells import cell_len
from rich.style import Style

from clocktowers_tui.games.spans import Block, Rect, Row, Span, cells, cut, split

Peak = TypeVar("Peak")
_Inks: TypeAlias = Mapping[Enum | None, Style]
_Cell: TypeAlias = tuple[int, int]

STEPS_S: Final = (0.0, 0.04, 0.09, 0.15, 0.22)
"""When each frame begins: in the last one all is lit, and the label has arrived."""
END_S: Final = 0.3
_FALL: Final = 2
"""The rows that something falls, one with each frame; only then the rest begins."""
MOST_CELLS: Final = 160
"""More are not lit: what they cost is within 2 kB (`tests/bench` counts)."""


Glow = Enum("Glow", "GROUND TEXT")
"""How lit cells look: drawn on a ground of their own, or on the board's."""


class Win(NamedTuple):
    """A peak of every game: the match is over, and this seat has won it alone."""

    seat: int


class Moment(NamedTuple):
    """How a peak is seen, in cells of the board. `parts`: the ids of those that show it. `lit`:
    glows, from the first to the last. `falls`: stands higher at first. `label` goes from the cell
    `starts` to the cell `ends`; or it is `spelt` where it starts, letter by letter."""

    parts: tuple[str, ...]
    lit: tuple[Rect, ...]
    label: str = ""
    starts: _Cell = (0, 0)
    ends: _Cell = (0, 0)
    spelt: bool = False
    falls: Rect | None = None


class Playing(NamedTuple):
    """A moment at one of its frames."""

    moment: Moment
    step: int

    def on(self, rows: Block, inks: _Inks, place: Rect) -> Block:
        """The rows of a part meanwhile, which stands at `place`."""
        moment, rows = self.moment, list(rows)
        before = _FALL if moment.falls else 0
        frame, frames = self.step + 1 - before, len(STEPS_S) - before
        if frame < 1:
            if moment.falls:
                _lift(rows, _within(moment.falls, place), 1 - frame)
            return rows
        for rect in _affordable(moment.lit)[: -(-len(moment.lit) * frame // frames)]:
            x, top, width, height = _within(rect, place)
            for y in range(top, top + height):
                rows[y] = _relit(rows[y], x, width, inks)
        label, (x, y) = moment.label, moment.starts
        if moment.spelt:
            label = label[: -(-len(label) * frame // frames)].ljust(len(label))
        else:
            x, y = (
                start + round((end - start) * (frame - 1) / (frames - 1))
                for start, end in zip(moment.starts, moment.ends, strict=True)
            )
        if label and 0 <= y - place.y < len(rows):
            rows[y - place.y] = _labelled(rows[y - place.y], x - place.x, label)
        return rows


def on_board(place: Rect, rects: Sequence[Rect]) -> tuple[Rect, ...]:
    """What a part at this place calls so."""
    return tuple(rect._replace(x=rect.x + place.x, y=rect.y + place.y) for rect in rects)


def inked(rows: Block, inks: Container[Enum | None]) -> tuple[Rect, ...]:
    """What is written in one of these inks, row by row from the lowest."""
    found = []
    for y in reversed(range(len(rows))):
        x = 0
        for text, ink in rows[y]:
            if ink in inks and (shown := text.strip()):
                found.append(Rect(x + text.index(shown), y, cell_len(shown), 1))
            x += cell_len(text)
    return tuple(found)


def written(rows: Block, y: int, text: str) -> tuple[Rect, ...]:
    """Where a text stands in a row for the first time, without the blanks before it; () nowhere."""
    before, found, _after = "".join(span.text for span in rows[y]).partition(text)
    blanks = len(text) - len(text.lstrip())
    return (Rect(cell_len(before) + blanks, y, cell_len(text) - blanks, 1),) if found else ()


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


def above(rect: Rect, label: str) -> _Cell:
    """Where a label begins, over the middle of a rectangle."""
    return max(0, rect.x + (rect.width - cell_len(label)) // 2), rect.y - 1


def _affordable(lit: tuple[Rect, ...]) -> tuple[Rect, ...]:
    """Those for which there are cells left that may be lit, from the first on."""
    kept, room = [], MOST_CELLS
    for rect in lit:
        if (size := rect.width * rect.height) <= room:
            kept.append(rect)
            room -= size
    return tuple(kept)


def _within(rect: Rect, place: Rect) -> Rect:
    """As much as lies in a part at this place, and where it lies there."""
    x, y = max(rect.x, place.x), max(rect.y, place.y)
    width = min(rect.x + rect.width, place.x + place.width) - x
    height = min(rect.y + rect.height, place.y + place.height) - y
    return Rect(x - place.x, y - place.y, max(0, width), max(0, height) if width > 0 else 0)


def _lift(rows: Block, rect: Rect, by: int) -> None:
    """Draw what stands there so many rows higher, but never over the title of the part."""
    x, top, width, height = rect
    by = min(by, top - 1)
    pieces = [split(split(row, x)[1], width)[0] for row in rows[top : top + height]]
    blank = [Span(" " * width)]
    for y, piece in enumerate([*pieces, *[blank] * by], top - by):
        left, rest = split(rows[y], x)
        rows[y] = [*left, *piece, *split(rest, width)[1]]


def _relit(row: Row, x: int, width: int, inks: _Inks) -> Row:
    left, rest = split(row, x)
    lit, right = split(rest, width)
    return [*left, *(Span(text, _glow(inks[ink])) for text, ink in lit), *right]


def _labelled(row: Row, x: int, label: str) -> Row:
    """With as much of the label as stands in this part."""
    width = cells(row)
    if not -cell_len(label) < x < width:
        return row
    label, x = (label[-x:], 0) if x < 0 else (label, x)
    label = cut(label, width - x)
    left, rest = split(row, x)
    _covered, right = split(rest, cell_len(label))
    return [*left, Span(label, Glow.TEXT), *right]


def _glow(style: Style) -> Glow:
    return Glow.GROUND if style.bgcolor or style.reverse else Glow.TEXT


class Timer(Protocol):
    def stop(self) -> None: ...


def may_move(app: object) -> bool:
    """Whether the app says so; one that does not know has nobody who looks at it."""
    return bool(getattr(app, "may_move", False))


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
        if not self._may():
            self.end()
            return
        if self._timer is not None:
            self._timer.stop()
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
