"""The deal of the day in words: three lines to paste, which give nothing of the cards away."""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.history.matches import Kept
from clocktowers_tui.history.numbers import Ended, ended, in_a_row
from clocktowers_tui.new_table.deals import LEVEL, days_before
from clocktowers_tui.phrases.tables import level_in_words
from clocktowers_tui.text.i18n import _, ngettext
from clocktowers_tui.text.spelling import spelt

_SIGNS: Final = {Ended.WON: "●", Ended.SHARED: "●", Ended.LOST: "○"}
_NONE: Final = "·"
_WEEK: Final = 7


def daily_in_words(one: Kept, counted: Mapping[str, Kept]) -> list[str]:
    """`one`: a match that counts; `counted`: all of this game, by day."""
    game = one.head.game
    said = _("{game}, deal of {day}, against {level}")
    heading = said.format(game=title_of(game), day=one.day, level=level_in_words(LEVEL))
    return [spelt(line) for line in (heading, _result(one), _streak(one, counted))]


def begun_in_words(day: str, *, counts: bool) -> str:
    """When it begins, or goes on."""
    if counts:
        return _("Deal of {day}: your first try counts.").format(day=day)
    return _("Deal of {day} again: this is practice and does not count.").format(day=day)


def deal_in_brief(*, counts: bool) -> str:
    """Above its board."""
    return _("Deal of the day") if counts else _("Practice, does not count")


def _result(one: Kept) -> str:
    assert one.me is not None
    said = {
        Ended.WON: _("Won {points}"),
        Ended.SHARED: _("Level {points}"),
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
    signs = [_SIGNS[ended(counted[day])] if day in counted else _NONE for day in week]
    return f"{said} {' '.join(signs)}"
