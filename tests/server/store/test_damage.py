"""Bytes that the disk has changed: what is whole goes on, the rest is named, nothing is older in
silence."""

import asyncio
import shutil
import stat
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from structlog.testing import capture_logs

from protocol.ids import MatchId, Version
from server.store import chain, mending, sqlite
from server.store.journal import Entry, Hurt, JournalError
from server.store.migrating import Unusable
from server.store.settling import TABLES
from server.store.sqlite import FILE_NAME, SqliteJournal, connect_to, journal_in
from server.store.state_folder import StateFolder
from server.store.wal import PAGE_BYTES
from tests.stage.stores import HEADER, entry, header

MATCHES: Final = [MatchId(f"match-{number}") for number in range(12)]
ACTIONS: Final = 40
FLIPPED: Final = 64
TURNS: Final = 6

Kept = Mapping[MatchId, Sequence[Entry]]


def entries(match: int, count: int = ACTIONS) -> list[Entry]:
    rng = Random(match)
    return [
        entry(n % 3, b"key-%d" % n, 900 * n, rng.randbytes(rng.randrange(20, 90)), (n, 0, 5))
        for n in range(count)
    ]


async def play(journal: SqliteJournal) -> None:
    for number, match in enumerate(MATCHES):
        await journal.begin(header(match), {0: [bytes(32)]})  # type: ignore[dict-item]
        for version, one in enumerate(entries(number), 1):
            await journal.append(match, Version(version), one)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal that was closed, and `crashed`, one whose server was killed."""
    folder = tmp_path_factory.mktemp("played")

    async def work() -> None:
        async with journal_in(folder) as journal:
            await play(journal)
            shutil.copytree(folder, folder / "crashed")

    asyncio.run(work())
    return folder


def flipped(file: Path, at: int) -> None:
    content = bytearray(file.read_bytes())
    for place in range(at, min(at + FLIPPED, len(content))):
        content[place] ^= 0xFF
    file.write_bytes(content)


def copied(source: Path, target: Path) -> Path:
    target.mkdir()
    for file in source.glob(f"{FILE_NAME}*"):
        if not file.name.endswith("-shm"):
            shutil.copy(file, target)
    return target


@asynccontextmanager
async def reopened(folder: Path) -> AsyncIterator[tuple[SqliteJournal | None, list[Any]]]:
    """The journal, or None where it is refused, and what the log says."""
    with capture_logs() as logs:
        try:
            async with journal_in(folder) as journal:
                yield journal, logs
        except Unusable as error:
            assert "damaged" in str(error)
            yield None, logs


async def changed_in_silence(folder: Path) -> list[MatchId]:
    """The matches that are not what they were, although nobody has said so."""
    async with reopened(folder) as (journal, logs):
        if journal is None or any("newest part" in log["event"] for log in logs):
            return []
        named = {name for log in logs for name in log.get("hurt", ())}
        held = set(await journal.held())
        wrong = []
        for number, match in enumerate(MATCHES):
            try:
                kept = await journal.load(match)
                sound = kept == (header(match), tuple(entries(number))) and match in held
            except Hurt:
                sound = True
            except JournalError:
                sound = bool(named)
            if not sound and match not in named and f"number {number + 1}" not in named:
                wrong.append(match)
        return wrong


async def test_bytes_that_change_in_a_page_are_found(played: Path, tmp_path: Path) -> None:
    size, rng = (played / FILE_NAME).stat().st_size, Random(7)
    hurt = 0
    for turn in range(TURNS):
        folder = copied(played, tmp_path / str(turn))
        flipped(folder / FILE_NAME, rng.randrange(size))
        assert await changed_in_silence(folder) == []
        hurt += len(list(folder.glob("*.hurt-*"))) > 0
    assert hurt > TURNS / 8, "it has to set files aside, or the flips hit nothing"


async def test_bytes_that_change_in_the_wal_are_found(played: Path, tmp_path: Path) -> None:
    """After a crash. Only the last commit may be missing without a word: a power cut tears it, and
    nobody was told of it."""
    crashed, rng = played / "crashed", Random(9)
    wal = f"{FILE_NAME}-wal"
    size = (crashed / wal).stat().st_size
    told = 0
    for turn, at in enumerate([0, 20, *(rng.randrange(size // 3) for _ in range(TURNS))]):
        folder = copied(crashed, tmp_path / str(turn))
        flipped(folder / wal, at)
        missing = set(await changed_in_silence(folder)) - {MATCHES[-1]}
        assert missing == set(), f"at {at} of {size}"
        told += len(list(folder.glob("*.hurt-*-wal"))) > 0
    assert told > 2


async def test_whichever_page_of_the_log_is_damaged_the_other_matches_go_on(
    played: Path, tmp_path: Path
) -> None:
    """All entries are in the log there. Where its newest are lost, nobody knows whose they were."""
    went_back = 0
    for page in range(1, (played / FILE_NAME).stat().st_size // PAGE_BYTES):
        folder = copied(played, tmp_path / str(page))
        flipped(folder / FILE_NAME, page * PAGE_BYTES)
        shutil.copytree(folder, folder / "again")
        assert await changed_in_silence(folder / "again") == [], page
        async with reopened(folder) as (journal, logs):
            if journal is not None:
                lost = [log for log in logs if log["event"] == mending.GONE_BACK]
                went_back += len(lost)
                assert not lost or len(await journal.held()) > len(MATCHES) / 2
    assert went_back > 4


async def test_a_journal_that_looks_for_nothing_is_found_out(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control for both tests above."""
    monkeypatch.setattr(chain, "check", lambda *_: None)
    monkeypatch.setattr(sqlite, "_check_pages", lambda *_: None)
    monkeypatch.setattr(sqlite, "_look_at_the_newest", lambda _: None)
    size, rng = (played / FILE_NAME).stat().st_size, Random(7)
    wrong = []
    for turn in range(TURNS):
        folder = copied(played, tmp_path / str(turn))
        flipped(folder / FILE_NAME, rng.randrange(size))
        with suppress(JournalError):  # what even SQLite notices
            wrong += await changed_in_silence(folder)
    assert wrong
    crashed = copied(played / "crashed", tmp_path / "crashed")
    flipped(crashed / f"{FILE_NAME}-wal", 10_000)
    assert set(await changed_in_silence(crashed)) > {MATCHES[-1]}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE {} SET action = x'00' WHERE match = 1 AND version = 5",
        "UPDATE {} SET at_ms = at_ms + 1 WHERE match = 1 AND version = 5",
        "UPDATE {} SET seat = NULL WHERE match = 1 AND version = 5",
        "UPDATE OR REPLACE {} SET version = 4 WHERE match = 1 AND version = 5",
        "UPDATE {} SET match = 77 WHERE match = 1 AND version = 5",
        "DELETE FROM {} WHERE match = 1 AND version = 5",
        "UPDATE match SET seed = zeroblob(31) WHERE number = 1",
    ],
)
async def test_one_match_that_does_not_fit_harms_no_other(
    tmp_path: Path, damage: str, table: str
) -> None:
    async with journal_in(tmp_path) as journal:
        await play_some(journal)
    if table == "settled":
        async with journal_in(tmp_path):
            pass
    connection = connect_to(tmp_path / FILE_NAME)
    assert connection.execute(damage.format(table)).rowcount
    connection.close()
    async with journal_in(tmp_path) as journal:
        hurt, other = await asyncio.gather(
            journal.load(MATCHES[0]), journal.load(MATCHES[1]), return_exceptions=True
        )
        assert isinstance(hurt, Hurt)
        assert MATCHES[0] in str(hurt)
        assert other == (header(MATCHES[1]), tuple(entries(1, 6)))


