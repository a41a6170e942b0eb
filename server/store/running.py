"""Where this user's servers listen. Each leaves a file in its folder while it runs: by it the next
`clocktowers host` comes back to a server, and a person is told which server of theirs has a port.
"""

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from protocol.ways import Ways
from server.config import Config
from server.store import private
from server.store.state_folder import LOCK_NAME, StateFolder, root

RUNNING: Final = "running"
_NO_WAYS: Final = Ways()


class RunningServer(msgspec.Struct, frozen=True):
    """A server that runs. `listening`: its addresses, as bound; `config`: as it was asked for;
    `secret`: by which a client of this user comes in that hosts, "" = no client has started it;
    `key` and `ways`: as that client is told them; `invited`: the name of their invitation;
    `folder`: its own."""

    pid: int
    listening: list[tuple[str, int]]
    config: Config
    secret: str = ""
    key: str = ""
    ways: Ways = _NO_WAYS
    invited: str = ""
    folder: str = ""

    @property
    def hosted(self) -> bool:
        return bool(self.secret)

    @property
    def port(self) -> int:
        return self.listening[0][1]


@contextmanager
def noted_as_running(
    folder: StateFolder,
    listening: Sequence[tuple[str, int]],
    config: Config,
    secret: str = "",
    key: str = "",
    ways: Ways = _NO_WAYS,
    invited: str = "",
) -> Iterator[None]:
    """Let others of this user know, until the block is left. A disk that fails keeps nobody from
    playing."""
    file, path = folder.path / RUNNING, str(folder.path)
    running = RunningServer(os.getpid(), list(listening), config, secret, key, ways, invited, path)
    with suppress(OSError):
        unfinished = file.with_name(f"{RUNNING}.new")
        private.make_file(unfinished)
        unfinished.write_bytes(msgspec.json.encode(running))
        unfinished.replace(file)
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink(missing_ok=True)


def running_in(folder: Path) -> RunningServer | None:
    """The server that has this folder now; None where none has, or it does not say."""
    try:
        found = msgspec.json.decode((folder / RUNNING).read_bytes(), type=RunningServer)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    there = found.listening and is_alive(found.pid) and _is_locked(folder)
    return found if there else None


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
