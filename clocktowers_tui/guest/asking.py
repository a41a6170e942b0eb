"""What a guest is asked before there is a screen: plain questions, a line each. What is typed
behind an answer is left to be read later."""

import os
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from select import select
from typing import Final

from protocol.text import clean

PATIENCE_S: Final = 60.0
"""For an answer. A line without one keeps a process busy for nothing."""
_KEYBOARD: Final = 0
_MOST_BYTES: Final = 1024


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def ask(question: str, *, hidden: bool = False) -> str | None:
    """The answer, cleaned unless it is `hidden`; None: the guest has gone, or says nothing."""
    print(f"{question} ", end="", file=sys.stderr, flush=True)
    with _silent() if hidden else _as_it_is():
        typed = _line()
    if hidden:
        say("")
    if not typed:
        return None
    line = typed.decode("utf-8", "replace").rstrip("\r\n")
    return line if hidden else clean(line)


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


@contextmanager
def _silent() -> Iterator[None]:
    """What is typed is not seen."""
    try:
        before = termios.tcgetattr(_KEYBOARD)
    except termios.error:  # no terminal
        yield
        return
    silent = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
    termios.tcsetattr(_KEYBOARD, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(_KEYBOARD, termios.TCSADRAIN, before)


@contextmanager
def _as_it_is() -> Iterator[None]:
    yield
