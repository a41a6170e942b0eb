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
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final
from urllib.parse import quote

import pytest

from tests.stage.processes import alive, children

ACCOUNT: Final = "postgres"
"""PostgreSQL refuses to run as root, so root runs it as this account of the package."""
SEGMENT_MB: Final = 1


def _programs() -> Path | None:
    """The folder of `initdb` and the others: Debian keeps them off the PATH."""
    if (found := shutil.which("initdb")) is not None:
        return Path(found).resolve().parent
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
    """One database server. `settings`: lines of its configuration. `copy_of`: it is a standby of
    this one. `segment_mb`: how large the files of its log are."""

    def __init__(
        self,
        *settings: str,
        copy_of: "Cluster | None" = None,
        folder: Path | None = None,
        segment_mb: int = SEGMENT_MB,
    ) -> None:
        programs = _programs()
        assert programs is not None
        self._programs = programs
        # Its account comes into no folder of ours; a socket has a short path.
        self.folder = Path(folder or mkdtemp(prefix="pg-", dir="/tmp"))
        self._as: dict[str, Any] = {}
        if os.getuid() == 0:
            shutil.chown(self.folder, ACCOUNT, ACCOUNT)
            self._as = {"user": ACCOUNT, "group": ACCOUNT, "extra_groups": []}
        self._schemas = count(1)
        if copy_of is not None:
            self.follow(copy_of, *settings)
            return
        self._run(
            "initdb", "--auth=trust", "--username=clocktowers", "--no-sync", "--no-locale",
            "--encoding=UTF8", f"--wal-segsize={segment_mb}",
        )  # fmt: skip
        self._set("listen_addresses = ''", *settings)

    def follow(self, primary: "Cluster", *settings: str) -> None:
        """Become its standby, with a new copy of its data."""
        shutil.rmtree(self._data, ignore_errors=True)
        source = f"host={primary.folder} user=clocktowers application_name=standby"
        self._run(
            "pg_basebackup", "-R", "--checkpoint=fast", "--no-sync", "--no-manifest",
            f"--dbname={source}",
        )  # fmt: skip
        self._set(*settings)

    def _set(self, *settings: str) -> None:
        with (self._data / "postgresql.conf").open("a") as file:
            for one in (f"unix_socket_directories = '{self.folder}'", *settings):
                file.write(f"{one}\n")
        self.start()

    def promote(self, *, alone: bool = False) -> None:
        """A standby takes over. `alone`: and waits for no other one."""
        self._run("pg_ctl", "-w", "promote")
        if alone:
            self.ask("ALTER SYSTEM SET synchronous_standby_names = ''")
            self.ask("SELECT pg_reload_conf()")

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
        processes = self._signal(signal.SIGSTOP)  # a dead server's children are nobody's
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(alive(process) for process in processes):
            time.sleep(0.001)
        # Its number may be taken for a while, by its zombie.
        for lock in (self._data / "postmaster.pid", self.folder / f"{self.socket.name}.lock"):
            lock.unlink()

    def hang(self) -> None:
        """All its processes stand still: the kernel goes on taking what is sent to them."""
        self._signal(signal.SIGSTOP)

    def go_on(self, but: int = 0) -> None:
        """After `hang`; all processes, or all but this one."""
        self._signal(signal.SIGCONT, but)

    def _signal(self, number: signal.Signals, but: int = 0) -> list[int]:
        """To the server first: one that stands still has no more children."""
        server = self._server
        os.kill(server, number)
        below = [one for one in children(server) if one != but]
        for process in below:
            with suppress(ProcessLookupError):  # it has ended by itself
                os.kill(process, number)
        return [server, *below]

    @property
    def _server(self) -> int:
        return int((self._data / "postmaster.pid").read_text().split()[0])

    @property
    def runs(self) -> bool:
        try:
            return Path(f"/proc/{self._server}").exists()
        except OSError:
            return False

    def limit(self, most_bytes: int | None = None) -> None:
        """No file of it may grow beyond this, as on a full disk."""
        assert most_bytes is None or most_bytes > SEGMENT_MB << 20, "its log needs that much"
        most = "unlimited" if most_bytes is None else str(most_bytes)
        self._limit(self._server, most)  # first: its next children have it from the beginning
        for process in children(self._server):
            self._limit(process, most)

    def _limit(self, process: int, most: str) -> None:
        # By the account of its owner: root in a container may not.
        command = ("prlimit", f"--pid={process}", f"--fsize={most}:")
        done = subprocess.run(command, capture_output=True, text=True, check=False, **self._as)
        gone = not Path(f"/proc/{process}").exists()  # it has ended by itself
        assert done.returncode == 0 or gone, done.stderr

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self.folder / ".s.PGSQL.5432"

    def url(self, **parameters: str) -> str:
        given = {"host": str(self.folder), "user": "clocktowers", **parameters}
        query = "&".join(f"{name}={quote(value, safe='')}" for name, value in given.items())
        return f"postgresql:///postgres?{query}"

    def fresh(self) -> str:
        """The URL of an empty schema."""
        schema = f"journal_{next(self._schemas)}"
        self.ask(f"CREATE SCHEMA {schema}")
        return self.url(options=f"-csearch_path={schema}")

    def copied(self, url: str) -> str:
        """The URL of a new database, into which a dump of the schema of this one was read."""
        name = f"copy_{next(self._schemas)}"
        self.ask(f"CREATE DATABASE {name}")
        copy = url.replace(":///postgres?", f":///{name}?")
        dump, read = (self._programs / program for program in ("pg_dump", "psql"))
        dumped = subprocess.run([dump, url], check=True, stdout=subprocess.PIPE)
        quiet = ("--quiet", "--set=ON_ERROR_STOP=1", f"--dbname={copy}")
        subprocess.run([read, *quiet], check=True, input=dumped.stdout, stdout=subprocess.DEVNULL)
        return copy

    def ask(self, statement: str, url: str = "") -> list[tuple[Any, ...]]:
        """What an operator with psql would see."""
        import psycopg

        with psycopg.connect(url or self.url(), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        if self.runs:
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def cluster() -> Cluster:
    """The one of this process."""
    made = Cluster()
    atexit.register(made.close)
    return made


# A standby that takes over ------------------------------------------------------------------------


HELD_UP_S: Final = 0.3
"""For so long nothing reaches the standby before it takes over."""


class Pair:
    """A PostgreSQL and its standby, which takes over when the first one dies. Both have the names
    of the same folders for good, so one URL leads to whichever of them can be written.

    `synchronous`: whether what is acknowledged is on the standby, too. It can be killed and
    started like a single `Cluster`."""

    def __init__(self, *, synchronous: bool = True) -> None:
        self._synchronous = synchronous
        names = ("synchronous_standby_names = 'standby'",) if synchronous else ()
        self._primary = Cluster(*names)
        self._standby = Cluster(copy_of=self._primary)

    def fresh(self) -> str:
        """The URL of an empty schema, with both hosts."""
        hosts = f"{self._primary.folder},{self._standby.folder}"
        return f"{self._primary.fresh()}&host={hosts}"

    def kill(self) -> None:
        """The standby is held up for a moment, then both die: what was still on the way is lost."""
        self._standby.hang()
        time.sleep(HELD_UP_S)
        self._primary.kill()
        self._standby.kill()

    def start(self) -> None:
        """The standby takes over, and if that is waited for, a copy of it takes the place of the
        first one."""
        self._standby.start()
        self._standby.promote()
        self._primary, self._standby = self._standby, self._primary
        if self._synchronous:
            self._standby.follow(self._primary)

    def ask(self, statement: str, url: str = "") -> list[tuple[Any, ...]]:
        """What an operator with psql would see in the one that can be written."""
        return self._primary.ask(statement, url and f"{url}&host={self._primary.folder}")

    def close(self) -> None:
        self._standby.close()
        self._primary.close()


if __name__ == "__main__":
    if why := missing():
        sys.exit(why)
    print(cluster().fresh(), flush=True)
    sys.stdin.read()
