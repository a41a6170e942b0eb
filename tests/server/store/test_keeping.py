"""What a server keeps in its folder, which is its own; for how long; and backups, which hold all of
it, are whole or not there, and lead back to it."""

import sqlite3
import stat
import tarfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from random import Random

import msgspec
import pytest

from protocol.ids import MatchId, Seat, Version
from protocol.table import DAY_S
from server.admission.gate import NO_PASSWORD
from server.config import Config
from server.server import kept_in
from server.store import backup, state_folder
from server.store.backup import NoBackup
from server.store.lists import BANS, Ban, BanFile, load_bans
from server.store.private import save_file
from server.store.sqlite import (
    FILE_NAME,
    SqliteJournal,
    connect_to,
    copy,
    journal_in,
    reading,
    used_bytes,
)
from server.store.state_folder import (
    RUNNING,
    FolderTaken,
    RunningServer,
    StateFolder,
    noted_as_running,
    running_in,
)
from server.store.statements import AT_ONCE, SqlConnection, Unusable, kept_records
from tests.stage.stores import HEADER, entry, header

# The folder ---------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(state_folder, "root", lambda: tmp_path)
    return tmp_path


def test_a_folder_is_made_and_can_be_had_again_after_release(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b"
    folder = StateFolder(path)
    assert path.is_dir()
    assert folder.log.parent == path
    with pytest.raises(FolderTaken, match="--state") as error:
        StateFolder(path)
    assert str(path) in str(error.value)
    folder.release()
    StateFolder(path).release()


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "n\0l"):
        with pytest.raises(FolderTaken, match="--state"):
            StateFolder(path)


def test_a_home_that_nobody_has_is_a_sentence() -> None:
    with pytest.raises(FolderTaken, match="--state"):
        state_folder.for_service("~nobody-of-that-name/x")


def test_the_service_has_a_folder_of_its_own(home: Path) -> None:
    folder = state_folder.for_service("")
    named = state_folder.for_service(str(home / "named"))
    assert folder.path == home / "serve"
    assert named.path == home / "named"
    folder.release()
    named.release()


def nothing_waits(path: Path) -> bool:
    return False


def test_local_servers_have_the_lowest_number_that_is_free(home: Path) -> None:
    for get in (state_folder.for_host, lambda: state_folder.for_solo(nothing_waits)):
        folders = [get() for _ in range(3)]
        assert [folder.path.name for folder in folders] == ["1", "2", "3"]
        folders[1].release()
        again = get()
        assert again.path.name == "2"
        for folder in (folders[0], again, folders[2]):
            folder.release()


def test_where_a_match_waits_no_other_begins(home: Path) -> None:
    """Unless that is so nearly everywhere."""
    for waiting, number in ((("1", "3"), "2"), (("1", "2", "3"), "4"), (map(str, range(99)), "1")):
        names = set(waiting)
        folder = state_folder.for_solo(lambda path, names=names: path.name in names)  # type: ignore[misc]
        assert folder.path.name == number
        with pytest.raises(FolderTaken, match="played already"):
            state_folder.where_a_match_waits(int(number))
        folder.release()
    state_folder.where_a_match_waits(3).release()


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


# Finished matches ---------------------------------------------------------------------------------


LARGE = 1 << 30


@pytest.fixture
def look(tmp_path: Path) -> Iterator[SqlConnection]:
    connection = connect_to(tmp_path / FILE_NAME)
    yield connection
    connection.close()


async def over(journal: SqliteJournal, match: str, outcome: bytes = b"\xc0", size: int = 1) -> None:
    await journal.begin(header(match))
    await journal.append(MatchId(match), Version(1), entry(0, b"one", action=bytes(size)))
    await journal.finish(MatchId(match), outcome)
    await journal.forget(MatchId(match))


def ids(connection: SqlConnection) -> list[str]:
    return [one.match for one in kept_records(connection)]


