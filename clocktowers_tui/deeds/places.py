"""Every place with what a player can do there, and so every key there is.

Who starts without a keymap file does not wait for this.
"""

from typing import Final

from clocktowers_tui.deeds.company import CHAT
from clocktowers_tui.deeds.finished import LOOK_BACK, MATCHES, REVIEWED, WHAT_IF
from clocktowers_tui.deeds.home import HOME
from clocktowers_tui.deeds.match import LESSON, MATCH, RESULT
from clocktowers_tui.deeds.table import LOBBY, TABLE
from clocktowers_tui.games.registry import NAMED_ACTIONS
from clocktowers_tui.keys.actions import Action

PLACES: Final = (
    *(HOME, LOBBY, TABLE, CHAT, MATCH, LESSON, RESULT),
    *(MATCHES, REVIEWED, LOOK_BACK, WHAT_IF),
)
_OF_ROWS: Final = (one for deeds in PLACES for deed in deeds for one in deed.keys)
ALL_ACTIONS: Final[tuple[Action, ...]] = (*dict.fromkeys((*NAMED_ACTIONS, *_OF_ROWS)),)
"""Last come the keys that only a deed's row has."""
