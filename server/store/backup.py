"""A copy of everything that a server keeps, in one file, and the way back from it.

Laws: a backup has its name only once it is whole and checked, and nobody else can read it. What a
restored folder had before is set aside, not deleted; at each moment the journal in it is a whole
one.
"""

import errno
import hashlib
import os
import secrets
import shutil
import tarfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final, NamedTuple

import msgspec
from msgspec import Struct

from server.store import private, statements
from server.store.journal import JournalError
from server.store.lists import BANS, INVITATIONS, load_bans, load_invitations
from server.store.mending import BESIDE
from server.store.private import sync_folder
from server.store.sqlite import FILE_NAME, connect_to, copy
from server.store.statements import SqlConnection, check, migrate

TRAIL: Final = "audit.jsonl"
"""What operators did (`server.operating.audit`)."""
TLS: Final = "tls.pem"
"""The server's key and certificate (`server.doors.certificate`)."""
SSH: Final = ("ssh_host_ed25519_key", "ssh_host_ed25519_key.pub")
"""The key that SSH clients know the server by (`server.doors.certificate`)."""
GUESTS: Final = "guests.secret"
"""By which the server knows a guest again (`server.guests.folders`)."""
RECORDS: Final = "records.secret"
"""By which the server signs records (`protocol.signing`)."""
OTHERS: Final = (BANS, INVITATIONS, TRAIL, TLS, *SSH, GUESTS, RECORDS)
"""What is kept beside the journal. Another file that a server must not lose is one more name."""
FILES: Final = (FILE_NAME, *OTHERS)
CONTENTS: Final = "contents.json"
ASIDE: Final = "before-restore-"


class Contents(Struct, frozen=True):
    """The first file of a backup. `files`: name → SHA-256 in hex."""

    files: dict[str, str]
    version: int = 1


class NoBackup(Exception):
    """It cannot be made or used; the text says why."""


class Made(NamedTuple):
    """What a backup has. `bans`: those in force. `hurt`: matches that are damaged in the
    journal itself."""

    matches: int
    bans: int
    hurt: tuple[str, ...]
    size_bytes: int


def make(folder: Path, target: Path) -> Made:
    """Write a backup of this server's folder, also while the server runs. Raises FileExistsError
    where there is such a file, NoBackup, Unusable, OSError and sqlite3.Error."""
    if target.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    with _unfinished(target.parent, f".{target.name}") as unfinished:
        work = Path(unfinished)
        copy(folder / FILE_NAME, work / FILE_NAME)
        for name in OTHERS:
            with suppress(FileNotFoundError):
                with private.as_owner(folder):
                    content = private.opened(folder / name)
                with content:
                    _write(work / name, content)
        found = tuple(name for name in FILES if (work / name).exists())
        made = _checked(work)
        contents = Contents({name: _hash(work / name) for name in found})
        (work / CONTENTS).write_bytes(msgspec.json.encode(contents))
        unnamed = work / "whole"
        private.make_file(unnamed)
        with unnamed.open("wb") as file:
            with tarfile.open(fileobj=file, mode="w") as archive:
                for name in (CONTENTS, *found):
                    archive.add(work / name, name, filter=_nobodys)
            file.flush()
            os.fsync(file.fileno())
        with unnamed.open("rb") as content:  # is it what was written?
            _unpack(content, target, work / "again")
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        unnamed.replace(target)
        sync_folder(target.parent)
    return made._replace(size_bytes=target.stat().st_size)


def restore(folder: Path, source: Path) -> tuple[Made, Path]:
    """Put a backup in place of what a stopped server's folder has; the caller has locked it.
    Returns what it has, and where that which stood there is now. Raises NoBackup, Unusable, OSError
    and sqlite3.Error."""
    with (
        source.open("rb") as content,
        private.as_owner(folder),
        _unfinished(folder, ".restoring") as unfinished,
    ):
        _unpack(content, source, fresh := Path(unfinished) / "fresh")
        made = _checked(fresh)
        aside = folder / f"{ASIDE}{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
        aside.mkdir(mode=private.FOLDER)
        for name in FILES:  # the old stays in its place till the new replaces it
            if name != TRAIL and (folder / name).exists():
                os.link(folder / name, aside / name)
        with _without_wal(folder, aside):
            (fresh / FILE_NAME).replace(folder / FILE_NAME)
        for name in OTHERS:
            if name == TRAIL and (folder / name).exists():
                continue  # what was done since the backup stays written down
            if (fresh / name).exists():
                (fresh / name).replace(folder / name)
            else:
                (folder / name).unlink(missing_ok=True)
        sync_folder(folder)
    return made._replace(size_bytes=source.stat().st_size), aside


