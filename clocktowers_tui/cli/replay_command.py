"""`clocktowers replay FILE|ID[#PLY]`: which record is meant, and where it opens."""

from pathlib import Path
from typing import NamedTuple

from clocktowers_tui.cli.history_command import NotThere, only
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import NoHistory
from clocktowers_tui.history.record import MAX_LINE_BYTES
from clocktowers_tui.text.i18n import _
from protocol.text import clean

_MOST_DIGITS = 6


class Replayed(NamedTuple):
    """`line`: a record, which nobody has looked at. `me`: the player's seat, None = they had none,
    or nobody knows. `ply`: where it opens; None: at the deal. `match`: its id in the history."""

    line: bytes
    me: int | None = None
    ply: int | None = None
    match: str = ""


class Missing(Exception):
    """No record is meant; the text says why."""


def find(typed: str) -> Replayed:
    """A file comes before a match of that id. Of a file the first record. Raises Missing."""
    name, ply = typed, None
    start, mark, digits = typed.rpartition("#")
    if mark and digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS:
        name, ply = start, int(digits)
    try:
        with Path(name).open("rb") as file:
            return Replayed(file.readline(MAX_LINE_BYTES + 2).removesuffix(b"\n"), None, ply)
    except (FileNotFoundError, IsADirectoryError, ValueError):
        pass
    except OSError as error:
        said = _("{file} cannot be read: {why}")
        raise Missing(said.format(file=clean(name), why=error.strerror)) from None
    try:
        match = only(name)
        kept = matches.of(match)
        return Replayed(matches.line_of(match), kept.me if kept else None, ply, match)
    except NotThere as error:
        raise Missing(str(error)) from None
    except NoHistory as error:
        raise Missing(_("your history cannot be used: {why}").format(why=error)) from None
