"""Files that matches are exported to: what they are called, and how they are written.

Laws: a file that is there stays as it is; half a file does not stay; only its owner can read it.
"""

import os
import stat
import time
from errno import EACCES, ENOENT, EPERM, EROFS
from pathlib import Path
from typing import Final

from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept

RECORD_SUFFIX: Final = "jsonl"
_CLOSED: Final = (EACCES, EPERM, EROFS, ENOENT)
"""Why a folder takes no file at all."""
_MOST_OF_GAME: Final = 32
_MOST_OF_ID: Final = 16


def export(match: str) -> Path:
    """Write the record of this match into the folder where the program was started, as programs of
    a terminal do, or into the player's home where that folder takes no files; returns the new file,
    with its whole path. Raises LookupError for a match that is not kept, OSError, NoHistory and
    Deleted."""
    one = matches.of(match)
    if one is None:
        raise LookupError(match)
    line, name = matches.line_of(match) + b"\n", name_of(one, RECORD_SUFFIX)
    try:
        save(file := Path.cwd() / name, line)
    except OSError as error:  # a menu may start the program anywhere, and a folder may be gone
        if error.errno not in _CLOSED:
            raise
        save(file := Path.home() / name, line)
    return file


def name_of(one: Kept, suffix: str) -> str:
    """The game, the day and the beginning of the id."""
    day = time.strftime("%Y-%m-%d", time.localtime(one.ended_at))
    named = _plain(one.head.id, _MOST_OF_ID)
    return f"{_plain(one.head.game, _MOST_OF_GAME)}-{day}-{named}.{suffix}"


def save(file: Path, text: bytes) -> None:
    """Write a new file, or to a pipe or a device. Raises OSError, FileExistsError for a file that
    is there."""
    if file.exists() and not stat.S_ISREG(file.stat().st_mode):
        with file.open("wb") as written:
            written.write(text)
        return
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
        try:
            written.write(text)
            written.flush()
        except OSError:
            file.unlink()
            raise


def _plain(said: str, most: int) -> str:
    """What of a server's word may stand in a file's name."""
    letters = (char for char in said if char.isascii() and (char.isalnum() or char == "_"))
    return "".join(letters)[:most]
