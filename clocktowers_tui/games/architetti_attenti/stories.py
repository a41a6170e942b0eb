"""The story of each tile: it comes into the row, is bought, and stands in a town."""

from collections.abc import Sequence

from clocktowers_tui.games.architetti_attenti.words import cells_words, tile_words
from clocktowers_tui.games.face import Story
from clocktowers_tui.games.stories import plies_of
from clocktowers_tui.text.i18n import _
from protocol.games.architetti_attenti import Bought, Dealt, Discarded, Event, Placed, Revealed


def stories(told: Sequence[Sequence[Event]], names: Sequence[str]) -> Sequence[Story]:
    """Of all tiles, in the order in which they came into the row."""
    row = _Row(names)
    return [Story(row.words[tile], plies) for tile, plies in plies_of(told, row.tiles).items()]


class _Row:
    """Tells tiles apart that look alike, by following the row through the match: the n-th tile that
    came into it is tile n. `words`: what each is called at the end."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self.words: list[str] = []
        self._row: list[int] = []
        self._bought = 0

    def tiles(self, event: Event) -> Sequence[int]:
        """Those that it happens to; of each event, in the order of the match."""
        match event:
            case Dealt():
                return [self._came(tile) for tile in event.row if tile]
            case Revealed():
                return (self._came(event.tile),)
            case Bought():
                self._bought = self._row.pop(event.position - 1)
            case Placed():
                place = _("{tile} of {name} on {cells}")
                self.words[self._bought] = place.format(
                    tile=tile_words(event.tile),
                    name=self._names[event.seat],
                    cells=cells_words((event.first, event.second)),
                )
            case Discarded():
                pass
        return (self._bought,)

    def _came(self, tile: int) -> int:
        self.words.append(tile_words(tile))
        self._row.append(len(self.words) - 1)
        return self._row[-1]
