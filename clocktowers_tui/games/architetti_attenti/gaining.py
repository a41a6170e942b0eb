"""Every part of the points that the tile in hand would bring, as one sum."""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.games.architetti_attenti import preview, reasons
from clocktowers_tui.games.architetti_attenti.choosing import Selection
from clocktowers_tui.games.architetti_attenti.tally import changes, tally
from clocktowers_tui.games.architetti_attenti.words import part_title
from clocktowers_tui.text.i18n import ngettext
from protocol.games.architetti_attenti import View
from protocol.games.architetti_attenti.score import Counting
from protocol.games.architetti_attenti.views import turns_after

_SIZED: Final = ("blocks", "rails", "shops")
_SHORT: Final = 13
"""Cells of what makes the points, so that a hint takes few rows."""


def gains(view: View, selection: Selection) -> Mapping[str, int]:
    """Part → the points that the tile in hand would change it by, the largest first; without those
    that stay the same. Where two are level, houses say least."""
    found = {part: change.gain for part, change in changes(view, selection).items()}
    ranked = sorted(reversed(found), key=lambda part: -found[part])
    return {part: found[part] for part in ranked if found[part]}


def parted(
    view: View, selection: Selection, gains: Mapping[str, int], *, sizes: bool = False
) -> str:
    """Every part of a sum: `Schools +10 if you keep 5 gems, Shops +5`. `sizes`: with what makes the
    points, where the part alone does not say it: `Blocks +4 (2x2)`."""
    made = reasons.why(view, selection, becomes="->") if sizes else {}
    told = []
    for part, gain in gains.items():
        size = made[part][-1] if part in _SIZED and part in made else ""
        told.append(
            _counted_on(view, selection, gain)
            if part == "schools" and gain > 0
            else f"{part_title(part)} {gain:+}" + (f" ({size})" if 0 < len(size) <= _SHORT else "")
        )
    return ", ".join(told)


def _counted_on(view: View, selection: Selection, gain: int) -> str:
    """The points of the schools, which stand only when the gems are still there at the end."""
    told = f"{part_title('schools')} {gain:+}"
    after = preview.town_after(view, selection)
    if after is None or not turns_after(view):
        return told
    held = tally(*after, Counting.of(view))["schools"]
    n = sum(thing.size[0] * times for thing, times in held.items())
    keep = ngettext("{gain} if you keep {n} gem", "{gain} if you keep {n} gems", n)
    return keep.format(gain=told, n=n)