async def play_some(journal: SqliteJournal) -> None:
    for number, match in enumerate(MATCHES[:2]):
        await journal.begin(header(match))
        for version, one in enumerate(entries(number, 6), 1):
            await journal.append(match, Version(version), one)


async def test_a_match_from_before_the_chain_goes_on_with_one(tmp_path: Path) -> None:
    async with journal_in(tmp_path) as journal:
        await play_some(journal)
    connection = connect_to(tmp_path / FILE_NAME)
    for table in ("match", "log"):
        connection.execute(f"UPDATE {table} SET link = x''")
    connection.close()
    async with journal_in(tmp_path) as journal:
        for version, one in enumerate(entries(0, 9)[6:], 7):
            await journal.append(MATCHES[0], Version(version), one)
        assert (await journal.load(MATCHES[0]))[1] == tuple(entries(0, 9))
    connection = connect_to(tmp_path / FILE_NAME)
    connection.execute("UPDATE log SET action = x'00' WHERE match = 1 AND version = 8")
    connection.close()
    async with journal_in(tmp_path) as journal:
        with pytest.raises(Hurt, match="version 8"):
            await journal.load(MATCHES[0])


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_nobody_else_can_read_it_whatever_folder_it_lies_in(tmp_path: Path) -> None:
    """Also where the folder was made by an older version, or by hand, or is full of other files."""
    for number, other in enumerate(("", "lock", "diary")):
        path = tmp_path / str(number)
        path.mkdir(mode=0o755)
        if other:
            (path / other).touch()
            (path / FILE_NAME).touch(0o644)
        folder = StateFolder(path)
        async with journal_in(path) as journal:
            await journal.begin(HEADER)
            assert mode(path) == (0o755 if other == "diary" else 0o700)
            files = [file for file in path.iterdir() if file.name.startswith((FILE_NAME, "lock"))]
            assert len(files) == 4
            assert [mode(file) for file in files if other != file.name] == [0o600] * (
                3 if other == "lock" else 4
            )
        folder.release()
