"""A PostgreSQL of our own: a private cluster in a temporary folder, reached through a Unix socket.

`python -m tests.stage.postgres` starts one, prints its URL and stops it when it is told to.
"""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final
from urllib.parse import quote

import pytest

ACCOUNT: Final = "postgres"
"""PostgreSQL refuses to run as root, so root runs it as this account of the package."""
SEGMENT_MB: Final = 1


def _programs() -> Path | None:
    """The folder of `initdb` and the others: Debian keeps them off the PATH."""
    if (found := shutil.which("initdb")) is not None:
        return Path(found).parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


def missing() -> str:
    if find_spec("psycopg") is None:
        return "psycopg is not installed here: pip install 'clocktowers-tui[postgres]'"
    if _programs() is None:
        return "PostgreSQL is not installed here: on Debian, apt-get install postgresql"
    return ""


needs_postgres = pytest.mark.skipif(bool(missing()), reason=missing())


class Cluster:
    """One database server. `settings`: lines of its configuration."""

    def __init__(self, *settings: str) -> None:
        programs = _programs()
        assert programs is not None
        self._programs = programs
        # Its account comes into no folder of ours; a socket has a short path.
        self.folder = Path(mkdtemp(prefix="pg-", dir="/tmp"))
        self._as: dict[str, Any] = {}
        if os.getuid() == 0:
            shutil.chown(self.folder, ACCOUNT, ACCOUNT)
            self._as = {"user": ACCOUNT, "group": ACCOUNT, "extra_groups": []}
        self._schemas = count(1)
        self._run(
            "initdb", "--auth=trust", "--username=clocktowers", "--no-sync", "--no-locale",
            "--encoding=UTF8", f"--wal-segsize={SEGMENT_MB}",
        )  # fmt: skip
        ours = ("listen_addresses = ''", f"unix_socket_directories = '{self.folder}'", *settings)
        with (self._data / "postgresql.conf").open("a") as file:
            file.write("\n".join(ours) + "\n")
        self.start()

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _run(self, program: str, *args: str) -> None:
        command: list[str | Path] = [self._programs / program, "-D", self._data, *args]
        with (self.folder / "programs.log").open("ab") as log:
            subprocess.run(command, check=True, stdout=log, stderr=log, cwd="/", **self._as)

    def start(self) -> None:
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "start")

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-w", "-m", mode, "stop")

    def kill(self) -> None:
        """With all its processes and at once, as the power does."""
        processes = (self._server, *self._children())
        for process in processes:
            os.kill(process, signal.SIGKILL)
        while any(Path(f"/proc/{process}").exists() for process in processes):
            time.sleep(0.001)

    @property
    def _server(self) -> int:
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def _children(self) -> list[int]:
        try:
            listed = Path(f"/proc/{self._server}/task/{self._server}/children").read_text()
        except OSError:
            return []
        return [int(one) for one in listed.split()]

    @property
    def runs(self) -> bool:
        try:
            return Path(f"/proc/{self._server}").exists()
        except OSError:
            return False

    def limit(self, most_bytes: int | None = None) -> None:
        """No file of it may grow beyond this, as on a full disk."""
        assert most_bytes is None or most_bytes > SEGMENT_MB << 20, "its log needs that much"
        soft = "unlimited" if most_bytes is None else most_bytes
        for process in (self._server, *self._children()):
            command = ("prlimit", f"--pid={process}", f"--fsize={soft}:")
            # A child may have ended by itself since it was listed.
            subprocess.run(command, check=process == self._server, **self._as)

    def url(self, **parameters: str) -> str:
        given = {"host": str(self.folder), "user": "clocktowers", **parameters}
        query = "&".join(f"{name}={quote(value, safe='')}" for name, value in given.items())
        return f"postgresql:///postgres?{query}"

    def fresh(self) -> str:
        """The URL of an empty schema."""
        schema = f"journal_{next(self._schemas)}"
        self.ask(f"CREATE SCHEMA {schema}")
        return self.url(options=f"-csearch_path={schema}")

    def ask(self, statement: str, url: str = "") -> list[tuple[Any, ...]]:
        """What an operator with psql would see."""
        import psycopg

        with psycopg.connect(url or self.url(), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def cluster() -> Cluster:
    """The one of this process."""
    made = Cluster()
    atexit.register(made.close)
    return made


if __name__ == "__main__":
    if why := missing():
        sys.exit(why)
    print(cluster().fresh(), flush=True)
    sys.stdin.read()
