"""The files of a server's folder: kept from other users of the machine, who would find seeds and
hands in them; the small ones are JSON that their owner can read, each replaced whole, so that a
crash leaves the old one or the new.
"""

import asyncio
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final, TypeVar

import msgspec

from server.store.statements import Unusable

FOLDER: Final = 0o700
FILE: Final = 0o600


def make_file(path: Path) -> None:
    """Make a file that nobody else can read, or make it so. Raises OSError."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE))
    close_file(path)


def close_file(path: Path) -> None:
    """Let nobody else read this file, if there is one and it is ours."""
    with suppress(OSError):
        path.chmod(FILE)


def make_folder(path: Path, ours: str) -> None:
    """Make a folder that nobody else can look into, or make it so where it is empty or holds
    `ours`; another folder, such as a home, stays as open as it is. Raises OSError."""
    path.mkdir(parents=True, exist_ok=True, mode=FOLDER)
    if not any(path.iterdir()) or (path / ours).exists():
        with suppress(OSError):  # another's, which its owner lets us use
            path.chmod(FOLDER)


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Where root works for another account: be the folder's owner meanwhile, so that no link in it
    leads to what its owner may not touch, and what is made is the owner's. Raises OSError."""
    owner = folder.stat() if folder.exists() else None
    if os.geteuid() != 0 or owner is None or owner.st_uid == 0:
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    try:
        os.setgroups([])
        os.setegid(owner.st_gid)
        os.seteuid(owner.st_uid)
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def opened(path: Path) -> IO[bytes]:
    """A file to read, which is none that never ends. Raises OSError."""
    content = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    if not stat.S_ISREG(os.fstat(content.fileno()).st_mode):
        content.close()
        raise OSError(errno.EINVAL, f"{path} is no regular file: remove it")
    return content


T = TypeVar("T")


def load_file(file: Path, kind: type[T], without: str) -> T:
    """What the file holds; where there is none, an empty one. `without`: what a server has not
    that starts without the file. Raises Unusable."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except FileNotFoundError:
        return kind()
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

    async def put(self, name: str, make: Callable[[], T], use: Callable[[T], None]) -> T:
        """As `save_file`, with what `make` makes of what there is; then call `use` with it, in
        another thread. Returns it. Raises OSError and what `make` raises."""
        value = make()

        def keep() -> None:
            save_file(self.folder / name, value)
            use(value)

        await asyncio.to_thread(keep)
        return value


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


SECRET_BYTES: Final = 32


def known_secret(file: Path) -> bytes:
    """What `secret` has made; b"" = nothing yet. Raises OSError, also where it is damaged."""
    try:
        found = file.read_bytes()
    except FileNotFoundError:
        return b""
    if len(found) != SECRET_BYTES:
        why = f"{file.name} has {len(found)} bytes in place of {SECRET_BYTES}"
        why += ": put a copy there, or move it away for a new one"
        raise OSError(errno.EINVAL, why, str(file))
    return found


def secret(file: Path) -> bytes:
    """Random bytes that are made once, and never again, since others know them or what they have
    signed. Raises OSError, also where they are damaged."""
    if not (found := known_secret(file)):
        replace_file(file, found := secrets.token_bytes(SECRET_BYTES))
    return found


def sync_folder(folder: Path) -> None:
    """Have the disk keep the names in a folder. Raises OSError."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
