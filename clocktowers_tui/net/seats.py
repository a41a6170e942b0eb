"""Seats in matches that are not over, and the tokens by which they are taken again, on disk.

Laws: the files are their owner's alone; one that a running client plays by is locked, so that a
second client in the same home never sees it; a token is on disk before anybody relies on it. Of a
file the last whole line counts: it only ever grows, so no crash can leave it without one.
"""

import contextlib
import fcntl
import hashlib
import os
import time
from pathlib import Path
from typing import Annotated, Final

import msgspec
import platformdirs
from msgspec.structs import replace

from clocktowers_tui.net.address import Address
from protocol.text import clean

MAX_FILE_BYTES: Final = 1 << 20
"""Some thousands of tokens; one line is written each time that a seat is taken again."""


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat at somebody's server. `asked`: the name that its player goes by elsewhere, which was
    taken there. `token`: in hex. `kept_at`: when, in seconds of the clock on the
    wall, for people to read. `folder`: of the server of one's own whose match this is, which is
    started for it at whatever port; 0 = it is somebody else's."""

    host: str
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)]
    name: str
    asked: str = ""
    match: str
    table: str
    game: str
    token: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})+$")]
    kept_at: float = 0.0
    folder: int = 0

    @property
    def address(self) -> Address:
        return Address(self.host, self.port)


class Seats:
    """Those that this client plays, each in a file that it has locked."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder: Final = folder or _usual_folder()
        self._open: dict[Path, int] = {}

    def unfinished(self) -> list[Seat]:
        """All that no running client plays, the newest first."""
        found = []
        for file in self._files():
            if (held := _locked(file)) is not None:
                seat = _newest(held)
                os.close(held)
                if seat is not None:
                    found.append(_cleaned(seat))
        return sorted(found, key=lambda seat: seat.kept_at, reverse=True)

    def take(self, seat: Seat) -> Seat | None:
        """From now on it is this client's, with its newest token; None when it is another's."""
        file = self._file(seat)
        if file in self._open:
            return _newest(self._open[file])
        if (held := _locked(file)) is None:
            return None
        if (newest := _newest(held)) is None:
            os.close(held)
            return None
        self._open[file] = held
        return newest

    def keep(self, seat: Seat) -> None:
        """Write the newest token of a seat. Without a disk it lives as long as the client."""
        file = self._file(seat)
        with contextlib.suppress(OSError):
            if file not in self._open:
                self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                if (held := _locked(file, create=True)) is None:
                    return
                self._open[file] = held
            line = msgspec.json.encode(replace(seat, kept_at=time.time())) + b"\n"
            os.write(self._open[file], line)
            os.fsync(self._open[file])

    def forget(self, seat: Seat) -> None:
        """There is nothing to come back to."""
        file = self._file(seat)
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)
        if (held := self._open.pop(file, None)) is not None:
            os.close(held)

    def release(self) -> None:
        """Let other clients, or this one later, take them."""
        while self._open:
            os.close(self._open.popitem()[1])

    def _files(self) -> list[Path]:
        try:
            return sorted(self._folder.glob("*.seat"))
        except OSError:
            return []

    def _file(self, seat: Seat) -> Path:
        """Both names are a stranger's words, so none of them becomes part of a path."""
        server = f"local/{seat.folder}" if seat.folder else seat.address
        name = hashlib.sha256(f"{server}/{seat.match}".encode()).hexdigest()
        return self._folder / f"{name[:32]}.seat"


def unfinished() -> list[Seat]:
    """The player's seats in matches that are not over, as far as this machine knows."""
    return Seats().unfinished()


def _usual_folder() -> Path:
    return platformdirs.user_state_path("clocktowers", appauthor=False) / "seats"


def _locked(file: Path, *, create: bool = False) -> int | None:
    """The file, open and locked; None when it is not there, or another client's."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | (os.O_CREAT if create else 0)
    try:
        held = os.open(file, flags, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.stat(file).st_ino == os.fstat(held).st_ino:  # noqa: PTH116  (beside fstat)
            return held
    except OSError:
        pass
    os.close(held)  # somebody has it, or has just removed it
    return None


def _newest(held: int) -> Seat | None:
    """The seat on the last whole line."""
    for line in reversed(os.pread(held, MAX_FILE_BYTES, 0).split(b"\n")[:-1]):
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
            return msgspec.json.decode(line, type=Seat)
    return None


def _cleaned(seat: Seat) -> Seat:
    """Fit to be shown; the file could have been written by anybody who is this user."""
    shown = ("host", "name", "table", "game")
    return replace(seat, **{field: clean(getattr(seat, field)) for field in shown})
