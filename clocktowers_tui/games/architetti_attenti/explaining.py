"""The help for where one stands in a turn."""

from collections.abc import Iterator
from typing import assert_never

from clocktowers_tui.games.architetti_attenti.actions import OTHERS, TILES, TURN
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage
from clocktowers_tui.games.architetti_attenti.phrases import expected
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap, ways_to_move
from clocktowers_tui.text.i18n import _
from protocol.games.architetti_attenti import View


def explain(view: View, selection: Selection, keymap: Keymap) -> Iterator[str]:
    """What is to be done and how, or why nothing is."""
    keys = {
        "tiles": keymap.names(TILES),
        "moves": ways_to_move(keymap),
        "turn": keymap.name(TURN),
        "confirm": keymap.name(actions.CONFIRM),
        "back": keymap.name(actions.BACK),
        "others": keymap.name(OTHERS),
    }
    match selection.stage:
        case Stage.NOTHING:
            yield _nothing(view)
        case Stage.CHOOSE:
            yield _(
                "Take up a tile: {tiles}. Nothing is bought yet, and you can take another."
            ).format(**keys)
        case Stage.LOOK:
            yield _("Move it with {moves}, {turn} turns it: the table shows what it adds.").format(
                **keys
            )
            yield _("{confirm} buys it, {back} puts it back.").format(**keys)
        case Stage.PLACE:
            yield _("Place your tile: {moves} move it, {turn} turns it, {confirm} builds.").format(
                **keys
            )
        case _:
            assert_never(selection.stage)
    if len(view.boards) > 1:
        yield _("{others} shows the other boards, one after the other.").format(**keys)


def _nothing(view: View) -> str:
    if view.turn is None:
        return expected(view, ())
    if view.seat is None:
        return _("You are watching: nothing can be played from here.")
    return _("It is somebody else's turn; nothing can be chosen until your name is marked.")
