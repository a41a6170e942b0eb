"""Logs that player text cannot forge: JSON into files and pipes, colours on a terminal.

Laws: nothing that is logged raises, whatever is logged and wherever it goes. Text from players is
logged as a value, never inside the event's own words. Tracebacks have no values of variables, since
seeds, hidden cards and passwords are among them. What a library logs comes in the same form.
"""

import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TextIO, cast

import structlog

from server.logs.merging import Merging
from server.logs.output import Descriptor, Output, Sink
from server.logs.own_file import OwnFile

_STDERR: Final = 2


class _Open:
    """The log that is open. Its place is here, since structlog is set up for the whole process."""

    output: Output | None = None
    merging: Merging | None = None
    debug = False


class _Libraries(logging.Handler):
    """Warnings and errors of libraries, such as the database's, which Python would print."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(Exception):
            said = structlog.get_logger().warning
            if record.levelno >= logging.ERROR:
                said = structlog.get_logger().error
            said("a library says", library=record.name, why=record.getMessage())


_LIBRARIES: Final = _Libraries(logging.WARNING)


LOG: Final = _Open
"""Hot paths ask whether `LOG.debug` lines are written: one that is not costs 4 µs."""


def to_stderr(level: str) -> None:
    """Log to stderr, for a server in the foreground or under a service manager."""
    to_sink(Descriptor(_STDERR), level, colours=os.isatty(_STDERR))


def to_file(path: Path, level: str) -> None:
    """Log into a file of our own. Raises OSError."""
    to_sink(OwnFile(path), level)


def to_sink(sink: Sink, level: str, *, colours: bool = False) -> None:
    """Log into `sink`, until `close` or another log is opened."""
    close()
    shown = _in_colour() if colours else _as_json()
    stamps: list[structlog.typing.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
    ]

    def rendered(event: str, **values: Any) -> str:
        line: Any = {"event": event, **values}
        for processor in (*stamps, *shown):
            line = processor(None, "warning", line)
        return f"{line}\n"

    output = _Open.output = Output(sink, lambda lines: rendered("log lines lost", lines=lines))
    merging = _Open.merging = Merging(lambda *said, **what: output.write(rendered(*said, **what)))
    structlog.configure(
        processors=[merging, *stamps, *shown],
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, output)),
        cache_logger_on_first_use=False,
    )
    logging.getLogger().addHandler(_LIBRARIES)  # once, however often it is added
    set_level(level)


def set_level(level: str) -> None:
    """Log from this level on: debug, info, warning or error."""
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(wrapper_class=_harmless(number))
    _Open.debug = number <= logging.DEBUG


def close() -> None:
    """Write the last lines. What is logged from now on is lost."""
    if _Open.output is not None and _Open.merging is not None:
        _Open.merging.finish()
        _Open.output.close()
    _Open.output = _Open.merging = None
    logging.getLogger().removeHandler(_LIBRARIES)


def _harmless(number: int) -> type:
    """The logger for a level, whose lines are lost where they cannot be made."""
    base: Any = structlog.make_filtering_bound_logger(number)

    class Harmless(base):  # type: ignore[misc]
        def _proxy_to_logger(self, *args: Any, **values: Any) -> Any:
            try:
                return super()._proxy_to_logger(*args, **values)
            except Exception:
                if _Open.output is not None:
                    _Open.output.lose()

    return Harmless


def _in_colour() -> list[structlog.typing.Processor]:
    return [
        structlog.processors.StackInfoRenderer(),
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]


def _as_json() -> list[structlog.typing.Processor]:
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
