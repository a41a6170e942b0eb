"""A finished tower in outline, with its parts named, for the sky over a street.

Pure. Law: it is a picture under a title, in rows of text, so that nobody takes it for a tower.
"""

from typing import Final

from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.scale import SMALL
from clocktowers_tui.text.i18n import pgettext
from protocol.games.clocktowers import CODES

_CARDS: Final = bytes(CODES.index(code) for code in ("1-", "1-", "K-", "Rb"))
_STOREY: Final = 1


def example(glyphs: Glyphs) -> list[str]:
    """Its title, and its rows with the names beside them."""
    rows = SMALL.tower(_CARDS, SMALL.rows(_CARDS, _STOREY), _STOREY, glyphs)
    names = (
        pgettext("beside a tower, 8 cells", "roof"),
        pgettext("beside a tower, 8 cells", "clock"),
        pgettext("beside a tower, 8 cells", "floors"),
        "",
    )
    pictured = ["".join(span.text for span in row) for row in rows]
    return [
        pgettext("above the picture of a tower, 19 cells", "Example of a tower:"),
        *(f"  {row}  {name}" for row, name in zip(pictured, names, strict=True)),
    ]
