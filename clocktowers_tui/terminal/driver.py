"""Textual's driver for our terminal: everything it writes goes through the grid into the writer.

Laws: the event loop never waits for the terminal, except for its last words, and some milliseconds
for its first picture; the loop serves signals between two of its steps; when the keyboard is gone,
the client ends.
"""

import codecs
import os
import shutil
import signal
import sys
import termios
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from select import select
from threading import Event, Thread
from typing import Any, Final, cast

from rich.console import Console, RenderableType
from rich.segment import Segment
from textual import constants, events
from textual._compositor import CompositorUpdate
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.driver import Driver
from textual.geometry import Size
from textual.screen import Screen

from clocktowers_tui.config.files import note
from clocktowers_tui.config.look import Colours, Look
from clocktowers_tui.config.settings import Popups
from clocktowers_tui.net.house import is_guest
from clocktowers_tui.terminal import detect, guard
from clocktowers_tui.terminal.grid import Grid
from clocktowers_tui.terminal.guard import Guard, raw
from protocol.text import cells, clean

_LAST_WORDS_S: Final = 2.0
_FIRST_PICTURE_S: Final = 0.02
_USUAL_WIDTH: Final = 80
_USUAL_HEIGHT: Final = 24
_TICK_S: Final = 0.1
"""How often the driver asks whether a lone Esc is a key of its own."""


class CellDriver(Driver):
    """What Textual paints is handed to it as cells, not as text for a terminal."""

    _grid: Grid

    def paint(self, frame: Iterable[Segment]) -> None:
        self._grid.feed(frame)


class _Cells(CompositorUpdate):
    """Gives the driver an update at the moment at which Textual writes it."""

    def __init__(self, update: CompositorUpdate, driver: CellDriver) -> None:
        self._update, self._driver = update, driver

    def render_segments(self, console: Console) -> str:
        self._driver.paint(console.render(cast(RenderableType, self._update)))
        return ""


