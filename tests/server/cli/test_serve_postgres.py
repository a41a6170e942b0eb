"""`serve --journal`: matches lie in the database; what cannot be used is one sentence."""

import asyncio
import json
from pathlib import Path
from random import Random
from signal import SIGTERM

import pytest

from protocol.from_client import Join, Leave
from server.__main__ import main
from tests.server.cli.test_serve import HERE, one_sentence
from tests.stage.house import READY, START
from tests.stage.postgres import cluster, needs_postgres
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
        code = await ann.create(seats=2)
        await ben.done(Join(id=0, table=code))
        await ben.done(READY)
        await ann.done(START)
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        for peer in (ann, ben):
            await peer.done(Leave(id=0))
        server.signal(SIGTERM)
        assert await server.ends() == 0
    assert not list(folder.glob("journal.db*"))
    monkeypatch.setenv("CLOCKTOWERS_JOURNAL", url)
    here = ["--state", str(folder)]
    assert main(["records", *here, "--json"]) == 0
    (one,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert one["players"] == ["Ann", "Ben"]
    assert main(["records", *here, "--write", str(tmp_path / "out.jsonl")]) == 0
    assert main(["verify", str(tmp_path / "out.jsonl")]) == 0
    for command in ("backup", "restore"):
        (tmp_path / command).touch()
        assert main([command, *here, str(tmp_path / command)]) == 1
        assert "pg_dump" in capsys.readouterr().err


async def test_what_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    """What is wrong with a database is in `test_unusable_databases.py`."""
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
