"""A backup holds everything that a server keeps, is whole or not there, and leads back to it."""

import stat
import tarfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from random import Random

import msgspec
import pytest

from protocol.ids import MatchId, Version
from server.store import backup, bans, whole
from server.store.backup import NoBackup
from server.store.bans import Ban
from server.store.migrating import Unusable, statements
from server.store.sqlite import FILE_NAME, SqliteJournal, connect_to, journal_in
from tests.stage.stores import entry, header

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
        return [(await journal.load(match))[0].match for match in await journal.held()]


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
        whole.save(folder / bans.FILE_NAME, bans.Filed([Ban(block="192.0.2.0/24"), over]))
        (folder / AUDIT).write_bytes(b"{}\n")
        made = backup.make(folder, target)
        assert made[:3] == (2, 1, ()) and made.size_bytes == target.stat().st_size
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        with pytest.raises(FileExistsError):
            backup.make(folder, target)
    assert names(tmp_path) == ["out.tar", "server"]

    async with played(folder, "three"):
        whole.save(folder / bans.FILE_NAME, bans.Filed([]))
        (folder / AUDIT).write_bytes(b"{}\n{}\n")
    (folder / "other").touch()
    restored, aside = backup.restore(folder, target)
    assert restored[:2] == (2, 1)
    assert await matches_in(folder) == ["one", "two"]
    assert bans.load(folder) == [Ban(block="192.0.2.0/24"), over]
    assert (folder / AUDIT).read_bytes() == b"{}\n{}\n", "what was done since stays"
    assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600
    assert await matches_in(aside) == ["one", "two", "three"] and bans.load(aside) == []
    assert stat.S_IMODE(aside.stat().st_mode) == 0o700
    assert names(aside) == [bans.FILE_NAME, FILE_NAME], "what stays is not set aside"
    assert set(names(folder)) == {FILE_NAME, bans.FILE_NAME, AUDIT, aside.name, "other"}


async def test_it_leads_into_a_new_folder(folder: Path, tmp_path: Path) -> None:
    async with played(folder, "one"):
        (folder / AUDIT).write_bytes(b"{}\n")
        backup.make(folder, target := tmp_path / "out.tar")
    (new := tmp_path / "new").mkdir()
    backup.restore(new, target)
    assert await matches_in(new) == ["one"]
    assert (new / AUDIT).read_bytes() == b"{}\n"


async def test_what_is_damaged_is_refused_and_nothing_changes(folder: Path, tmp_path: Path) -> None:
    async with played(folder, "one"):
        whole.save(folder / bans.FILE_NAME, bans.Filed([Ban(block="192.0.2.0/24")]))
        backup.make(folder, target := tmp_path / "out.tar")
    all_of_it, rng = target.read_bytes(), Random(3)
    before = contents(folder)
    wrong = [b"", b"nonsense" * 100, all_of_it[: len(all_of_it) // 2], all_of_it[:1000]]
    for name in (FILE_NAME, bans.FILE_NAME):
        with tarfile.open(target) as archive:
            member = archive.getmember(name)
        at = member.offset_data + rng.randrange(member.size)
        wrong.append(all_of_it[:at] + bytes([all_of_it[at] ^ 1]) + all_of_it[at + 1 :])
    for content in wrong:
        (hurt := tmp_path / "hurt.tar").write_bytes(content)
        with pytest.raises(NoBackup):
            backup.restore(folder, hurt)
    assert contents(folder) == before


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
    old = connect_to(journal := tmp_path / FILE_NAME)
    for statement in statements((files("server.store") / "migrations" / "001.sql").read_text()):
        old.execute(statement)
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
