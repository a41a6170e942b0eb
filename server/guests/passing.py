"""Frames, some with an open file, between two processes of one server: over a Unix socket.

Law: a frame's file comes with its first byte, so files come in the order of their frames.
"""

import asyncio
import os
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias

from protocol.errors import RemoteProtocolError
from protocol.framing import FrameDecoder, frame
from protocol.guests import MAX_ORDER_BYTES

_READ_BYTES: Final = 64 * 1024
_FILES_AT_ONCE: Final = 16
MOST_WAITING: Final = 512
"""Frames that wait for the other process; it is as good as dead when it takes no more."""

TakeFile: TypeAlias = Callable[[], int]
Heard: TypeAlias = Callable[[bytes, TakeFile], None]
"""Called with each payload, and with what takes the next file: for payloads that have one."""


class Full(Exception):
    """The other process takes nothing any more."""


class Passing:
    """One end. `over` is called once: the other end is gone, or talks nonsense."""

    def __init__(self, end: socket.socket, heard: Heard, over: Callable[[], None]) -> None:
        end.setblocking(False)
        self._end: Final = end
        self._heard: Final = heard
        self._over: Final = over
        self._frames: Final = FrameDecoder(MAX_ORDER_BYTES)
        self._files: Final[deque[int]] = deque()
        self._waiting: Final[deque[tuple[bytes, list[int]]]] = deque()
        self._open = True
        self._loop: Final = asyncio.get_running_loop()
        self._loop.add_reader(end, self._read)

    def send(self, payload: bytes, file: int | None = None) -> None:
        """Send soon; the caller may close the file at once. Raises Full, and OSError where no file
        is free."""
        if not self._open or len(self._waiting) >= MOST_WAITING:
            raise Full
        self._waiting.append((frame(payload), [] if file is None else [os.dup(file)]))
        if len(self._waiting) == 1:
            self._write()

    def close(self) -> None:
        """Nothing is heard or sent any more."""
        if not self._open:
            return
        self._open = False
        self._loop.remove_reader(self._end)
        self._loop.remove_writer(self._end)
        self._end.close()
        for _data, files in self._waiting:
            _close(files)
        _close(self._files)
        self._waiting.clear()
        self._files.clear()

    def _write(self) -> None:
        try:
            while self._waiting:
                data, files = self._waiting[0]
                sent = socket.send_fds(self._end, [data], files)
                _close(files)
                self._waiting.popleft()
                if sent < len(data):
                    self._waiting.appendleft((data[sent:], []))
        except (BlockingIOError, InterruptedError):
            self._loop.add_writer(self._end, self._write)
        except OSError:
            self._end_all()
        else:
            self._loop.remove_writer(self._end)

    def _read(self) -> None:
        try:
            data, files, _flags, _address = socket.recv_fds(self._end, _READ_BYTES, _FILES_AT_ONCE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data, files = b"", []
        self._files.extend(files)
        self._frames.feed(data)
        try:
            while self._open and (payload := self._frames.next_frame()) is not None:
                self._heard(payload, self._files.popleft)
        except (RemoteProtocolError, IndexError):
            data = b""
        if not data:
            self._end_all()

    def _end_all(self) -> None:
        if self._open:
            self.close()
            self._over()


def _close(files: "deque[int] | list[int]") -> None:
    for file in files:
        with suppress(OSError):
            os.close(file)
