"""What the terminal is told when the screen is taken over, and when it is given back.

Not asked for: reports of every mouse motion (1003), the kitty protocol beyond its first flag, which
ends the ambiguity of Esc and leaves text to the terminal's input method.
"""

from typing import Final

_TITLE_KEPT: Final = "\x1b[22;2t"
_TITLE_BACK: Final = "\x1b[23;2t"
_MOUSE: Final = "\x1b[?1000h\x1b[?1006h"
_ASK_SYNC: Final = "\x1b[?2026$p"


def enter(*, mouse: bool, kitty: bool, titled: bool, ask_sync: bool) -> str:
    """Alternate screen, no cursor, focus reports, marked pastes, no line wrap, and the wishes."""
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
    """Undoes `enter`, whatever was wished; the keyboard's flags belong to the alternate screen."""
    return (
        "\x1b[m\x1b[?1006l\x1b[?1000l\x1b[<u\x1b[?7h\x1b[?2004l\x1b[?1004l\x1b[?1049l\x1b[?25h"
        + _TITLE_BACK * titled
    )
