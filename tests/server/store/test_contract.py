"""Every store keeps the journal's contract; what a database adds to it, whichever it is: a journal
is there after the end, many wishes are one commit, and what became of a failed commit nobody claims
to know."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from protocol.ids import MatchId, Seat, Version
from server.store import in_database, sqlite
from server.store.journal import Doubled, Entry, JournalError
from server.store.statements import No, SqlConnection
from tests.stage import stores

# Every store --------------------------------------------------------------------------------------


Law = Callable[[stores.Make], Awaitable[None]]


@pytest.fixture(autouse=True)
def settles_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match's entries stand in both of a file's tables then."""
    monkeypatch.setattr(sqlite, "LOG_ENTRIES", 2)


every_store = stores.parametrized(*stores.STORES)

# Few letters, among them msgpack's own bytes for short arrays, bins and lengths: so keys are often
# parts of other keys, of actions, and of what lies between two entries.
letters = st.sampled_from([b"\x00", b"\x01", b"\x94", b"\xc4", b"\xc0", b"k"])
keys = st.lists(letters, min_size=1, max_size=16).map(b"".join)
actions = st.lists(letters, max_size=40).map(b"".join)
lags = st.just(()) | st.tuples(*[st.integers(0, 2**16)] * 3)
played = st.builds(stores.entry, st.integers(0, 2), keys, st.integers(0, 2**40), actions, lags)
ticks = st.builds(stores.entry, st.none(), st.just(b""), st.integers(0, 2**40), st.just(b""))


def once_each(entries: list[Entry]) -> bool:
    names = [(one.seat, one.key) for one in entries if one.seat is not None]
    return len(set(names)) == len(names)


matches = st.lists(played | ticks, max_size=12).filter(once_each)


@every_store
@pytest.mark.parametrize("law", stores.PLAIN_LAWS)
async def test_store_keeps(law: Law, make: stores.Make) -> None:
    await law(make)


@stores.parametrized("memory", "sqlite", "postgres")
async def test_store_of_one_server_lets_matches_sleep(make: stores.Make) -> None:
    await stores.lets_matches_sleep(make)


@every_store
@given(entries=matches, wanted=st.lists(played, min_size=1, max_size=3))
def test_store_gives_back_and_finds_only_what_was_appended(
    make: stores.Make, entries: list[Entry], wanted: list[Entry]
) -> None:
    asyncio.run(stores.gives_back_what_was_appended(make, entries, *wanted))


@every_store
async def test_a_long_match_is_kept_whole_and_each_key_of_it_is_found(make: stores.Make) -> None:
    """Two thousand bytes and more: a store may keep it in several parts."""
    whole = [stores.entry(n % 3, b"key-%d" % n, 900 * n, b"x" * (n % 30)) for n in range(80)]
    journal = make()
    await journal.begin(stores.HEADER)
    for version, one in enumerate(whole, 1):
        await journal.append(stores.HEADER.match, Version(version), one)
    for version, one in enumerate(whole, 1):
        with pytest.raises(Doubled) as doubled:
            await journal.append(stores.HEADER.match, Version(len(whole) + 1), one)
        assert doubled.value.version == version
    assert list((await journal.load(stores.HEADER.match))[1]) == whole
    await journal.close()


# Every database -----------------------------------------------------------------------------------


