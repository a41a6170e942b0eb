"""Which of its layouts a board uses: the layout that the player wants, where it fits."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Self

from clocktowers_tui.text.i18n import _

SHELL_ROWS: Final = 3
"""What is around a board: banner, hint and the keys."""
LEAST: Final = (60, 20 - SHELL_ROWS)
"""The smallest board of a game that needs no larger one: a 60x20 terminal."""


class Layouts(StrEnum):
    """A game's layouts, automatic first. `words`: what each is called, translated when it is shown;
    `needs`: the smallest board for it. What the player wants and what does not fit is as good as
    automatic, which is the layout that needs most of those that fit."""

    words: str
    needs: tuple[int, int]

    def __new__(cls, name: str, words: str, columns: int, rows: int) -> Self:
        """In columns and rows of the terminal."""
        layout = str.__new__(cls, name)
        layout._value_ = name
        layout.words, layout.needs = words, (columns, rows - SHELL_ROWS)
        return layout

    @classmethod
    def of(cls, word: str) -> Self:
        """The layout of this word, automatic for any other."""
        return next((one for one in cls if one == word), next(iter(cls)))

    def fits(self, width: int, height: int) -> bool:
        """Whether a board of this size can be arranged so."""
        return width >= self.needs[0] and height >= self.needs[1]

    def shown(self, width: int, height: int) -> Self:
        """How a board of this size is arranged; it must fit some layout."""
        _automatic, *others = type(self)
        fitting = [one for one in others if one.fits(width, height)]
        return self if self in fitting else max(fitting, key=lambda one: one.needs)

    def after(self, width: int, height: int) -> tuple[Self, list[Self]]:
        """The next arrangement that looks otherwise, and those passed over that do not fit."""
        order = [*type(self)]
        turned = [*order[order.index(self) + 1 :], *order]
        fitting = [one for one in turned if one.fits(width, height)]
        now = self.shown(width, height)
        other = (one for one in fitting if one.shown(width, height) != now)
        found = next(other, fitting[0])
        passed = turned[: turned.index(found)]
        return found, [one for one in passed if one not in fitting]

    def arranged(self, skipped: Sequence[Self]) -> str:
        """How the board stands now, or, where larger ones were passed over, what the nearest of
        those needs. Sizes are the terminal's."""
        layout = _(self.words)
        if not skipped:
            return _("Board: {layout}").format(layout=layout)
        width, height = min(one.needs for one in skipped)
        return _("Board: {layout}; a larger one needs {size}.").format(
            layout=layout, size=f"{width}x{height + SHELL_ROWS}"
        )
