"""A journal that the disk has damaged: what is whole goes on, the rest is named and set aside.

Laws: nothing is thrown away. The damaged files are copied first, as they were found, and each step
can be cut short: the next start begins again. SQLite leaves out in silence all that follows a
damaged frame of its write-ahead log, so we look there before it does: a power cut may tear the last
commit, which nobody was told of. More than one commit behind the first frame that does not fit is
damage: the second is begun only once the first is on the disk. The format:
https://www.sqlite.org/fileformat2.html#the_write_ahead_log
"""

import shutil
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import structlog

from server.store import private, statements
from server.store.journal import JournalError
from server.store.statements import SqlConnection, Unusable, migrate, transaction, with_unhex

PAGE_BYTES: Final = 4096
"""SQLite's own choice, and so ours."""
_MAGIC: Final = 0x377F0682
"""With 1 added where sums are of big-endian words."""
_HEADER_BYTES: Final = 32
_FRAME_HEADER_BYTES: Final = 24
_MASK: Final = 0xFFFFFFFF


def _summed(one: int, two: int, words: tuple[int, ...]) -> tuple[int, int]:
    """The checksum that goes on from frame to frame, which was `one` and `two` before these."""
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & _MASK
        two = (two + second + one) & _MASK
    return one, two


def lost_commits(file: Path) -> int:
    """How many commits of this -wal SQLite will leave out; 0 where there is no such file."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return 0
    return lost_commits_in(content)


def lost_commits_in(content: bytes) -> int:
    """`lost_commits` of a file with this content."""
    if len(content) < _HEADER_BYTES + _FRAME_HEADER_BYTES:
        return 0
    magic, _version, page_bytes, _number, *salts, one, two = struct.unpack_from(">8I", content)
    order = ">" if magic & 1 else "<"
    total = _summed(0, 0, struct.unpack_from(f"{order}6I", content))
    sound = total == (one, two) and magic & ~1 == _MAGIC
    if not sound:  # what is in the header may be wrong; the second frame is of the same log
        page_bytes = PAGE_BYTES
        second = _HEADER_BYTES + _FRAME_HEADER_BYTES + page_bytes
        salts = list(struct.unpack(">2I", content[second + 8 : second + 16].ljust(8, b"\0")))
    whole_bytes, lost, before = _FRAME_HEADER_BYTES + page_bytes, 0, list[int]()
    for at in range(_HEADER_BYTES, len(content) - whole_bytes + 1, whole_bytes):
        *what, one, two = struct.unpack_from(">6I", content, at)
        if sound:
            total = _summed(*total, struct.unpack_from(f"{order}2I", content, at))
            page = struct.unpack_from(
                f"{order}{page_bytes // 4}I", content, at + _FRAME_HEADER_BYTES
            )
            total = _summed(*total, page)
            sound = what[2:] == salts and total == (one, two)
        # Behind the newest frame lie those of an older log, with other salts. Where disks have
        # large sectors, the last frame of a commit is repeated.
        lost += not sound and what[1] != 0 and what[2:] == salts and what != before
        before = what
    return lost


BESIDE: Final = ("-wal", "-shm")
"""Files beside a journal that belong to no other."""
HURT: Final = ".hurt-"
GONE_BACK: Final = (
    "the newest part of the journal is damaged: matches may have gone back; players whose match "
    "has gone back are told when they return"
)
_FAULTS: Final = (JournalError, sqlite3.Error, ValueError, TypeError)
"""What comes of reading a damaged row: a value can have become anything."""
_ENTRY: Final = "match, version, seat, key, at_ms, action, lags, link"
_COPY: Final = (
    "INSERT INTO fresh.match SELECT * FROM main.match WHERE number = ?",
    f"INSERT INTO fresh.settled SELECT {_ENTRY} FROM entry WHERE match = ?",
    "INSERT INTO fresh.token SELECT * FROM main.token WHERE match = ?",
)


def set_aside(file: Path) -> Path:
    """Copy the database as it is, with its -wal. Returns the copy's name. Raises OSError."""
    aside = file.with_name(f"{file.name}{HURT}{datetime.now(UTC):%Y%m%d-%H%M%S}")
    for end in ("-wal", ""):
        if (source := file.with_name(file.name + end)).exists():
            copy = aside.with_name(aside.name + end)
            private.make_file(copy)
            shutil.copyfile(source, copy)
    return aside


