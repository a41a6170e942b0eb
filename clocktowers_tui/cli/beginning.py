"""How every start begins: the player's settings, their language, and what the command line asks."""

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from clocktowers_tui.cli.command import STOPPED, Command
from clocktowers_tui.config import settings
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.terminal import detect
from clocktowers_tui.text import i18n
from clocktowers_tui.text.spelling import draw_with


class Begun(NamedTuple):
    """`ended`: the exit code, where a tool has done all there was to do; else None."""

    command: Command
    settings: Settings
    ended: int | None = None


def begin(arguments: Sequence[str]) -> Begun:
    """Raises SystemExit as `commands.read` does."""
    kept = settings.load(settings.settings_file())
    i18n.speak(kept.language)
    draw_with(kept.glyphs or detect.look(os.environ, encoding=encoding()).glyphs)
    command = _read(arguments) if arguments else Command(None)
    if command.tool is not None:
        try:
            return Begun(command, kept, command.tool())
        except KeyboardInterrupt:
            return Begun(command, kept, STOPPED)
    return Begun(command, replace(kept, name=command.name) if command.name else kept)


def _read(arguments: Sequence[str]) -> Command:
    from clocktowers_tui.cli.commands import read  # slow to load, and the menu needs no parser

    return read(arguments)


def encoding() -> str:
    """The encoding of what is written to the terminal."""
    return sys.__stderr__.encoding if sys.__stderr__ is not None else ""
