"""What a command line asks for, and how every program begins and ends.

The menu, which waits for no parser, asks for nothing.
"""

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from clocktowers_tui.config import settings
from clocktowers_tui.config.look import Colours, GlyphSet
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.terminal import detect
from clocktowers_tui.text import i18n
from clocktowers_tui.text.spelling import draw_with

if TYPE_CHECKING:
    from clocktowers_tui.net.wishes import Mailed, Wish


TypedDeed: TypeAlias = tuple[str, Sequence[str]]
"""The word of a deed of the menu, and what stands behind it."""


class Command(NamedTuple):
    """`wish` None: open the menu, or with `finds` the list of servers to go to. `name` "",
    `colours` and `glyphs` None: those in the settings. `tool`: only do that, which returns the exit
    code. `replays`: show this match again, as it was typed, or one that goes by mail. `does`: only
    do this, line by line."""

    wish: "Wish | None"
    name: str = ""
    colours: Colours | None = None
    glyphs: GlyphSet | None = None
    mouse: bool = True
    tool: Callable[[], int] | None = None
    finds: bool = False
    replays: "str | Mailed" = ""
    does: TypedDeed | None = None


# How a program ends that cannot go on: a sentence and an exit code, or in silence.


STOPPED: Final = 130
"""The exit code where the player stops the program by Ctrl+C."""


def fail(sentence: str) -> int:
    """Print one sentence to stderr; returns exit code 2."""
    print(f"clocktowers: {sentence}", file=sys.stderr)
    return 2


def deafen() -> None:
    """Nobody reads stdout any more: what is still to be written would fail at Python's end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def encoding() -> str:
    """The encoding of what is written to the terminal."""
    return sys.__stderr__.encoding if sys.__stderr__ is not None else ""


def greeted() -> Settings:
    """The player's settings; from now on this program speaks and draws as they say."""
    kept = settings.load(settings.settings_file())
    i18n.speak(kept.language)
    draw_with(kept.glyphs or detect.look(os.environ, encoding=encoding()).glyphs)
    return kept