def mend(file: Path) -> None:
    """Put a database in its place that has every match which is whole. Raises Unusable
    where there is none, OSError, and what the driver raises when nothing can be read."""
    aside = set_aside(file)
    fresh = file.with_name(f".{file.name}.mended")
    fresh.unlink(missing_ok=True)
    private.make_file(fresh)
    with closing(with_unhex(sqlite3.connect(fresh, isolation_level=None))) as new:
        migrate(new)
    kept, hurt = 0, list[str]()
    with closing(with_unhex(sqlite3.connect(file, isolation_level=None))) as old:
        with suppress(sqlite3.Error):
            migrate(old)
        old.execute("ATTACH ? AS fresh", (str(fresh),))
        if not _find_log(old):
            structlog.get_logger().error(GONE_BACK, set_aside=str(aside))
        for number in _numbers(old):
            try:
                _copy(old, number)
                kept += 1
            except _FAULTS:
                hurt.append(_name(old, number))
        # Without its own row a deal is what its matches say, and a match that sleeps is current.
        for table in ("deal", "person", "asleep"):
            _copy_rows(old, f"main.{table}", f"fresh.{table}")
        old.execute("DELETE FROM fresh.asleep WHERE match NOT IN (SELECT number FROM fresh.match)")
        with suppress(sqlite3.Error):  # else what is in the -wal would belong to the new file
            old.execute("PRAGMA main.wal_checkpoint(TRUNCATE)").fetchall()
    if not kept:
        for copy in (fresh, aside, aside.with_name(f"{aside.name}-wal")):
            copy.unlink(missing_ok=True)
        raise Unusable("no match in it is whole")
    for end in BESIDE:
        file.with_name(file.name + end).unlink(missing_ok=True)
    fresh.replace(file)
    structlog.get_logger().error(
        "the journal is damaged: what is whole goes on; if you have a newer copy, stop the server "
        "and put it in the journal's place",
        whole=kept,
        hurt=hurt,
        set_aside=str(aside),
    )


def _find_log(old: SqlConnection) -> bool:
    """Let this connection find those entries of the log that can be read, from both its ends.
    Returns whether these are all."""
    if statements.row(old, "SELECT 1 FROM main.sqlite_schema WHERE name = 'log'") is None:
        return True
    old.execute("PRAGMA temp_store = MEMORY")
    old.execute("CREATE TEMP TABLE found AS SELECT * FROM main.log LIMIT 0")
    old.execute("CREATE UNIQUE INDEX temp.found_once ON found (match, version)")
    whole = _copy_rows(old, "main.log", "found")
    old.execute(
        f"CREATE TEMP VIEW entry AS SELECT {_ENTRY} FROM main.settled "
        f"UNION ALL SELECT {_ENTRY} FROM found"
    )
    return whole


def _copy_rows(old: SqlConnection, source: str, target: str) -> bool:
    """Those that can be read, from both ends. Returns whether these are all."""
    rows, whole = list[tuple[Any, ...]](), False
    for order in ("", "DESC"):
        with suppress(*_FAULTS):
            rows += old.execute(f"SELECT * FROM {source} ORDER BY rowid {order}")
            whole = True
    with transaction(old):  # damage that is met inside would end it
        for values in rows:
            marks = ", ".join("?" * len(values))
            with suppress(*_FAULTS):
                old.execute(f"INSERT OR IGNORE INTO {target} VALUES ({marks})", values)
    return whole


def _numbers(old: SqlConnection) -> Iterator[int]:
    """Of all matches that can be found, by one tree or another of the database."""
    found = set[int]()
    for statement in (
        "SELECT number FROM match ORDER BY number",
        "SELECT number FROM match INDEXED BY sqlite_autoindex_match_1",
        "SELECT DISTINCT match FROM entry",
        "SELECT DISTINCT match FROM token",
    ):
        with suppress(*_FAULTS):
            for (number,) in old.execute(statement):
                found.add(int(number))
    yield from sorted(found)


def _copy(old: SqlConnection, number: int) -> None:
    """Copy a match that is whole. Raises JournalError or the driver's error."""
    found = statements.row(old, "SELECT id FROM match WHERE number = ?", number)
    if found is None:
        raise JournalError(f"match number {number} has no header")
    statements.load(old, found[0])
    with transaction(old):
        for statement in _COPY:
            old.execute(statement, (number,))
    with suppress(*_FAULTS):  # a match is whole without what is said of it
        old.execute("INSERT INTO fresh.said SELECT * FROM main.said WHERE match = ?", (number,))


def _name(old: SqlConnection, number: int) -> str:
    """The match's id, or its number where the id cannot be read."""
    for index in ("", "INDEXED BY sqlite_autoindex_match_1"):
        with suppress(*_FAULTS):
            found = statements.row(old, f"SELECT id FROM match {index} WHERE number = ?", number)
            if found is not None:
                return str(found[0])
    return f"number {number}"
