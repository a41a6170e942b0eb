"""The help for where one stands in a turn."""

from collections.abc import Iterator
from typing import assert_never

from clocktowers_tui.games.clocktowers.actions import DISCARD, NEW_TOWER, NUMBERS, PILES
from clocktowers_tui.games.clocktowers.choosing import Selection, Stage
from clocktowers_tui.games.clocktowers.phrases import expected
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap, ways_to_move
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import View


def explain(view: View, selection: Selection, keymap: Keymap) -> Iterator[str]:
    """What is to be done and how, or why nothing is."""
    names = {
        "moves": ways_to_move(keymap),
        "confirm": keymap.name(actions.CONFIRM),
        "back": keymap.name(actions.BACK),
    }
    match selection.stage:
        case Stage.NOTHING:
            yield _nothing(view)
        case Stage.CARD:
            cards = keymap.names(NUMBERS[: len(view.hand)])
            yield _(
                "Take up a card: {cards}, or {moves} and {confirm}. Nothing is played yet."
            ).format(cards=cards, **names)
        case Stage.TOWER:
            sentence = _(
                "Choose a tower that takes the card: its number, or {moves}; {confirm} plays."
            )
            yield sentence.format(**names)
            sentence = _("{new} starts a new tower, {discard} discards, {back} puts the card back.")
            yield sentence.format(
                new=keymap.name(NEW_TOWER), discard=keymap.name(DISCARD), back=names["back"]
            )
        case Stage.PILE:
            yield _("Draw the top card of a pile: {piles}, or {moves} and {confirm}.").format(
                piles=keymap.names(PILES), **names
            )
        case _:
            assert_never(selection.stage)


def _nothing(view: View) -> str:
    if view.turn is None:
        return expected(view, ())
    if view.seat is None:
        return _("You are watching: nothing can be played from here.")
    return _("It is somebody else's turn; nothing can be chosen until your name is marked.")
