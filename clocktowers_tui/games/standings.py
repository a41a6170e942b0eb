"""Winners and places, for games in which the most points win."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from clocktowers_tui.text.fitting import aligned, widths
from clocktowers_tui.text.i18n import _, ngettext
from protocol.text import cells


class ResultLine(NamedTuple):
    """A line of the result, and the style in which a screen shows it."""

    plain: str
    style: str = ""


class Outcome(Protocol):
    """What the outcomes of such games share: points by seat, and who won."""

    @property
    def scores(self) -> Sequence[int]: ...

    @property
    def winners(self) -> Sequence[int]: ...


def ranked(outcome: Outcome) -> list[int]:
    """The seats, best first."""
    return sorted(range(len(outcome.scores)), key=lambda seat: _rank(outcome, seat))


def _rank(outcome: Outcome, seat: int) -> tuple[bool, int]:
    return seat not in outcome.winners, -outcome.scores[seat]


def _place(outcome: Outcome, seat: int) -> int:
    """From 1 on; level seats share a place."""
    mine = _rank(outcome, seat)
    return 1 + sum(_rank(outcome, other) < mine for other in range(len(outcome.scores)))


_SHARES: Final = (0, 1, 0, 0)
_NAME: Final = 6
"""Cells by which a player knows a name."""


def standings(
    outcome: Outcome, names: Sequence[str], more: Sequence[str], width: int
) -> list[ResultLine]:
    """A line a seat, best first, in at most `width` cells. `more`: a few words on each seat, where
    they leave room for the names."""
    seats = ranked(outcome)
    rows = [_row(outcome, names, more, seat) for seat in seats]
    if widths(rows, _SHARES, width)[1] < min(_NAME, max(cells(row[1]) for row in rows)):
        rows = [[*row[:3], ""] for row in rows]
    return [
        ResultLine(line, "bold" if seat in outcome.winners else "")
        for seat, line in zip(seats, aligned(rows, _SHARES, width), strict=True)
    ]


def _row(outcome: Outcome, names: Sequence[str], more: Sequence[str], seat: int) -> list[str]:
    points = points_in_words(outcome.scores[seat])
    return [f"{_place(outcome, seat)}.", names[seat], points, more[seat]]


def by_points(view: Any, outcome: Any, names: Sequence[str], width: int) -> Sequence[ResultLine]:
    """The result of a game in which the most points win: the winners, and a line a seat."""
    first = ResultLine(winners_in_words(outcome, names, view.seat), "bold")
    return [first, ResultLine(""), *standings(outcome, names, [""] * len(names), width)]


def points_in_words(points: int) -> str:
    return ngettext("{n} point", "{n} points", points).format(n=points)


def winners_in_words(outcome: Outcome, names: Sequence[str], own: int | None) -> str:
    """`own`: the reader's seat; None for a watcher."""
    if [own] == [*outcome.winners]:
        return _("You win")
    winners = called(outcome.winners, names, own)
    if len(outcome.winners) == 1:
        return _("{name} wins").format(name=winners)
    return _("{names} share the win").format(names=winners)


def ahead(outcome: Outcome, names: Sequence[str], own: int | None) -> str:
    """By how much the first has won, where the points have decided."""
    first, second = ranked(outcome)[:2]
    by = outcome.scores[first] - outcome.scores[second]
    if own == first:
        sentence = ngettext(
            "You have {n} point more than {second}.", "You have {n} points more than {second}.", by
        )
    elif own == second:
        sentence = ngettext(
            "{name} has {n} point more than you.", "{name} has {n} points more than you.", by
        )
    else:
        sentence = ngettext(
            "{name} has {n} point more than {second}.",
            "{name} has {n} points more than {second}.",
            by,
        )
    return sentence.format(name=names[first], n=by, second=names[second])


def lost_in_words(late: int | None, names: Sequence[str], own: int | None, *, left: bool) -> str:
    """Who has lost because the time was up or (`left`) because they went."""
    if late is None or late not in range(len(names)):
        return _("A player left the table.") if left else _("The time was up.")
    if late == own:
        return _("You left the table.") if left else _("Your time was up.")
    said = _("{name} left the table.") if left else _("The time of {name} was up.")
    return said.format(name=names[late])


def level_at_the_top(outcome: Outcome, names: Sequence[str], own: int | None) -> str:
    """The names of the seats with the most points."""
    best = max(outcome.scores)
    return called([seat for seat, score in enumerate(outcome.scores) if score == best], names, own)


def called(seats: Iterable[int], names: Sequence[str], own: int | None) -> str:
    """The names of these seats, the reader's `own` first."""
    return listed([names[seat] for seat in sorted(seats, key=lambda seat: seat != own)])


def listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {name}").format(names=", ".join(names[:-1]), name=names[-1])
