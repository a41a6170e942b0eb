"""`clocktowers history`: lists, sums up, imports and deletes the matches kept on this machine."""

import shutil
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from clocktowers_tui.cli.command import deafen, fail
from clocktowers_tui.deeds.finished import only
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept, NoHistory
from clocktowers_tui.history.numbers import played
from clocktowers_tui.history.record import Head, head_of, plies_of
from clocktowers_tui.net.records import NotConverted, matches_in
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.history import (
    game_in_words,
    imported_in_words,
    no_history_in_words,
    none_in_words,
    result_in_words,
    scores_in_words,
    when_in_words,
    wrong_line_in_words,
)
from clocktowers_tui.phrases.numbers import numbers_of, points_of
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import _
from protocol.recording import Found
from protocol.text import cells, clean


def list_all() -> int:
    """The exit code: 0, or 2 after a sentence on stderr."""
    return guarded(lambda: _print(lines(matches.newest_first())))


def delete(start: str) -> int:
    """Delete the match whose id begins so."""
    return guarded(lambda: matches.delete(only(start)))


def guarded(work: Callable[[], int | None]) -> int:
    """The exit code: what the work returns; 0 for nothing; 2 after a sentence on stderr."""
    try:
        return work() or 0
    except (NoHistory, NotDone) as error:
        return fail(no_history_in_words(error) if isinstance(error, NoHistory) else str(error))
    except BrokenPipeError:  # the reader has seen enough
        deafen()
    except OSError as error:
        deafen()
        return fail(_("the output cannot be written: {why}").format(why=error.strerror))
    return 0


def _print(text: Iterator[str]) -> None:
    print("\n".join(text), flush=True)


def lines(kept: Sequence[Kept]) -> Iterator[str]:
    """A line for each match: id, when, game, how it ended, and who had how many points."""
    if not kept:
        yield none_in_words("")
    rows = [
        (clean(one.head.id), when_in_words(one), game_in_words(one), result_in_words(one))
        for one in kept
    ]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row, one in zip(rows, kept, strict=True):
        yield "  ".join([*map(pad, row, widths), scores_in_words(one)])


# `clocktowers history numbers`.


def show(game: str) -> int:
    """`game` "": all of them. The exit code: 0, or 2 after a sentence on stderr."""
    games = [game] if game else list(FACES)
    return guarded(
        lambda: print("\n".join(numbers_in_lines(matches.newest_first(), games)), flush=True)
    )


def numbers_in_lines(kept: Sequence[Kept], games: Sequence[str]) -> Iterator[str]:
    """`kept`: newest first."""
    columns = shutil.get_terminal_size().columns
    those = [game for game in games if any(one.head.game == game for one in played(kept))]
    if not those:
        yield none_in_words("")
    for before, game in enumerate(those):
        if before:
            yield ""
        yield from numbers_of(game, kept, columns)
        yield from points_of(game, kept, columns)


# `clocktowers history import FILE`: keeps the matches of a file of records or of notation.
#
# Nothing is kept that does not pass the checks of `verify`. A match counts as the player's own
# where a person of their name sat, if they gave it with --name; else as one that they watched.

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

    def work() -> int:
        counted = _import(name, me)
        print(imported_in_words(counted.kept, counted.known), flush=True)
        return _WRONG if counted.wrong else 0

    return guarded(work)


def _import(name: str, me: str) -> ImportCount:
    try:
        with sys.stdin.buffer if name == STDIN else Path(name).open("rb") as file:
            return _read(file, clean(name), me)
    except NotConverted:
        raise NotDone(_("the program that reads matches has ended by itself")) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        said = _("{file} cannot be read: {why}")
        raise NotDone(said.format(file=clean(name), why=why)) from None


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
