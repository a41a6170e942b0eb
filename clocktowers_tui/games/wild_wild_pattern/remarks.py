"""Why a key did nothing, and what came without a key, each in one sentence.

Law: only ASCII of our own, so that every glyph set can show it.
"""

from clocktowers_tui.games.wild_wild_pattern.actions import (
    CLICK,
    DIRECTIONS,
    LETTERS,
    PASS,
    PLACES,
)
from clocktowers_tui.games.wild_wild_pattern.offers import Remark
from clocktowers_tui.games.wild_wild_pattern.words import card_words
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap, ways_to_move
from clocktowers_tui.text.i18n import _


def remark(found: Remark, keymap: Keymap = DEFAULT_KEYS) -> str:
    """One sentence."""
    # The dictionary is built at every call because sentences follow the language.
    return {
        Remark.NOT_YOUR_TURN: _("Wait a moment: another player is choosing."),
        Remark.WATCHING: _("You are watching: you cannot play."),
        Remark.OVER: _("The match is over: {result} shows the result, {leave} leaves."),
        Remark.OUT: _("You are out of this match; you can watch how it ends."),
        Remark.NOT_READY: _("Your card is still face down. {ready}: ready"),
        Remark.NOT_YET: _("You are ready. All see their cards at the same moment."),
        Remark.WAITING: _("You have no card yet: the next one comes in a moment."),
        Remark.ALREADY_SHOT: _("You have shot. A moment shows who was first."),
        Remark.PASSED: _("You have passed: wait until the others are done."),
        Remark.OWN_CLICK: _("You said Click! Now the others may try your card."),
        Remark.TOO_LATE: _("Somebody was faster. You keep your card."),
        Remark.TOO_SOON: _("The board has just changed: press again if you mean it."),
        Remark.PRESS_A_DIGIT: _("{places}: cover that card. {click}: give up your card."),
        Remark.MOVE_FIRST: _("You have chosen nothing yet: press a shown key, or {moves}."),
        Remark.WAY_CHOSEN: _("Before or after is chosen. Still missing: an object ({places})."),
        Remark.OBJECT_CHOSEN: _("The object is chosen. Still missing: {letters}."),
        Remark.OTHER_CHOSEN: _("That is chosen. Still missing: an object ({places})."),
        Remark.HALF_CHOSEN: _("The object is chosen. Still missing: {directions}."),
        Remark.CHALLENGE_CHOSEN: _("Challenge card chosen: now choose the card it works on."),
        Remark.WANTED_CHOSEN: _("The card you get is chosen. Now choose the card you give."),
        Remark.SECOND_CARD: _("You have taken the first card. Now choose the second one."),
        Remark.NO_CLICK: _("Click! gives up your card: you say it only in a race."),
        Remark.NOBODY_PASSES: _("You cannot pass in a race: shoot, say Click! or wait."),
        Remark.NO_PASS: _("You cannot pass here: press a marked place."),
        Remark.DIRECTION_FIRST: _("First say before or after: {directions}."),
        Remark.NOT_DECLARING: _("You declare after your shot: {places}."),
        Remark.NOT_THERE: _("This key does nothing now: see the list."),
        Remark.GAP_THERE: _("There is a gap, no card: press a marked place."),
        Remark.BARRED: _("You shot that card: only 3 pairs or more win it."),
        Remark.FILL_A_GAP: _("Gaps come first: lay your card on a marked place."),
        Remark.SAME_COLOUR: _("Your card's colour is there: cover one that is marked."),
        Remark.CHOOSE_FIRST: _("You choose first: the Bank's list would cover the keys."),
        Remark.SURE: _("Silence counts as wrong. Press {pass_} again if you mean it."),
    }[found].format(
        places=keymap.names(PLACES),
        click=keymap.name(CLICK),
        ready=keymap.name(actions.CHOOSE),
        directions=keymap.names(DIRECTIONS),
        letters=keymap.names(LETTERS),
        back=keymap.name(actions.BACK),
        pass_=keymap.name(PASS),
        result=keymap.name(actions.RESULT),
        leave=keymap.name(actions.LEAVE),
        moves=ways_to_move(keymap),
    )


def late_prize(card: int) -> str:
    """The player did not take a card in time."""
    return _("Time was up: you got {card}").format(card=card_words(card))
