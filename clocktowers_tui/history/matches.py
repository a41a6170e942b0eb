"""The matches that this player has finished, in a file.

Laws: nobody but their owner can read the file; a match is kept whole or not at all, and once. Each
function opens the file and closes it, and waits for the disk: call it in a thread where somebody
looks at a screen.
"""

import os
import sqlite3
import stat
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import EACCES, ENOENT, EPERM, EROFS
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import platformdirs
from msgspec import Struct
from msgspec.structs import asdict

from clocktowers_tui.config.files import locked, write
from clocktowers_tui.history import PICTURES, SUFFIXES, ExportForm, history_file
from clocktowers_tui.history.record import (
    Head,
    NotARecord,
    comments_of,
    head_of,
    plies_of,
    said_in,
    unpacked,
)
from clocktowers_tui.text import NotDone
from clocktowers_tui.text.i18n import _
from protocol.signing import COMMENTS, MOST_COMMENT, REVIEW
from protocol.table import DAY_S
from protocol.text import clean

_WAIT_S: Final = 10
"""How long to wait while another client of this player keeps a match."""
_STEPS: Final = (
    """
    CREATE TABLE IF NOT EXISTS match (
        id TEXT PRIMARY KEY,
        ended_at INTEGER NOT NULL,  -- seconds since 1970
        me INTEGER,                 -- the player's seat, NULL = they watched
        head TEXT NOT NULL,         -- what a list shows of the record, as JSON
        record BLOB NOT NULL        -- the line, packed by zlib
    )
    """,
    # The day whose deal it counts for, behind its game.
    "ALTER TABLE match ADD COLUMN deal TEXT; ALTER TABLE match ADD COLUMN turns INTEGER",
    """
    CREATE TABLE IF NOT EXISTS review (
        match TEXT NOT NULL,
        seat INTEGER NOT NULL,
        made BLOB NOT NULL,         -- what `reviews` writes
        PRIMARY KEY (match, seat)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS begun (
        deal TEXT PRIMARY KEY,      -- as in `match`
        match TEXT NOT NULL         -- the first try, which alone may count
    )
    """,
    "ALTER TABLE match ADD COLUMN played_for INTEGER",  # 1 = a bot finished it
    "ALTER TABLE match ADD COLUMN by_bot INTEGER",  # so many of the player's moves
    "ALTER TABLE match ADD COLUMN line TEXT",  # what opens it at its server
    "ALTER TABLE match ADD COLUMN practice INTEGER",  # 1 = by people at one keyboard
)
"""Each leads from the version of its place to the next."""
_KEEP: Final = """
INSERT OR IGNORE INTO match VALUES (
    :id, :ended_at, :me, :head, :record,
    CASE WHEN EXISTS (SELECT 1 FROM match WHERE deal = :deal) THEN NULL ELSE :deal END, :turns,
    :played_for, :by_bot, :line, :practice
)
"""
_READ: Final = """
SELECT ended_at, me, head, ifnull(substr(deal, -10), ''), turns, played_for IS 1, ifnull(by_bot, 0),
    ifnull(line, ''), practice IS 1 FROM match
"""
"""The fields of `Kept`."""


class NoHistory(NotDone):
    """The file cannot be read or written."""


class Deleted(NoHistory):
    """The match was there before: another client has just deleted it."""


class Kept(NamedTuple):
    """`ended_at`: in seconds since 1970. `me`: the player's seat, None = they watched. `day`: the
    date, YYYY-MM-DD, of the deal of the day that it counts for, "" = of none. `turns`: None =
    unknown. `played_for`: a bot finished it on the player's seat. `by_bot`: how many
    of the player's moves a bot did, as far as the record knows. `line`: an invitation, which opens
    it at its server; "" = none does. `practice`: it was played by people at one keyboard."""

    ended_at: int
    me: int | None
    head: Head
    day: str = ""
    turns: int | None = None
    played_for: bool = False
    by_bot: int = 0
    line: str = ""
    practice: bool = False


class Known(Struct, frozen=True, kw_only=True):
    """What the player's client knows of a match beside its record. `game`: what was played, "" =
    whatever the record says. `spent`: as in `Match`. The rest: as in `Kept`."""

    game: str = ""
    turns: int | None = None
    played_for: bool = False
    spent: int = 0
    practice: bool = False


_NOTHING: Final = Known()


