"""A folder for one running server, locked while it runs: its journal, its log, and a note of where
it listens.

Law: two servers never share a folder. The lock goes with the process, however it ends. By the note
the next `clocktowers host` comes back to a server, and a person is told which server of theirs has
a port.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
import platformdirs
from msgspec import structs

from protocol.invitation import Ways
from server.config import Config
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


# Where this user's servers listen. Each leaves a file in its folder while it runs: by it the next
# `clocktowers host` comes back to a server, and a person is told which server of theirs has a port.


RUNNING: Final = "running"
_NO_WAYS: Final = Ways()


class RunningServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server that runs. `listening`: its addresses, as bound; `config`: as it was asked for;
    `secret`: by which a client of this user comes in that hosts, "" = no client has started it;
    `key` and `ways`: as that client is told them; `invited`: the name of their invitation;
    `folder`: its own. `ended`: it runs no longer."""

    pid: int = 0
    listening: list[tuple[str, int]]
    config: Config
    secret: str = ""
    key: str = ""
    ways: Ways = _NO_WAYS
    invited: str = ""
    folder: str = ""
    ended: bool = False

    @property
    def hosted(self) -> bool:
        return bool(self.secret)

    @property
    def port(self) -> int:
        return self.listening[0][1]


@contextmanager
def noted_as_running(folder: StateFolder, running: RunningServer) -> Iterator[None]:
    """Let others of this user know, until the block is left. A disk that fails keeps nobody from
    playing."""
    file = folder.path / RUNNING
    noted = structs.replace(running, pid=os.getpid(), folder=str(folder.path))
    with suppress(OSError):
        private.save_file(file, noted)
    try:
        yield
    finally:
        with suppress(OSError):
            private.save_file(file, structs.replace(noted, secret="", ways=_NO_WAYS, ended=True))


def running_in(folder: Path) -> RunningServer | None:
    """The server that has this folder now; None where none has, or it does not say."""
    found = newest_in(folder)
    there = found and not found.ended and is_alive(found.pid) and _is_locked(folder)
    return found if there else None


def newest_in(folder: Path) -> RunningServer | None:
    """The server that has or had this folder as the last one; None where nothing says so."""
    try:
        found = msgspec.json.decode((folder / RUNNING).read_bytes(), type=RunningServer)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return found if found.listening else None


def all_running() -> list[RunningServer]:
    """In the usual folders."""
    try:
        folders = sorted((root() / "host").iterdir())
    except OSError:
        folders = []
    found = [running_in(folder) for folder in (*folders, root() / "serve")]
    return [one for one in found if one is not None]


def running_on(port: int) -> RunningServer | None:
    """The one that has the port; None where somebody else has it, or nobody."""
    return next((one for one in all_running() if one.port == port), None)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _is_locked(folder: Path) -> bool:
    """Whether a server has the folder: one that was killed has left its file, but no lock."""
    try:
        lock = os.open(folder / LOCK_NAME, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False
