"""`clocktowers history`: lists the matches that are kept on this machine, or deletes one."""

import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from statistics import mean, median
from typing import Final

from clocktowers_tui.cli.command import deafen
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept, NoHistory
from clocktowers_tui.history.numbers import deals, in_a_row, own, played, run, score, won
from clocktowers_tui.new_table.offers import days_before, today
from clocktowers_tui.phrases.history import (
    game_in_words,
    kind_in_words,
    no_history_in_words,
    result_in_words,
    scores_in_words,
    when_in_words,
)
from clocktowers_tui.text.fitting import aligned, pad, plotted, shown
from clocktowers_tui.text.i18n import _, decimal, ngettext, pgettext
from clocktowers_tui.text.spelling import spelt
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
        yield _("You have no finished matches yet.")
    rows = [
        (clean(one.head.id), when_in_words(one), game_in_words(one), result_in_words(one))
        for one in kept
    ]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row, one in zip(rows, kept, strict=True):
        yield "  ".join([*map(pad, row, widths), scores_in_words(one)])


# `clocktowers history numbers`: how the player's matches of each game went against whom, and a
# plot of the points.


_PLOTTED: Final = 60
"""The newest matches, each in a column of its own."""


def show(game: str) -> int:
    """`game` "": all of them. The exit code: 0, or 2 after a sentence on stderr."""
    games = [game] if game else list(FACES)
    return guarded(
        lambda: print("\n".join(numbers_in_lines(matches.newest_first(), games)), flush=True)
    )


def numbers_in_lines(kept: Sequence[Kept], games: Sequence[str]) -> Iterator[str]:
    """`kept`: newest first."""
    all_ = {game: [one for one in played(kept) if one.head.game == game] for game in games}
    if not any(all_.values()):
        yield _("You have no finished matches yet.")
    for before, (game, mine) in enumerate((game, mine) for game, mine in all_.items() if mine):
        if before:
            yield ""
        yield from map(spelt, _of_game(game, mine))


def _of_game(game: str, all_: Sequence[Kept]) -> Iterator[str]:
    face, mine = FACES[game], own(all_)
    counted = ngettext("{n} match", "{n} matches", len(mine)).format(n=len(mine))
    yield f"{title_of(game)}: {counted}"
    if left := [one for one in all_ if one not in mine]:
        said = ngettext(
            "A bot played for you in {n} more match, {won} won: not counted here",
            "A bot played for you in {n} more matches, {won} won: not counted here",
            len(left),
        )
        yield said.format(n=len(left), won=sum(map(won, left)))
    if not mine:
        return
    yield from _table(mine, face)
    wins = run(mine)
    said = _("Wins in a row: {now} now, {most} at best")
    yield said.format(now=wins.now, most=wins.most)
    if not face.in_turns and (quick := _reactions_ms(mine, face)):
        said = _("You shot {n} times: the fastest in {least} s, half within {half} s")
        half, least = (decimal(ms / 1000) for ms in (median(quick), min(quick)))
        yield said.format(n=len(quick), half=half, least=least)
    if days := deals(mine, game):
        newest = today() if today() in days else days_before(today(), 1)
        said = _("Deals of the day: {n}, won {won}; days in a row: {days}")
        yield said.format(
            n=len(days), won=sum(map(won, days.values())), days=in_a_row(days, newest)
        )
    points = [score(one) for one in reversed(mine[:_PLOTTED])]
    if plot := list(plotted(points, face.score, shutil.get_terminal_size().columns)):
        yield _("Your points, the oldest match first:")
        yield from plot


def _table(mine: Sequence[Kept], face: Face) -> Iterator[str]:
    """A line for each kind of match, the one that was played most first."""
    kinds = defaultdict[str, list[Kept]](list)
    for one in mine:
        kinds[kind_in_words(one, face)].append(one)
    heads = (
        pgettext("heads a column of numbers", "against"),
        pgettext("heads a column of numbers", "matches"),
        pgettext("heads a column of numbers", "won"),
        pgettext("heads a column of numbers", "mean"),
        pgettext("heads a column of numbers", "best"),
    )
    rows = [heads]
    for kind, those in sorted(kinds.items(), key=lambda kind: -len(kind[1])):
        points = [score(one) for one in those]
        middle, best = face.score(round(mean(points))), face.score(max(points))
        rows.append((kind, str(len(those)), str(sum(map(won, those))), middle, best))
    yield from aligned(rows, (1, 0, 0, 0, 0), shutil.get_terminal_size().columns)


def _reactions_ms(mine: Sequence[Kept], face: Face) -> list[int]:
    """Raises NoHistory."""
    return [
        ms
        for one in mine
        if one.me is not None
        for ms in face.reactions_ms(matches.line_of(one.head.id), one.me)
    ]
