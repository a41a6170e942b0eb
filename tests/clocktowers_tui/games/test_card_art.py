"""The pictures of the menu fit into their room, at every size and in every look."""

import pytest
from rich.cells import cell_len

from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.games.registry import FACES

SIZES = ((20, 5), (24, 9), (32, 20), (38, 21), (58, 36), (62, 44), (96, 44))


@pytest.mark.parametrize("glyphs", GlyphSet)
@pytest.mark.parametrize("game", FACES)
def test_a_picture_fits_into_its_room(game: str, glyphs: GlyphSet) -> None:
    look = Look(Palette.DARK, Colours.NONE, glyphs)
    drawn = {}
    for width, height in SIZES:
        rows = FACES[game].card_art(look, width, height)
        wide = {sum(cell_len(text) for text, _style in row) for row in rows}
        assert len(rows) <= height and len(wide) == 1 and max(wide) <= width, (width, height)
        drawn[width, height] = len(rows)
    assert drawn[SIZES[-1]] > 4 * drawn[SIZES[0]], "where there is room, it is used"
