"""What a database adds to the contract, whichever it is: a journal is there after the end, many
wishes are one commit, and what became of a failed commit nobody claims to know."""

import asyncio
from collections.abc import Awaitable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from protocol.ids import MatchId, Seat, Version
from server.store import writer
from server.store.journal import Doubled, JournalError
from server.store.migrating import Connection
from tests.stage.stores import DATABASES, HEADER, Database, database_of, entry, header


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    return database_of(request.param, tmp_path)


async def test_what_was_kept_is_there_after_the_end(database: Database) -> None:
    journal = database.opened()
    await journal.begin(HEADER)
    await journal.append(HEADER.match, Version(1), entry(0, b"one"))
    await journal.close()
    again = database.opened()
    assert await again.load(HEADER.match) == (HEADER, (entry(0, b"one"),))
    with pytest.raises(Doubled):
        await again.append(HEADER.match, Version(2), entry(0, b"one"))
    await again.close()


def commits(statement: str) -> bool:
    """PostgreSQL's entries are one statement, which needs no transaction around it."""
    return statement == "COMMIT" or statement.lstrip().startswith("WITH")


class Counting:
    """A connection, and how often it was told to commit."""

    def __init__(self, inner: Connection) -> None:
        self._inner = inner
        self.commits = 0

    def execute(self, statement: str, parameters: Any = (), /) -> Any:
        self.commits += commits(statement)
        return self._inner.execute(statement, parameters)

    def executemany(self, statement: str, parameters: Any, /) -> Any:
        return self._inner.executemany(statement, parameters)

    def close(self) -> None:
        self._inner.close()


async def test_what_waits_is_committed_together(database: Database) -> None:
    connection = Counting(database.connect())
    journal = database.opened(connection)
    await journal.begin(HEADER)
    before = connection.commits
    matches = [MatchId(f"other {number}") for number in range(200)]
    await asyncio.gather(*(journal.begin(header(match)) for match in matches))
    await asyncio.gather(*(journal.append(match, Version(1), entry()) for match in matches))
    assert connection.commits - before < 100, "400 wishes, far fewer commits"
    assert set(matches) < set(await journal.held())
    await journal.close()


@pytest.mark.parametrize("turns", [1, 5])
async def test_what_comes_in_one_turn_or_several_without_a_pause_is_one_commit(
    database: Database, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    monkeypatch.setattr(writer, "GATHER_S", 60.0)
    connection = Counting(database.connect())
    journal = database.opened(connection)
    matches = [MatchId(f"other {number}") for number in range(20 * turns)]
    await asyncio.gather(*(journal.begin(header(match)) for match in matches))
    before, appended = connection.commits, list[Awaitable[None]]()
    for turn in range(turns):
        some = matches[20 * turn : 20 * (turn + 1)]
        appended += [journal.append(match, Version(1), entry()) for match in some]
        await asyncio.sleep(0)
    await asyncio.gather(*appended)
    assert connection.commits - before == 1
    await journal.close()


async def test_one_refused_wish_does_not_harm_the_others_of_its_group(database: Database) -> None:
    journal = database.opened()
    await journal.begin(HEADER)
    results = await asyncio.gather(
        journal.append(HEADER.match, Version(1), entry(0, b"one")),
        journal.append(HEADER.match, Version(9), entry(0, b"gap")),
        journal.append(HEADER.match, Version(2), entry(0, b"one")),
        journal.append(HEADER.match, Version(2), entry(0, b"two")),
        return_exceptions=True,
    )
    kept, gap, doubled, also_kept = results
    assert kept is None and also_kept is None
    assert isinstance(gap, JournalError)
    assert isinstance(doubled, Doubled)
    assert (await journal.load(HEADER.match))[1] == (entry(0, b"one"), entry(0, b"two"))
    await journal.close()


async def test_what_is_forgotten_stays_as_a_record_without_its_tokens(database: Database) -> None:
    journal = database.opened()
    await journal.begin(HEADER)
    await journal.append(HEADER.match, Version(1), entry(0, b"one"))
    await journal.keep_tokens(HEADER.match, Seat(0), [b"a" * 32, b"b" * 32])
    await journal.finish(HEADER.match, b"\xc0")
    await journal.forget(HEADER.match)
    await journal.close()
    again = database.opened()
    assert await again.held() == []
    assert await again.load(HEADER.match) == (HEADER, (entry(0, b"one"),))
    await again.close()
    with closing(database.look()) as connection:
        assert connection.execute("SELECT count(*) FROM token").fetchall() == [(0,)]


async def test_after_the_end_it_says_no_and_hangs_nobody(database: Database) -> None:
    journal = database.opened()
    under_way = [asyncio.ensure_future(journal.begin(header(f"m{n}"))) for n in range(50)]
    await asyncio.sleep(0)
    for task in under_way[::2]:
        task.cancel()
    await journal.close()
    await journal.close()
    results = await asyncio.gather(*under_way, return_exceptions=True)
    assert all(result is None for result in results[1::2])
    with pytest.raises(JournalError, match="closed"):
        await journal.held()


class Failing(Counting):
    """Commits, and then says that it could not: what became of it is unknown. `early`: it says so
    before."""

    failing = early = False

    def execute(self, statement: str, parameters: Any = (), /) -> Any:
        if self.early and commits(statement):
            raise OSError("disk I/O error")
        result = super().execute(statement, parameters)
        if self.failing and commits(statement):
            raise OSError("disk I/O error")
        return result


async def test_nobody_is_told_of_a_commit_that_failed(database: Database) -> None:
    connection = Failing(database.connect())
    journal = database.opened(connection)
    await journal.begin(HEADER)
    connection.failing = True
    with pytest.raises(JournalError, match="disk I/O error"):
        await journal.append(HEADER.match, Version(1), entry())
    connection.failing = False
    assert len((await journal.load(HEADER.match))[1]) == 1, "it was kept all the same"
    await journal.append(HEADER.match, Version(2), entry(0, b"next"))
    await journal.close()


async def test_an_undone_commit_leaves_every_match_where_it_was(database: Database) -> None:
    connection = Failing(database.connect())
    journal = database.opened(connection)
    await journal.begin(HEADER)
    await journal.append(HEADER.match, Version(1), entry(0, b"one"))
    connection.early = True
    with pytest.raises(JournalError, match="disk I/O error"):
        await journal.append(HEADER.match, Version(2), entry(0, b"two"))
    connection.early = False
    assert len((await journal.load(HEADER.match))[1]) == 1
    await journal.append(HEADER.match, Version(2), entry(0, b"two"))
    assert len((await journal.load(HEADER.match))[1]) == 2, "and the chain fits"
    await journal.close()
