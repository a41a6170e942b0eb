"""Log files: nobody at the screen needs to read them until something is wrong."""

import contextlib
from pathlib import Path
from typing import IO, Final

import platformdirs

_MAX_BYTES: Final = 1_000_000


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
