"""A peer who may not come in is told why, as soon as it has spoken."""

import asyncio
from collections.abc import Callable
from typing import Final

from server.timer import Timer

HELLO_S: Final = 1.0
"""How long it has for its hello. What is written to a socket of which not all was read may be
lost."""


class Unwelcome(asyncio.Protocol):
    """The protocol object of its transport, in place of the session: nothing that it says is
    served. `tell` says why, and closes; `gone`: the session's `connection_lost`."""

    def __init__(self, tell: Callable[[], None], gone: Callable[[Exception | None], None]) -> None:
        self._tell: Final = tell
        self._gone: Final = gone
        self._patience: Final = Timer()
        self._patience.start(HELLO_S, tell)

    def data_received(self, data: bytes) -> None:
        if self._patience.runs:
            self._patience.stop()
            self._tell()

    def connection_lost(self, error: Exception | None) -> None:
        self._patience.stop()
        self._gone(error)
