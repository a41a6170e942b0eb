"""The end of a match in lines: who won and why, every seat's points, then tower by tower."""

from collections.abc import Sequence
from typing import assert_never

from clocktowers_tui.i18n import _, ngettext
from protocol.games.clocktowers import CODES, DecidedBy, Outcome, View


def result_lines(view: View, outcome: Outcome, names: Sequence[str]) -> list[str]:
    """The winners, what decided, and a line a seat, best first."""
    scores = [_score(view, outcome, names, seat) for seat in _ranked(outcome)]
    return [_winners(outcome, names), _decided(outcome), "", *scores]


def tower_lines(view: View, outcome: Outcome, names: Sequence[str]) -> list[str]:
    """Seat by seat, in the notation of the ledger, cards from the ground up."""
    lines: list[str] = []
    for seat in _ranked(outcome):
        lines += [_("Towers of {name}:").format(name=names[seat]), *_towers(view, seat)]
    return lines


def _ranked(outcome: Outcome) -> list[int]:
    return sorted(range(len(outcome.scores)), key=lambda seat: _rank(outcome, seat))


def _rank(outcome: Outcome, seat: int) -> tuple[bool, int]:
    return seat not in outcome.winners, -outcome.scores[seat]


def _winners(outcome: Outcome, names: Sequence[str]) -> str:
    winners = [names[seat] for seat in outcome.winners]
    if len(winners) == 1:
        return _("{name} wins").format(name=winners[0])
    first = ", ".join(winners[:-1])
    return _("{names} and {name} share the win").format(names=first, name=winners[-1])


def _decided(outcome: Outcome) -> str:
    match outcome.decided_by:
        case DecidedBy.POINTS:
            return _("Most points decide.")
        case DecidedBy.MOUSE:
            return _("Level on points; a mouse on the topmost floor of a complete tower decides.")
        case DecidedBy.CAT:
            return _("Level on points; a cat on the topmost floor of a complete tower decides.")
        case DecidedBy.SHARED:
            return _("Level on points, and the topmost floors do not tell them apart.")
        case _:
            assert_never(outcome.decided_by)


def _score(view: View, outcome: Outcome, names: Sequence[str], seat: int) -> str:
    points = _points(outcome.scores[seat])
    complete = sum(map(bool, view.towns[seat].points))
    towers = ngettext("{n} complete tower", "{n} complete towers", complete).format(n=complete)
    return f"{names[seat]}: {points}, {towers}"


def _towers(view: View, seat: int) -> list[str]:
    town = view.towns[seat]
    lines = []
    for index, (cards, points) in enumerate(zip(town.towers, town.points, strict=True)):
        worth = _points(points) if points else _("not complete")
        lines.append(f"  {index + 1:2} {'.'.join(CODES[card] for card in cards)}  {worth}")
    return lines or ["  " + _("no tower")]


def _points(points: int) -> str:
    return ngettext("{n} point", "{n} points", points).format(n=points)
