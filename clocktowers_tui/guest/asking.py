"""What a guest is asked before there is a screen: plain questions, a line each.

What is typed behind an answer is left to be read later.
"""

import os
import sys
from contextlib import nullcontext
from select import select
from typing import Final

from clocktowers_tui.plain.lines import hidden
from protocol.text import clean

PATIENCE_S: Final = 60.0
"""For an answer. A line without one keeps a process busy for nothing."""
_KEYBOARD: Final = 0
_MOST_BYTES: Final = 1024


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def ask(question: str, *, secret: bool = False) -> str | None:
    """The answer, cleaned unless it is `secret`; None: the guest has gone, or says nothing."""
    with hidden(_KEYBOARD) if secret else nullcontext():
        print(f"{question} ", end="", file=sys.stderr, flush=True)
        typed = _line()
    if secret:
        say("")
    if not typed:
        return None
    line = typed.decode("utf-8", "replace").rstrip("\r\n")
    return line if secret else clean(line)


def _line() -> bytes:
    """b"" where none comes."""
    typed = b""
    while not typed.endswith(b"\n") and len(typed) < _MOST_BYTES:
        if not select([_KEYBOARD], [], [], PATIENCE_S)[0]:
            return b""
        if not (byte := os.read(_KEYBOARD, 1)):
            break
        typed += byte
    return typed
