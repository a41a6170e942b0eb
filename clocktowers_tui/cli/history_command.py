"""`clocktowers history`: lists the matches that are kept on this machine, or deletes one."""

import sys
from collections.abc import Callable, Iterator, Sequence

from clocktowers_tui.cli.ending import deafen
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Deleted, Kept, NoHistory
from clocktowers_tui.phrases.history import (
    game_in_words,
    no_history_in_words,
    result_in_words,
    scores_in_words,
    when_in_words,
)
from clocktowers_tui.text.fitting import pad, shown
from clocktowers_tui.text.i18n import _
from protocol.text import cells, clean


def list_all() -> int:
    """The exit code: 0, or 2 after a sentence on stderr."""
    return guarded(lambda: _print(lines(matches.newest_first())))


def delete(start: str) -> int:
    """Delete the match whose id begins so."""
    return guarded(lambda: matches.delete(only(start)))


def unusable(error: NoHistory) -> str:
    """Why the history is of no use."""
    if isinstance(error, Deleted):
        return no_history_in_words(error)
    return _("your history cannot be used: {why}").format(why=error)


class NotThere(Exception):
    """The sentence says why there is nothing to do it with."""


def guarded(work: Callable[[], None]) -> int:
    """The exit code: 0, or 2 after a sentence on stderr."""
    try:
        work()
    except (NoHistory, NotThere) as error:
        said = str(error)
        if isinstance(error, NoHistory):
            said = unusable(error)
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
        yield _("You have no finished matches yet.")
    rows = [
        (clean(one.head.id), when_in_words(one), game_in_words(one), result_in_words(one))
        for one in kept
    ]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row, one in zip(rows, kept, strict=True):
        yield "  ".join([*map(pad, row, widths), scores_in_words(one)])
