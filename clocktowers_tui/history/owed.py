"""Matches whose record this player has not got yet, a small file each: the server is asked whenever
the player comes to it.

Laws: nobody but their owner can read the files; a match that is too old is owed no more. Each
function waits for the disk.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from clocktowers_tui.config.files import locked, write
from clocktowers_tui.history import history_file
from protocol.table import DAY_S

_LAST_S: Final = 30 * DAY_S
"""Servers keep records for so long, unless they are told otherwise."""


class Owed(Struct, frozen=True, kw_only=True):
    """`server`: the name by which it knows the player (`net.identity`). `notes`:
    the player's own, by ply, which become comments. The rest: as in `Kept`."""

    server: str
    match: str
    game: str
    me: int | None
    ended_at: int
    turns: int | None = None
    played_for: bool = False
    practice: bool = False
    notes: dict[int, str] = {}


def note(one: Owed) -> None:
    """Note that the server owes this match. Raises OSError."""
    file = _file(one.match)
    with locked(file):
        write(file, msgspec.json.encode(one))


def settle(match: str) -> None:
    """Forget that a server owed this match."""
    with suppress(OSError):
        _file(match).unlink(missing_ok=True)


def by(server: str) -> list[Owed]:
    """What this server owes, the oldest first."""
    return sorted((one for one in _all() if one.server == server), key=lambda one: one.ended_at)


def _all() -> Iterator[Owed]:
    for file in [*_folder().glob("*.json")]:
        with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            one = msgspec.json.decode(file.read_bytes(), type=Owed)
            if time.time() - one.ended_at < _LAST_S:
                yield one
            else:
                file.unlink(missing_ok=True)


def _folder() -> Path:
    return history_file().parent / "owed"


def _file(match: str) -> Path:
    """A server chooses the id, so it becomes no part of a path."""
    return _folder() / f"{sha256(match.encode()).hexdigest()[:32]}.json"
