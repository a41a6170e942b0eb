"""Logs that player text cannot forge: how they are opened, and the thread that writes lines.

Laws: nothing that is logged raises, whatever is logged and wherever it goes. Text from players is
logged as a value, never inside the event's own words. Tracebacks have no values of variables, since
seeds, hidden cards and passwords are among them. What a library logs comes in the same form.
"""

import json
import logging
import os
import select
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from queue import Empty, Queue
from stat import S_ISREG
from typing import Any, Final

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import Processor

from protocol.table import DAY_S
from server.logs.marks import Merging

# Where log lines go: a thread writes them, so that no match waits for a terminal or a full disk.
#
# Laws: to log a line neither waits nor raises. A line that cannot be written is lost and counted,
# and the first line that can be written again is preceded by the count. A log file of our own is
# bounded in size and in age, and nobody else may read it.


MOST_WAITING: Final = 2000
"""Lines; a reader who does not read makes the server lose lines, not memory."""
CLOSING_S: Final = 1.0
"""How long the last lines may take when the server ends."""
LOOK_S: Final = 3600.0
"""How often the age of a file of our own is looked at."""
KEEP_DAYS: Final = 14
"""A line is deleted when it is so old, or earlier."""
MOST_BYTES: Final = 16 << 20
"""Of a file of our own, with the older lines beside it."""

_APPENDING: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC


class LogLines:
    """The open file of the system to which a handler of `logging` writes whole lines."""

    def __init__(self, number: int = -1) -> None:
        self.number = number
        self._lost = 0
        self._lock: Final = threading.Lock()
        self._torn = False
        """Whether the last line broke off, so that the next one begins with a line's end."""

    def write(self, line: str) -> None:
        """Write it, however long that takes, or count it."""
        try:
            if lost := self._lost:
                self._put(_told(lost))
                self.lose(-lost)
            self._put(line)
        except Exception:  # of whichever kind: there is nowhere to write it down
            self.lose()

    def lose(self, lines: int = 1) -> None:
        """Count lines that were not written."""
        with self._lock:
            self._lost += lines

    def close(self) -> None:
        os.close(self.number)
        self.number = -1  # which nobody else gets

    def _put(self, line: str) -> None:
        content = line.encode("utf-8", "backslashreplace")
        rest = memoryview(b"\n" + content if self._torn else content)
        while rest:
            try:
                written = os.write(self.number, rest)
            except BlockingIOError:  # somebody else has made the terminal non-blocking
                select.select([], [self.number], [], CLOSING_S)
                continue
            self._torn = written < len(rest)
            rest = rest[written:]


def _told(lost: int) -> str:
    now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    told = {"event": "log lines lost", "lines": lost, "level": "warning", "timestamp": now}
    return f"{json.dumps(told)}\n"