class CellApp(App[None]):
    """Has such a driver, unless it is run without a terminal."""

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Textual would write text, in which the driver would have to find the cells again."""
        if isinstance(renderable, CompositorUpdate) and isinstance(self._driver, CellDriver):
            renderable = _Cells(renderable, self._driver)
        super()._display(screen, renderable)


class TerminalDriver(CellDriver):
    """Writes to the player's terminal and reads its keys. `colours`: no others are sent."""

    def __init__(self, app: App[Any], *, guard: Guard, colours: Colours, **given: Any) -> None:
        super().__init__(app, **given)
        assert sys.__stdin__ is not None and sys.__stderr__ is not None
        self._keyboard: Final = sys.__stdin__.fileno()
        self._screen: Final = sys.__stderr__.fileno()
        self._encoding = _with_question_marks(sys.__stderr__.encoding)
        self._guard: Final = guard
        self._titled: Final = detect.titled(os.environ)
        self._before: list[Any] | None = None
        """What the keyboard did before we took it."""
        self._given_back = Event()
        self._keys: Thread | None = None
        erases = detect.erases(os.environ, self._screen)
        self._grid = Grid(*self._terminal_size(), colours, erases=erases)
        self._writer: Writer | None = None
        self._due = False
        self._painted = False
        """Whether the first picture is out, which leaves with what was written before it."""

    @property
    def can_suspend(self) -> bool:
        """Ctrl+Z stops the program; nobody could wake that of a guest."""
        return not is_guest()

    # What the app may ask ------------------------------------------------------------------------

    def restyle(self, look: Look) -> None:
        """Send no other colours from now on; the screen changes at once."""
        self._grid.limit(look.colours)
        self._tell()

    def set_title(self, text: str) -> None:
        """Set the window's title; the terminal restores the old title at the end."""
        if self._titled:
            self._say(guard.title(clean(text)))

    def pop_up(self, how: Popups, sender: str, words: str) -> None:
        """Show a message on the desktop."""
        tmux = detect.in_tmux(os.environ)
        if shown := guard.popup(how, clean(sender), clean(words), tmux=tmux):
            self._say(shown)

    @property
    def busy(self) -> bool:
        """Whether the terminal has not taken everything that was painted."""
        return self._writer is not None and self._writer.busy

    # Down ----------------------------------------------------------------------------------------

    def write(self, data: str) -> None:
        """Textual writes each of its wishes alone; everything else is the cursor's place, behind a
        frame."""
        if data in guard.WISHES or guard.COPIED.fullmatch(data):
            self._say(data)
        elif not data.startswith(guard.POINTER):
            self._grid.place(*self._app.cursor_position)
            self._tell()
            if not self._painted and self._writer is not None:
                # The program ends its start behind the picture.
                self._painted = True
                self._send()
                self._writer.wait(_FIRST_PICTURE_S)

    def _say(self, ours: str) -> None:
        self._grid.tell(ours)
        self._tell()

    def _tell(self) -> None:
        """Send what is new at the end of this turn of the loop: Textual may paint twice in it."""
        if not self._due:
            self._due = True
            self._loop.call_soon(self._send)

    def _send(self) -> None:
        """Send what is new, unless the terminal is still busy with the last piece."""
        self._due = False
        if self._writer is None or self._writer.busy or not self._painted:
            return
        if told := self._grid.flush():
            self._writer.send(self._encode(told))

    def _encode(self, text: str) -> bytes:
        return text.encode(*self._encoding)

    # Taking the screen and giving it back --------------------------------------------------------

    def start_application_mode(self) -> None:
        self._take_keyboard()
        if self._writer is None:
            self._writer = Writer(self._screen, self._from_thread(self._tell))
        for number, serve in self._signals().items():
            self._loop.add_signal_handler(number, serve)
        self._guard.taken()
        self._take_size()
        self._say(
            guard.enter(
                mouse=self._mouse,
                kitty=not constants.DISABLE_KITTY_KEY,
                titled=self._titled,
                # Apple's terminal would print the end of the question.
                ask_sync=os.environ.get("TERM_PROGRAM") != "Apple_Terminal",
            )
        )
        self._keys = Thread(target=self._hear_keys, name="textual-input")
        self._keys.start()

    def _take_keyboard(self) -> None:
        """In the background the kernel stops us here until `fg`."""
        try:
            self._before = self._guard.modes(self._keyboard)
            termios.tcsetattr(self._keyboard, termios.TCSANOW, raw(self._before))
        except termios.error:
            self._before = None

    def disable_input(self) -> None:
        """No further key counts, nor one that has been pressed already."""
        if self._given_back.is_set():
            return
        self._given_back.set()
        if self._keys is not None:
            self._keys.join()
        self._given_back.clear()
        with suppress(termios.error):
            termios.tcflush(self._keyboard, termios.TCIFLUSH)

    def stop_application_mode(self) -> None:
        self.disable_input()
        for number in self._signals():
            self._loop.remove_signal_handler(number)
        self._grid.tell(guard.leave(titled=self._titled))
        if self._grid.dropped:  # as a rule there are none: text is cleaned before it is drawn
            note(f"{self._grid.dropped} control characters were kept from the terminal")
            self._grid.dropped = 0
        if self._say_last_words():
            self._guard.given_back()
        if self._before is not None:
            with suppress(termios.error):  # the terminal may be gone
                termios.tcsetattr(self._keyboard, termios.TCSANOW, self._before)

    def _say_last_words(self) -> bool:
        """Whether the terminal took them; if it did not, the guard sends them again."""
        writer = self._writer
        if writer is None or not writer.wait(_LAST_WORDS_S):
            return False
        writer.send(self._encode(self._grid.flush()))
        if not writer.wait(_LAST_WORDS_S):
            return False
        writer.end()
        self._writer = None
        return True

    def close(self) -> None:
        """Nothing remains to do after `stop_application_mode`."""

    # Signals -------------------------------------------------------------------------------------

    def _signals(self) -> Mapping[int, Callable[[], None]]:
        return {
            signal.SIGWINCH: self._take_size,
            signal.SIGTSTP: self._suspend,
            signal.SIGCONT: self._reappear,
            signal.SIGINT: lambda: self._end(signal.SIGINT),
            signal.SIGTERM: lambda: self._end(signal.SIGTERM),
            signal.SIGHUP: lambda: self._end(signal.SIGHUP),
        }

    def _take_size(self) -> None:
        width, height = self._terminal_size()
        self._grid.resize(width, height)
        size = Size(width, height)
        if size == self._app.size:
            self._tell()  # Textual would have nothing to do
        self.send_message(events.Resize(size, size))

    def _terminal_size(self) -> tuple[int, int]:
        """Ask the terminal that we write to; stdout and COLUMNS know no better. A serial line or a
        fresh pty says 0 until somebody tells it its size."""
        try:
            width, height = os.get_terminal_size(self._screen)
        except OSError:
            width, height = shutil.get_terminal_size()
        return width or _USUAL_WIDTH, height or _USUAL_HEIGHT

    def _suspend(self) -> None:
        """Ctrl+Z: stop the whole job, as if the terminal had sent the signal. Where nobody could
        wake the job the kernel does not stop it."""
        self.suspend_application_mode()
        os.killpg(os.getpgrp(), signal.SIGTSTP)
        self.resume_application_mode()
        self.send_message(self.SignalResume())

    def _reappear(self) -> None:
        """Repaint everything: the client was stopped without notice, and the terminal may show
        anything."""
        self.suspend_application_mode()
        self.resume_application_mode()

    def _end(self, number: int) -> None:
        """Quit in good order; at the second signal without any order."""
        self._loop.remove_signal_handler(number)
        self._app.exit(return_code=128 + number)

    # Up ------------------------------------------------------------------------------------------

    def _hear_keys(self) -> None:
        """Until they are given back; the loop is told of a failure here as of any other."""
        try:
            self._read_keys()
        except Exception as error:
            self._app.call_from_thread(self._app.panic, repr(error))

    def _read_keys(self) -> None:
        parser = XTermParser()
        # Ignore a byte that is no UTF-8; it is no reason to end.
        decode = getincrementaldecoder("utf-8")("replace").decode
        while not self._given_back.is_set():
            if select([self._keyboard], [], [], _TICK_S)[0]:
                if not (received := self._receive()):
                    self._from_thread(lambda: self._end(signal.SIGHUP))()
                    return
                for event in parser.feed(decode(received)):
                    self.process_message(event)
            for event in parser.tick():
                self.process_message(event)

    def _receive(self) -> bytes:
        try:
            return os.read(self._keyboard, 4096)
        except OSError:
            return b""

    def _from_thread(self, call: Callable[[], None]) -> Callable[[], None]:
        """Run `call` in the loop's own thread; never after the loop has closed."""

        def soon() -> None:
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(call)

        return soon


