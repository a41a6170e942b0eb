"""Which finished matches are kept, how long, and how many; copies of the journal."""

import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from protocol.ids import MatchId, Version
from server.store import keeping
from server.store.keeping import AT_ONCE, DAY_S
from server.store.migrating import Connection, Unusable
from server.store.sqlite import (
    FILE_NAME,
    SqliteJournal,
    connect_to,
    copy,
    journal_in,
    reading,
    used_bytes,
)
from tests.stage.stores import entry, header

LARGE = 1 << 30


@pytest.fixture
def look(tmp_path: Path) -> Iterator[Connection]:
    connection = connect_to(tmp_path / FILE_NAME)
    yield connection
    connection.close()


async def over(journal: SqliteJournal, match: str, outcome: bytes = b"\xc0", size: int = 1) -> None:
    await journal.begin(header(match))
    await journal.append(MatchId(match), Version(1), entry(0, b"one", action=bytes(size)))
    await journal.finish(MatchId(match), outcome)
    await journal.forget(MatchId(match))


def ids(connection: Connection) -> list[str]:
    return [one.match for one in keeping.records(connection)]


async def test_what_is_kept_and_what_goes(tmp_path: Path, look: Connection) -> None:
    async with journal_in(tmp_path) as journal:
        for match in ("old", "young"):
            await over(journal, match)
        await over(journal, "left", outcome=b"")
        await journal.begin(header("begun"))
        await journal.forget(MatchId("begun"))
        await journal.begin(header("held"))
        await journal.finish(MatchId("held"), b"\xc0")
        look.execute("UPDATE match SET ended_at = ended_at - ? WHERE id = 'old'", (31 * DAY_S,))
        assert ids(look) == ["old", "young"]
        assert await journal.prune(30, LARGE) == 3
        assert ids(look) == ["young"]
        assert await journal.prune(0, LARGE) == 1
        assert ids(look) == [] and list(await journal.held()) == ["held"]
        assert look.execute("SELECT count(*) FROM entry").fetchall() == [(0,)]


async def test_when_it_is_too_large_the_oldest_go_first(tmp_path: Path, look: Connection) -> None:
    async with journal_in(tmp_path) as journal:
        names = [f"m{number}" for number in range(5 * AT_ONCE)]
        for name in names:
            await over(journal, name, size=4000)
        most = used_bytes(look) // 2
        pruned = await journal.prune(30, most)
        assert pruned == 3 * AT_ONCE
        assert ids(look) == names[pruned:]
        assert used_bytes(look) <= most
        file = tmp_path / FILE_NAME
        look.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = file.stat().st_size
        for name in names[:pruned]:
            await over(journal, name, size=4000)
        look.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert file.stat().st_size <= size * 1.05, "free room is used again"


async def test_a_copy_is_whole_and_its_owners_alone(tmp_path: Path) -> None:
    async with journal_in(tmp_path) as journal:
        await over(journal, "one")
        copy(tmp_path / FILE_NAME, target := tmp_path / "copy.db")
        with pytest.raises(FileExistsError):
            copy(tmp_path / FILE_NAME, target)
        await over(journal, "two")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with closing(reading(target)) as connection:
        assert ids(connection) == ["one"]
        with pytest.raises(Exception, match=r"readonly|read-only|query_only"):
            connection.execute("DELETE FROM match")
    with pytest.raises(Unusable, match="--state"):
        reading(tmp_path / "nowhere.db")
