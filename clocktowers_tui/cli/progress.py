"""How far a command is that takes a while, in the last line of the terminal."""

import sys

from clocktowers_tui.text.spelling import spelt


def show(progress: str) -> None:
    """In the place of the one before, where somebody looks; "" takes it away."""
    terminal = sys.__stderr__  # Textual, which draws what is exported, takes the other for itself
    if terminal is not None and terminal.isatty():
        print(f"\r\x1b[K{spelt(progress)}", end="", file=terminal, flush=True)
