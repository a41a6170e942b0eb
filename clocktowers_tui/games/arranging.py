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
    """The next arrangement that fits, and those passed over."""
    order = list(type(wish))
    turned = [*order[order.index(wish) + 1 :], *order]
    found = next(one for one in turned if fits(needs, one, width, height))
    return found, turned[: turned.index(found)]


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
