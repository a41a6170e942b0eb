"""Which of its layouts a board uses: the layout that the player wants, where it fits."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, Generic, NamedTuple, TypeVar

from clocktowers_tui.text.i18n import _

SHELL_ROWS: Final = 3
"""What is around a board: banner, hint and the keys."""

Wish = TypeVar("Wish", bound=StrEnum)


class Wishes(NamedTuple, Generic[Wish]):
    """The layouts of a game. `words` for each, automatic first, translated when they are shown;
    `needs`: the smallest board for each of the others, the richest first."""

    words: Mapping[Wish, str]
    needs: Mapping[Wish, tuple[int, int]]

    def of(self, word: str) -> Wish:
        """The layout of this word, automatic for any other."""
        return next((one for one in self.words if one == word), next(iter(self.words)))

    def fits(self, wish: Wish, width: int, height: int) -> bool:
        """Whether a board of this size can be arranged so. Automatic fits where anything does."""
        least = self.needs.get(wish, min(self.needs.values()))
        return width >= least[0] and height >= least[1]

    def shown(self, wish: Wish, width: int, height: int) -> Wish:
        """How a board of this size is arranged: as wished, or else the first way that fits."""
        if wish in self.needs and self.fits(wish, width, height):
            return wish
        return next(one for one in self.needs if self.fits(one, width, height))

    def after(self, wish: Wish, width: int, height: int) -> tuple[Wish, list[Wish]]:
        """The next arrangement that looks otherwise, and those passed over that do not fit."""
        order = [*self.words]
        turned = [*order[order.index(wish) + 1 :], *order]
        fitting = [one for one in turned if self.fits(one, width, height)]
        now = self.shown(wish, width, height)
        other = (one for one in fitting if self.shown(one, width, height) != now)
        found = next(other, fitting[0])
        passed = turned[: turned.index(found)]
        return found, [one for one in passed if one not in fitting]

    def arranged(self, wish: Wish, skipped: Sequence[Wish]) -> str:
        """How the board stands now, or, where larger ones were passed over, what the nearest of
        those needs. Sizes are the terminal's."""
        layout = _(self.words[wish])
        if not skipped:
            return _("Board: {layout}").format(layout=layout)
        width, height = min(self.needs[one] for one in skipped)
        return _("Board: {layout}; a larger one needs {size}.").format(
            layout=layout, size=f"{width}x{height + SHELL_ROWS}"
        )
