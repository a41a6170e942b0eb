"""Every part of the points that the tile in hand would bring, as one sum."""

from collections.abc import Mapping, Sequence

from clocktowers_tui.games.architetti_attenti import preview
from clocktowers_tui.games.architetti_attenti.choosing import Selection
from clocktowers_tui.games.architetti_attenti.tally import changes, tally
from clocktowers_tui.games.architetti_attenti.words import part_title
from clocktowers_tui.text.i18n import ngettext
from protocol.games.architetti_attenti import View
from protocol.games.architetti_attenti.score import Counting
from protocol.games.architetti_attenti.views import turns_after


def gains(view: View, selection: Selection) -> Mapping[str, int]:
    """Part → the points that the tile in hand would change it by, the largest first; without those
    that stay the same. Where two are level, houses say least."""
    found = {part: change.gain for part, change in changes(view, selection).items()}
    ranked = sorted(reversed(found), key=lambda part: -found[part])
    return {part: found[part] for part in ranked if found[part]}


def parted(view: View, selection: Selection, gains: Mapping[str, int], *, gems: bool = True) -> str:
    """Every part of a sum: `Schools +10 if you keep 5 gems, Shops +5`; `gems`: with what is said
    of them."""
    return ", ".join(
        _counted_on(view, selection, gain)
        if gems and part == "schools" and gain > 0
        else f"{part_title(part)} {gain:+}"
        for part, gain in gains.items()
    )


def _counted_on(view: View, selection: Selection, gain: int) -> str:
    """The points of the schools, which stand only when the gems are still there at the end."""
    told = f"{part_title('schools')} {gain:+}"
    after = preview.town_after(view, selection)
    return told if after is None else " ".join([told, *kept(view, *after)])


def kept(view: View, board: bytes, gems: int) -> Sequence[str]:
    """On which gems the points of a board's schools count until the end; empty for none."""
    held = tally(board, gems, Counting.of(view))["schools"]
    n = sum(thing.size[0] * times for thing, times in held.items())
    if not n or not turns_after(view):
        return []
    return [ngettext("if you keep {n} gem", "if you keep {n} gems", n).format(n=n)]