class OwnFile(RotatingFileHandler):
    """A log file that is ours to cut. Half of the size and of the time is for the lines in it, half
    for the older ones beside it."""

    def __init__(self, path: Path, lines: LogLines) -> None:
        """Opens or makes the file. Raises OSError."""
        self._lines: Final = lines
        super().__init__(path, maxBytes=MOST_BYTES // 2, backupCount=1)
        self.look_after()

    def look_after(self) -> None:
        """Delete what is too old, and begin another file when this one is."""
        with suppress(OSError):
            older = Path(f"{self.baseFilename}.1")
            if _age_days(older) >= KEEP_DAYS:
                older.unlink()
            if _age_days(Path(self.baseFilename)) >= KEEP_DAYS / 2:
                self.doRollover()

    def shouldRollover(self, _record: logging.LogRecord) -> bool:
        if self.stream is None:  # another file could not be begun, and this one is opened again
            return False
        file = os.fstat(self._lines.number)
        return S_ISREG(file.st_mode) and file.st_size >= self.maxBytes

    def doRollover(self) -> None:
        with suppress(OSError):  # of a full disk, say: the lines go on where they went
            super().doRollover()

    def handleError(self, _record: logging.LogRecord) -> None:
        self._lines.lose()

    def _open(self) -> Any:
        self._lines.number = number = os.open(self.baseFilename, _APPENDING, 0o600)
        with suppress(OSError):  # another's file, which its owner lets us write
            os.fchmod(number, 0o600)
        return self._lines


def _age_days(path: Path) -> float:
    """Of the first line of ours in it. Raises OSError."""
    if not path.is_file():
        return 0
    with path.open("rb") as file:
        for line in file:
            with suppress(ValueError, KeyError, TypeError):
                written = datetime.fromisoformat(json.loads(line)["timestamp"])
                return (time.time() - written.timestamp()) / DAY_S
    return 0


class Output(QueueListener):
    """Has a handler of `logging` write, in a thread, what comes to the handler `front`."""

    def __init__(self, lines: LogLines, writes: logging.Handler) -> None:
        """`writes` puts its lines into `lines`."""
        self._waiting: Final[Queue[Any]] = Queue(MOST_WAITING)
        self._writes: Final = writes
        self._look_at_s = time.monotonic() + LOOK_S
        self.front: Final = _Front(self._waiting, lines)
        super().__init__(self._waiting, writes)
        self.start()

    def close(self) -> None:
        """Write what waits, or give up after a second. Lines that come later are lost."""
        stopping = threading.Thread(target=self.stop, daemon=True)
        stopping.start()
        stopping.join(CLOSING_S)
        self._writes.close()

    def dequeue(self, block: bool) -> Any:
        while True:
            if isinstance(self._writes, OwnFile) and time.monotonic() >= self._look_at_s:
                with suppress(Exception):  # the thread goes on, whatever stands in the file
                    self._writes.look_after()
                self._look_at_s = time.monotonic() + LOOK_S
            with suppress(Empty):
                return self._waiting.get(block, LOOK_S)

    def handle(self, record: logging.LogRecord) -> None:
        # Not by its `handle`, which holds a lock: Python waits for that when it ends.
        self._writes.emit(record)

    def enqueue_sentinel(self) -> None:
        self._waiting.put(None)  # waits for a place


class _Front(QueueHandler):
    """Turns what is logged into a line, and hands it to the thread if there is room."""

    def __init__(self, waiting: "Queue[Any]", lines: LogLines) -> None:
        super().__init__(waiting)
        self._lines: Final = lines

    def handleError(self, _record: logging.LogRecord) -> None:
        self._lines.lose()


_STDERR: Final = 2
_OURS: Final = "clocktowers"
"""What our lines are called among those of libraries."""
_STAMPS: Final[Sequence[Processor]] = (
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso"),
)


class _Open:
    """The log that is open. Its place is here, since structlog is set up for the whole process."""

    output: Output | None = None
    merging: Merging | None = None
    debug = False


LOG: Final = _Open
"""Hot paths ask whether `LOG.debug` lines are written: one that is not costs 4 µs."""


def to_stderr(level: str) -> None:
    """Log to stderr, for a server in the foreground or under a service manager."""
    to_number(_STDERR, level, colours=os.isatty(_STDERR))


def to_number(number: int, level: str, *, colours: bool = False) -> None:
    """Log into this open file of the system."""
    lines = LogLines(number)
    _begin(Output(lines, logging.StreamHandler(lines)), level, colours=colours)


def to_file(path: Path, level: str) -> None:
    """Log into a file of our own. Raises OSError."""
    lines = LogLines()
    _begin(Output(lines, OwnFile(path, lines)), level)


def _begin(output: Output, level: str, *, colours: bool = False) -> None:
    """Log there, until `close` or another log is opened."""
    close()
    _Open.output, _Open.merging = output, Merging(_warn)
    shown = _in_colour() if colours else _as_json()
    output.front.setFormatter(
        ProcessorFormatter(
            processors=[ProcessorFormatter.remove_processors_meta, *shown],
            foreign_pre_chain=[_of_a_library, *_STAMPS],
        )
    )
    output.front.addFilter(lambda line: line.name == _OURS or line.levelno >= logging.WARNING)
    ours = logging.Logger(_OURS)  # a logger of its own: nobody else hears what goes through it
    for logger in (ours, logging.getLogger()):
        logger.addHandler(output.front)
    structlog.configure(
        processors=[_Open.merging, *_STAMPS, ProcessorFormatter.wrap_for_formatter],
        logger_factory=lambda *_: ours,
        cache_logger_on_first_use=False,
    )
    set_level(level)


def set_level(level: str) -> None:
    """Log from this level on: debug, info, warning or error."""
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(number))
    _Open.debug = number <= logging.DEBUG


def close() -> None:
    """Write the last lines. What is logged from now on is lost."""
    if _Open.output is not None and _Open.merging is not None:
        _Open.merging.finish()
        _Open.output.close()
        logging.getLogger().removeHandler(_Open.output.front)
    _Open.output = _Open.merging = None


def _warn(event: str, **values: Any) -> None:
    structlog.get_logger().warning(event, **values)


def _of_a_library(_logger: Any, _method: str, line: Any) -> Any:
    """Warnings and errors of libraries, such as the database's, which Python would print."""
    line.pop("exc_info", None)
    line.update(event="a library says", library=line["_record"].name, why=line["event"])
    return line


def _in_colour() -> list[Processor]:
    return [
        structlog.processors.StackInfoRenderer(),
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]


def _as_json() -> list[Processor]:
    tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    return [
        structlog.processors.ExceptionRenderer(tracebacks),
        structlog.processors.JSONRenderer(),
    ]


def own_standard_files() -> None:
    """Open what of stdin, stdout and stderr is closed: else the next file that is opened, such as a
    player's connection, would get that number, and what is printed would go into it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # it gets that number
