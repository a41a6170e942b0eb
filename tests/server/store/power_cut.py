"""A disk whose power can be cut: what was not synced is gone, or there in torn pieces.

Files live in memory. A write counts as kept once its file has been synced; until then it is one of
the pieces of which a power cut keeps some and loses the others, as real disks do.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import apsw

from server.store.sqlite import SqliteJournal
from server.store.statements import SqlConnection

SECTOR: Final = 512
FILE_NAME: Final = "journal.db"


class Platter:
    """A file: what is safe, and the writes since, oldest first; None = a truncation to `at`."""

    def __init__(self, safe: bytes = b"") -> None:
        self.safe = bytearray(safe)
        self.seen = bytearray(safe)
        self.pieces: list[tuple[int, bytes | None]] = []

    def write(self, at: int, piece: bytes | None) -> None:
        _apply(self.seen, at, piece)
        self.pieces.append((at, piece))

    def sync(self) -> None:
        self.safe = bytearray(self.seen)
        self.pieces.clear()

    def after_the_cut(self, random: Random) -> bytes:
        """What is safe, and of the rest some sectors, in any order."""
        left = bytearray(self.safe)
        for at, piece in self.pieces:
            for sector in _sectors(at, piece):
                if random.random() < 0.5:
                    _apply(left, *sector)
        return bytes(left)


class Disk:
    """`power`: how many writes and syncs succeed before the disk fails for good."""

    def __init__(self, files: dict[str, bytes] | None = None, power: int | None = None) -> None:
        self.files = {name: Platter(content) for name, content in (files or {}).items()}
        self.power = power
        self.done = 0

    def use(self) -> None:
        """Every write and every sync uses power."""
        self.done += 1
        self.needs_power()

    def needs_power(self) -> None:
        if self.power is not None and self.done > self.power:
            raise apsw.IOError("no power")

    def after_the_cut(self, random: Random) -> dict[str, bytes]:
        return {name: file.after_the_cut(random) for name, file in self.files.items()}


class _File:
    """What SQLite asks of an open file; there is one connection, so locks are granted."""

    def __init__(self, disk: Disk, name: str) -> None:
        self._disk = disk
        self._file = disk.files.setdefault(name, Platter())

    def xRead(self, amount: int, offset: int) -> bytes:
        self._disk.needs_power()
        return bytes(self._file.seen[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.use()
        self._file.write(offset, bytes(data))

    def xTruncate(self, size: int) -> None:
        self._disk.use()
        self._file.write(size, None)

    def xSync(self, flags: int) -> None:
        self._disk.use()
        self._file.sync()

    def xFileSize(self) -> int:
        return len(self._file.seen)

    def xSectorSize(self) -> int:
        return SECTOR

    def xDeviceCharacteristics(self) -> int:
        return 0

    def xFileControl(self, op: int, pointer: int) -> bool:
        return False

    def xLock(self, level: int) -> None: ...

    def xUnlock(self, level: int) -> None: ...

    def xCheckReservedLock(self) -> bool:
        return False

    def xClose(self) -> None: ...


class _Vfs(apsw.VFS):  # type: ignore[misc, unused-ignore]
    """A file system that is one `Disk`; time and randomness are the machine's."""

    def __init__(self, name: str, disk: Disk) -> None:
        self._disk = disk
        super().__init__(name, base="")

    def xOpen(self, name: Any, flags: Sequence[int]) -> Any:
        filename = name.filename() if isinstance(name, apsw.URIFilename) else name or "temporary"
        return _File(self._disk, filename)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self._disk.use()
        self._disk.files.pop(filename, None)

    def xAccess(self, pathname: str, flags: int) -> bool:
        return pathname in self._disk.files

    def xFullPathname(self, name: str) -> str:
        return name


class DiskMachine:
    """A disk with a database driver on it; one disk at a time has the `name`."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self._vfs = _Vfs(f"disk-{id(disk)}", disk)

    def journal(self) -> SqliteJournal:
        return SqliteJournal(self._connect, FILE_NAME)

    def _connect(self) -> SqlConnection:
        connection: SqlConnection = apsw.Connection(FILE_NAME, vfs=f"disk-{id(self.disk)}")
        # Alone with the file, SQLite keeps the index of its log in its own memory.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        return connection

    def is_sound(self) -> bool:
        connection = self._connect()
        try:
            return bool(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)])
        finally:
            connection.close()


def _apply(content: bytearray, at: int, piece: bytes | None) -> None:
    if piece is None:
        del content[at:]
        return
    content.extend(bytes(max(0, at - len(content))))
    content[at : at + len(piece)] = piece


def _sectors(at: int, piece: bytes | None) -> list[tuple[int, bytes | None]]:
    if piece is None:
        return [(at, None)]
    return [(at + start, piece[start : start + SECTOR]) for start in range(0, len(piece), SECTOR)]
