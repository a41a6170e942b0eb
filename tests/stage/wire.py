"""TCP to a Unix socket of this machine, over a wire that can fail without a word."""

import ctypes
import socket
import struct
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Final

_SO_ATTACH_FILTER: Final = 26
_SO_DETACH_FILTER: Final = 27
_NOTHING: Final = ctypes.create_string_buffer(struct.pack("=HBBI", 0x06, 0, 0, 0), 8)
"""A program for the kernel with one instruction: of this packet take no byte."""
_PROBES: Final = ((socket.TCP_KEEPIDLE, 1), (socket.TCP_KEEPINTVL, 1), (socket.TCP_KEEPCNT, 2))
"""So this end finds out, as a database does, that the other one has gone."""


class Wire:
    """`port`: of 127.0.0.1, leads to the socket `target`."""

    def __init__(self, target: Path) -> None:
        self._target: Final = str(target)
        self._listening: Final = socket.create_server(("127.0.0.1", 0))
        self._ends: Final = [self._listening]
        self.port: Final[int] = self._listening.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def url(self, url: str) -> str:
        """The same database, over this wire."""
        return f"{url}&host=127.0.0.1&port={self.port}"

    def drop(self) -> None:
        """The kernel throws away what comes in from now on, as a router that has vanished."""
        for end in self._ends:
            program = struct.pack("HP", 1, ctypes.addressof(_NOTHING))
            with suppress(OSError):  # it is closed
                end.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, program)

    def pass_on(self) -> None:
        """After `drop`."""
        for end in self._ends:
            with suppress(OSError):  # it is closed, or has none
                end.setsockopt(socket.SOL_SOCKET, _SO_DETACH_FILTER, 0)

    def close(self) -> None:
        for end in self._ends:
            with suppress(OSError):  # its other end has gone
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError), self._listening:
            while True:
                near, _ = self._listening.accept()
                near.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                for option, value in _PROBES:
                    near.setsockopt(socket.IPPROTO_TCP, option, value)
                Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        with near, socket.socket(socket.AF_UNIX) as far:
            self._ends.extend((near, far))
            with suppress(OSError):
                far.connect(self._target)
                back = Thread(target=_pump, args=(far, near), daemon=True)
                back.start()
                _pump(near, far)
                back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
