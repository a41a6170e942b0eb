"""What the server and the process of its doors for guests tell each other, over a Unix socket:
frames, some with an open file.

Laws: a frame's file comes with its first byte, so files come in the order of their frames. Nothing
waits on this side: a process that takes no more frames is as good as dead.
"""

import asyncio
import os
import socket
from collections import deque
from collections.abc import Callable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from protocol.errors import RemoteProtocolError
from protocol.framing import FrameDecoder, frame
from server.config import Limits

MAX_BYTES: Final = 16 * 1024
_READ_BYTES: Final = 64 * 1024
_FILES_AT_ONCE: Final = 16
_WAITING_BYTES: Final = 1 << 20
"""Linux makes of it what it allows, which is some 500 callers: for a process that is starting."""

Kind = Literal["ssh", "web"]
"""Which door is wanted."""


class Setup(Struct, frozen=True):
    """What the process is started with. `state`: the server's folder. `asks_password`: each guest
    has to say it."""

    state: str
    limits: Limits
    asks_password: bool = False


class Handed(Struct, frozen=True):
    """The server's only word: somebody calls at a door, and their connection comes with this.
    `address`: theirs. `secure`: they speak TLS, with the server or its proxy."""

    door: Kind
    address: Annotated[str, Meta(max_length=64)]
    secure: bool = False


class Note(Struct, frozen=True):
    """The only word of the doors: a line for the server's log."""

    level: Literal["debug", "info", "warning", "error"]
    event: str
    about: dict[str, str | int | float | bool | None] = {}


class Passing:
    """One end. `heard` is called with each payload and the files that have come, of which it takes
    the first for a payload that has one. `over` is called once: the other end is gone, or talks
    nonsense."""

    def __init__(
        self,
        end: socket.socket,
        heard: Callable[[bytes, deque[int]], None],
        over: Callable[[], None],
    ) -> None:
        end.setblocking(False)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _WAITING_BYTES)
        self._end: Final = end
        self._heard: Final = heard
        self._over: Final = over
        self._frames: Final = FrameDecoder(MAX_BYTES)
        self._files: Final[deque[int]] = deque()
        self._loop: Final = asyncio.get_running_loop()
        self._loop.add_reader(end, self._read)

    def send(self, said: Handed | Note, file: int | None = None) -> None:
        """The caller may close the file at once. Raises OSError where nothing is taken any more."""
        data = frame(msgspec.msgpack.encode(said))
        if socket.send_fds(self._end, [data], [] if file is None else [file]) < len(data):
            self._end_all()  # what would come next could not be told from the rest

    def close(self) -> None:
        """Nothing is heard or sent any more."""
        if self._end.fileno() >= 0:
            self._loop.remove_reader(self._end)
            self._end.close()
            while self._files:
                os.close(self._files.popleft())

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
            while self._end.fileno() >= 0 and (payload := self._frames.next_frame()) is not None:
                self._heard(payload, self._files)
        except (RemoteProtocolError, msgspec.DecodeError, IndexError):
            data = b""
        if not data:
            self._end_all()

    def _end_all(self) -> None:
        if self._end.fileno() >= 0:
            self.close()
            self._over()
