"""What a disk does: of bytes that have changed what is whole goes on, the rest is named, nothing is
older in silence; and whatever was acknowledged is there after a power cut at any moment."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from structlog.testing import capture_logs

from protocol.ids import MatchId, Seat, Version
from server.store import mending, sqlite
from server.store.journal import Asleep, Entry, Hurt, JournalError
from server.store.mending import PAGE_BYTES, lost_commits_in
from server.store.sqlite import FILE_NAME, SqliteJournal, connect_to, journal_in
from server.store.statements import Unusable
from tests.server.store.power_cut import Disk, DiskMachine
from tests.stage.stores import entry, header

# Bytes that have changed --------------------------------------------------------------------------


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


async def fill(journal: SqliteJournal, matches: int = len(MATCHES), count: int = ACTIONS) -> None:
    for number, match in enumerate(MATCHES[:matches]):
        await journal.begin(header(match), {Seat(0): [bytes(32)]})
        for version, one in enumerate(entries(number, count), 1):
            await journal.append(match, Version(version), one)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal that was closed, and `crashed`, one whose server was killed."""
    folder = tmp_path_factory.mktemp("played")

    async def work() -> None:
        async with journal_in(folder) as journal:
            await fill(journal)
            shutil.copytree(folder, folder / "crashed")
            await journal.sleep(Asleep(MATCHES[0], "K7QX", 1), b"")
            for n in range(100):
                await journal.keep_person(b"%032d" % n, b"", bytes(300))

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
        held = {*await journal.current(), *(one.match for one in await journal.asleep())}
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


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.soak)])
async def test_whichever_page_of_the_log_is_damaged_the_other_matches_go_on(
    played: Path, tmp_path: Path, every: int
) -> None:
    """All entries are in the log there. Where its newest are lost, nobody knows whose they were."""
    went_back, slept, people, pages = (
        0,
        0,
        list[int](),
        (played / FILE_NAME).stat().st_size // PAGE_BYTES,
    )
    for page in range(1, pages, every):
        folder = copied(played, tmp_path / str(page))
        flipped(folder / FILE_NAME, page * PAGE_BYTES)
        shutil.copytree(folder, folder / "again")
        assert await changed_in_silence(folder / "again") == [], page
        async with reopened(folder) as (journal, logs):
            if journal is not None:
                lost = [log for log in logs if log["event"] == mending.GONE_BACK]
                went_back += len(lost)
                slept += len(await journal.asleep())
                people.append(len(await journal.people()))
                assert not lost or len(await journal.current()) > len(MATCHES) / 2
    assert went_back > 4 / every and slept > pages / every / 2, pages
    assert sorted(people)[1] > 50 and sum(one < 100 for one in people) > 1


async def test_an_older_journal_without_free_pages_goes_on(played: Path, tmp_path: Path) -> None:
    """A match is whole without what is said of it, for which the older one has no place."""
    file = copied(played, tmp_path / "older") / FILE_NAME
    with closing(connect_to(file)) as connection:
        for change in ("DROP TABLE said", "DROP TABLE asleep", "PRAGMA user_version = 4"):
            connection.execute(change)
    free = int.from_bytes(file.read_bytes()[32:36], "big")
    flipped(file, (free - 1) * PAGE_BYTES)
    async with reopened(file.parent) as (journal, _logs):
        assert journal is not None and {*await journal.current()} == {*MATCHES}


OF_ENTRIES: Final = (
    "UPDATE {} SET action = x'00' WHERE match = 1 AND version = 5",
    "UPDATE {} SET at_ms = at_ms + 1 WHERE match = 1 AND version = 5",
    "UPDATE {} SET seat = NULL WHERE match = 1 AND version = 5",
    "UPDATE OR REPLACE {} SET version = 4 WHERE match = 1 AND version = 5",
    "UPDATE {} SET match = 77 WHERE match = 1 AND version = 5",
    "DELETE FROM {} WHERE match = 1 AND version = 5",
)
OF_ITS_MATCH: Final = "UPDATE match SET seed = zeroblob(31) WHERE number = 1"


