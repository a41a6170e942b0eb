"""Which actions of the registry have no command in plain mode, and why.

Law: an action is done by a command, or stands here with its reason; never both, never neither.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from clocktowers_tui.games.architetti_attenti.actions import LAYOUT as TOWNS_LAYOUT
from clocktowers_tui.games.clocktowers.actions import LAYOUT as TOWERS_LAYOUT
from clocktowers_tui.games.registry import SPOKEN
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.plain.commands import Command

_NO_CURSOR: Final = "there is no cursor: what is meant is typed"
_NO_LOOK: Final = "there is nothing to see"
_ALL_AT_ONCE: Final = "a text is said whole; the terminal scrolls"
_IN_RESULT: Final = "the lines to paste are said with the result"
_WHOLE: Final = "a review is said whole, each mistake with its ply"
_NOT_ALONE: Final = "nothing goes on by itself: each ply is asked for"

WITHOUT: Final[Mapping[Action, str]] = {
    **dict.fromkeys(
        (*(actions.HOME_RIGHT, actions.NEXT, actions.PREVIOUS),),
        _NO_CURSOR,
    ),
    **dict.fromkeys((actions.THEME, actions.THEME_BEFORE, TOWERS_LAYOUT, TOWNS_LAYOUT), _NO_LOOK),
    **dict.fromkeys((actions.NEXT_MATCH, actions.PREVIOUS_MATCH), _ALL_AT_ONCE),
    actions.COPY: _IN_RESULT,
    **dict.fromkeys((actions.REVIEW, actions.MISTAKE, actions.MISTAKE_BEFORE), _WHOLE),
    actions.SPEED: _NOT_ALONE,
}


def done(commands: Iterable[Command]) -> Mapping[str, str]:
    """By the id of an action, the command that does it; `commands`: of the places."""
    found = {action.id: command.word for command in commands for action in command.actions}
    orders = (order for spoken in SPOKEN.values() for order in spoken.orders)
    return found | {action.id: order.word for order in orders for action in order.actions}
