"""Logs that player text cannot forge: JSON into files and pipes, colours on a terminal.

Text from players is logged as a value, never inside the event's own words. Tracebacks have no
values of variables, since seeds, hidden cards and passwords are among them.
"""

import logging
import sys
from typing import TextIO

import structlog


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
        logger_factory=structlog.WriteLoggerFactory(stream),
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