def keep(
    match: str,
    packed: bytes,
    me: int | None,
    ended_at: int,
    known: Known = _NOTHING,
    *,
    day: str = "",
    line: str = "",
) -> None:
    """Keep a match, unless it is kept already. `packed`: its record, as the server sent it. `day`:
    whose deal it was; it counts unless another match does, or a bot did some of the moves before
    the player was spent. `line`: as in `Kept`. Raises NotARecord and NoHistory."""
    record = unpacked(packed, match)
    if known.game not in ("", record.head.game):
        raise NotARecord("it is of another game")
    plies = [*plies_of(record.line)][: known.spent or None]
    by_bot = sum((ply.seat, ply.by) == (me, "bot") for ply in plies)
    row = {
        **asdict(known),
        "id": match,
        "ended_at": ended_at,
        "me": me,
        "head": msgspec.json.encode(record.head).decode(),
        "record": zlib.compress(record.line),
        "deal": f"{record.head.game} {day}" if day and not by_bot else None,
        "by_bot": by_bot,
        "line": line,
    }
    with opened(create=True) as file:
        file.execute(_KEEP, row)


def is_first_try(game: str, day: str, match: str) -> bool:
    """Whether this match is the player's first try at that day's deal: none was begun before, here
    or in another client. It is noted as the first then. Raises NoHistory."""
    deal = f"{game} {day}"
    with opened(create=True) as file:
        file.execute("INSERT OR IGNORE INTO begun VALUES (?, ?)", (deal, match))
        ((first,),) = file.execute("SELECT match FROM begun WHERE deal = ?", (deal,))
        return bool(first == match)


def newest_first() -> list[Kept]:
    """All of them. Raises NoHistory."""
    with opened() as file:
        return [*map(_kept, file.execute(f"{_READ} ORDER BY ended_at DESC, rowid DESC"))]


def of(match: str) -> Kept | None:
    """One of them. Raises NoHistory."""
    with opened() as file:
        row = file.execute(f"{_READ} WHERE id = ?", (match,)).fetchone()
        return None if row is None else _kept(row)


def _kept(row: tuple[Any, ...]) -> Kept:
    return Kept(*row)._replace(head=msgspec.json.decode(row[2], type=Head))


def called(start: str) -> list[str]:
    """The ids of the matches that begin with this. Raises NoHistory."""
    with opened() as file:
        rows = file.execute("SELECT id FROM match WHERE substr(id, 1, ?) = ?", (len(start), start))
        return [match for (match,) in rows]


def line_of(match: str) -> bytes:
    """The record of a match that is kept: one line of JSON, without its end. Raises NoHistory and
    Deleted."""
    with opened() as file:
        row = file.execute("SELECT record FROM match WHERE id = ?", (match,)).fetchone()
        if row is None:
            raise Deleted(_("This match has been deleted."))
        return zlib.decompress(row[0])


def comment(match: str, ply: int, text: str) -> dict[int, str]:
    """Say this of the match after so many plies, in its record; "" takes away what was said. All
    that is said of it now. Raises NoHistory and Deleted."""
    line = line_of(match)
    said = {**said_in(line), str(ply): clean(text)[:MOST_COMMENT]}
    said = {at: told for at, told in said.items() if told}
    return _comment(match, msgspec.json.decode(line), said)


def add_said(match: str, packed: bytes) -> None:
    """Take over what others say in this record of a match that is kept already: their newest
    comments, and a review where there is none. Raises NotARecord, NoHistory and Deleted."""
    came, line, kept = unpacked(packed, match).line, line_of(match), of(match)
    seats = enumerate(head_of(line).seats)
    own = {"", *(one.name for seat, one in seats if kept and seat == kept.me)}
    said = {at: told for at, told in said_in(line).items() if " " not in at}
    said |= {at: told for at, told in said_in(came).items() if at.partition(" ")[2] not in own}
    review = {name: told for name, told in msgspec.json.decode(came).items() if name == REVIEW}
    _comment(match, review | msgspec.json.decode(line), said)


def _comment(match: str, record: dict[str, Any], said: dict[str, str]) -> dict[int, str]:
    line = msgspec.json.encode({**record, COMMENTS: said})
    with opened() as file:
        file.execute("UPDATE match SET record = ? WHERE id = ?", (zlib.compress(line), match))
    return comments_of(line)


def delete(match: str) -> None:
    """Let no byte of it stand in the file, nor of its reviews. Raises NoHistory."""
    with opened() as file:
        file.execute("DELETE FROM review WHERE match = ?", (match,))
        file.execute("DELETE FROM match WHERE id = ?", (match,))


