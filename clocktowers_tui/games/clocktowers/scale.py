"""The four sizes of the pictures, each as one value: how wide things are, how their parts look, and
the towers and cards made of these.

Law: all towers of a board have storeys of the same height, so that what looks higher is higher.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from clocktowers_tui.games.clocktowers import art, huge_art, large_art
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import WALLS
from clocktowers_tui.games.spans import Block, Row, Span, centred
from protocol.games.clocktowers import (
    ANIMALS,
    PILES,
    STOREYS,
    Pile,
    height_of,
)

PAIRED: Final = 0
"""Rows of a storey where two share one; roof and clock share one then, too."""


class Scale(NamedTuple):
    """`pitches`: cells from one tower to the next, the roomiest first. `margin`: cells of a roof
    beyond the walls. `storeys`: rows that a storey may take, the most first; more than one only
    in a sky of `sky` rows. `whole`: it is for such a sky alone. `spare`: rows above an own tower
    that grows, for what a play gives.

    `roof`, `dial`, `storey`: rows of a card's parts, from the top.
    """

    tower_width: int
    margin: int
    pitches: tuple[int, ...]
    sky: int
    storeys: tuple[int, ...]
    whole: bool
    spare: int
    roof_rows: int
    clock_rows: int
    roof: Callable[[int, Glyphs], Block]
    dial: Callable[[str, int, Glyphs], list[Span]]
    storey: Callable[[str, int, int, Glyphs, bool], list[Span]]
    card_width: int
    card_height: int

    def takes(self, towers: Sequence[bytes], sky: int, storey: int, *, own: bool) -> bool:
        """Whether these towers stand in so many rows of sky, with storeys of so many; in pairs all
        do: of one that is too high the lowest floors share a row."""
        if storey == PAIRED or storey not in self.storeys:
            return storey in self.storeys
        if sky < self.sky and (self.whole or storey > 1):
            return False
        spare = self.spare if own and storey > 1 else 0
        return all(
            self.rows(cards, storey) + spare * (not art.is_complete(cards)) <= sky
            for cards in towers
        )

    def rows(self, cards: bytes, storey: int) -> int:
        """Of a tower."""
        height = height_of(cards)
        tops = [card for card in cards if not STOREYS[card]]
        if storey == PAIRED:
            return -(-height // 2) + bool(tops)
        return height * storey + sum(map(self._top_rows, tops))

    def _top_rows(self, card: int) -> int:
        return self.clock_rows if _pile(card) is Pile.CLOCK else self.roof_rows

    def tower(self, cards: bytes, rows: int, storey: int, glyphs: Glyphs) -> Block:
        """From its top to the ground, in at most `rows` rows, `storey` rows a storey.

        Of a tower too high for them the lowest floors share one row: how many storeys it hides,
        and the animals among them (`+3c`).
        """
        lit = art.is_complete(cards)
        hidden = art.hidden(cards, lambda shown: self.rows(shown, storey), rows)
        found = [art.hidden_row(cards[:hidden], self.tower_width)] if hidden else []
        if storey == PAIRED:
            above = art.paired(cards, hidden, self.tower_width, glyphs, lit=lit)
            return [*above, *found][: max(0, rows)]
        for place, card in enumerate(cards[hidden:], hidden):
            found = [*self._card_rows(card, place % 2, storey, glyphs, lit=lit), *found]
        return found[: max(0, rows)]

    @property
    def picture_rows(self) -> int:
        """Of a card: two storeys, or a clock if that is higher."""
        return max(2, self.clock_rows)

    @property
    def has_detail_row(self) -> bool:
        """Whether a card has a row for its animal or colour: not all have, in their frames and with
        a title."""
        return self.card_height - 3 > self.picture_rows

    def picture(self, card: int, glyphs: Glyphs) -> Block:
        """What is drawn on a card."""
        storey, room = min(2, self.clock_rows), self.picture_rows
        rows = self._card_rows(card, 0, storey, glyphs, lit=True)[:room]
        return [*[[Span(" " * self.tower_width)]] * (room - len(rows)), *rows]

    def _card_rows(self, card: int, tint: int, storey: int, glyphs: Glyphs, *, lit: bool) -> Block:
        beast = ANIMALS[card]
        match _pile(card):
            case Pile.ROOF:
                return self.roof(card, glyphs)
            case Pile.CLOCK:
                clock = self.dial(beast, tint, glyphs)
                return [self._walled(part, tint, glyphs.belfry) for part in clock]
            case Pile.FLOOR:
                parts = self.storey(beast, tint, storey, glyphs, lit)
                parts += self.storey("", tint, storey, glyphs, lit) * (STOREYS[card] - 1)
        return [self._walled(part, tint, (glyphs.walls[tint],) * 2) for part in parts]

    def _walled(self, part: Span, tint: int, walls: Sequence[str]) -> Row:
        (left, right), margin = (
            (Span(wall, WALLS[tint]) for wall in walls),
            [Span(" ")] * self.margin,
        )
        inner = Span(centred(part.text, self.tower_width - 2 - 2 * self.margin), part.ink)
        return [*margin, left, inner, right, *margin]


def _pile(card: int) -> Pile:
    return Pile(PILES[card] or 0)


SMALL: Final = Scale(
    tower_width=5,
    margin=0,
    pitches=(6, 5),
    sky=10,
    storeys=(2, 1, PAIRED),
    whole=False,
    spare=2,
    roof_rows=1,
    clock_rows=1,
    roof=partial(art.roof, width=5),
    dial=art.dial,
    storey=art.storey,
    card_width=9,
    card_height=5,
)
MIDDLE: Final = SMALL._replace(tower_width=7, pitches=(9, 8), roof=partial(art.roof, width=7))
LARGE: Final = Scale(
    tower_width=9,
    margin=1,
    pitches=(11, 10, 9),
    sky=9,
    storeys=(3, 2, 1),
    whole=True,
    spare=1,
    roof_rows=2,
    clock_rows=3,
    roof=large_art.roof,
    dial=large_art.dial,
    storey=large_art.storey,
    card_width=11,
    card_height=8,
)
HUGE: Final = LARGE._replace(
    tower_width=15,
    pitches=(18, 17, 16, 15),
    sky=16,
    storeys=(4, 3, 2),
    roof_rows=4,
    clock_rows=5,
    roof=huge_art.roof,
    dial=huge_art.dial,
    storey=huge_art.storey,
    card_width=17,
    card_height=10,
)
SCALES: Final = (HUGE, LARGE, MIDDLE, SMALL)
"""For towns, the largest first."""
