"""Files that are their owner's alone and are whole or the ones before, and the log files, which
nobody at the screen needs to read until something is wrong."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

import platformdirs

_MAX_BYTES: Final = 1_000_000
"""Of a log."""


@contextlib.contextmanager
def locked(file: Path, *, synced: bool = True) -> Iterator[None]:
    """Hold the folder of this file against other programs that write it, where the file system can.
    `synced`: what was written is on disk at the end."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    held = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
        if synced:
            os.fsync(held)
    finally:
        os.close(held)


def write(file: Path, content: bytes, mode: int = 0o600) -> None:
    """The file gets its name when all of it is on disk; else nothing is left of it. `mode`: who may
    read and write it."""
    unfinished = file.with_name(f".{file.name}.new")
    unfinished.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(unfinished, flags, 0o600), "wb") as held:
            held.write(content)
            held.flush()
            os.fchmod(held.fileno(), mode)
            os.fsync(held.fileno())
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


# Logs.


def log_file(name: str) -> Path:
    """Where the log of that name lies."""
    return platformdirs.user_log_path("clocktowers", appauthor=False) / f"{name}.log"


def open_log(name: str) -> IO[bytes]:
    """Opens it to write at its end; from the beginning once it has grown large. Where no file can
    be written, writes nowhere, for the screen is no place for a log."""
    file = log_file(name)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        grown = file.exists() and file.stat().st_size > _MAX_BYTES
        return file.open("wb" if grown else "ab")
    except OSError:
        return Path("/dev/null").open("wb")


def note(line: str) -> None:
    """Write a line into the client's own log."""
    with contextlib.suppress(OSError), open_log("client") as log:
        log.write(f"{line}\n".encode())


def failure(error: Exception) -> str:
    """What went wrong and where, in a line for the log."""
    import traceback  # a start takes no time for it

    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{error!r} at {Path(last.filename).name}:{last.lineno}"
