"""A database that no server may begin with: one sentence that says what to do, and exit code 2.
Each check has a control, in which the fault is there and nobody looks."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import pytest

from server.store.migrating import Unusable
from tests.server.cli.test_serve import HERE, one_sentence
from tests.stage.postgres import Cluster, cluster, missing, needs_postgres
from tests.stage.processes import PROGRAM, outcome

pytestmark = needs_postgres

if not missing():
    from server.store import connecting, postgres

OLD: Final = "from server.store import connecting; connecting.OLDEST = 990000; "
MAIN: Final = "import sys; from server.__main__ import main; sys.exit(main())"
WANTS_MORE: Final = (sys.executable, "-P", "-c", OLD + MAIN)


class Fault(NamedTuple):
    """`planted`: yields the URL of a database that has it. `told`: what is said of it. `checks`:
    what finds it, in `server.store`, and what stands there where nobody looks."""

    planted: Callable[[], AbstractContextManager[str]]
    told: str
    checks: Mapping[str, Any]


FAULTS: Final[dict[str, Fault]] = {}


def fault(told: str, **checks: Any) -> Callable[[Callable[[], Iterator[str]]], None]:
    def note(planted: Callable[[], Iterator[str]]) -> None:
        FAULTS[planted.__name__] = Fault(contextmanager(planted), told, checks)

    return note


def unseen(*_what: Any) -> None:
    """Nobody looks."""


def with_option(url: str, option: str) -> str:
    return f"{url}%20-c{option.replace('=', '%3D')}"


@contextmanager
def configured(setting: str, value: str) -> Iterator[None]:
    """As an operator does it."""
    reload = "SELECT pg_reload_conf()"
    try:
        for statement in (f"ALTER SYSTEM SET {setting} = {value}", reload):
            cluster().ask(statement)
        yield
    finally:
        for statement in (f"ALTER SYSTEM RESET {setting}", reload):
            cluster().ask(statement)


def journal_in(url: str) -> "postgres.PostgresJournal":
    return postgres.PostgresJournal(partial(connecting.Lasting, url, 2.0), url)


def filled(url: str) -> str:
    """With a journal of this version."""
    journal_in(url)._writer.close()
    return url


@fault("No such file.*see that it runs")
def away() -> Iterator[str]:
    yield "postgresql://ann:secret@/x?host=/nowhere"


@fault("timeout expired.*answers")
def hanging() -> Iterator[str]:
    url = cluster().fresh()
    cluster().hang()
    try:
        yield url
    finally:
        cluster().go_on()


@fault("read-only.*can be written", WRITABLE="any", _find_room=unseen)
def read_only() -> Iterator[str]:
    yield with_option(filled(cluster().fresh()), "default_transaction_read_only=on")


@fault("No space left.*has room", _find_room=unseen)
def full() -> Iterator[str]:
    """It lies on a small disk, of which a file takes everything that is left."""
    with TemporaryDirectory(prefix="pg-", dir="/tmp") as folder:
        mount = ("mount", "-t", "tmpfs", "-o", "size=96m,mode=777", "tmpfs", folder)
        if subprocess.run(mount, check=False, capture_output=True).returncode:
            pytest.skip("this machine lets nobody make a small disk")
        try:
            with closing(Cluster(folder=Path(folder))) as small:
                url = filled(small.fresh())
                with suppress(OSError), (small.folder / "ballast").open("wb", 0) as file:
                    while file.write(bytes(4096)):
                        pass
                yield url
        finally:
            subprocess.run(("umount", folder), check=True)


@fault("older than PostgreSQL 99: update it", _check=unseen)
def too_old() -> Iterator[str]:
    """For a program that wants more than there is."""
    yield cluster().fresh()


@fault("newer version.*update this one", _shape=lambda *_: len(postgres._SCRIPTS))
def too_new() -> Iterator[str]:
    url = filled(cluster().fresh())
    cluster().ask("UPDATE shape SET version = 999", url)
    yield url


@fault("would lose moves.*set fsync = on", _check=unseen)
def without_fsync() -> Iterator[str]:
    with configured("fsync", "off"):
        yield cluster().fresh()


@fault("would lose moves.*set synchronous_commit = on", _check=unseen)
def asynchronous() -> Iterator[str]:
    yield with_option(cluster().fresh(), "synchronous_commit=off")


@fault("would lose moves.*set synchronous_commit = on", _check=unseen)
def not_waiting_for_its_standby() -> Iterator[str]:
    url = with_option(cluster().fresh(), "synchronous_commit=local")
    with configured("synchronous_standby_names", "'nobody'"):
        yield url


@fault("would lose moves.*set synchronous_standby_names", _check=unseen)
def without_a_standby() -> Iterator[str]:
    folder = cluster().folder
    yield f"{cluster().fresh()}&host={folder},{folder}"


@pytest.mark.parametrize("name", FAULTS)
async def test_it_is_one_sentence_and_exit_code_2(name: str, tmp_path: Path) -> None:
    with FAULTS[name].planted() as url:
        args = (*HERE, "--journal", url, "--journal-wait-s", "2")
        program = WANTS_MORE if name == "too_old" else PROGRAM
        code, errors = await outcome(tmp_path, *args, program=program)
    assert code == 2 and "secret" not in errors
    assert re.search(FAULTS[name].told, one_sentence(errors)), errors


@pytest.mark.parametrize("name", [name for name, one in FAULTS.items() if one.checks])
async def test_without_the_check_it_would_begin(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control for the test above."""
    if name == "too_old":
        monkeypatch.setattr(connecting, "OLDEST", 990000)
    with FAULTS[name].planted() as url:
        with pytest.raises(Unusable, match=FAULTS[name].told):
            journal_in(url)
        for check, nothing in FAULTS[name].checks.items():
            module = connecting if hasattr(connecting, check) else postgres
            monkeypatch.setattr(module, check, nothing)
        await journal_in(url).close()
