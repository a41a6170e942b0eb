"""`clocktowers-server records`: a match that people played is listed, written out and verified."""

import asyncio
import json
import stat
from pathlib import Path
from random import Random
from string import hexdigits

import pytest

from protocol.from_client import Leave
from protocol.from_server import Notice
from server.__main__ import main
from server.recording import journalled
from server.store.sqlite import journal_in
from tests.stage.house import eventually, house, seated_pair


async def two_play(folder: Path) -> None:
    """A match, and one that is begun and left."""
    async with journal_in(folder) as journal, house(journal=journal) as at:
        ann, ben, code = await seated_pair(at)
        kept = await ann.until(Notice, lambda notice: notice.code == "record_kept")
        assert kept.params == {"days": 30}
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        for peer in (ann, ben):
            await peer.done(Leave(id=0))
        await eventually(lambda: code not in at.server.lobby.tables)
        ann2, _ben2, _code = await seated_pair(at)
        await ann2.done(Leave(id=0))


async def test_a_match_that_people_played_is_listed_written_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, out = tmp_path / "state", tmp_path / "out.jsonl"
    folder.mkdir()
    here = ["records", "--state", str(folder)]
    assert main(here) == 2
    assert "there is no" in capsys.readouterr().err
    await two_play(folder)
    capsys.readouterr()
    assert main(here) == 0
    match, *_rest = (listed := capsys.readouterr().out).split()
    assert "Ann, Ben" in listed and set(match) <= set(hexdigits), "no command line misreads it"
    assert "1 finished matches, kept for 30 days" in listed and "of 1024 MB" in listed
    assert main([*here, "--json"]) == 0
    (one,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (one["match"], one["players"], one["game"]) == (match, ["Ann", "Ben"], "clocktowers")
    assert main([*here, "--write", str(out), match]) == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert main(["verify", str(out)]) == 0
    assert "1 records agree" in capsys.readouterr().out
    record = json.loads(out.read_text())
    assert record["id"] == match
    assert [seat["kind"] for seat in record["seats"]] == ["human", "human"]
    assert main([*here, "--write", str(out)]) == 2
    assert "name another file" in capsys.readouterr().err
    assert main([*here, "nobody"]) == 1
    # A control: a record in which what was played is not what stands.
    monkeypatch.setattr(journalled, "stands", lambda _entries, version: version != 3)
    assert main([*here, "--write", str(worse := tmp_path / "worse.jsonl")]) == 0
    assert main(["verify", str(worse)]) == 1
