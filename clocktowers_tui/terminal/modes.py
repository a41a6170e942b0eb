"""Everything the client sends except cells: to take the screen, to give it back, and Textual's
wishes in between.

The client does not ask for reports of every mouse motion (1003), nor for more of the kitty protocol
than its first flag, which ends the ambiguity of Esc and leaves text to the terminal's input method.
"""

import re
from typing import Final

_TITLE_KEPT: Final = "\x1b[22;2t"
_TITLE_BACK: Final = "\x1b[23;2t"
_MOUSE: Final = "\x1b[?1000h\x1b[?1006h"
_ASK_SYNC: Final = "\x1b[?2026$p"

WISHES: Final = frozenset({"\x07", "\x1b[?2026h", "\x1b[?2026l"})
"""Textual writes each of these alone: the bell, the beginning and the end of a frame. Frames begin
and end with a place, so no text in a frame can pass for a wish."""
COPIED: Final = re.compile(r"\x1b\]52;c;[A-Za-z0-9+/=]*\x07")
"""Copies what the player cuts or copies in a field to the terminal's clipboard."""
POINTER: Final = "\x1b]22;"
"""Textual would set the mouse pointer's shape: consoles that do not know this would print it."""
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def title(text: str) -> str:
    """Sets the window's title; no text in it ends the sequence early."""
    return f"\x1b]2;{_CONTROLS.sub('', text)}\x07"


def enter(*, mouse: bool, kitty: bool, titled: bool, ask_sync: bool) -> str:
    """Alternate screen, no cursor, focus reports, bracketed pastes, no line wrap, and the
    wishes."""
    return "".join(
        (
            _TITLE_KEPT * titled,
            "\x1b[?1049h\x1b[?25l\x1b[?1004h\x1b[?2004h\x1b[?7l",
            "\x1b[>1u" * kitty,
            _MOUSE * mouse,
            _ASK_SYNC * ask_sync,
        )
    )


def leave(*, titled: bool) -> str:
    """Undoes `enter` and every wish; the keyboard's flags belong to the alternate screen."""
    return (
        "\x1b[m\x1b[?1006l\x1b[?1000l\x1b[<u\x1b[?7h\x1b[?2004l\x1b[?1004l\x1b[?1049l\x1b[?25h"
        + _TITLE_BACK * titled
    )
