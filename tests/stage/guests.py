"""A server with its door for SSH, in processes of their own, and OpenSSH's client on a terminal."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.stage.processes import children
from tests.stage.pseudo_terminal import PseudoTerminal

SSH: Final = shutil.which("ssh")
ASKS: Final = ("-o", "StrictHostKeyChecking=ask", "-o", "UserKnownHostsFile=/dev/null")
"""Flags of somebody who has never been there: ssh asks about the host's key."""
needs_ssh = pytest.mark.skipif(SSH is None, reason="OpenSSH's client `ssh` is not installed here")
_FOREVER_S: Final = 60.0


class SshServer(NamedTuple):
    """`folder`: for the keys of callers; `state`: the server's own folder."""

    folder: Path
    state: Path
    port: int
    pid: int

    def key(self, name: str) -> Path:
        """A caller's key, made when it is first asked for."""
        file = self.folder / f"key-{name}"
        if not file.exists():
            command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file)]
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        return file

    @property
    def doors(self) -> int:
        """The process of the doors."""
        return next(pid for pid in children(self.pid) if _runs(pid, "server.guests\0"))

    @property
    def forking(self) -> int:
        """The process that forks the guests' clients."""
        return next(pid for pid in children(self.doors) if _runs(pid, "forkserver import main"))

    @property
    def guests(self) -> list[int]:
        """Their clients."""
        return children(self.forking)

    def command(self, user: str, key: str = "", more: Sequence[str] = ()) -> list[str]:
        """What somebody types who has that key; "" = none. `more`: flags, which count before those
        here."""
        by_key = ["-i", str(self.key(key))] if key else ["-o", "PubkeyAuthentication=no"]
        return [
            *("ssh", *more, "-F", "none", "-p", str(self.port), "-o", "StrictHostKeyChecking=no"),
            *("-o", f"UserKnownHostsFile={self.folder / 'known'}", "-o", "LogLevel=ERROR"),
            *("-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", *by_key),
            f"{user}@127.0.0.1",
        ]

    def dial(
        self, user: str, key: str = "", *asked: str, more: Sequence[str] = ()
    ) -> PseudoTerminal:
        """Somebody with a terminal calls; `asked`: behind the host."""
        environ = {"PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "HOME": str(self.folder)}
        command = [*self.command(user, key, ("-t", *more)), *asked]
        return PseudoTerminal.run_program(command, environ)


def _runs(pid: int, words: str) -> bool:
    return words.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()


@contextmanager
def ssh_server(folder: Path, *flags: str, settings: str = "") -> Iterator[SshServer]:
    """Serve until the block is left. `settings`: the text of a file of settings."""
    state, file = folder / "state", folder / "server.toml"
    file.write_text(settings)
    command = [sys.executable, "-P", "-m", "server", "serve", "--config", str(file)]
    command += ["--host", "127.0.0.1", "--port", "0"]
    command += ["--state", str(state), *flags]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    try:
        said = ""
        while "matches are kept" not in said:
            said += (line := process.stdout.readline())
            assert line, (folder / "log").read_text()
        port = int(said.split("listening on 127.0.0.1:")[1].split()[0])
        yield SshServer(folder, state, port, process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(_FOREVER_S)
        process.stdout.close()
