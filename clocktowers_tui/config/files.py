"""Files that are their owner's alone, and are whole or the ones before."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the folder of this file against other programs that write it."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    held = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
        os.fsync(held)
    finally:
        os.close(held)


def write(file: Path, content: bytes) -> None:
    """The file gets its name when all of it is on disk."""
    unfinished = file.with_name(f"{file.name}.new")
    unfinished.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(unfinished, flags, 0o600), "wb") as held:
        held.write(content)
        held.flush()
        os.fsync(held.fileno())
    unfinished.replace(file)
