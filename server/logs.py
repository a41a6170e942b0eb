"""Logs that player text cannot forge: JSON into files and pipes, colours on a terminal.

Player text goes in as values only, never into the event's own words.
"""

import logging
import sys
from typing import TextIO

import structlog


def to_stream(stream: TextIO, level: str) -> None:
    """Log to `stream`, which is asked whether it is a terminal."""
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if stream.isatty() else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.dict_tracebacks
            if not stream.isatty()
            else structlog.processors.StackInfoRenderer(),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.WriteLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )


def to_stderr(level: str) -> None:
    """For a server in the foreground or under a service manager."""
    to_stream(sys.stderr, level)
