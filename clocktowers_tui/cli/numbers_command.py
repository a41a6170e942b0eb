"""`clocktowers history numbers`: how the player's matches of each game went against whom, and a
plot of the points."""

import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import mean, median
from typing import Final

from clocktowers_tui.cli.history_command import guarded
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept
from clocktowers_tui.history.numbers import deals, in_a_row, own, played, run, score, won
from clocktowers_tui.new_table.prepared import days_before, today
from clocktowers_tui.phrases.history import kind_in_words
from clocktowers_tui.text.columns import aligned
from clocktowers_tui.text.i18n import _, decimal, ngettext, pgettext
from clocktowers_tui.text.plotting import plotted
from clocktowers_tui.text.spelling import spelt

_PLOTTED: Final = 60
"""The newest matches, each in a column of its own."""


def show(game: str) -> int:
    """`game` "": all of them. The exit code: 0, or 2 after a sentence on stderr."""
    games = [game] if game else list(FACES)
    return guarded(lambda: print("\n".join(lines(matches.newest_first(), games)), flush=True))


def lines(kept: Sequence[Kept], games: Sequence[str]) -> Iterator[str]:
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
