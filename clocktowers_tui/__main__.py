"""`clocktowers`: reads what is typed, puts a guard before the terminal, then starts the client.

What is printed needs no client: the client, and with it Textual, is imported only where it is
seen. The guard is a process. Forked before that, it stays small, and it is there if the rest fails.
"""

import gc
import os
import sys
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from clocktowers_tui.cli.command import STOPPED, Command, greeted
from clocktowers_tui.terminal import detect, guard
from clocktowers_tui.terminal.guard import Guard

PLAIN: Final = "--plain"
FULL_SCREEN: Final = "--full-screen"
_KEYBOARD: Final = 0
_OUTPUT: Final = 1
_SCREEN: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0, 2 when there is no terminal or no server, 128 + its number after a
    signal; in plain mode also 1 (`plain.client`)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    settings, command = greeted(), Command(None)
    if given:
        from clocktowers_tui.cli.commands import read  # slow to load, and the menu needs no parser

        command = read(given)
    if command.tool is not None:
        try:
            return command.tool()
        except KeyboardInterrupt:
            return STOPPED
    if command.name:
        settings = replace(settings, name=command.name)
    if is_plain(given) or command.does is not None:
        from clocktowers_tui.plain.client import start as start_plainly

        return start_plainly(command, settings, chosen=PLAIN in given or command.does is not None)
    usable = detect.full_screen(os.environ, (os.isatty(_KEYBOARD), os.isatty(_SCREEN)))
    leave = guard.leave(titled=detect.titled(os.environ))
    posted = Guard.post(_KEYBOARD, _SCREEN, leave) if usable else None
    try:
        # What is loaded stays until the end: to look through it for rubbish would cost every start.
        # The app looks for rubbish from its first picture on.
        gc.disable()
        from clocktowers_tui.app import put_off

        put_off()
        from clocktowers_tui.start import start

        gc.freeze()
        return start(command, settings, posted)
    finally:
        if posted is not None:
            posted.dismiss()


def is_plain(given: Sequence[str]) -> bool:
    """True where there is no screen, or the player wants none. It needs nothing that is slow to
    load."""
    if PLAIN in given or FULL_SCREEN in given:
        return PLAIN in given
    terminals = tuple(map(os.isatty, (_KEYBOARD, _OUTPUT, _SCREEN)))
    return not detect.full_screen(os.environ, terminals)


if __name__ == "__main__":
    sys.exit(main())
