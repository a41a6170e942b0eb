"""What SQLite adds to the contract: it is there after the end, and full disks harm nobody."""

import asyncio
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from protocol.ids import MatchId, Version
from server.server import SWITCH_S
from server.store import settling
from server.store.journal import JournalError
from server.store.sqlite import SqliteJournal, connect_to
from server.store.wal import PAGE_BYTES
from tests.stage.stores import HEADER, entry, header


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def opened(file: Path) -> SqliteJournal:
    return SqliteJournal(lambda: connect_to(file), str(file))


async def test_a_full_disk_is_an_error_and_no_loss(file: Path) -> None:
    connection = connect_to(file)
    journal = SqliteJournal(lambda: connection, str(file))
    await journal.begin(HEADER)
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    kept = 0
    with pytest.raises(JournalError, match="full"):
        for kept in range(1000):
            await journal.append(
                HEADER.match, Version(kept + 1), entry(0, b"%d" % kept, kept, bytes(500))
            )
    assert 0 < kept < 1000
    assert len((await journal.load(HEADER.match))[1]) == kept
    connection.execute("PRAGMA max_page_count = 100000")
    await journal.append(HEADER.match, Version(kept + 1), entry(0, b"again"))
    assert len((await journal.load(HEADER.match))[1]) == kept + 1
    await journal.close()


@pytest.mark.parametrize("settles", [False, True])
async def test_a_commit_of_many_matches_writes_a_page_or_two(
    file: Path, monkeypatch: pytest.MonkeyPatch, settles: bool
) -> None:
    """Control: where each commit settles its entries, it writes a page of each match."""
    matches = [MatchId(f"m{number}") for number in range(50)]
    journal = opened(file)
    await asyncio.gather(*(journal.begin(header(match)) for match in matches))
    for version in range(1, 41):
        played = entry(0, b"%d" % version, action=bytes(100))
        await asyncio.gather(*(journal.append(one, Version(version), played) for one in matches))
    await journal.close()
    monkeypatch.setattr(settling, "LOG_ENTRIES", -1 if settles else 1 << 30)
    journal, ahead = opened(file), file.with_name(file.name + "-wal")
    for version in (41, 42):
        before = ahead.stat().st_size
        played = entry(0, b"%d" % version)
        await asyncio.gather(*(journal.append(one, Version(version), played) for one in matches))
    pages = (ahead.stat().st_size - before) / PAGE_BYTES
    assert (pages > len(matches)) if settles else (pages < 5)
    await journal.close()


async def test_a_probe_is_written_and_tells_when_it_cannot_be(file: Path) -> None:
    connection = connect_to(file)
    journal = SqliteJournal(lambda: connection, str(file))
    ahead = file.with_name(file.name + "-wal")
    before = ahead.stat().st_size
    await journal.probe()
    assert ahead.stat().st_size > before
    connection.execute("PRAGMA query_only = ON")
    with pytest.raises(JournalError, match="readonly"):
        await journal.probe()
    await journal.close()


async def test_it_is_synchronous_and_ahead(file: Path) -> None:
    connection = connect_to(file)
    journal = SqliteJournal(lambda: connection, str(file))
    await journal.held()
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    await journal.close()


BUSY_S = 0.1
"""So much of the processor's time a turn of the loop takes at most."""
TURNS = 4


class Counted:
    """The standard driver, and how many commits it has done in its thread."""

    def __init__(self, file: Path) -> None:
        self._inner = connect_to(file)
        self.commits = 0

    def execute(self, statement: str, parameters: Any = (), /) -> Any:
        cursor = self._inner.execute(statement, parameters)
        self.commits += statement == "COMMIT"
        return cursor

    def executemany(self, statement: str, parameters: Any, /) -> Any:
        return self._inner.executemany(statement, parameters)

    def close(self) -> None:
        self._inner.close()


@pytest.fixture(autouse=True)
def interval_as_before() -> Iterator[None]:
    before_s = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before_s)


async def test_a_journal_leaves_the_interpreter_as_it_is(file: Path) -> None:
    before_s = sys.getswitchinterval()
    journal = opened(file)
    assert sys.getswitchinterval() == before_s
    await journal.close()


async def committed_in_busy_turns(file: Path, switch_s: float) -> int:
    """How many of so many turns see the commit that was under way when they began; each lasts until
    it does, or its time is over."""
    connection = Counted(file)
    journal = SqliteJournal(lambda: connection, str(file))
    sys.setswitchinterval(switch_s)
    match = MatchId("m")
    await journal.begin(header(match))
    turns = seen = number = 0
    while turns < TURNS:
        number += 1
        before = connection.commits
        appended = asyncio.ensure_future(
            journal.append(match, Version(number), entry(0, b"%d" % number))
        )
        for _ in range(3):  # turns, after which the thread has it
            await asyncio.sleep(0)
        if connection.commits == before:
            turns += 1
            end_s = time.thread_time() + BUSY_S
            while connection.commits == before and time.thread_time() < end_s:
                pass
            seen += connection.commits > before
        await appended
    await journal.close()
    return seen


async def test_a_busy_loop_does_not_hold_up_commits(file: Path) -> None:
    """An interpreter that leaves the loop alone is the control."""
    assert await committed_in_busy_turns(file.with_suffix(".control"), BUSY_S * 1000) == 0
    assert await committed_in_busy_turns(file, SWITCH_S) > TURNS / 2
