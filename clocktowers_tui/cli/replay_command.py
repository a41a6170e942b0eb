"""`clocktowers replay FILE|ID[#PLY]`: which record is meant, and where it opens."""

from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from clocktowers_tui.cli.history_command import NotThere, only, unusable
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import NoHistory
from clocktowers_tui.history.record import MAX_LINE_BYTES, NotARecord, head_of
from clocktowers_tui.net.converting import NotConverted, matches_in
from clocktowers_tui.phrases.history import no_replay_in_words, wrong_line_in_words
from clocktowers_tui.text.i18n import _
from protocol.recording import Found
from protocol.text import clean

_MOST_DIGITS = 6


class Replayed(NamedTuple):
    """`line`: a record, which nobody has looked at. `me`: the seat through whose eyes it is seen
    first, None = the player only watched. `ply`: where it opens; None: at the deal. `match`: its id
    in the history."""

    line: bytes
    me: int | None = None
    ply: int | None = None
    match: str = ""


class Missing(Exception):
    """No record is meant; the text says why."""


def find(typed: str) -> Replayed:
    """A file comes before a match of that id. Of a file the first match. Raises Missing."""
    name, ply = typed, None
    start, mark, digits = typed.rpartition("#")
    if mark and digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS:
        name, ply = start, int(digits)
    if (line := _first_of(name)) is not None:
        return Replayed(line, _own_seat(line), ply)
    try:
        match = only(name)
        kept = matches.of(match)
        return Replayed(matches.line_of(match), kept.me if kept else None, ply, match)
    except NotThere as error:
        raise Missing(str(error)) from None
    except NoHistory as error:
        raise Missing(unusable(error)) from None


def _own_seat(line: bytes) -> int:
    """Through whose eyes a file is seen first: the player's own where they have played that match,
    else those of seat 0. All hands are open to who asks for that."""
    try:
        kept = matches.of(head_of(line).id)
    except (NotARecord, NoHistory):
        kept = None
    return 0 if kept is None or kept.me is None else kept.me


def _first_of(name: str) -> bytes | None:
    """The first record of this file; None: there is no such file. Raises Missing."""
    try:
        with Path(name).open("rb") as file:
            line = file.readline(MAX_LINE_BYTES + 2).removesuffix(b"\n")
        return line if line.startswith(b"{") else _noted(name)
    except (FileNotFoundError, IsADirectoryError, ValueError):
        return None
    except OSError as error:
        said = _("{file} cannot be read: {why}")
        raise Missing(said.format(file=clean(name), why=error.strerror)) from None


def _noted(name: str) -> bytes:
    """The first match of a file that may be notation. Raises Missing and OSError."""
    try:
        with Path(name).open("rb") as file, closing(matches_in(file)) as found:
            for told in found:
                if isinstance(told, Found):
                    return told.record
                raise Missing(wrong_line_in_words(clean(name), told))
    except NotConverted:
        raise Missing(no_replay_in_words("")) from None
    raise Missing(_("there is no match in {file}").format(file=clean(name)))
