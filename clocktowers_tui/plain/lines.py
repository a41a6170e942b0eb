"""What is typed and what is said, line by line: in a terminal, a pipe or a file.

Laws: the loop never waits for the keyboard; a line is cleaned before anybody reads it; of a line
that is too long the rest is dropped.
"""

import asyncio
import os
import re
import shutil
import termios
import textwrap
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Final, TextIO

from clocktowers_tui.cli.command import deafen
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.text.i18n import _
from protocol.text import clean

MAX_CHARACTERS: Final = 1000
_BLOCK_BYTES: Final = 4096
_AHEAD: Final = 64
"""Lines that are read before they are obeyed."""


@contextmanager
def hidden(descriptor: int) -> Iterator[None]:
    """This terminal does not show what is typed meanwhile."""
    try:
        before, modes = termios.tcgetattr(descriptor), termios.tcgetattr(descriptor)
    except termios.error:  # no terminal
        yield
        return
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(descriptor, termios.TCSADRAIN, modes)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


class Lines:
    """`descriptor`: of stdin. A thread reads it, as no loop can wait for a file."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._room = threading.Semaphore(_AHEAD)
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self.ended = False
        """All lines have been handed out."""
        self._back: str | None = None
        # Not of a pool: a program that ends does not wait for a line that nobody types.
        threading.Thread(target=self._read, name="lines", daemon=True).start()

    async def next(self) -> str | None:
        """None at the end."""
        if self._back is not None:
            back, self._back = self._back, None
            return back
        if self.ended:
            return None
        line = await self._lines.get()
        self._room.release()
        self.ended = line is None
        return line

    def put_back(self, line: str | None) -> None:
        """Hand this one out again, next."""
        self._back = line

    def hidden(self) -> AbstractContextManager[None]:
        """The terminal does not show what is typed meanwhile."""
        return hidden(self._descriptor)

    def _read(self) -> None:
        rest = b""
        while block := self._block():
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                self._put(_text(line))
            rest = rest[: 4 * MAX_CHARACTERS]
        if rest:
            self._put(_text(rest))
        self._put(None)

    def _block(self) -> bytes:
        try:
            return os.read(self._descriptor, _BLOCK_BYTES)
        except OSError:  # the terminal is gone
            return b""

    def _put(self, line: str | None) -> None:
        self._room.acquire()
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except RuntimeError:  # the program has ended meanwhile
            self._room.release()


def _text(line: bytes) -> str:
    return clean(line[: 4 * MAX_CHARACTERS].decode("utf-8", "replace"))[:MAX_CHARACTERS]


# What is said: whole lines, clean, each written at once.
#
# Law: nothing but text ever goes out, so its reader (a person, a program, a screen reader, a
# braille line) needs to know nothing of terminals; but a terminal at which several people sit is
# cleared, with what has left it above.


PROMPT: Final = "> "
_CLEARS: Final = "\x1b[H\x1b[2J\x1b[3J"
_SCREENFUL: Final = 100
"""Lines of the largest terminal."""
_MINUS: Final = re.compile(r"(?<![^\s(+:])[-−](?=\d)")
_ROUGHLY: Final = re.compile(r"\s?(?:±|\+-)\s?(?=\d)")
"""Signs before a number, which a screen reader drops."""
_ENDS: Final = re.compile(r"(?<=[^\W\d][.!?]|[)”»][.!?]) (?=\S)")
"""Of a sentence behind which another one stands."""
_PARTS: Final = re.compile(r"(?<=;) ")
"""Of a sentence that is too long."""
_WITHIN: Final = re.compile(r"(?<![,;:]) ")
_TIE: Final = "\N{NULL}"
"""What a space is while the phrase that it stands in is kept together."""
_COLUMNS: Final = re.compile(r"(?<![:;,.!?…])\s{2,}")
WIDE: Final = 1000
"""Cells: nothing is cut for a screen."""


class Saying:
    """`prompts`: somebody types at a terminal, and sees where."""

    def __init__(self, out: TextIO, *, prompts: bool) -> None:
        self._out = out
        self._prompts = prompts
        self._prompted = False
        self.awaited = False
        """A line can be typed, with or without a prompt before it."""
        self.heard = True
        """Whether somebody reads it."""

    def say(self, sentences: Iterable[str]) -> None:
        """A line for each; what is empty is not said."""
        lines = [line for one in sentences if one for line in self._at_words(_in_words(clean(one)))]
        if not lines:
            return
        begins = "\n" if self._prompted else ""
        self._prompted = False
        self._write(begins + "\n".join(lines) + "\n")

    def _at_words(self, line: str) -> Sequence[str]:
        """The line in as many as a terminal shows it in, a sentence or a part of a list each, so
        that none ends in a word, nor, if it is short, in a phrase; a command that may be copied
        stays whole."""
        if not line or not self._prompts or "clocktowers " in line:
            return [line] if line else []
        width = shutil.get_terminal_size().columns
        lines = [line]
        for ends in (_ENDS, _PARTS):
            longer = (ends.split(one) if len(one) > width else [one] for one in lines)
            lines = [part for parts in longer for part in parts]
        fill = partial(textwrap.wrap, width=width, break_long_words=False, break_on_hyphens=False)
        phrases = [row for one in lines for row in fill(_WITHIN.sub(_TIE, one))]
        return [row for one in phrases for row in fill(one.replace(_TIE, " "))]

    def awaits(self) -> None:
        """From now on a line can be typed."""
        self.awaited = self._prompts

    def clear(self) -> None:
        """Let nobody read what was said: a terminal is cleared, elsewhere lines are left empty."""
        cleared = self._prompts and os.environ.get("TERM", "dumb") != "dumb"
        self._write(_CLEARS if cleared else "\n" * _SCREENFUL)

    def prompt(self) -> None:
        """What is said waits for what the player types."""
        if self.awaited and not self._prompted:
            self._prompted = True
            self._write(PROMPT)

    def typed(self) -> None:
        """The player has ended the line."""
        self._prompted = self.awaited = False

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


def _in_words(line: str) -> str:
    minus, roughly = _("minus"), _("give or take")
    return _ROUGHLY.sub(f", {roughly} ", _MINUS.sub(f"{minus} ", line))


def in_sentences(texts: Iterable[str], names: Sequence[str] = ()) -> list[str]:
    """Each line of a page as a sentence. `names`: those that keep a small first letter."""
    return [sentence(line, names) for line in in_lines(texts) if line]


def each_alone(texts: Iterable[str]) -> list[str]:
    """A line for each sentence of these texts."""
    return [sentence(one) for text in texts for one in _ENDS.split(text)]


def in_lines(sentences: Iterable[str]) -> Sequence[str]:
    """Each line on its own: what stands in columns on a screen is read one after the other, with
    commas between."""
    lines = (line.strip() for text in sentences for line in text.split("\n"))
    return [" ".join(_COLUMNS.sub(", ", line).split()) for line in lines]
