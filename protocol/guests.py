"""What a server, its doors and the clients of its guests tell each other on the server's machine.

A guest has no program of their own: a door of the server runs a closed client for them, on a
pseudo-terminal or, where they have no terminal, on a socket. `PROTOCOL.md`, *Guests*, says who
tells what to whom.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from protocol.codec import frame
from protocol.errors import GoodbyeCode, RemoteProtocolError

SOCKET_NAME: Final = "guests.sock"
"""Of the Unix socket in the server's folder where the closed clients come in."""

MOST_PATH_BYTES: Final = 103
"""Of a socket's path: 107 on Linux, 103 on macOS, without the zero byte at its end."""

MAX_INTRODUCTION_BYTES: Final = 256

REMEMBERED: Final = "\x1b]7878;{}\x07"
"""What lets the page of a browser remember the guest's name."""

GIVEN_BACK: Final = (
    b"\x1b\\\x1b[?2026l\x1b[m\x1b[?1006l\x1b[?1000l\x1b[<u\x1b[?7h\x1b[?2004l\x1b[?1004l"
    b"\x1b[?1049l\x1b[?25h\x1b[23;2t"
)
"""What gives the terminal back of a closed client that was killed: it ends whatever sequence or
frame the client died in, and undoes what a client asks of a terminal."""


class Introduction(Struct, frozen=True, forbid_unknown_fields=True):
    """The first frame on the server's socket for guests: who is at the far end of the door.

    `address`: an IP address, "" = unknown. `identity`: 32 bytes that the door has made, from a key
    or a cookie; the server goes by their hash.
    """

    address: Annotated[str, Meta(max_length=64)]
    identity: Annotated[bytes, Meta(min_length=32, max_length=32)]


class House(Struct, frozen=True):
    """What a closed client is told when it starts.

    The door knows what the guest says. `address`: as in `Introduction`. `name`: the name that the
    guest wishes for, "" = the client asks. `password`: what the guest has said to the door.
    `called`: what the guest was called before, maybe at another machine of the server, as their
    browser remembers it; "" = nothing yet, None = nothing would remember it. `table`: the code of
    the table to go to; `watch`: to watch there. `invitation`: the secret of one, b"" = none.
    `code`: what brings a guest without a key back to their seat, "" = they need none.

    The server adds the rest. `socket`: its own, as a path. `home`: the folder for what the client
    keeps. `identity`: for its introductions. `idle_s`: after so long without a key the client ends.
    """

    socket: str = ""
    home: str = ""
    address: str = ""
    identity: bytes = b""
    name: str = ""
    password: str = ""
    table: str = ""
    watch: bool = False
    invitation: bytes = b""
    code: str = ""
    called: str | None = None
    idle_s: float = 1800.0


@contextmanager
def reachable(file: Path) -> Iterator[str]:
    """The path of a Unix socket, short enough for the system: through an open descriptor of its
    folder where it is too long. Raises OSError."""
    if len(os.fsencode(file)) <= MOST_PATH_BYTES:
        yield str(file)
        return
    number = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if not Path(short := f"/proc/self/fd/{number}").exists():
            raise OSError(errno.ENAMETOOLONG, "the path is too long: choose a shorter folder")
        yield f"{short}/{file.name}"
    finally:
        os.close(number)


def introduction(address: str, identity: bytes) -> bytes:
    """The first bytes on the server's socket for guests."""
    return frame(msgspec.msgpack.encode(Introduction(address, identity)))


def introduced(payload: bytes) -> Introduction:
    """Raises RemoteProtocolError."""
    try:
        return msgspec.msgpack.decode(payload, type=Introduction)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RemoteProtocolError(GoodbyeCode.NOT_HELLO, str(error)) from None
