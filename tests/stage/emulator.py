"""pyte set up like our terminals (full screen, no line wrap), and what it shows, cell by cell."""

from typing import Any, Final

import pyte
from pyte import modes

ENTER: Final = "\x1b[?1049h\x1b[?7l"
_SEEN_ON_BLANKS: Final = ("underscore", "strikethrough", "reverse")


def emulator(width: int, height: int) -> tuple[pyte.Screen, pyte.Stream]:
    screen = pyte.Screen(width, height)
    screen.reset_mode(modes.DECAWM >> 5, private=True)
    return screen, pyte.Stream(screen)


def cells(screen: pyte.Screen) -> list[list[tuple[Any, ...]]]:
    """Every cell's character and the visible part of its style: a blank has no ink."""
    return [
        [_cell(screen.buffer[y][x]) for x in range(screen.columns)] for y in range(screen.lines)
    ]


def _cell(char: Any) -> tuple[Any, ...]:
    if char.data == " " and not any(getattr(char, mark) for mark in _SEEN_ON_BLANKS):
        return (" ", char.bg)
    return tuple(char)
