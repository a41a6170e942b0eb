"""A folder for one running server, locked while it runs: its journal, its log, and a note of where
it listens.

Law: two servers never share a folder. The lock goes with the process, however it ends. By the note
the next `clocktowers host` comes back to a server, and a person is told which server of theirs has
a port.
"""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import platformdirs

from server.store import private

LOCK_NAME: Final = "lock"
LOG_NAME: Final = "server.log"
MAX_LOCAL: Final = 1000
MAX_WAITING: Final = 20
"""Folders for matches against bots that wait for their player."""


class FolderTaken(Exception):
    """Another server has the folder, or nobody can write it; the text says what to do."""


class StateFolder:
    """A folder that is ours until `release` or the end of the process."""

    def __init__(self, path: Path) -> None:
        """Makes and locks `path`. Raises FolderTaken."""
        self.path: Final = path
        try:
            private.make_folder(path, LOCK_NAME)
            self._lock = os.open(path / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except (OSError, ValueError) as error:  # the latter: no path can have such a name
            why = getattr(error, "strerror", None) or error
            raise FolderTaken(
                f"cannot write to {path}: {why}; choose another with --state"
            ) from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise FolderTaken(
                f"another server is using {path}: stop it, or choose another folder with --state"
            ) from None

    @property
    def log(self) -> Path:
        return self.path / LOG_NAME

    def release(self) -> None:
        """Let others have the folder."""
        os.close(self._lock)


def root() -> Path:
    """Where all of this user's servers keep their state."""
    return platformdirs.user_state_path("clocktowers", appauthor=False)


def for_service(state: str) -> StateFolder:
    """The folder of `serve`: the named folder, or the usual one."""
    return StateFolder(service_path(state))


def service_path(state: str) -> Path:
    """Where that folder is. Raises FolderTaken."""
    try:
        return Path(state).expanduser() if state else root() / "serve"
    except RuntimeError:
        raise FolderTaken(f"{state} names no user's home; choose another --state") from None


def for_host() -> StateFolder:
    """The lowest numbered folder that no other server of a client has; its matches go on."""
    return _lowest(root() / "host", lambda path: True)


def for_solo(waits: Callable[[Path], bool]) -> StateFolder:
    """The lowest numbered folder that is free. In none of these does a match wait (`waits`), unless
    matches wait in very many."""
    parent = root() / "local"
    try:
        return _lowest(parent, lambda path: not waits(path), MAX_WAITING)
    except FolderTaken:
        return _lowest(parent, lambda path: True)


def where_a_match_waits(number: int) -> StateFolder:
    """A folder that `for_solo` gave."""
    try:
        return StateFolder(root() / "local" / str(number))
    except FolderTaken as error:
        raise FolderTaken(f"that match is being played already, or: {error}") from None


def _lowest(parent: Path, suits: Callable[[Path], bool], most: int = MAX_LOCAL) -> StateFolder:
    taken: FolderTaken | None = None
    for number in range(1, most):
        try:
            folder = StateFolder(parent / str(number))
        except FolderTaken as error:
            taken = error
            if not (parent / str(number)).is_dir():
                break
        else:
            if suits(folder.path):
                return folder
            folder.release()
    raise taken or FolderTaken(f"no free folder under {parent}")
