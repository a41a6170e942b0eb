"""`clocktowers history`: lists the matches that are kept on this machine, or deletes one."""

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence

from clocktowers_tui.cli.command import deafen
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept, NoHistory
from clocktowers_tui.history.numbers import played
from clocktowers_tui.phrases.history import (
    game_in_words,
    no_history_in_words,
    none_in_words,
    result_in_words,
    scores_in_words,
    when_in_words,
)
from clocktowers_tui.phrases.numbers import numbers_of, points_of
from clocktowers_tui.text.fitting import pad, shown
from clocktowers_tui.text.i18n import _
from protocol.text import cells, clean


def list_all() -> int:
    """The exit code: 0, or 2 after a sentence on stderr."""
    return guarded(lambda: _print(lines(matches.newest_first())))


def delete(start: str) -> int:
    """Delete the match whose id begins so."""
    return guarded(lambda: matches.delete(only(start)))


class NotThere(Exception):
    """The sentence says why there is nothing to do it with."""


def guarded(work: Callable[[], None]) -> int:
    """The exit code: 0, or 2 after a sentence on stderr."""
    try:
        work()
    except (NoHistory, NotThere) as error:
        said = no_history_in_words(error) if isinstance(error, NoHistory) else str(error)
        print(f"clocktowers: {said}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough
        deafen()
    except OSError as error:
        deafen()
        said = _("the output cannot be written: {why}").format(why=error.strerror)
        print(f"clocktowers: {said}", file=sys.stderr)
        return 2
    return 0


def only(start: str) -> str:
    """The id that begins so. Raises NotThere."""
    found = matches.called(start)
    if start in found:
        return start
    if not found:
        raise NotThere(_("no match of yours has this ID: {id}").format(id=shown(start)))
    if len(found) > 1:
        raise NotThere(_("several IDs begin like this: type more of it"))
    return found[0]


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
