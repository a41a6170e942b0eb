"""What is said: whole lines, clean, each written at once.

Law: nothing but text ever goes out, so its reader (a person, a program, a screen reader, a braille
line) needs to know nothing of terminals.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, TextIO

from clocktowers_tui.cli.ending import deafen
from protocol.text import clean

PROMPT: Final = "> "
_COLUMNS: Final = re.compile(r"(?<![:;,.!?…])\s{2,}")
WIDE: Final = 1000
"""Cells: nothing is cut for a screen."""


class Saying:
    """`prompts`: somebody types at a terminal, and sees where."""

    def __init__(self, out: TextIO, *, prompts: bool) -> None:
        self._out = out
        self._prompts = prompts
        self._prompted = False
        self.heard = True
        """Whether somebody reads it."""

    def say(self, sentences: Iterable[str]) -> None:
        """A line for each; what is empty is not said."""
        lines = [line for one in sentences if (line := clean(one))]
        if not lines:
            return
        # The line that is being typed goes on below, after another prompt.
        begins, ends = ("\n", PROMPT) if self._prompted else ("", "")
        self._write(begins + "\n".join(lines) + "\n" + ends)

    def prompt(self) -> None:
        """That a line can be typed."""
        if self._prompts and not self._prompted:
            self._prompted = True
            self._write(PROMPT)

    def typed(self) -> None:
        """The player has ended the line of the prompt."""
        self._prompted = False

    def _write(self, text: str) -> None:
        if not self.heard:
            return
        encoding = self._out.encoding or "ascii"
        try:
            self._out.write(text.encode(encoding, "replace").decode(encoding))
            self._out.flush()
        except (OSError, ValueError):
            self.heard = False
            deafen()


def in_lines(sentences: Iterable[str]) -> Sequence[str]:
    """Each line on its own: what stands in columns on a screen is read one after the other, with
    commas between."""
    lines = (line.strip() for text in sentences for line in text.split("\n"))
    return [" ".join(_COLUMNS.sub(", ", line).split()) for line in lines]
