"""Our programs start warm in tests: forked off a process that has imported what they import, which
is nine tenths of what a start costs. In all else they are as if they were started cold, but for the
seed of their hashes: it is that of the process they come from.

A start stays cold if it is unusual in any way, above all if Python or our imports would have read
something else from its environment; so do all starts but those by `subprocess` and
`PseudoTerminal`, and all on systems other than Linux.
"""

import inspect
import json
import os
import pty
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Final

import pytest

from tests.stage import pseudo_terminal
from tests.stage.chance import CHANCE, seeded
from tests.stage.forking import REQUEST_BYTES, Request
from tests.stage.late import LATE

IMPORTED: Final = {
    "server": "server",
    "clocktowers_tui": "clocktowers_tui",
    "bench.attacks.attacker": "server",
    "tests.stage.changed_client": "clocktowers_tui",
    "tests.stage.changed_server": "server",
    "tests.stage.probe": "protocol",
}
"""Program -> the package that is imported when it is forked."""

_PYTHON: Final = [sys.executable, "-P", "-m"]
_READ_BY_PYTHON: Final = re.compile("PYTHON.*|LANG|LC_.*|TZ|LD_.*|MALLOC_.*")
_PIPES: Final = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
_USUAL: Final[Mapping[str, object]] = {
    "executable": None, "preexec_fn": None, "close_fds": True, "pass_fds": (), "shell": False,
    "restore_signals": True, "gid": None, "gids": None, "uid": None, "umask": -1,
    "process_group": -1,
}  # fmt: skip


class Warm:
    """The process that forks."""

    def __init__(self, package: str, environ: Mapping[str, str]) -> None:
        self._socket, its = socket.socketpair(type=socket.SOCK_SEQPACKET)
        command = [*_PYTHON, "tests.stage.forking", str(its.fileno()), package]
        self._process: Final = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, env=environ, pass_fds=[its.fileno()]
        )
        its.close()
        self._asking: Final = Lock()
        self._environ: Final = environ
        self._read: Final[set[str]] = {*json.loads(self._socket.recv(REQUEST_BYTES))}
        assert "HOME" not in self._read, "tests have homes of their own: no start would be warm"

    def suits(self, environ: Mapping[str, str]) -> bool:
        """Whether Python and the imports would have read the same from this environment."""
        read = self._read | {*filter(_READ_BY_PYTHON.fullmatch, {*environ, *self._environ})}
        return all(environ.get(name) == self._environ.get(name) for name in read)

    def fork(self, request: Request, streams: Sequence[int]) -> int:
        """The number of the process; below 0: there is none."""
        with self._asking:
            socket.send_fds(self._socket, [json.dumps(request).encode()], streams)
            return int(self._socket.recv(REQUEST_BYTES))

    def end(self) -> None:
        self._socket.close()
        self._process.wait()


class Starts:
    """What `subprocess` and `PseudoTerminal` do instead of their own starts."""

    def __init__(self) -> None:
        self._warm: Final[dict[tuple[str, bool], Warm]] = {}
        self._environ: Final = {**os.environ}
        self._cold_popen: Final[Any] = subprocess.Popen._execute_child  # type: ignore[attr-defined]
        self._cold_terminal: Final = pseudo_terminal.start
        self._popen_takes: Final = inspect.signature(self._cold_popen)

    def popen(self, popen: Any, *given: Any) -> None:
        """As `Popen._execute_child`."""
        asked = self._popen_takes.bind(popen, *given).arguments
        ends = (asked[name] for name in ("p2cread", "c2pwrite", "errwrite"))
        streams = [number if end == -1 else end for number, end in enumerate(ends)]
        request = None
        if all(asked[name] == usual for name, usual in _USUAL.items()):
            about = ("args", "env", "cwd", "start_new_session")
            request = _request(*(asked[name] for name in about))
        pid = self._fork(request, streams)
        if pid < 0:
            command, *others = given
            self._cold_popen(popen, seeded(command), *others)
            return
        popen.pid, popen._child_created = pid, True
        popen._close_pipe_fds(*(asked[name] for name in _PIPES))

    def terminal(
        self, command: Sequence[str], environ: Mapping[str, str], width: int, height: int
    ) -> tuple[int, int]:
        """As `pseudo_terminal.start`."""
        ours, its = pty.openpty()
        pseudo_terminal.set_size(ours, width, height)
        pid = self._fork(_request(command, environ, None, True, terminal=True), [its] * 3)
        os.close(its)
        if pid >= 0:
            return pid, ours
        os.close(ours)
        return self._cold_terminal(seeded(command), environ, width, height)

    def _fork(self, request: Request | None, streams: Sequence[int]) -> int:
        """Its number; below 0 if it has to start cold."""
        if request is None or sys.platform != "linux":
            return -1
        package = IMPORTED[request.module]
        # What is started like this process has the seed of hashes that conftest gave to it.
        ours = package != "clocktowers_tui" or "PYTHONHASHSEED" in request.environ
        if (package, ours) not in self._warm:
            usual = self._environ if ours else pseudo_terminal.environment("")
            self._warm[package, ours] = Warm(package, usual)
        warm = self._warm[package, ours]
        return warm.fork(request, streams) if warm.suits(request.environ) else -1

    def end(self) -> None:
        for warm in self._warm.values():
            warm.end()


def _request(
    command: Any,
    environ: Mapping[str, str] | None,
    folder: Any,
    session: bool,
    *,
    terminal: bool = False,
) -> Request | None:
    """None for a program that is not ours."""
    words = [command] if isinstance(command, str) else [*map(os.fsdecode, command)]
    module, *arguments = words[len(_PYTHON) :] or [""]
    if words[: len(_PYTHON)] != _PYTHON or module not in IMPORTED:
        return None
    given = os.environ if environ is None else environ
    theirs = {os.fsdecode(name): os.fsdecode(value) for name, value in given.items()}
    folder = os.fspath(folder or Path.cwd())
    chance, late_ms = CHANCE.next_program(), LATE.most_s * 1000
    return Request(module, arguments, theirs, folder, session, terminal, chance, late_ms)


@contextmanager
def warm_starts() -> Iterator[None]:
    starts = Starts()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess.Popen, "_execute_child", lambda *given: starts.popen(*given))
        patch.setattr(pseudo_terminal, "start", starts.terminal)
        yield
    starts.end()
