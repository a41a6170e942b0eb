"""Why a key did nothing, and what to do instead."""

from clocktowers_tui.games.wild_wild_pattern.actions import CLICK, DIRECTIONS, PASS, PLACES
from clocktowers_tui.games.wild_wild_pattern.why import Remark
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.text.i18n import _


def remark(found: Remark, keymap: Keymap = DEFAULT_KEYS) -> str:
    """One sentence."""
    # The dictionary is built at every call because sentences follow the language.
    return {
        Remark.NOT_YOUR_TURN: _("It is not your turn: wait until your name is marked."),
        Remark.WATCHING: _("You are watching: only those at the table can play."),
        Remark.OVER: _("The match is over: {result} shows the result, {leave} leaves."),
        Remark.OUT: _("You are out of this match; you can watch how it ends."),
        Remark.NOT_READY: _("No card is seen yet: {ready} says that you are ready."),
        Remark.NOT_YET: _("You are ready: all see their cards at the same moment."),
        Remark.WAITING: _("You have no card yet; the next one comes in a moment."),
        Remark.ALREADY_SHOT: _("You have shot; in a moment it is seen who was first."),
        Remark.PASSED: _("You have passed: wait until the others are done."),
        Remark.OWN_CLICK: _("It was your Click!: now the others may try with your card."),
        Remark.TOO_LATE: _("Somebody was faster; your card stays in your hand."),
        Remark.TOO_SOON: _("The board has just changed: press again if you mean it."),
        Remark.PRESS_A_DIGIT: _("{click} is Click!, {places} shoots there."),
        Remark.NO_CLICK: _("Click! can only be said in a race, with your own card."),
        Remark.NOBODY_PASSES: _("In a race nobody passes: shoot, say Click!, or wait."),
        Remark.NO_PASS: _("This cannot be passed: pick a marked place."),
        Remark.DIRECTION_FIRST: _("First before or after: {directions}."),
        Remark.NOT_BOTH: _("An object goes with a colour or suit; {back} takes one back."),
        Remark.NOT_DECLARING: _("There is nothing to declare before you have shot: {places}."),
        Remark.NOT_THERE: _("Nothing stands behind this key now: see the list."),
        Remark.GAP_THERE: _("There is a gap, and no card to take: pick a marked place."),
        Remark.BARRED: _("This time not the card just played: pick a marked place."),
        Remark.FILL_A_GAP: _("Gaps come first: lay your card on a marked place."),
        Remark.SAME_COLOUR: _("Your card's colour is there: cover one that is marked."),
        Remark.SURE: _("To declare nothing counts as wrong: {pass_} once more does it."),
    }[found].format(
        places=keymap.names(PLACES),
        click=keymap.name(CLICK),
        ready=keymap.name(actions.CHOOSE),
        directions=keymap.names(DIRECTIONS),
        back=keymap.name(actions.BACK),
        pass_=keymap.name(PASS),
        result=keymap.name(actions.RESULT),
        leave=keymap.name(actions.LEAVE),
    )
