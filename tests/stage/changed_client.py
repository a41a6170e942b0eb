"""The client with something about it changed: `python -P -m tests.stage.changed_client CHANGES
[ARGUMENTS]`, where CHANGES are names of functions here, with commas between them."""

import os
import re
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any, Final

from textual.drivers.linux_driver import LinuxDriver

import clocktowers_tui
import protocol
from clocktowers_tui import start
from clocktowers_tui.__main__ import main
from clocktowers_tui.games.clocktowers import face, hand, scene
from clocktowers_tui.screens.screen import OurScreen
from clocktowers_tui.terminal import grid
from protocol import text
from protocol.games.clocktowers import YouDiscarded

COUNTED: Final = "CLOCKTOWERS_COUNTED"
"""The variable with the file for `counting`."""
VISITED: Final = "visited"
"""The file in the home that the screens are noted in."""


def uncleaned() -> None:
    """The cleaning function is off, also where it was imported before."""
    clean = text.clean
    for module in [*sys.modules.values()]:
        if getattr(module, "clean", None) is clean:
            module.clean = lambda typed: typed  # type: ignore[attr-defined]


def open_gate() -> None:
    """Sequences that stand in a frame go on to the terminal."""
    drawn = grid.Grid._draw

    def draw(self: grid.Grid, text: str, style: Any) -> None:
        for sequence in re.findall(r"\x1b\[[0-?]*[@-~]", text):
            self.tell(sequence)
        drawn(self, text, style)

    grid.Grid._draw = draw  # type: ignore[method-assign]


def noting() -> None:
    """Each screen that opens is noted by the name of its class."""
    visits = (Path.home() / VISITED).open("a", buffering=1)
    mounted = OurScreen.on_mount

    def on_mount(self: OurScreen[Any]) -> None:
        visits.write(f"{type(self).__name__}\n")
        mounted(self)

    OurScreen.on_mount = on_mount  # type: ignore[method-assign]


def stock() -> None:
    """Textual's own driver writes to the terminal."""
    setattr(start, "for_terminal", lambda *_given, **_more: LinuxDriver)  # noqa: B010


def counting() -> None:
    """At each SIGUSR1 how often our own functions were called since the last is written into the
    file that the environment names."""
    ours = tuple(f"{room.__path__[0]}/" for room in (clocktowers_tui, protocol))
    file, count = Path(os.environ[COUNTED]), 0

    def called(frame: FrameType, event: str, _what: Any) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_filename.startswith(ours)

    def tell(*_: Any) -> None:
        nonlocal count
        sys.setprofile(None)
        whole = file.with_suffix(".whole")
        whole.write_text(str(count))
        whole.rename(file)
        count = 0
        sys.setprofile(called)

    signal.signal(signal.SIGUSR1, tell)


def marked() -> None:
    """Each card of a hand says behind its key whose it is: `§0` of the first seat's. So does what
    only that seat is told."""
    cards, told = hand.hand_cards, face.FACE.phrase

    def hand_cards(sight: Any) -> list[Any]:
        mark = f"§{sight.scene.view.seat}"
        return [one._replace(key=f"{one.key}{mark}") for one in cards(sight) if one.card]

    def phrase(event: Any, names: Any, you: Any) -> str:
        own = isinstance(event, YouDiscarded)
        return told(event, names, you) + (f" §{you}" if own else "")

    setattr(scene, "hand_cards", hand_cards)  # noqa: B010
    setattr(face, "FACE", face.FACE._replace(phrase=phrase))  # noqa: B010


CHANGES: Final[Mapping[str, Callable[[], None]]] = {
    change.__name__: change for change in (uncleaned, open_gate, noting, stock, counting, marked)
}


def changed(*changes: Callable[[], None]) -> tuple[str, ...]:
    """Python's arguments for a client with these changes."""
    return "-m", "tests.stage.changed_client", ",".join(change.__name__ for change in changes)


if __name__ == "__main__":
    for name in sys.argv.pop(1).split(","):
        CHANGES[name]()
    sys.exit(main())
