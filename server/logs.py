"""Logs that player text cannot forge: JSON into files and pipes, colours on a terminal.

Text from players is logged as a value, never inside the event's own words. Tracebacks have no
values of variables, since seeds, hidden cards and passwords are among them.
"""

import logging
import sys
from contextlib import suppress
from typing import Final, TextIO, cast

import structlog


class _Lossy:
    """A stream that loses what cannot be written, on a full disk or into a closed pipe: the matches
    go on without their log."""

    def __init__(self, stream: TextIO) -> None:
        self._stream: Final = stream

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            self._stream.write(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.flush()


def to_stream(stream: TextIO, level: str) -> None:
    """Log to `stream`; colours when it is a terminal."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            *(_in_colour() if stream.isatty() else _as_json()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, _Lossy(stream))),
        cache_logger_on_first_use=False,
    )


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


def to_stderr(level: str) -> None:
    """Log to stderr, for a server in the foreground or under a service manager."""
    to_stream(sys.stderr, level)
