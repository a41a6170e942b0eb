"""Which of Textual's themes a look is drawn with."""

from clocktowers_tui.look import Look


def theme(look: Look) -> str:
    """The name of Textual's theme for a look."""
    return "ansi-dark" if look.ansi else "textual-dark"
