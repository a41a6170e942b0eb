"""The log of a server inside a test: what it would write, and the logs of others as before."""

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import BinaryIO

import structlog

from server.logs import setup


class Written:
    """A log in a file without a name."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def told(self) -> str:
        """Everything, after the end of the log."""
        setup.close()
        self._file.seek(0)
        return self._file.read().decode()


@contextmanager
def logging_to(number: int, level: str = "info", *, colours: bool = False) -> Iterator[None]:
    """Log into this open file of the system."""
    before = structlog.get_config()
    try:
        setup.to_number(number, level, colours=colours)
        yield
    finally:
        setup.close()
        setup.set_level("info")
        structlog.configure(**before)


@contextmanager
def own_log(level: str = "info", *, colours: bool = False) -> Iterator[Written]:
    with TemporaryFile() as file, logging_to(file.fileno(), level, colours=colours):
        yield Written(file)
