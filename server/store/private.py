"""The files of a server's folder: kept from other users of the machine, who would find seeds and
hands in them; the small ones are JSON that their owner can read, each replaced whole, so that a
crash leaves the old one or the new.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

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
