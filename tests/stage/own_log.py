"""The log of a server inside a test: what it would write, and the logs of others as before."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from server.logs import setup
from server.logs.output import Sink


class Memory:
    """A `Sink`."""

    def __init__(self) -> None:
        self._content = b""

    def write(self, line: bytes) -> None:
        self._content += line

    def look_after(self) -> None:
        pass

    def told(self) -> str:
        """Everything, after the end of the log."""
        setup.close()
        return self._content.decode()


@contextmanager
def logging_to(sink: Sink, level: str = "info", *, colours: bool = False) -> Iterator[None]:
    before = structlog.get_config()
    try:
        setup.to_sink(sink, level, colours=colours)
        yield
    finally:
        setup.close()
        setup.set_level("info")
        structlog.configure(**before)


@contextmanager
def own_log(level: str = "info", *, colours: bool = False) -> Iterator[Memory]:
    """A log in memory."""
    memory = Memory()
    with logging_to(memory, level, colours=colours):
        yield memory
