"""`clocktowers`: puts a guard before the terminal, then starts the client.

The guard is a process. Forked before anything large is imported, it stays small, and it is there if
the rest fails. That is why the client is imported only then.
"""

import gc
import os
import sys
from collections.abc import Sequence
from typing import Final

from clocktowers_tui.terminal import detect, modes
from clocktowers_tui.terminal.guard import Guard

GUEST: Final = "guest"
"""The command by which a door starts the client for a guest, where it cannot be forked."""
_KEYBOARD: Final = 0
_SCREEN: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0, 2 when there is no terminal or no server, 128 + its number after a
    signal."""
    usable = detect.full_screen(os.environ, (os.isatty(_KEYBOARD), os.isatty(_SCREEN)))
    leave = modes.leave(titled=detect.titled(os.environ))
    guard = Guard.post(_KEYBOARD, _SCREEN, leave) if usable else None
    try:
        # What is loaded stays until the end: to look through it for rubbish would cost every start.
        gc.disable()
        from clocktowers_tui.start import start

        gc.freeze()
        gc.enable()
        given = sys.argv[1:] if arguments is None else arguments
        if list(given) == [GUEST]:
            from clocktowers_tui.guest.closed import run

            return run(guard or Guard())
        return start(given, guard)
    finally:
        if guard is not None:
            guard.dismiss()


if __name__ == "__main__":
    sys.exit(main())
