"""The operator's side of the door: ask a running server, and wait for its answer."""

import errno
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from protocol.codec import framed
from protocol.errors import RemoteProtocolError
from protocol.framing import FrameDecoder
from server.operating import words
from server.operating.place import new_socket, reachable
from server.operating.words import Answer, Asked, CouldNot

PATIENCE_S: Final = 90.0
"""Longer than a server takes for anything."""
AGAIN_S: Final = 0.05
_NOBODY: Final = (errno.ENOENT, errno.ECONNREFUSED, errno.ENOTDIR)


def call(folder: Path, asked: Asked) -> Answer:
    """The answer of the server whose folder this is. Raises CouldNot."""
    try:
        with new_socket() as line:
            line.settimeout(PATIENCE_S)
            with reachable(folder) as path:
                _connect(line, path)
            with suppress(BrokenPipeError, ConnectionResetError):  # of one that only says no
                line.sendall(framed(asked))
            return words.answer_in(_payload(line))
    except TimeoutError:
        raise CouldNot(f"the server in {folder} does not answer") from None
    except OSError as error:
        raise CouldNot(_why(folder, error)) from None
    except (RemoteProtocolError, msgspec.DecodeError) as error:
        raise CouldNot(f"the server in {folder} answers nonsense: {error}") from None


def _connect(line: socket.socket, path: str) -> None:
    """A socket with a timeout does not wait for a place in a full queue, so try again."""
    give_up_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            return line.connect(path)
        except BlockingIOError:
            if time.monotonic() >= give_up_s:
                raise CouldNot("the server's operator's door is busy: try again") from None
            time.sleep(AGAIN_S)


def _payload(line: socket.socket) -> bytes:
    frames = FrameDecoder(words.MAX_ANSWER_BYTES)
    while (payload := frames.next_frame()) is None:
        if not (data := line.recv(1 << 16)):
            raise CouldNot("the server stopped before it answered")
        frames.feed(data)
    return payload


def _why(folder: Path, error: OSError) -> str:
    if error.errno in _NOBODY:
        return f"no server runs in {folder}: start it, or name its folder with --state"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{folder} belongs to another account: run this as that account, or as root"
    return f"cannot reach the server in {folder}: {error.strerror or error}"
