"""Accepts connections on a listening socket.

Law: when the system has no file or memory for one more, accepting rests; a socket that always has
somebody waiting would keep the loop from everything else.
"""

import asyncio
import errno
import socket
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import structlog

from server.timer import Timer

A_TURN: Final = 20
"""Connections accepted in one turn of the loop; then others are served."""
REST_S: Final = 1.0
SPENT: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

Take: TypeAlias = Callable[[socket.socket, Any], None]
"""Owns the accepted socket from now on, which does not block; the other is its peer's address as
the system tells it."""


class Accepting:
    """From now on until `close`, which closes the socket, too."""

    def __init__(self, listening: socket.socket, take: Take) -> None:
        self._loop: Final = asyncio.get_running_loop()
        self._listening: Final = listening
        self._take: Final = take
        self._resting: Final = Timer()
        listening.setblocking(False)
        self._go_on()

    def _go_on(self) -> None:
        self._loop.add_reader(self._listening, self._accept)

    def _accept(self) -> None:
        for _ in range(A_TURN):
            try:
                accepted, peer = self._listening.accept()
            except (BlockingIOError, InterruptedError):
                return
            except OSError as error:
                if error.errno not in SPENT:
                    continue  # this caller has gone meanwhile, or their network has
                self._rest(error)
                return
            try:
                accepted.setblocking(False)
                self._take(accepted, peer)
            except Exception:
                structlog.get_logger().exception("accepting failed")
                accepted.close()

    def _rest(self, error: OSError) -> None:
        structlog.get_logger().warning("accepting rests", why=error.strerror, for_s=REST_S)
        self._loop.remove_reader(self._listening)
        self._resting.start(REST_S, self._go_on)

    def close(self) -> None:
        self._resting.stop()
        self._loop.remove_reader(self._listening)
        self._listening.close()
