"""What the Bank pays has room in the smallest terminal, in every language."""

import pytest

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.spans import cells
from clocktowers_tui.games.wild_wild_pattern.glyphs import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.layout import LEAST
from clocktowers_tui.games.wild_wild_pattern.prices import prices_block
from clocktowers_tui.text.i18n import languages, speak
from protocol.games.wild_wild_pattern import Options, View
from tests.games.wild_wild_pattern.boards import PAYING, board


@pytest.mark.parametrize("code", list(languages()))
@pytest.mark.parametrize(
    ("view", "targets"),
    [(board(options=Options()), 1), (board(options=PAYING), 1), (board(3, seat=None), 0)],
)
def test_all_of_it_has_room(code: str, view: View, targets: int) -> None:
    speak(code)
    rows = prices_block(view, LEAST[0], GLYPHS[GlyphSet.UNICODE], "closes")
    assert len(rows) <= LEAST[1] and max(map(cells, rows)) <= LEAST[0]
    assert sum("★" in span.text for row in rows for span in row) == targets