@contextmanager
def opened(*, create: bool = False) -> Iterator[sqlite3.Connection]:
    """Everything done in the block is kept, or nothing. Without `create` a file that is not there
    is one without matches."""
    file = history_file()
    try:
        if create:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        where = file if create or file.exists() else ":memory:"
        with closing(sqlite3.connect(where, timeout=_WAIT_S)) as connection, connection:
            _prepare(connection)
            yield connection
    except (OSError, sqlite3.Error, zlib.error, msgspec.DecodeError, ValueError) as error:
        why = f"{file}: {getattr(error, 'strerror', None) or error}"
        raise NoHistory(_("Your matches cannot be read: {why}").format(why=why)) from None


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA secure_delete = ON")
    ((version,),) = connection.execute("PRAGMA user_version")
    if version > len(_STEPS):
        raise sqlite3.DatabaseError("a newer program has written it")
    if version < len(_STEPS):
        connection.execute("BEGIN IMMEDIATE")
        ((version,),) = connection.execute("PRAGMA user_version")  # another client was quicker?
        for step in _STEPS[version:]:
            for change in step.split(";"):
                connection.execute(change)
        connection.execute(f"PRAGMA user_version = {len(_STEPS)}")
        connection.commit()


# Files that matches are exported to: what they are called, and how they are written.
#
# Laws: a file that is there stays as it is; half a file does not stay; only its owner can read it.


_CLOSED: Final = (EACCES, EPERM, EROFS, ENOENT)
"""Why a folder takes no file at all."""
_MOST_OF_GAME: Final = 32
_MOST_OF_ID: Final = 16


def export(one: Kept, form: ExportForm, text: bytes) -> Path:
    """Write this match, in this form, where the player looks for such files, among the pictures or
    the documents, or into the player's home where there is no such folder, or it takes no files;
    returns the new file, with its whole path. Raises OSError."""
    name, pictured = name_of(one, form), form in PICTURES
    among = platformdirs.user_pictures_path() if pictured else platformdirs.user_documents_path()
    try:
        save(file := (among if among.is_dir() else Path.home()) / name, text)
    except OSError as error:
        if error.errno not in _CLOSED:
            raise
        save(file := Path.home() / name, text)
    return file


def name_of(one: Kept, form: ExportForm) -> str:
    """The game, the day and the beginning of the id."""
    day = time.strftime("%Y-%m-%d", time.localtime(one.ended_at))
    named = _plain(one.head.id, _MOST_OF_ID)
    return f"{_plain(one.head.game, _MOST_OF_GAME)}-{day}-{named}.{SUFFIXES.get(form, form)}"


def save(file: Path, text: bytes) -> None:
    """Write a new file, or to a pipe or a device. Raises OSError, FileExistsError for a file that
    is there."""
    if file.exists() and not stat.S_ISREG(file.stat().st_mode):
        with file.open("wb") as written:
            written.write(text)
        return
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
        try:
            written.write(text)
            written.flush()
        except OSError:
            file.unlink()
            raise


def _plain(said: str, most: int) -> str:
    """The part of this text that is safe in a file's name, at most so many characters."""
    letters = (char for char in said if char.isascii() and (char.isalnum() or char == "_"))
    return "".join(letters)[:most]


# Matches whose record this player has not got yet, a small file each: the server is asked whenever
# the player comes to it.
#
# Law: a match that is too old is owed no more.

_LAST_S: Final = 30 * DAY_S
"""Servers keep records for so long, unless they are told otherwise."""


class Owed(Known, frozen=True, kw_only=True):
    """`server`: the name by which it knows the player (`net.identity`). `notes`:
    the player's own, by ply, which become comments. The rest: as in `Kept`."""

    server: str
    match: str
    me: int | None
    ended_at: int
    notes: dict[int, str] = {}


def note_owed(one: Owed) -> None:
    """Note that the server owes this match. Raises OSError."""
    file = _owed_file(one.match)
    with locked(file):
        write(file, msgspec.json.encode(one))


def settle_owed(match: str) -> None:
    """Forget that a server owed this match."""
    with suppress(OSError):
        _owed_file(match).unlink(missing_ok=True)


def owed_by(server: str) -> list[Owed]:
    """What this server owes, the oldest first."""
    found = list[Owed]()
    for file in [*_owed_folder().glob("*.json")]:
        with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            one = msgspec.json.decode(file.read_bytes(), type=Owed)
            if time.time() - one.ended_at >= _LAST_S:
                file.unlink(missing_ok=True)
            elif one.server == server:
                found.append(one)
    return sorted(found, key=lambda one: one.ended_at)


def _owed_folder() -> Path:
    return history_file().parent / "owed"


def _owed_file(match: str) -> Path:
    """A server chooses the id, so it becomes no part of a path."""
    return _owed_folder() / f"{sha256(match.encode()).hexdigest()[:32]}.json"
