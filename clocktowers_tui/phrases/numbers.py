"""What a player's matches of a game come to, in lines: against whom they went how, and their
points."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import mean, median
from typing import Final

from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept
from clocktowers_tui.history.numbers import deals, in_a_row, own, played, run, score, won
from clocktowers_tui.history.review import parts_got
from clocktowers_tui.new_table.offers import days_before, today
from clocktowers_tui.phrases.history import kind_in_words
from clocktowers_tui.phrases.review import percent_in_words
from clocktowers_tui.text.fitting import aligned, plotted
from clocktowers_tui.text.i18n import _, decimal, ngettext, pgettext
from clocktowers_tui.text.spelling import spelt

_PLOTTED: Final = 60
"""The newest matches, each in a column of its own."""


def numbers_of(game: str, kept: Sequence[Kept], columns: int) -> Iterator[str]:
    """`kept`: matches of all games, newest first. `columns`: for the table. It waits for the disk;
    raises NoHistory."""
    return map(spelt, _numbers(game, _of(game, kept), columns))


def points_of(game: str, kept: Sequence[Kept], columns: int) -> Iterator[str]:
    """The points of these matches as a plot, and what the player got of what was possible, as far
    as there is anything to see. Waits and raises as `numbers_of`."""
    newest = own(_of(game, kept))[:_PLOTTED]
    parts = [round(part / 10) for part in parts_got(newest)]
    for title, values, words in (
        (_("Your points, the oldest match first:"), map(score, newest), FACES[game].score),
        (_("What you got of what was possible, in %, the oldest match first:"), parts, str),
    ):
        if plot := list(plotted([*values][::-1], words, columns)):
            yield spelt(title)
            yield from map(spelt, plot)


def _of(game: str, kept: Sequence[Kept]) -> list[Kept]:
    return [one for one in played(kept) if one.head.game == game]


def _numbers(game: str, all_: Sequence[Kept], columns: int) -> Iterator[str]:
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
    wins = run(mine)
    said = _("Wins in a row: {now} now, {most} at best")
    yield said.format(now=wins.now, most=wins.most)
    yield from _table(mine, face, columns)
    if parts := parts_got(mine[:_PLOTTED]):
        said = ngettext(
            "In {n} reviewed match you got {part} of what was possible",
            "In {n} reviewed matches you got {part} of what was possible",
            len(parts),
        )
        yield said.format(n=len(parts), part=percent_in_words(mean(parts)))
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


def _table(mine: Sequence[Kept], face: Face, columns: int) -> Iterator[str]:
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
    yield from aligned(rows, (1, 0, 0, 0, 0), columns)


def _reactions_ms(mine: Sequence[Kept], face: Face) -> list[int]:
    """Raises NoHistory."""
    return [
        ms
        for one in mine
        if one.me is not None
        for ms in face.reactions_ms(matches.line_of(one.head.id), one.me)
    ]
