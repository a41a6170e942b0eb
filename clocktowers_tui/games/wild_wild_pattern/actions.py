"""What keys can do on the board; the other half of these bindings stands in `board`.

A declaration takes three keys: a direction, then two features. Objects have the digits, which are
places only while there is something to shoot, take or lay. Colours and suits have their initials:
three of these mean something else until there is a direction, so these are one action each, with
one key, whatever the player's keymap says.
"""

from functools import partial
from typing import Final

from clocktowers_tui.keys.actions import on_board
from clocktowers_tui.text.i18n import N_

_on_board: Final = partial(on_board, "wild_wild_pattern")

PLACES: Final = (
    _on_board("place_1", "1", N_("Place or object 1")),
    _on_board("place_2", "2", N_("Place or object 2")),
    _on_board("place_3", "3", N_("Place or object 3")),
    _on_board("place_4", "4", N_("Place or object 4")),
    _on_board("place_5", "5", N_("Place or object 5")),
    _on_board("place_6", "6", N_("Place or object 6")),
    _on_board("place_7", "7", N_("Place or object 7")),
    _on_board("place_8", "8", N_("Place or object 8")),
)
"""By place of the Wheel; in a declaration, by object."""

CLICK: Final = _on_board("click", "c", N_("Click! (give up your card); declare: coin"))
PASS: Final = _on_board("pass", "n", N_("No, thank you (pass)"))
DIRECTIONS: Final = (
    _on_board("before", "b", N_("Declare: before; then bullets")),
    _on_board("after", "a", N_("Declare: after; then azure")),
)
"""In the order of `Direction`."""

COLOURS: Final = (
    _on_board("red", "r", N_("Declare: red")),
    DIRECTIONS[1],
    _on_board("yellow", "y", N_("Declare: yellow")),
    _on_board("grey", "g", N_("Declare: grey")),
    _on_board("white", "w", N_("Declare: white")),
)
SUITS: Final = (CLICK, DIRECTIONS[0])
FEATURES: Final = (*PLACES, *COLOURS, *SUITS)
"""By feature."""

BANK: Final = _on_board("bank", "d", N_("The Bank's list (dollars)"))

OWN_COLOURS: Final = tuple(one for one in COLOURS if one not in DIRECTIONS)
"""Colours whose keys mean nothing else."""

ACTIONS: Final = (*PLACES, CLICK, PASS, *DIRECTIONS, *OWN_COLOURS, BANK)
