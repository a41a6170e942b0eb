"""`clocktowers history`: lists the matches that are kept on this machine, writes one as a record,
or deletes it."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept, NoHistory
from clocktowers_tui.history.numbers import Ended, ended
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import _, pgettext
from protocol.text import cells, clean


def list_all() -> int:
    """The exit code: 0, or 2 after a sentence on stderr."""
    return guarded(lambda: _print(lines(matches.newest_first())))


def export(start: str) -> int:
    """Write the record of the match whose id begins so to stdout."""

    def write() -> None:
        sys.stdout.buffer.write(matches.line_of(_only(start)) + b"\n")
        sys.stdout.buffer.flush()

    return guarded(write)


def delete(start: str) -> int:
    """Delete the match whose id begins so."""
    return guarded(lambda: matches.delete(_only(start)))


class NotThere(Exception):
    """The sentence says why there is nothing to do it with."""


def guarded(work: Callable[[], None]) -> int:
    """The exit code: 0, or 2 after a sentence on stderr."""
    try:
        work()
    except (NoHistory, NotThere) as error:
        said = str(error)
        if isinstance(error, NoHistory):
            said = _("your history cannot be used: {why}").format(why=said)
        print(f"clocktowers: {said}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough; Python would complain at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _only(start: str) -> str:
    """The id that begins so. Raises NotThere."""
    found = matches.called(start)
    if start in found:
        return start
    if not found:
        raise NotThere(_("no match of yours has this ID: {id}").format(id=clean(start)))
    if len(found) > 1:
        raise NotThere(_("several IDs begin like this: type more of it"))
    return found[0]


def _print(text: Iterator[str]) -> None:
    print("\n".join(text), flush=True)


def lines(kept: Sequence[Kept]) -> Iterator[str]:
    """A line for each match: id, when, game, how it ended, and who had how many points."""
    if not kept:
        yield _("You have no finished matches yet.")
    rows = [(clean(one.head.id), _when(one), _game(one), _result(one)) for one in kept]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row, one in zip(rows, kept, strict=True):
        yield "  ".join([*map(pad, row, widths), _players(one)])


def _when(one: Kept) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(one.ended_at))


def _game(one: Kept) -> str:
    return title_of(one.head.game) if one.head.game in FACES else clean(one.head.game)


def _result(one: Kept) -> str:
    match ended(one):
        case Ended.WATCHED:
            return pgettext("a finished match", "watched")
        case Ended.ALONE:
            return pgettext("a finished match", "alone")
        case Ended.LOST:
            return pgettext("a finished match", "lost")
        case Ended.SHARED:
            return pgettext("a finished match", "shared")
        case Ended.WON:
            return pgettext("a finished match", "won")


def _players(one: Kept) -> str:
    face = FACES.get(one.head.game)
    scored = zip(one.head.seats, one.head.outcome.scores, strict=False)
    return ", ".join(
        f"{clean(seat.name)} {score if face is None else face.score(score)}"
        for seat, score in scored
    )
