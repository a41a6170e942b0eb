"""What keys can do on the board; `face` says what they do.

Their ids begin with `board`, where another game's begin with its name: they are older than the
second game, and keymap files of players have them.
"""

from functools import partial
from typing import Final

from clocktowers_tui.keys.actions import DOWN, Named, on_board
from clocktowers_tui.text.i18n import N_, pgettext


def title() -> str:
    return pgettext("a game's name, 15 cells", "Clocktowers")


_on_board: Final = partial(on_board, "clocktowers", prefix="board")

CARDS: Final = (
    _on_board("number_1", "1", N_("Card 1")),
    _on_board("number_2", "2", N_("Card 2")),
    _on_board("number_3", "3", N_("Card 3")),
    _on_board("number_4", "4", N_("Card 4")),
)
"""A digit always means the card of the hand on that place."""
NEW_TOWER: Final = _on_board("new_tower", "n", N_("Start a new tower"))
DISCARD: Final = _on_board("discard", "x", N_("Discard, face down"))
FLOORS: Final = _on_board("floors", "f", N_("Draw from the floors"))
CLOCKS: Final = _on_board("clocks", "c", N_("Draw from the clocks"))
ROOFS: Final = _on_board("roofs", "r", N_("Draw from the roofs"))
LAYOUT: Final = _on_board("layout", "z", N_("Next layout that fits"))
PILES: Final = (FLOORS, CLOCKS, ROOFS)

ACTIONS: Final = (*CARDS, NEW_TOWER, DISCARD, *PILES, LAYOUT)
NAMED: Final[Named] = {
    "floors": (FLOORS,),
    "clocks": (CLOCKS,),
    "roofs": (ROOFS,),
    "piles": PILES,
    "new": (NEW_TOWER,),
    "discard": (DISCARD,),
    "down": (DOWN,),
}
"""The keys that sentences name."""
