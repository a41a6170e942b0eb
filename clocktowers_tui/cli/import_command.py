"""`clocktowers history import FILE`: keeps the matches of a file of records or of notation.

Nothing is kept that does not pass the checks of `verify`. A match counts as the player's own where
a person of their name sat, if they gave it with --name; else as one that they watched.
"""

import sys
import time
import zlib
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from clocktowers_tui.cli.history_command import NotThere, guarded
from clocktowers_tui.history import matches
from clocktowers_tui.history.record import Head, head_of, plies_of
from clocktowers_tui.net.records import NotConverted, matches_in
from clocktowers_tui.phrases.history import imported_in_words, wrong_line_in_words
from clocktowers_tui.text.i18n import _
from protocol.recording import Found
from protocol.text import clean

STDIN: Final = "-"
_WRONG: Final = 1


class ImportCount(NamedTuple):
    """Of matches: kept now, there before, and how often something was wrong."""

    kept: int = 0
    known: int = 0
    wrong: int = 0


def import_from(name: str, me: str) -> int:
    """`me`: the player's name at the table, "" = they sat nowhere. The exit code: 0, 1 where a line
    was wrong, or 2 after a sentence on stderr."""
    counted = ImportCount()

    def work() -> None:
        nonlocal counted
        counted = _import(name, me)
        print(imported_in_words(counted.kept, counted.known), flush=True)

    return guarded(work) or (_WRONG if counted.wrong else 0)


def _import(name: str, me: str) -> ImportCount:
    try:
        with sys.stdin.buffer if name == STDIN else Path(name).open("rb") as file:
            return _read(file, clean(name), me)
    except NotConverted:
        raise NotThere(_("the program that reads matches has ended by itself")) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        said = _("{file} cannot be read: {why}")
        raise NotThere(said.format(file=clean(name), why=why)) from None


def _read(file: BinaryIO, name: str, me: str) -> ImportCount:
    count = ImportCount()
    for told in matches_in(file):
        if isinstance(told, Found):
            count = _counted(count, told, me)
        else:
            print(f"clocktowers: {wrong_line_in_words(name, told)}", file=sys.stderr)
            count = count._replace(wrong=count.wrong + 1)
    return count


def _counted(count: ImportCount, found: Found, me: str) -> ImportCount:
    """Keep this match, unless it is kept already."""
    head = head_of(found.record)
    if matches.of(head.id) is not None:
        return count._replace(known=count.known + 1)
    matches.keep(
        head.id, zlib.compress(found.record), _seat_of(me, head), _ended(found.record, head)
    )
    return count._replace(kept=count.kept + 1)


def _ended(record: bytes, head: Head) -> int:
    """In seconds since 1970, as of a match that was kept at its end; now, where a record does not
    say when it began."""
    if not head.began:
        return int(time.time())
    last_ms = max((ply.at_ms for ply in plies_of(record)), default=0)
    return int(datetime.fromisoformat(head.began).timestamp()) + last_ms // 1000


def _seat_of(name: str, head: Head) -> int | None:
    """The first seat in which a person of this name sat."""
    people = [one.name if one.kind == "human" else None for one in head.seats]
    return people.index(name) if name and name in people else None
