"""What finished matches say together, in words: the best, the deals of the day, many in numbers."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import mean, median
from typing import Final

from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spans import hanging
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept
from clocktowers_tui.history.numbers import (
    Compared,
    Ended,
    deals,
    ended,
    in_a_row,
    own,
    played,
    run,
    score,
    won,
)
from clocktowers_tui.history.record import Seated
from clocktowers_tui.history.review import parts_got
from clocktowers_tui.new_table import LEVEL, days_before, today
from clocktowers_tui.phrases.review import percent_in_words
from clocktowers_tui.phrases.tables import level_in_words
from clocktowers_tui.state.store import State
from clocktowers_tui.text.fitting import plotted, row_of, widths
from clocktowers_tui.text.i18n import _, decimal, ngettext, pgettext
from clocktowers_tui.text.spelling import spelt
from protocol.text import clean


def compared_in_words(numbers: Compared, face: Face) -> str:
    """This match beside the best before it."""
    this, best = face.score(numbers.this), face.score(numbers.best)
    if numbers.this > numbers.best:
        return _("{this} is your new best; before it was {best}.").format(this=this, best=best)
    return _("Your best {best}, this {this}.").format(best=best, this=this)


def kind_in_words(one: Kept, face: Face) -> str:
    """Against whom, and by which rules, as far as they are not the usual ones. `one`: a match that
    the player has played."""
    others = [seat for at, seat in enumerate(one.head.seats) if at != one.me]
    people = sum(not seat.level for seat in others)
    said = [ngettext("{n} person", "{n} people", people).format(n=people)] if people else []
    said += bots_in_words(others)
    against = " + ".join(said) or pgettext("a finished match", "alone")
    usual, rules = face.options_in_words({}), face.options_in_words(one.head.options)
    unusual = clean(rules.removeprefix(f"{usual}; "))
    return against if rules == usual else f"{against}; {unusual}"


def bots_in_words(seats: Iterable[Seated]) -> list[str]:
    """How many there are of each level."""
    levels = Counter(seat.level for seat in seats if seat.level)
    return [
        ngettext("{n} bot, {level}", "{n} bots, {level}", count).format(
            n=count, level=level_in_words(clean(level))
        )
        for level, count in levels.items()
    ]


# The deal of the day in words: three lines to paste, which give nothing of the cards away.


SIGNS: Final = {Ended.WON: "●", Ended.SHARED: "●", Ended.LOST: "○"}
NO_SIGN: Final = "·"
_WEEK: Final = 7


def daily_in_words(one: Kept, counted: Mapping[str, Kept]) -> list[str]:
    """`one`: a match that counts; `counted`: all of this game, by day."""
    game = one.head.game
    said = _("{game}, deal of {day}, against {level}")
    heading = said.format(game=title_of(game), day=one.day, level=level_in_words(LEVEL))
    return [spelt(line) for line in (heading, _result(one), _streak(one, counted))]


def in_one_line(told: Sequence[str]) -> str:
    """The lines of `daily_in_words` for a chat, with what their signs mean; "" of none."""
    return f"{'. '.join(told)} {signs_in_words()}" if told else ""


def signs_in_words() -> str:
    said = _("({won} won, {lost} lost, {none} not played)")
    return spelt(said.format(won=SIGNS[Ended.WON], lost=SIGNS[Ended.LOST], none=NO_SIGN))


def begun_in_words(day: str, *, counts: bool) -> str:
    """When it begins, or goes on."""
    if counts:
        return _("Deal of {day}: your first try counts.").format(day=day)
    return _("Deal of {day} again: this is practice and does not count.").format(day=day)


def _result(one: Kept) -> str:
    assert one.me is not None
    said = {
        Ended.WON: _("Won {points}"),
        Ended.SHARED: _("Tied {points}"),
        Ended.LOST: _("Lost {points}"),
    }[ended(one)]
    face, scores = FACES[one.head.game], one.head.outcome.scores
    others = [points for seat, points in enumerate(scores) if seat != one.me]
    points = " : ".join(face.score(each) for each in (scores[one.me], *others))
    if one.turns is None:
        return said.format(points=points)
    turns = ngettext("{n} turn", "{n} turns", one.turns).format(n=one.turns)
    return f"{said.format(points=points)}, {turns}"


def _streak(one: Kept, counted: Mapping[str, Kept]) -> str:
    """And the last seven days: won, lost, not played."""
    days = in_a_row(counted, one.day)
    said = ngettext("{n} day in a row", "{n} days in a row", days).format(n=days)
    week = [days_before(one.day, back) for back in reversed(range(_WEEK))]
    signs = [SIGNS[ended(counted[day])] if day in counted else NO_SIGN for day in week]
    return f"{said} {' '.join(signs)}"


# What a result says of other matches: those of before, and those at this table.


def numbers_in_words(state: State) -> list[str]:
    """A line each."""
    said = [evening_in_words(state)]
    if (looked := state.looked_back) is not None:
        practice = _("This was practice: only your first try counts.") if looked.practice else ""
        if looked.practice and looked.played_for:
            practice = _("A bot finished this match for you: it does not count.")
        elif looked.by_bot:
            practice = _("A bot played some of your moves: this match does not count.")
        said += [looked.numbers, practice, *looked.deal]
    return [line for line in said if line]


def evening_in_words(state: State) -> str:
    """Who has won how often here; "" before the second match, and for somebody who has not been
    here since the first."""
    evening, table = state.evening, state.table
    if table is None or evening.matches < 2 or evening.matches != table.info.matches:
        return ""
    won = ", ".join(f"{name} {count}" for name, count in evening.won)
    return _("Wins at this table: {names}").format(names=won)


# The numbers of many matches of a game, in lines.

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
        (_("Your accuracy (100 = without a mistake), the oldest match first:"), parts, str),
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
    now, most = run(mine)
    said = _("Wins in a row: {now} now, {most} at best")
    yield said.format(now=now, most=most)
    yield from _table(mine, face, columns)
    if parts := parts_got(mine[:_PLOTTED]):
        said = ngettext(
            "Accuracy in {n} reviewed match: {part} of decisions without a mistake",
            "Accuracy in {n} reviewed matches: {part} of decisions without a mistake",
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
    given = widths(rows, (1, 0, 0, 0, 0), columns)
    for kind, *numbers in rows:
        first, *more = hanging(kind, given[0])
        yield row_of((first, *numbers), given)
        yield from more


def _reactions_ms(mine: Sequence[Kept], face: Face) -> list[int]:
    """Raises NoHistory."""
    return [
        ms
        for one in mine
        if one.me is not None
        for ms in face.reactions_ms(matches.line_of(one.head.id), one.me)
    ]
