"""Logs that player text cannot forge: JSON into files and pipes, colours on a terminal.

Laws: nothing that is logged raises, whatever is logged and wherever it goes. Text from players is
logged as a value, never inside the event's own words. Tracebacks have no values of variables, since
seeds, hidden cards and passwords are among them. What a library logs comes in the same form.
"""

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import Processor

from server.logs.marks import Merging
from server.logs.output import LogLines, Output, OwnFile

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