@pytest.mark.parametrize(
    "damage",
    [
        OF_ITS_MATCH,
        *(one.format(table) for table in SqliteJournal.entry_tables for one in OF_ENTRIES),
    ],
)
async def test_one_match_that_does_not_fit_harms_no_other(tmp_path: Path, damage: str) -> None:
    async with journal_in(tmp_path) as journal:
        await fill(journal, 2, 6)
    if "settled" in damage:
        async with journal_in(tmp_path):
            pass
    connection = connect_to(tmp_path / FILE_NAME)
    assert connection.execute(damage).rowcount
    connection.close()
    async with journal_in(tmp_path) as journal:
        hurt, other = await asyncio.gather(
            journal.load(MATCHES[0]), journal.load(MATCHES[1]), return_exceptions=True
        )
        assert isinstance(hurt, Hurt)
        assert MATCHES[0] in str(hurt)
        assert other == (header(MATCHES[1]), tuple(entries(1, 6)))


async def test_a_match_from_before_the_chain_goes_on_with_one(tmp_path: Path) -> None:
    async with journal_in(tmp_path) as journal:
        await fill(journal, 2, 6)
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


# Power cuts ---------------------------------------------------------------------------------------


AT_ONCE: Final = 6
VERSIONS: Final = 12
CUTS: Final = 200


@pytest.fixture
def settles_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "LOG_ENTRIES", AT_ONCE * 2)


class Loss(NamedTuple):
    """What became of one power cut. `entries`: acknowledged ones that are not there."""

    entries: int
    sound: bool
    blamed: bool
    """Whether the -wal is taken for damaged, although it was the power."""


async def play(machine: DiskMachine) -> dict[MatchId, int]:
    """Several matches at once, until all is done or the power goes; what was acknowledged."""
    acknowledged: dict[MatchId, int] = {}
    try:
        journal = machine.journal()
    except Unusable:
        return acknowledged

    async def one_match(match: MatchId) -> None:
        try:
            await journal.begin(header(match))
            acknowledged[match] = 0
            for version in range(1, VERSIONS + 1):
                played = entry(0, b"%d" % version, version, bytes(40))
                await journal.append(match, Version(version), played)
                acknowledged[match] = version
        except JournalError:
            return

    await asyncio.gather(*(one_match(MatchId(f"m{number}")) for number in range(AT_ONCE)))
    await journal.close()
    return acknowledged


async def cut_at(power: int, number: int) -> Loss:
    """Cut the power after so many writes and syncs, and look at what is there afterwards."""
    machine = DiskMachine(Disk(power=power))
    acknowledged = await play(machine)
    files = machine.disk.after_the_cut(Random(number))
    blamed = lost_commits_in(files.get("journal.db-wal", b"")) > 1
    later = DiskMachine(Disk(files))
    journal = later.journal()
    missing = 0
    for match, version in acknowledged.items():
        try:
            _header, entries = await journal.load(match)
        except JournalError:
            missing += version + 1
        else:
            missing += max(0, version - len(entries))
    await journal.close()
    return Loss(missing, later.is_sound(), blamed)


async def cuts(count: int) -> list[Loss]:
    whole = DiskMachine(Disk())
    await play(whole)
    random = Random(2004)
    moments = [random.randrange(whole.disk.done) for _ in range(count)]
    return [await cut_at(moment, n) for n, moment in enumerate(moments)]


@pytest.mark.usefixtures("settles_often")
@pytest.mark.parametrize("count", [CUTS // 4, pytest.param(CUTS, marks=pytest.mark.soak)])
def test_nothing_acknowledged_is_lost_in_a_power_cut(count: int) -> None:
    losses = asyncio.run(cuts(count))
    assert len(losses) == count
    assert [loss for loss in losses if loss.entries or loss.blamed or not loss.sound] == []


@pytest.mark.parametrize("keeps", [True, False])
def test_the_disk_keeps_what_was_synced_and_only_that(keeps: bool) -> None:
    """Tests the disk itself: without this the test above would say nothing."""
    disk = Disk()
    machine = DiskMachine(disk)

    async def write() -> None:
        journal = machine.journal()
        await journal.begin(header("m"))
        await journal.close()

    asyncio.run(write())
    content = disk.files["journal.db"]
    content.write(0, b"x" * 2048)
    if keeps:
        content.sync()
    assert (bytes(content.safe[:1]) == b"x") is keeps
    assert content.after_the_cut(Random(1)).startswith(b"x" * 2048) is keeps
