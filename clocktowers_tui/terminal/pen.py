"""Lines of cells, and how one is changed from what the terminal shows to what it shall show, in few
bytes.

With all colours a change of style takes 20 bytes, a step of the cursor 4, so cells are sent style
by style. A blank has no ink, so it goes out with any style of the same ground.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from rich.color import Color, ColorSystem
from rich.style import Style as RichStyle

from clocktowers_tui.config.look import Colours

# How a cell is drawn, and the shortest way to tell a terminal so (SGR, ECMA-48 8.3.117).
#
# An ink or ground is the SGR parameters that switch it on, written as a foreground ("31",
# "38;5;208", "38;2;213;94;0"); "" is the terminal's own.


class Style(NamedTuple):
    """`marks`: the parameters that are on (1 bold, 7 reverse …)."""

    marks: frozenset[int] = frozenset()
    ink: str = ""
    ground: str = ""


PLAIN: Final = Style()

_OFF: Final = {1: 22, 2: 22, 3: 23, 4: 24, 5: 25, 6: 25, 7: 27, 8: 28, 9: 29, 21: 24}
_OFF.update({51: 54, 52: 54, 53: 55})
_STANDARD: Final = (*range(30, 38), *range(90, 98))
_CUBE: Final = (0, 95, 135, 175, 215, 255)
_NAMED: Final = (
    *("bold", "dim", "italic", "underline", "blink", "blink2", "reverse", "conceal", "strike"),
    *("underline2", "frame", "encircle", "overline"),
)
"""What Rich calls each mark, in their order."""


@lru_cache(maxsize=4096)
def styled(style: RichStyle | None) -> Style:
    """What Rich calls so."""
    if style is None:
        return PLAIN
    marks = (mark for mark, name in zip(_OFF, _NAMED, strict=True) if getattr(style, name))
    return Style(frozenset(marks), _ink(style.color), _ink(style.bgcolor))


def _ink(colour: Color | None) -> str:
    return "" if colour is None or colour.is_default else ";".join(colour.get_ansi_codes())


@lru_cache(maxsize=4096)
def change(before: Style | None, after: Style) -> str:
    """The shortest sequence from one style to another; `before` None: nothing is known."""
    if before == after:
        return ""
    whole = _sequence(["0", *_difference(PLAIN, after)]) if after != PLAIN else "\x1b[m"
    if before is None:
        return whole
    part = _sequence(_difference(before, after))
    return min(part, whole, key=len)


def _difference(before: Style, after: Style) -> list[str]:
    off = sorted({_OFF[mark] for mark in before.marks - after.marks})
    # One code may switch off two marks, and one of these may have to be on.
    kept = {mark for mark in before.marks if _OFF[mark] not in off}
    written = [str(code) for code in [*off, *sorted(after.marks - kept)]]
    if before.ink != after.ink:
        written.append(after.ink or "39")
    if before.ground != after.ground:
        written.append(_as_ground(after.ground) if after.ground else "49")
    return written


def _sequence(parameters: list[str]) -> str:
    return f"\x1b[{';'.join(parameters)}m"


def _as_ground(ink: str) -> str:
    first, semicolon, rest = ink.partition(";")
    return f"{int(first) + 10}{semicolon}{rest}"


@lru_cache(maxsize=4096)
def limited(style: Style, colours: Colours) -> Style:
    """`style` for a terminal with so many colours: no other colour code ever goes out."""
    if colours is Colours.TRUE:
        return style
    if colours is Colours.NONE:
        return Style(style.marks)
    ink, ground = (_fewer(colour, colours) for colour in (style.ink, style.ground))
    return Style(style.marks, ink, ground)


@lru_cache(maxsize=4096)
def _fewer(ink: str, colours: Colours) -> str:
    if not ink:
        return ""
    colour = _colour(ink)
    if colours is Colours.C256:
        return f"38;5;{colour.number if colour.triplet is None else nearest_of_256(colour.triplet)}"
    number = colour.downgrade(ColorSystem.STANDARD).number
    assert number is not None
    return str(_STANDARD[number])


def nearest_of_256(colour: tuple[int, int, int]) -> int:
    """Of the cube and the ramp of greys, which every terminal draws alike. Rich rounds dark blues
    and browns to colours so bright that text on them cannot be read."""
    steps = [min(range(6), key=lambda step: abs(_CUBE[step] - part)) for part in colour]
    grey = min(range(24), key=lambda step: abs(3 * (8 + 10 * step) - sum(colour)))
    red, green, blue = steps
    if _apart([_CUBE[step] for step in steps], colour) <= _apart([8 + 10 * grey] * 3, colour):
        return 16 + 36 * red + 6 * green + blue
    return 232 + grey


def _apart(one: Sequence[int], other: Sequence[int]) -> float:
    """How far in lightness, and how far in hue: a grey that is only a little warm stays grey."""
    red, green, blue = (a - b for a, b in zip(one, other, strict=True))
    return (red + green + blue) ** 2 / 3 + (red - green) ** 2 + (blue - green) ** 2


def _colour(ink: str) -> Color:
    numbers = [int(number) for number in ink.split(";")]
    if len(numbers) == 1:
        return Color.from_ansi(_STANDARD.index(numbers[0]))
    if numbers[1] == 5:
        return Color.from_ansi(numbers[2])
    return Color.from_rgb(*numbers[2:5])


Cell: TypeAlias = tuple[str, Style]
"""What stands in it may have combining marks; behind a wide character is a cell with ""."""
Line: TypeAlias = list[Cell]
BLANK: Final[Cell] = " ", PLAIN
UNKNOWN: Final[Cell] = "\x00", PLAIN
"""Differs from every cell that can be drawn."""


def fitted(line: Line, width: int) -> Line:
    """This line in another width: cut, or filled up with blanks."""
    fits = line[:width] + [BLANK] * (width - len(line))
    if width < len(line) and not line[width][0]:
        _empty(fits, width - 1)
    return fits


def put(line: Line, column: int, chars: Sequence[str], style: Style) -> None:
    """Write whole characters: one cell each, or two for a wide character."""
    end = column + len(chars)
    if column == end:
        return
    # Nothing remains of a wide character that is half covered.
    if not line[column][0]:
        _empty(line, column - 1)
    if end < len(line) and not line[end][0]:
        _empty(line, end)
    line[column:end] = [(char, style) for char in chars]


def _empty(line: Line, column: int) -> None:
    line[column] = " ", line[column][1]


def combine(line: Line, column: int, mark: str) -> None:
    """Put a mark on the character before the column."""
    before = column - 1
    if before >= len(line):
        return
    if before > 0 and not line[before][0]:
        before -= 1
    if before >= 0:
        char, style = line[before]
        line[before] = char + mark, style


_NEAR: Final = 4
"""Up to this many unchanged cells are sent again rather than jumped over, if that is no longer."""
_ERASE: Final = "\x1b[K"
_SEEN_ON_BLANKS: Final = frozenset({4, 7, 9, 21, 51, 52, 53})


_CHAR: Final = itemgetter(0)


class Cursor(NamedTuple):
    """From 0. `column` None: only the row is known."""

    row: int
    column: int | None


class Run(NamedTuple):
    """Neighbouring cells of one style, from column `start` to before `end`.

    `sure`: the cursor stands at `end` afterwards. Terminals disagree about wide characters and
    marks, and about the end of a line. `last`: nothing but blanks of the same ground follows.
    """

    row: int
    start: int
    end: int
    text: str
    style: Style
    sure: bool
    last: bool


class Pen:
    """The terminal's cursor and style, as far as they are known.

    `erases`: erased cells get the ground that is set (terminfo's `bce`), not the terminal's own.
    """

    def __init__(self, *, erases: bool) -> None:
        self._erases = erases
        self._place: Cursor | None = None
        self._style: Style | None = None

    def lose_place(self) -> None:
        self._place = None

    def lose(self) -> None:
        self._place = self._style = None

    def draw(self, runs: Iterable[Run]) -> str:
        """Draw all runs, one style after the other, the nearest first."""
        groups = _by_style(runs)
        out: list[str] = []
        while groups:
            style = min(groups, key=lambda style: len(change(self._style, style)))
            told = change(self._style, style)
            self._style = style
            for run in groups.pop(style):
                text, column = self._written(run, style)
                out += (self.go(Cursor(run.row, run.start)), told, text)
                told = ""
                self._place = Cursor(run.row, column)
        return "".join(out)

    def _written(self, run: Run, style: Style) -> tuple[str, int | None]:
        """The bytes that draw the run, and the cursor's column afterwards; blanks up to the edge
        are erased."""
        drawn = run.text.rstrip(" ")
        blanks = len(run.text) - len(drawn)
        plain = not style.marks & _SEEN_ON_BLANKS and (self._erases or not style.ground)
        if run.last and plain and blanks > len(_ERASE):
            return drawn + _ERASE, run.end - blanks
        return run.text, run.end if run.sure else None

    def go(self, place: Cursor) -> str:
        """The shortest way there; "" when the cursor stands there already."""
        if place == self._place:
            return ""
        before, self._place = self._place, place
        return _way(before, place)


def runs(row: int, wanted: Line, shown: Line, colours: Colours) -> list[Run]:
    """The runs that a line lacks; `shown` equals the wanted line afterwards. A hot loop: it passes
    every cell of every line that was drawn on."""
    full = [(char, limited(style, colours)) for char, style in wanted]
    cells = [(char, _as_seen(char, style) if char == " " else style) for char, style in full]
    if cells == shown:
        return []
    known, shown[:] = shown[:], cells
    found: list[Run] = []
    column = 0
    while column < len(cells):
        if cells[column] == known[column] or not cells[column][0]:
            column += 1
            continue
        end, style = _reach(cells, known, column)
        found.append(_run(row, column, end, cells, style))
        column = end
    return found


def _reach(cells: Line, known: Line, start: int) -> tuple[int, Style]:
    """Where the run that begins here ends, and its style."""
    style, blank, end = cells[start][1], True, start
    for column in range(start, len(cells)):
        char, other = cells[column]
        joined = style if other == style else _joined(style, blank, other, char == " ")
        if joined is None or not char:
            break
        blank = blank and char == " "
        if cells[column] == known[column]:
            if column - end >= _NEAR or joined != style or len(char) > 1:
                break
            continue
        if column > end and _is_longer_than_a_step(cells, end, column):
            break
        style, end = joined, column + 1
        if not _is_sure(cells, end):
            break
    return end, style


def _is_longer_than_a_step(cells: Line, start: int, end: int) -> bool:
    """Whether to draw these cells again takes more bytes than to step over them."""
    return len(_text(cells, start, end).encode()) > len(_steps(end - start, "C"))


def _run(row: int, start: int, end: int, cells: Line, style: Style) -> Run:
    text = _text(cells, start, end)
    blank = (" ", _as_seen(" ", style))
    last = cells[end:] == [blank] * (len(cells) - end)
    return Run(row, start, end, text, style, _is_sure(cells, end), last)


def _text(cells: Line, start: int, end: int) -> str:
    return "".join(map(_CHAR, cells[start:end]))


def _is_sure(cells: Line, end: int) -> bool:
    return end < len(cells) and len(cells[end - 1][0]) == 1 and cells[end][0] != ""


@lru_cache(maxsize=4096)
def _as_seen(char: str, style: Style) -> Style:
    """What a viewer sees of a style with this character."""
    if char != " " or style.marks & _SEEN_ON_BLANKS:
        return style
    return Style(ground=style.ground)


def _joined(style: Style, blank: bool, other: Style, other_blank: bool) -> Style | None:
    """The style in which both can be sent, if there is any. `blank`: there are only blanks."""
    if style == other or (other_blank and _as_seen(" ", style) == other):
        return style
    return other if blank and _as_seen(" ", other) == style else None


def _by_style(found: Iterable[Run]) -> dict[Style, list[Run]]:
    """Give blanks the style of the run with their ground."""
    groups: dict[Style, list[Run]] = {}
    blanks: list[Run] = []
    for run in found:
        if run.text.isspace():
            blanks.append(run)
        else:
            groups.setdefault(run.style, []).append(run)
    for run in blanks:
        fitting = (style for style in groups if _as_seen(" ", style) == run.style)
        groups.setdefault(next(fitting, run.style), []).append(run)
    for group in groups.values():
        group.sort()
    return groups


def _way(before: Cursor | None, to: Cursor) -> str:
    """The shortest sequence for the cursor."""
    row, column = to.row, to.column or 0
    ways = [f"\x1b[{row + 1};{column + 1}H" if column else f"\x1b[{row + 1 if row else ''}H"]
    if before is not None and before.column is not None:
        down, right = row - before.row, column - before.column
        if not down:
            ways.append(_steps(right, "C" if right > 0 else "D"))
        elif not right:
            ways.append(_steps(down, "B" if down > 0 else "A"))
    if before is not None and before.row == row:
        ways.append(f"\x1b[{column + 1}G" if column else "\r")
    return min(ways, key=len)


def _steps(count: int, direction: str) -> str:
    return f"\x1b[{abs(count) if abs(count) > 1 else ''}{direction}"