async def test_what_is_kept_and_what_goes(tmp_path: Path, look: SqlConnection) -> None:
    async with journal_in(tmp_path) as journal:
        for match in ("old", "young"):
            await over(journal, match)
            await journal.keep_said(MatchId(match), Seat(0), b"said")
        await over(journal, "left", outcome=b"")
        await journal.begin(header("begun"))
        await journal.forget(MatchId("begun"))
        await journal.begin(header("held"))
        await journal.finish(MatchId("held"), b"\xc0")
        await journal.keep_deal("deal", b"kept")
        look.execute("UPDATE deal SET kept_at = kept_at - ?", (31 * DAY_S,))
        look.execute("UPDATE match SET ended_at = ended_at - ? WHERE id = 'old'", (31 * DAY_S,))
        assert ids(look) == ["old", "young"]
        assert await journal.prune(30, LARGE) == 3
        assert ids(look) == ["young"] and not await journal.deals()
        assert await journal.prune(0, LARGE) == 1
        assert ids(look) == [] and list(await journal.current()) == ["held"]
        for table in ("entry", "said"):
            assert look.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)]


async def test_when_it_is_too_large_the_oldest_go_first(
    tmp_path: Path, look: SqlConnection
) -> None:
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


# Backups ------------------------------------------------------------------------------------------


AUDIT = "audit.jsonl"


@asynccontextmanager
async def played(folder: Path, *matches: str) -> AsyncIterator[SqliteJournal]:
    """A running server's journal with these matches."""
    async with journal_in(folder) as journal:
        for match in matches:
            await journal.begin(header(match), {})
            await journal.append(MatchId(match), Version(1), entry(0, match.encode()))
        yield journal


async def matches_in(folder: Path) -> list[str]:
    async with journal_in(folder) as journal:
        return [(await journal.load(match))[0].match for match in await journal.current()]


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "server").mkdir(mode=0o700)
    return tmp_path / "server"


