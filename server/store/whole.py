"""Small files of a server's folder that only its owner can read; JSON, so that the owner can read
them without this program. Each is replaced whole, so a crash leaves the old one or the new."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from server.store.migrating import Unusable
from server.store.private import FILE

T = TypeVar("T")


def load_file(file: Path, kind: type[T], without: str) -> T | None:
    """What the file holds; None where there is none. `without`: what a server has not that starts
    without the file. Raises Unusable."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:  # what msgspec raises is a ValueError
        why = getattr(error, "strerror", None) or error
        raise Unusable(
            f"cannot use {file}: {why}; mend it, or move it away to start without {without}"
        ) from None


def save_file(file: Path, value: Any) -> None:
    """Put this in place of what the file held, and return when the disk has it. Raises OSError."""
    replace_file(file, written(value))


def written(value: Any) -> bytes:
    """As it stands in a file."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1)


class Shelf:
    """The folder of a server, while it runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def put(self, name: str, make: Callable[[], T], hold: Callable[[T], None]) -> None:
        """As `save_file`, with what `make` makes of what holds now; then call `hold` with it, in
        another thread. Raises OSError and what `make` raises."""
        await asyncio.to_thread(self._put, name, make(), hold)

    def _put(self, name: str, value: T, hold: Callable[[T], None]) -> None:
        save_file(self.folder / name, value)
        hold(value)


def replace_file(file: Path, content: bytes) -> None:
    """Give a file that only its owner can read a new content, or leave the old. Raises OSError."""
    fresh = file.with_name(f".{file.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE), "wb") as new:
        new.write(content)
        new.flush()
        os.fsync(new.fileno())
    fresh.replace(file)
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Have the disk keep the names in a folder. Raises OSError."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
