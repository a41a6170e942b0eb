"""How large a square of a town is drawn."""

from typing import Final, NamedTuple

from protocol.games.architetti_attenti import SIDE


class Scale(NamedTuple):
    """Cells of a square. `pictures`: rows of the picture in it; 0: a sign. `framed`: tiles have an
    edge of their own."""

    width: int
    height: int
    pictures: int = 0
    framed: bool = True

    @property
    def across(self) -> int:
        """The column of a square in which its sign stands; the letter stands to the right of it."""
        return (self.width - 1) // 2

    @property
    def down(self) -> int:
        """The row of a square in which its sign stands."""
        return (self.height - 1) // 2

    @property
    def columns(self) -> int:
        """Cells of a town."""
        return SIDE * self.width

    @property
    def rows(self) -> int:
        return SIDE * self.height


VAST: Final = Scale(14, 7, pictures=4)
TALL: Final = VAST._replace(height=8)
LARGE: Final = Scale(9, 5, pictures=2)
MIDDLE: Final = Scale(6, 3)
SMALL: Final = Scale(4, 2)
PICTURES: Final = Scale(3, 2, framed=False)
"""For others' towns."""
SIGNS: Final = Scale(2, 1, framed=False)
"""The smallest: a sign, and what joins it to the next."""
