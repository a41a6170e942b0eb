"""Which of its layouts a board uses: the layout that the player wants, where it fits.

A game names its layouts in an enum of its own, automatic first, and says what the others need.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final, TypeVar

from clocktowers_tui.text.i18n import _

SHELL_ROWS: Final = 3
"""What is around a board: banner, hint and the keys."""

Wish = TypeVar("Wish", bound=StrEnum)


def fits(needs: Mapping[Wish, tuple[int, int]], wish: Wish, width: int, height: int) -> bool:
    """Whether a board of this size can be arranged so. What needs nothing of its own (automatic)
    fits wherever anything does."""
    least = needs.get(wish, min(needs.values()))
    return width >= least[0] and height >= least[1]


def after(
    needs: Mapping[Wish, tuple[int, int]], wish: Wish, width: int, height: int
) -> tuple[Wish, list[Wish]]:
    """The next arrangement that looks otherwise, and those passed over that do not fit."""
    order = list(type(wish))
    turned = [*order[order.index(wish) + 1 :], *order]
    fitting = [one for one in turned if fits(needs, one, width, height)]
    now = shown(needs, wish, width, height)
    other = (one for one in fitting if shown(needs, one, width, height) != now)
    found = next(other, fitting[0])
    passed = turned[: turned.index(found)]
    return found, [one for one in passed if one not in fitting]


def shown(needs: Mapping[Wish, tuple[int, int]], wish: Wish, width: int, height: int) -> Wish:
    """How a board of this size is arranged: as wished, or else the first way that fits."""
    if wish in needs and fits(needs, wish, width, height):
        return wish
    return next(one for one in needs if fits(needs, one, width, height))


def arranged(
    needs: Mapping[Wish, tuple[int, int]],
    wish: Wish,
    skipped: Sequence[Wish],
    words: Callable[[Wish], str],
) -> str:
    """How the board stands now, or, where larger ones were passed over, what the nearest of those
    needs. Sizes are the terminal's."""
    if not skipped:
        return _("Board: {layout}").format(layout=words(wish))
    nearest = min(skipped, key=lambda one: needs[one])
    width, height = needs[nearest]
    return _("Board: {layout}; a larger one needs {size}.").format(
        layout=words(wish), size=f"{width}x{height + SHELL_ROWS}"
    )