async def test_it_holds_journal_bans_and_deeds_and_leads_back(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.tar"
    async with played(folder, "one", "two"):
        over = Ban(block="192.0.3.0/24", until=1)
        save_file(folder / BANS, BanFile([Ban(block="192.0.2.0/24"), over]))
        (folder / AUDIT).write_bytes(b"{}\n")
        made = backup.make(folder, target)
        assert made[:3] == (2, 1, ()) and made.size_bytes == target.stat().st_size
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        with pytest.raises(FileExistsError) as taken:
            backup.make(folder, target)
        assert taken.value.filename == str(target)
    assert names(tmp_path) == ["out.tar", "server"]

    async with played(folder, "three"):
        save_file(folder / BANS, BanFile([]))
        (folder / AUDIT).write_bytes(b"{}\n{}\n")
    (folder / "other").touch()
    restored, aside = backup.restore(folder, target)
    assert restored[:2] == (2, 1)
    assert await matches_in(folder) == ["one", "two"]
    assert load_bans(folder) == [Ban(block="192.0.2.0/24"), over]
    assert (folder / AUDIT).read_bytes() == b"{}\n{}\n", "what was done since stays"
    assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600
    assert await matches_in(aside) == ["one", "two", "three"] and load_bans(aside) == []
    assert stat.S_IMODE(aside.stat().st_mode) == 0o700
    assert names(aside) == [BANS, FILE_NAME], "what stays is not set aside"
    assert set(names(folder)) == {FILE_NAME, BANS, AUDIT, aside.name, "other"}

    (new := tmp_path / "new").mkdir()
    backup.restore(new, target)
    assert await matches_in(new) == ["one", "two"]
    assert (new / AUDIT).read_bytes() == b"{}\n"


async def test_what_is_damaged_is_refused_and_nothing_changes(folder: Path, tmp_path: Path) -> None:
    async with played(folder, "one"):
        save_file(folder / BANS, BanFile([Ban(block="192.0.2.0/24")]))
        backup.make(folder, target := tmp_path / "out.tar")
    all_of_it, rng = target.read_bytes(), Random(3)
    before = contents(folder)
    wrong = [b"", b"nonsense" * 100, all_of_it[: len(all_of_it) // 2], all_of_it[:1000]]
    for name in (FILE_NAME, BANS):
        with tarfile.open(target) as archive:
            member = archive.getmember(name)
        at = member.offset_data + rng.randrange(member.size)
        wrong.append(all_of_it[:at] + bytes([all_of_it[at] ^ 1]) + all_of_it[at + 1 :])
    for content in wrong:
        (hurt := tmp_path / "hurt.tar").write_bytes(content)
        with pytest.raises(NoBackup):
            backup.restore(folder, hurt)
    assert contents(folder) == before


@pytest.mark.parametrize("name", [backup.RECORDS, backup.GUESTS])
def test_a_damaged_secret_is_named_and_never_replaced(name: str, tmp_path: Path) -> None:
    (hurt := tmp_path / name).write_bytes(b"cut")
    doors = Config(doors=("plain", "ssh"))
    with pytest.raises(Unusable, match=f"{name}: .* has 3 bytes in place of 32: put a copy"):
        kept_in(tmp_path, doors, NO_PASSWORD)
    assert hurt.read_bytes() == b"cut"


async def test_nothing_but_the_files_of_a_server_comes_out(folder: Path, tmp_path: Path) -> None:
    async with played(folder, "one"):
        backup.make(folder, target := tmp_path / "out.tar")
    with tarfile.open(target, "a") as archive:
        (evil := tmp_path / "evil").write_text("x")
        for name in ("../escaped", "lock", "operator.sock"):
            archive.add(evil, name)
    backup.restore(folder, target)
    assert not (tmp_path / "escaped").exists() and not (folder / "lock").exists()


async def test_a_match_that_was_damaged_before_is_named(folder: Path, tmp_path: Path) -> None:
    async with played(folder, "one", "two"):
        pass
    connection = connect_to(folder / FILE_NAME)
    connection.execute("UPDATE log SET at_ms = 77 WHERE match = 2")
    connection.close()
    made = backup.make(folder, target := tmp_path / "out.tar")
    assert made.hurt == ("two",)
    assert backup.restore(folder, target)[0].hurt == ("two",)


@pytest.mark.parametrize("what", ["copy", "_hash", "_checked"])
async def test_cut_short_there_is_no_file_of_that_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async with played(folder, "one"):
        monkeypatch.setattr(backup, what, fails)
        with pytest.raises(OSError):
            backup.make(folder, tmp_path / "out.tar")
    assert names(tmp_path) == ["server"]


async def test_a_restore_cut_short_leaves_a_whole_journal(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with played(folder, "new"):
        backup.make(folder, target := tmp_path / "out.tar")
    (folder / FILE_NAME).unlink()
    async with played(folder, "old"):
        connection = connect_to(folder / FILE_NAME)  # keeps the -wal
        connection.execute("SELECT count(*) FROM match").fetchall()
    assert (folder / f"{FILE_NAME}-wal").exists()
    real = Path.replace

    def fails(path: Path, to: Path) -> Path:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(OSError):
        backup.restore(folder, target)
    connection.close()
    assert await matches_in(folder) == ["old"], "with what was in its -wal"
    monkeypatch.setattr(Path, "replace", real)
    _made, aside = backup.restore(folder, target)
    assert await matches_in(folder) == ["new"] and await matches_in(aside) == ["old"]


@pytest.mark.parametrize("shape", [1, 99])
async def test_an_older_programs_backup_is_brought_up_to_date_and_a_newer_ones_refused(
    folder: Path, tmp_path: Path, shape: int
) -> None:
    old = sqlite3.connect(journal := tmp_path / FILE_NAME, isolation_level=None)
    old.executescript((files("server.store") / "migrations" / "001.sql").read_text())
    old.execute(f"PRAGMA user_version = {shape}")
    old.execute(
        "INSERT INTO match VALUES (1, 'one', 'clocktowers', 1, x'80', 3, x'00', x'', NULL, 1)"
    )
    old.close()
    contents = backup.Contents({FILE_NAME: sha256(journal.read_bytes()).hexdigest()})
    (tmp_path / backup.CONTENTS).write_bytes(msgspec.json.encode(contents))
    with tarfile.open(target := tmp_path / "out.tar", "w") as archive:
        for name in (backup.CONTENTS, FILE_NAME):
            archive.add(tmp_path / name, name)
    if shape == 1:
        assert backup.restore(folder, target)[0].matches == 1
        assert await matches_in(folder) == ["one"]
    else:
        with pytest.raises(Unusable, match="newer version"):
            backup.restore(folder, target)
        assert names(folder) == []


def test_a_server_that_was_killed_does_not_run_though_its_file_is_left(tmp_path: Path) -> None:
    """And another program has its number by now: here it is ours."""
    folder = StateFolder(tmp_path)
    running = RunningServer(listening=[("127.0.0.1", 7777)], config=Config())
    with noted_as_running(folder, running):
        left = (tmp_path / RUNNING).read_bytes()
        found = running_in(tmp_path)
        assert found is not None and found.port == 7777
    assert running_in(tmp_path) is None
    folder.release()
    (tmp_path / RUNNING).write_bytes(left)
    assert running_in(tmp_path) is None
