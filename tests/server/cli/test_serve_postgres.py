"""`serve --journal`: matches lie in the database; of one that no server may begin with it says in
one sentence what to do."""

import asyncio
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from signal import SIGTERM
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import pytest

from protocol.from_client import Leave
from server.__main__ import main
from server.store.statements import Unusable
from tests.server.cli.test_serve import HERE, one_sentence
from tests.stage.house import PATIENCE_S, begin
from tests.stage.postgres import Cluster, cluster, missing, needs_postgres
from tests.stage.processes import outcome, started

pytestmark = needs_postgres


async def test_a_match_lies_in_the_database_and_its_record_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, folder = cluster().fresh(), tmp_path / "state"
    async with started(tmp_path, *HERE, "--journal", url, "--state", str(folder)) as server:
        await server.listens()
        while "matches are kept in" not in (line := await server.line()):
            assert line
        assert line.endswith(f"postgresql://{cluster().folder}/postgres")
        ann, ben = await server.peer("Ann"), await server.peer("Ben")
        await begin(ann, ben)
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        for peer in (ann, ben):
            await peer.done(Leave(id=0))
        server.signal(SIGTERM)
        assert await server.ends() == 0
    assert not list(folder.glob("journal.db*"))
    here = ["--state", str(folder)]
    assert main(["records", *here, "--journal", url, "--json"]) == 0
    monkeypatch.setenv("CLOCKTOWERS_JOURNAL", url)
    (one,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert one["players"] == ["Ann", "Ben"]
    assert main(["records", *here, "--write", str(tmp_path / "out.jsonl")]) == 0
    assert main(["verify", str(tmp_path / "out.jsonl")]) == 0
    for command in ("backup", "restore"):
        (tmp_path / command).touch()
        assert main([command, *here, str(tmp_path / command)]) == 1
        assert "pg_dump" in capsys.readouterr().err


async def test_what_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    code, errors = await outcome(tmp_path, *HERE, "--journal", "mysql://ann:secret@host/x")
    assert code == 2 and "begins with postgresql://" in one_sentence(errors)
    assert "secret" not in errors


def test_the_list_of_settings_hides_the_password(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for url in (
        "postgresql://ann:secret@host/x?sslmode=require",
        "postgresql://h/x?password=secret",
    ):
        monkeypatch.setenv("CLOCKTOWERS_JOURNAL", url)
        for how in ("--print-config", "--json"):
            assert main(["serve", how]) == 0
            told = capsys.readouterr().out
            assert "secret" not in told and "postgresql://" in told and "***" in told


# Databases that no server may begin with ---------------------------------------------------------

if not missing():
    from server.store import connecting, postgres


class Fault(NamedTuple):
    """`planted`: yields the URL of a database that has it. `told`: what is said of it. `begins`:
    whether a whole server is begun, or its journal alone."""

    planted: Callable[[], AbstractContextManager[str]]
    told: str
    begins: bool


FAULTS: Final[dict[str, Fault]] = {}


def fault(told: str, *, begins: bool = False) -> Callable[[Callable[[], Iterator[str]]], None]:
    def note(planted: Callable[[], Iterator[str]]) -> None:
        FAULTS[planted.__name__] = Fault(contextmanager(planted), told, begins)

    return note


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
    return postgres.PostgresJournal(partial(connecting.Lasting, url, PATIENCE_S), url)


def filled(url: str) -> str:
    """With a journal of this version."""
    journal_in(url)._groups.put(None)  # as `close` does, in no loop
    return url


@fault("No such file.*see that it runs", begins=True)
def away() -> Iterator[str]:
    yield "postgresql://ann:secret@/x?host=/nowhere"


@fault("timeout expired.*answers", begins=True)
def hanging() -> Iterator[str]:
    url = cluster().fresh()
    cluster().hang()
    try:
        yield url
    finally:
        cluster().go_on()


@fault("read-only.*can be written")
def read_only() -> Iterator[str]:
    yield with_option(filled(cluster().fresh()), "default_transaction_read_only=on")


@fault("No space left.*has room")
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


@fault("older than PostgreSQL 99: update it")
def too_old() -> Iterator[str]:
    """For a program that wants more than there is."""
    yield cluster().fresh()


@fault("would lose moves.*set fsync = on")
def without_fsync() -> Iterator[str]:
    with configured("fsync", "off"):
        yield cluster().fresh()


@fault("would lose moves.*set synchronous_commit = on")
def asynchronous() -> Iterator[str]:
    yield with_option(cluster().fresh(), "synchronous_commit=off")


@fault("would lose moves.*set synchronous_commit = on")
def not_waiting_for_its_standby() -> Iterator[str]:
    url = with_option(cluster().fresh(), "synchronous_commit=local")
    with configured("synchronous_standby_names", "'nobody'"):
        yield url


@fault("would lose moves.*set synchronous_standby_names")
def without_a_standby() -> Iterator[str]:
    folder = cluster().folder
    yield f"{cluster().fresh()}&host={folder},{folder}"


@pytest.mark.parametrize("name", [name for name, one in FAULTS.items() if one.begins])
async def test_it_is_one_sentence_and_exit_code_2(name: str, tmp_path: Path) -> None:
    with FAULTS[name].planted() as url:
        args = (*HERE, "--journal", url, "--journal-wait-s", "2")
        code, errors = await outcome(tmp_path, *args)
    assert code == 2 and "secret" not in errors
    assert re.search(FAULTS[name].told, one_sentence(errors)), errors


@pytest.mark.parametrize("name", [name for name, one in FAULTS.items() if not one.begins])
async def test_no_journal_is_opened_in_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "too_old":
        monkeypatch.setattr(connecting, "OLDEST", 990000)
    with FAULTS[name].planted() as url, pytest.raises(Unusable, match=FAULTS[name].told):
        journal_in(url)
