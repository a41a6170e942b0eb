"""What keys can do on the board; `face` says what they do.

A digit always means the card on that place of the Wheel. A declaration takes three keys: a
direction, then two features; the digit of a card is its object. Colours and suits have the letters
that stand on the cards: those of the player's language, which mean that only while they declare.
"""

from functools import partial
from typing import Final

from clocktowers_tui.keys.actions import CHOOSE, TAKE_BACK, Action, Named, on_board
from clocktowers_tui.text.i18n import N_, pgettext
from clocktowers_tui.text.spelling import kept


def title() -> str:
    return pgettext("a game's name, 18 cells", "Wild Wild Pattern")


_on_board: Final = partial(on_board, "wild_wild_pattern")

PLACES: Final = (
    _on_board("place_1", "1", N_("Card 1 of the Wheel")),
    _on_board("place_2", "2", N_("Card 2 of the Wheel")),
    _on_board("place_3", "3", N_("Card 3 of the Wheel")),
    _on_board("place_4", "4", N_("Card 4 of the Wheel")),
    _on_board("place_5", "5", N_("Card 5 of the Wheel")),
    _on_board("place_6", "6", N_("Card 6 of the Wheel")),
    _on_board("place_7", "7", N_("Card 7 of the Wheel")),
    _on_board("place_8", "8", N_("Card 8 of the Wheel")),
)
"""By place of the Wheel; in a declaration, the object of the card there."""

CLICK: Final = _on_board("click", "x", N_("Click! (give up your card)"))
PASS: Final = _on_board("pass", "n", N_("No, thank you (pass)"))
DIRECTIONS: Final = (
    _on_board("before", "less_than_sign", N_("Declare: before"))._replace(
        keys=("less_than_sign", "comma")
    ),
    _on_board("after", "greater_than_sign", N_("Declare: after"))._replace(
        keys=("greater_than_sign", "full_stop")
    ),
)
"""In the order of `Direction`."""

_ENGLISH: Final = "raygwcb"


@kept
def _spoken() -> str:
    own = pgettext("keys, no other: red, azure, yellow, grey, white, coin, bullets", "raygwcb")
    return own if len({*own}) == len(own) == len(_ENGLISH) else _ENGLISH


def _letter(at: int, id: str, words: str) -> Action:
    action = _on_board(id, _ENGLISH[at], words)
    return action._replace(spoken=lambda: _spoken()[at])


COLOURS: Final = (
    _letter(0, "red", N_("Declare: red")),
    _letter(1, "azure", N_("Declare: azure")),
    _letter(2, "yellow", N_("Declare: yellow")),
    _letter(3, "grey", N_("Declare: grey")),
    _letter(4, "white", N_("Declare: white")),
)
SUITS: Final = (
    _letter(5, "coin", N_("Declare: coin")),
    _letter(6, "bullets", N_("Declare: bullets")),
)
LETTERS: Final = (*COLOURS, *SUITS)
"""By feature, from the first colour on."""

BANK: Final = _on_board("bank", "d", N_("The Bank's list (dollars)"))

ACTIONS: Final = (*PLACES, CLICK, PASS, *DIRECTIONS, *LETTERS, BANK)
NAMED: Final[Named] = {
    "ready": (CHOOSE,),
    "places": PLACES,
    "click": (CLICK,),
    "pass_": (PASS,),
    "directions": DIRECTIONS,
    "letters": LETTERS,
    "colours": COLOURS,
    "suits": SUITS,
    "bank": (BANK,),
    "undo": (TAKE_BACK,),
}
"""The keys that sentences name."""
