"""How a cell is drawn, and the shortest way to tell a terminal so (SGR, ECMA-48 8.3.117).

An ink or ground is the SGR parameters that switch it on, written as a foreground ("31",
"38;5;208", "38;2;213;94;0"); "" is the terminal's own.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rich.color import Color, ColorSystem

from clocktowers_tui.config.look import Colours


class Style(NamedTuple):
    """`marks`: the parameters that are on (1 bold, 7 reverse …); `other`: parameters we do not
    know."""

    marks: frozenset[int] = frozenset()
    ink: str = ""
    ground: str = ""
    other: str = ""


PLAIN: Final = Style()

_OFF: Final = {1: 22, 2: 22, 3: 23, 4: 24, 21: 24, 5: 25, 6: 25, 7: 27, 8: 28, 9: 29}
_OFF.update({51: 54, 52: 54, 53: 55})
_STANDARD: Final = (*range(30, 38), *range(90, 98))
_SIMPLE: Final = {0, 39, 49, *_OFF, *_OFF.values(), *_STANDARD, *(ink + 10 for ink in _STANDARD)}
_CUBE: Final = (0, 95, 135, 175, 215, 255)
_COLOUR_LENGTH: Final = {5: 2, 2: 4}
"""How many numbers follow a 38 or 48, by the first of them."""


@lru_cache(maxsize=4096)
def styled(style: Style, parameters: str) -> Style:
    """`style` after an SGR with these parameters; unknown parameters are kept as they are
    written."""
    if ":" in parameters:
        return _odd(style, parameters)
    codes = [int(code or 0) for code in parameters.split(";")]
    while codes:
        code = codes[0]
        taken = _COLOUR_LENGTH.get(codes[1] if len(codes) > 1 else 0, 0)
        if code in (38, 48) and 0 < taken < len(codes):
            colour = ";".join(
                map(str, [38, *(min(number, 255) for number in codes[1 : taken + 1])])
            )
            style = style._replace(ink=colour) if code == 38 else style._replace(ground=colour)
            del codes[: taken + 1]
        elif code in _SIMPLE:
            style = _with(style, code)
            del codes[0]
        else:
            return _odd(style, ";".join(map(str, codes)))  # unknown how many numbers belong to it
    return style


def _odd(style: Style, parameters: str) -> Style:
    return style._replace(other=f"{style.other};{parameters}")


def _with(style: Style, code: int) -> Style:
    if code == 0:
        return PLAIN
    if code in _OFF:
        return style._replace(marks=style.marks | {code})
    if code in _OFF.values():
        return style._replace(marks=frozenset(m for m in style.marks if _OFF[m] != code))
    if code in _STANDARD or code == 39:
        return style._replace(ink="" if code == 39 else str(code))
    return style._replace(ground="" if code == 49 else str(code - 10))


@lru_cache(maxsize=4096)
def change(before: Style | None, after: Style) -> str:
    """The shortest sequence from one style to another; `before` None: nothing is known."""
    if before == after:
        return ""
    whole = _sequence(["0", *_full(after)]) if after != PLAIN else "\x1b[m"
    if before is None or before.other != after.other:
        return whole
    part = _sequence(_difference(before, after))
    return min(part, whole, key=len)


def _full(style: Style) -> list[str]:
    written = [str(mark) for mark in sorted(style.marks)]
    written += [style.ink] if style.ink else []
    written += [_as_ground(style.ground)] if style.ground else []
    return written + ([style.other.lstrip(";")] if style.other else [])


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
