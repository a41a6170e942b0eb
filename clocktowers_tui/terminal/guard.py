"""A small process that gives the terminal back when the client cannot: it was killed, or crashed.

The client forks it before it imports anything large. It sleeps on a pipe and ends with the client.
Where the client gave the terminal back itself, the guard does nothing.
"""

import os
import re
import signal
import termios
import tty
from contextlib import suppress
from typing import Any, Final

from clocktowers_tui.config.settings import Popups

_TAKEN: Final = b"+"
_GIVEN_BACK: Final = b"-"
_HUSHED: Final = b"~"
CUT_SHORT: Final = b"\x1b\\\x1b[?2026l"
"""Ends whatever sequence or frame the client may have died in."""
_NOT_OURS: Final = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGTSTP,
    signal.SIGTTOU,
)


class Guard:
    """Learns when the client takes the terminal and gives it back; does nothing without a process.
    Until the client takes it, the terminal shows no keys: they come early, for the screen."""

    def __init__(self, pipe: int | None = None, process: int = 0) -> None:
        self._pipe = pipe
        self._process = process
        self._told = _GIVEN_BACK
        self._before: list[Any] = []

    @classmethod
    def post(cls, keyboard: int, screen: int, leave: str) -> "Guard":
        """Start a guard for these two descriptors; `leave` is the bytes that give the screen
        back."""
        try:
            before = termios.tcgetattr(keyboard)
            listening, telling = os.pipe()
            process = os.fork()
        except (OSError, termios.error):
            return cls()
        if process == 0:
            try:
                os.close(telling)
                _watch(listening, keyboard, screen, before, CUT_SHORT + leave.encode())
            finally:
                os._exit(0)
        os.close(listening)
        posted = cls(telling, process)
        if before[tty.LFLAG] & termios.ECHO:
            posted._tell(_HUSHED)
            posted._before = before
            with suppress(termios.error):
                termios.tcsetattr(keyboard, termios.TCSANOW, hushed(before))
        return posted

    def modes(self, keyboard: int) -> list[Any]:
        """How the keyboard is to be given back. Raises termios.error."""
        now: list[Any] = termios.tcgetattr(keyboard)
        return self._before if self._told == _HUSHED else now

    def taken(self) -> None:
        self._tell(_TAKEN)

    def given_back(self) -> None:
        self._tell(_GIVEN_BACK)

    def dismiss(self) -> None:
        """End. The guard may still have work to do; nobody waits for it."""
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None
            with suppress(OSError):
                os.waitpid(self._process, os.WNOHANG if self._told == _TAKEN else 0)

    def _tell(self, what: bytes) -> None:
        self._told = what
        if self._pipe is not None:
            with suppress(OSError):
                os.write(self._pipe, what)


def _watch(pipe: int, keyboard: int, screen: int, before: list[Any], leave: bytes) -> None:
    for number in _NOT_OURS:
        signal.signal(number, signal.SIG_IGN)
    os.setsid()  # the shell shall neither wait for it nor stop it
    last = _GIVEN_BACK
    while told := os.read(pipe, 64):
        last = told[-1:]
    with suppress(OSError, termios.error):
        if last == _TAKEN:
            os.write(screen, leave)
        if last != _GIVEN_BACK:
            _restore(keyboard, before)


def _restore(keyboard: int, before: list[Any]) -> None:
    """Restore only what the client had set: a quicker shell may have set its own modes by now."""
    ours = raw(before)[: tty.CC], hushed(before)[: tty.CC]
    if termios.tcgetattr(keyboard)[: tty.CC] in ours:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)


def hushed(before: list[Any]) -> list[Any]:
    """Without an echo; Ctrl+Z waits for the screen, too, since a shell would stay without one."""
    attributes = list(before)
    attributes[tty.LFLAG] &= ~termios.ECHO
    attributes[tty.CC] = [*before[tty.CC]]
    attributes[tty.CC][termios.VSUSP] = b"\0"
    return attributes


def raw(before: list[Any]) -> list[Any]:
    """Set the keyboard as the client wants it: every key arrives at once, none has a meaning to the
    tty."""
    attributes = list(before)
    attributes[tty.LFLAG] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
    attributes[tty.IFLAG] &= ~(
        termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR
    )
    attributes[tty.CC] = [*before[tty.CC]]
    attributes[tty.CC][termios.VMIN] = 1
    return attributes


# Everything the client sends except cells: to take the screen, to give it back, and Textual's
# wishes in between.
#
# The client does not ask for reports of every mouse motion (1003), nor for more of the kitty
# protocol than its first flag, which ends the ambiguity of Esc and leaves text to the terminal's
# input method.


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
_CONTROLS: Final = r"[\x00-\x1f\x7f-\x9f]"


def title(text: str) -> str:
    """Sets the window's title; no text in it ends the sequence early."""
    return f"\x1b]2;{re.sub(_CONTROLS, '', text)}\x07"


def popup(how: Popups, sender: str, words: str, *, tmux: bool) -> str:
    """Shows a message on the desktop, "" where `how` is "no"; no text in it ends the sequence
    early. tmux hands on what is wrapped so, if its `allow-passthrough` is on."""
    sender, words = (re.sub(_CONTROLS, "", text).replace(";", ",") for text in (sender, words))
    sequences = {
        "9": f"\x1b]9;{sender}: {words}\x1b\\",
        "99": f"\x1b]99;o=unfocused;{sender}: {words}\x1b\\",
        "777": f"\x1b]777;notify;{sender};{words}\x1b\\",
    }
    shown = sequences.get(how, "")
    if shown and tmux:
        return "\x1bPtmux;" + shown.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return shown


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
