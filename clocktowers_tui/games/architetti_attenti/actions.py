"""What keys can do on the board; `face` says what they do."""

from functools import partial
from typing import Final

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Named, on_board
from clocktowers_tui.text.i18n import N_, pgettext


def title() -> str:
    return pgettext("a game's name, 18 cells", "Architetti Attenti")


_on_board: Final = partial(on_board, "architetti_attenti")

TILES: Final = (
    _on_board("tile_1", "1", N_("Pick tile 1")),
    _on_board("tile_2", "2", N_("Pick tile 2")),
    _on_board("tile_3", "3", N_("Pick tile 3")),
    _on_board("tile_4", "4", N_("Pick tile 4")),
)
TURN: Final = _on_board("turn", "r", N_("Turn the tile"))
BEST: Final = _on_board("best", "b", N_("Show the best place of the tile"))
OTHERS: Final = _on_board("others", "o", N_("Next player's town"))
LAYOUT: Final = _on_board("layout", "z", N_("Next layout that fits"))

MOVES: Final = (actions.LEFT, actions.DOWN, actions.UP, actions.RIGHT)
"""Of every game."""
ACTIONS: Final = (*TILES, TURN, BEST, OTHERS, LAYOUT)
NAMED: Final[Named] = {
    "tiles": TILES,
    "turn": (TURN,),
    "best": (BEST,),
    "others": (OTHERS,),
    "ways": MOVES,
}
"""The keys that sentences name."""