def for_terminal(guard: Guard, look: Look) -> type[TerminalDriver]:
    """What makes the driver for one terminal; Textual calls it a class."""
    made: Any = partial(TerminalDriver, guard=guard, colours=look.colours)
    return cast(type[TerminalDriver], made)


def _with_question_marks(encoding: str) -> tuple[str, str]:
    """Encode text; a character that the encoding lacks becomes question marks of the same width."""

    def marks(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)
        return "?" * max(0, cells(error.object[error.start : error.end])), error.end

    codecs.register_error("clocktowers-question-marks", marks)
    return encoding, "clocktowers-question-marks"


# Writes to the terminal in a thread, so that a terminal that does not read delays nothing else.
#
# It takes one piece at a time. A caller with more to write keeps it until the terminal has taken
# the last piece, and by then may have less to say.


class Writer:
    """The writer's thread calls `ready` whenever a piece has gone out."""

    def __init__(self, fileno: int, ready: Callable[[], object]) -> None:
        self._fileno = fileno
        self._ready = ready
        self._pieces: SimpleQueue[bytes | None] = SimpleQueue()
        self._idle = Event()
        self._idle.set()
        # A write that the terminal does not take cannot be ended; the program's end must still
        # come.
        Thread(target=self._run, name="terminal-output", daemon=True).start()

    @property
    def busy(self) -> bool:
        return not self._idle.is_set()

    def send(self, piece: bytes) -> None:
        """Write a piece; only while the writer is not busy."""
        self._idle.clear()
        self._pieces.put(piece)

    def wait(self, limit_s: float) -> bool:
        """Wait until everything has gone out, at most this long; returns whether it has."""
        return self._idle.wait(limit_s)

    def end(self) -> None:
        """End after the last piece."""
        self._pieces.put(None)

    def _run(self) -> None:
        while (piece := self._pieces.get()) is not None:
            self._write(piece)
            self._idle.set()
            self._ready()

    def _write(self, piece: bytes) -> None:
        try:
            while piece:
                piece = piece[os.write(self._fileno, piece) :]
        except OSError:
            pass  # the terminal is gone; the keyboard says so too, to code that can act on it
