"""Which moments of a match are worth a motion, and where they are seen. Pure."""

from typing import Final, NamedTuple, TypeAlias

from clocktowers_tui.games.clocktowers.marks import Marks
from clocktowers_tui.games.clocktowers.scene import PARTS, form_of
from clocktowers_tui.games.clocktowers.sight import Sight, seats_in_order
from clocktowers_tui.games.clocktowers.sky import without_night
from clocktowers_tui.games.clocktowers.town import place_at
from clocktowers_tui.games.motion import Shine, above, upwards
from clocktowers_tui.games.spans import Rect
from protocol.games.clocktowers import Phase, View


class Roof(NamedTuple):
    """A tower is complete, and brought these points."""

    seat: int
    tower: int
    points: int


class Win(NamedTuple):
    """The match is over, and this seat has most points."""

    seat: int


Peak: TypeAlias = Roof | Win

_CAP: Final = 2
"""Rows of a tower that a win lights: the roof and what is below it."""


def peak(before: View, after: View) -> Peak | None:
    """What has happened between the two; None for nothing, or for more than one thing: after an
    absence nothing is played."""
    if len(before.towns) != len(after.towns):
        return None
    if after.phase is Phase.OVER and before.phase is not Phase.OVER:
        best = [seat for seat, points in enumerate(after.points) if points == max(after.points)]
        return Win(best[0]) if len(best) == 1 else None
    fresh = [
        Roof(seat, tower, points)
        for seat, town in enumerate(after.towns)
        for tower, points in enumerate(town.points)
        if points and not any(before.towns[seat].points[tower : tower + 1])
    ]
    return fresh[0] if len(fresh) == 1 else None


def shine(sight: Sight, peak: Peak) -> Shine:
    """A roof lights its tower from the ground up, a win all the roofs of a street."""
    view = sight.scene.view
    match peak:
        case Roof(seat, tower, points):
            lit = _tower(sight, seat, tower)
            label = f"+{points}"
            return Shine(_part(sight, seat), lit, label, above(lit, label))
        case Win(seat):
            complete = [n for n, points in enumerate(view.towns[seat].points) if points]
            roofs = [_tower(sight, seat, tower)[-_CAP:] for tower in complete]
            return Shine(_part(sight, seat), tuple(row for roof in roofs for row in roof))


def _part(sight: Sight, seat: int) -> str:
    return f"town-{seats_in_order(sight.scene.view).index(seat)}"


def _tower(sight: Sight, seat: int, tower: int) -> tuple[Rect, ...]:
    """A tower's rows from the ground up."""
    view = sight.scene.view
    part, place = _part(sight, seat), seats_in_order(view).index(seat)
    _x, _y, width, height = sight.places[part]
    form = form_of(sight, place, (width, height))
    rows = without_night(PARTS[part].drawn(sight, (width, height)))
    return upwards(rows, lambda x, y: place_at(view, seat, form, Marks(), x, y) == tower)
