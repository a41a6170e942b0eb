"""`clocktowers history`: lists the matches that are kept on this machine, writes one as a record,
or deletes it."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept, NoHistory
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import _, pgettext
from protocol.text import cells, clean


def list_all() -> int:
    """The exit code: 0, or 2 after a sentence on stderr."""
    return _guarded(lambda: _print(lines(matches.newest_first())))


def export(start: str) -> int:
    """Write the record of the match whose id begins so to stdout."""

    def write() -> None:
        sys.stdout.buffer.write(matches.line_of(_only(start)) + b"\n")
        sys.stdout.buffer.flush()

    return _guarded(write)


def delete(start: str) -> int:
    """Delete the match whose id begins so."""
    return _guarded(lambda: matches.delete(_only(start)))


class _NotOne(Exception):
    """The sentence says why no match is meant."""


def _guarded(work: Callable[[], None]) -> int:
    try:
        work()
    except (NoHistory, _NotOne) as error:
        said = str(error)
        if isinstance(error, NoHistory):
            said = _("your history cannot be used: {why}").format(why=said)
        print(f"clocktowers: {said}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough; Python would complain at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _only(start: str) -> str:
    """The id that begins so. Raises _NotOne."""
    found = matches.called(start)
    if start in found:
        return start
    if not found:
        raise _NotOne(_("no match of yours has this ID: {id}").format(id=clean(start)))
    if len(found) > 1:
        raise _NotOne(_("several IDs begin like this: type more of it"))
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
    winners = one.head.outcome.winners
    if one.me is None:
        return pgettext("a finished match", "watched")
    if len(one.head.seats) == 1:
        return pgettext("a finished match", "alone")
    if one.me not in winners:
        return pgettext("a finished match", "lost")
    if len(winners) > 1:
        return pgettext("a finished match", "shared")
    return pgettext("a finished match", "won")


def _players(one: Kept) -> str:
    scored = zip(one.head.seats, one.head.outcome.scores, strict=False)
    return ", ".join(f"{clean(seat.name)} {score}" for seat, score in scored)
