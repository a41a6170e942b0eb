"""The help for where one stands in a turn."""

from collections.abc import Iterator

from clocktowers_tui.games.wild_wild_pattern.actions import (
    BANK,
    CLICK,
    COLOURS,
    DIRECTIONS,
    PASS,
    PLACES,
    SUITS,
)
from clocktowers_tui.games.wild_wild_pattern.offers import Task, task
from clocktowers_tui.games.wild_wild_pattern.remarks import remark
from clocktowers_tui.games.wild_wild_pattern.why import why_nothing
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap, ways_to_move
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import Phase, View


def explain(view: View, keymap: Keymap) -> Iterator[str]:
    """What is to be done and how, or why nothing is."""
    yield _what(view).format(
        places=keymap.names(PLACES),
        ready=keymap.name(actions.CHOOSE),
        click=keymap.name(CLICK),
        pass_=keymap.name(PASS),
        directions=keymap.names(DIRECTIONS),
        colours=keymap.names(COLOURS),
        suits=keymap.names(SUITS),
        back=keymap.name(actions.BACK),
        moves=ways_to_move(keymap),
        confirm=keymap.name(actions.CONFIRM),
    ) or remark(why_nothing(view), keymap)
    told = (
        _("{bank} shows what the Bank has paid, and then what it pays.")
        if view.bank
        else _("{bank} shows what the Bank pays.")
    )
    yield told.format(bank=keymap.name(BANK))


def _what(view: View) -> str:
    match task(view):
        case Task.READY:
            return _("{ready} says that you are ready; then all see their cards at once.")
        case Task.SHOOT if view.phase is Phase.CLICKED:
            return _("{places} shoots with the clicked card at once, {pass_} passes.")
        case Task.SHOOT:
            return _("{places} covers that card of the Wheel at once; {click} gives your card up.")
        case Task.DECLARE:
            return _(
                "Three keys declare: {directions}, then an object ({places}) and a colour "
                "({colours}) or suit ({suits}) in either order. {back} takes one back."
            )
        case Task.TAKE:
            return _("{places} takes that card; or {moves} and {confirm}.")
        case Task.CHALLENGE:
            return _("Pick from the list with its keys, or {moves} and {confirm}; {pass_}: none.")
        case Task.LAY:
            return _("{places} lays your card there; or {moves} and {confirm}.")
        case Task.NOTHING:
            return ""
