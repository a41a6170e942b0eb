"""Keeps what a server stores from other users of the machine: they find seeds and hands in it."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

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


def give_to_owner(folder: Path, paths: Iterable[Path]) -> None:
    """Where root works for another account: let a folder's owner own these files in it. Raises
    OSError."""
    if os.geteuid() == 0:
        owner = folder.stat()
        for path in paths:
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
