"""How a program ends that cannot go on: a sentence and an exit code, or in silence."""

import os
import sys
from typing import Final

STOPPED: Final = 130
"""The exit code where the player stops the program by Ctrl+C."""


def fail(sentence: str) -> int:
    """One sentence, and the exit code that goes with it."""
    print(f"clocktowers: {sentence}", file=sys.stderr)
    return 2


def deafen() -> None:
    """Nobody reads stdout any more: what is still to be written would fail at Python's end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
