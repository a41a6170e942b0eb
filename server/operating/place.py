"""Where the operator's door is: a Unix socket in the server's folder."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

NAME: Final = "operator.sock"
MOST_BYTES: Final = 103
"""Of a socket's path: 107 on Linux, 103 on macOS, without the zero byte at its end."""


@contextmanager
def reachable(folder: Path) -> Iterator[str]:
    """The path of a folder's socket, short enough for the system: through an open descriptor of the
    folder where it is too long. Raises OSError."""
    path = str(folder / NAME)
    if len(os.fsencode(path)) <= MOST_BYTES:
        yield path
        return
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{number}/{NAME}"
    finally:
        os.close(number)


def new_socket() -> socket.socket:
    """A socket of the door's kind."""
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