@contextmanager
def _without_wal(folder: Path, aside: Path) -> Iterator[None]:
    """What SQLite has beside the old journal goes with it, or comes back if it stays."""
    names = [f"{FILE_NAME}{end}" for end in BESIDE if (folder / f"{FILE_NAME}{end}").exists()]
    for name in names:
        (folder / name).rename(aside / name)
    try:
        yield
    except BaseException:
        for name in names:
            (aside / name).rename(folder / name)
        raise


def _unfinished(parent: Path, name: str) -> "TemporaryDirectory[str]":
    """A folder of our own, which is gone afterwards."""
    return TemporaryDirectory(".unfinished", f"{name}.", parent, ignore_cleanup_errors=True)


def _nobodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without the names of accounts of this machine."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = private.FILE
    return member


def _unpack(backup: IO[bytes], source: Path, target: Path) -> None:
    """Write the files of a backup into a new folder. Raises NoBackup, which names `source`, where
    they are not what was written."""
    target.mkdir(mode=private.FOLDER)
    try:
        with tarfile.open(fileobj=backup) as archive:
            for name, wanted in _contents(archive).files.items():
                _write(target / name, _member(archive, name))
                if _hash(target / name) != wanted:
                    raise NoBackup(f"{source} is damaged: {name} is not what was written")
    except (tarfile.TarError, KeyError, EOFError, msgspec.DecodeError) as error:
        raise NoBackup(f"{source} is no whole backup: {error}") from None


def _member(archive: tarfile.TarFile, name: str) -> IO[bytes]:
    """Raises KeyError."""
    if (content := archive.extractfile(name)) is None:
        raise KeyError(f"{name} is no file")
    return content


def _write(file: Path, content: IO[bytes]) -> None:
    private.make_file(file)
    with file.open("wb") as target:
        shutil.copyfileobj(content, target)
        target.flush()
        os.fsync(target.fileno())


def _contents(archive: tarfile.TarFile) -> Contents:
    contents = msgspec.json.decode(_member(archive, CONTENTS).read(), type=Contents)
    if contents.version > 1 or not set(contents.files) <= set(FILES):
        raise NoBackup("it was made by a newer version of this program: update this one")
    if FILE_NAME not in contents.files:
        raise KeyError(FILE_NAME)
    return contents


def _checked(folder: Path) -> Made:
    """See that all of it can be read; a journal of an older program gets the newest shape. Raises
    NoBackup, Unusable and sqlite3.Error."""
    now_s = time.time()
    listed = sum(ban.in_force(now_s) for ban in load_bans(folder))
    load_invitations(folder)
    with closing(connect_to(folder / FILE_NAME)) as journal:
        check(journal, "the journal in it")
        migrate(journal)
        ((found, *_), *_) = journal.execute("PRAGMA quick_check(1)").fetchall()
        if found != "ok":
            raise NoBackup(f"the copy of the journal is damaged: {found}")
        matches, hurt = _matches(journal)
    for end in BESIDE:  # of the reading: nothing is in them
        (folder / f"{FILE_NAME}{end}").unlink(missing_ok=True)
    return Made(matches, listed, hurt, 0)


def _matches(journal: SqlConnection) -> tuple[int, tuple[str, ...]]:
    names = [name for (name,) in journal.execute("SELECT id FROM match ORDER BY number").fetchall()]
    hurt = list[str]()
    for name in names:
        try:
            statements.load(journal, name)
        except JournalError:
            hurt.append(str(name))
    return len(names), tuple(hurt)


def _hash(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