@pytest.fixture(params=stores.DATABASES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> stores.Database:
    return stores.database_of(request.param, tmp_path)


async def test_what_was_kept_is_there_after_the_end(database: stores.Database) -> None:
    journal = database.opened()
    await journal.begin(stores.HEADER)
    await journal.append(stores.HEADER.match, Version(1), stores.entry(0, b"one"))
    await journal.close()
    again = database.opened()
    assert await again.load(stores.HEADER.match) == (stores.HEADER, (stores.entry(0, b"one"),))
    with pytest.raises(Doubled):
        await again.append(stores.HEADER.match, Version(2), stores.entry(0, b"one"))
    await again.close()


def commits(statement: str) -> bool:
    """PostgreSQL's entries are one statement, which needs no transaction around it."""
    return statement == "COMMIT" or statement.lstrip().startswith("WITH")


class Counting:
    """A connection, and how many commits it has done."""

    def __init__(self, inner: SqlConnection) -> None:
        self._inner = inner
        self.commits = 0

    def execute(self, statement: str, parameters: Any = (), /) -> Any:
        result = self._inner.execute(statement, parameters)
        self.commits += commits(statement)
        return result

    def executemany(self, statement: str, parameters: Any, /) -> Any:
        return self._inner.executemany(statement, parameters)

    def close(self) -> None:
        self._inner.close()


@pytest.mark.parametrize("turns", [1, 5])
async def test_what_comes_in_one_turn_or_several_without_a_pause_is_one_commit(
    database: stores.Database, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    monkeypatch.setattr(in_database, "GATHER_S", 60.0)
    connection = Counting(database.connect())
    journal = database.opened(connection)
    matches = [MatchId(f"other {number}") for number in range(20 * turns)]
    await asyncio.gather(*(journal.begin(stores.header(match)) for match in matches))
    before, appended = connection.commits, list[Awaitable[None]]()
    for turn in range(turns):
        some = matches[20 * turn : 20 * (turn + 1)]
        appended += [journal.append(match, Version(1), stores.entry()) for match in some]
        await asyncio.sleep(0)
    await asyncio.gather(*appended)
    assert connection.commits - before == 1
    await journal.close()


async def test_one_refused_wish_does_not_harm_the_others_of_its_group(
    database: stores.Database,
) -> None:
    journal = database.opened()
    await journal.begin(stores.HEADER)
    results = await asyncio.gather(
        journal.append(stores.HEADER.match, Version(1), stores.entry(0, b"one")),
        journal.append(stores.HEADER.match, Version(9), stores.entry(0, b"gap")),
        journal.append(stores.HEADER.match, Version(2), stores.entry(0, b"one")),
        journal.append(stores.HEADER.match, Version(2), stores.entry(0, b"two")),
        return_exceptions=True,
    )
    kept, gap, doubled, also_kept = results
    assert kept is None and also_kept is None
    assert isinstance(gap, JournalError)
    assert isinstance(doubled, Doubled)
    assert (await journal.load(stores.HEADER.match))[1] == (
        stores.entry(0, b"one"),
        stores.entry(0, b"two"),
    )
    await journal.close()


async def test_a_match_that_is_not_there_harms_none_that_is_loaded_with_it(
    database: stores.Database,
) -> None:
    journal = database.opened()
    await journal.begin(stores.HEADER)
    nobody = MatchId("nobody")
    for wishes in ((stores.HEADER.match, nobody), (nobody, stores.HEADER.match), (nobody,)):
        for ask in (journal.load, journal.tokens):
            found = await asyncio.gather(*map(ask, wishes), return_exceptions=True)
            for match, one in zip(wishes, found, strict=True):
                assert isinstance(one, No) is (match == nobody)
    await journal.close()


async def test_what_is_forgotten_stays_as_a_record_without_its_tokens(
    database: stores.Database,
) -> None:
    journal = database.opened()
    await journal.begin(stores.HEADER)
    await journal.append(stores.HEADER.match, Version(1), stores.entry(0, b"one"))
    await journal.keep_tokens(stores.HEADER.match, Seat(0), [b"a" * 32, b"b" * 32])
    await journal.finish(stores.HEADER.match, b"\xc0")
    await journal.forget(stores.HEADER.match)
    await journal.close()
    again = database.opened()
    assert await again.current() == []
    assert await again.load(stores.HEADER.match) == (stores.HEADER, (stores.entry(0, b"one"),))
    await again.close()
    with closing(database.look()) as connection:
        assert connection.execute("SELECT count(*) FROM token").fetchall() == [(0,)]


async def test_after_the_end_it_says_no_and_hangs_nobody(database: stores.Database) -> None:
    journal = database.opened()
    under_way = [asyncio.ensure_future(journal.begin(stores.header(f"m{n}"))) for n in range(50)]
    await asyncio.sleep(0)
    for task in under_way[::2]:
        task.cancel()
    await journal.close()
    await journal.close()
    results = await asyncio.gather(*under_way, return_exceptions=True)
    assert all(result is None for result in results[1::2])
    with pytest.raises(JournalError, match="closed"):
        await journal.current()


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


async def test_nobody_is_told_of_a_commit_that_failed(database: stores.Database) -> None:
    connection = Failing(database.connect())
    journal = database.opened(connection)
    await journal.begin(stores.HEADER)
    connection.failing = True
    with pytest.raises(JournalError, match="disk I/O error"):
        await journal.append(stores.HEADER.match, Version(1), stores.entry())
    connection.failing = False
    assert len((await journal.load(stores.HEADER.match))[1]) == 1, "it was kept all the same"
    await journal.append(stores.HEADER.match, Version(2), stores.entry(0, b"next"))
    await journal.close()


async def test_an_undone_commit_leaves_every_match_where_it_was(database: stores.Database) -> None:
    connection = Failing(database.connect())
    journal = database.opened(connection)
    await journal.begin(stores.HEADER)
    await journal.append(stores.HEADER.match, Version(1), stores.entry(0, b"one"))
    connection.early = True
    with pytest.raises(JournalError, match="disk I/O error"):
        await journal.append(stores.HEADER.match, Version(2), stores.entry(0, b"two"))
    connection.early = False
    assert len((await journal.load(stores.HEADER.match))[1]) == 1
    await journal.append(stores.HEADER.match, Version(2), stores.entry(0, b"two"))
    assert len((await journal.load(stores.HEADER.match))[1]) == 2, "and the chain fits"
    await journal.close()
