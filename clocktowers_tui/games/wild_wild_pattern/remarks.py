"""Why a key did nothing, why an action is impossible, what of a wrong declaration is right."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import astuple

from clocktowers_tui.games.face import number
from clocktowers_tui.games.wild_wild_pattern.actions import CLICK, DIRECTIONS, LETTERS, PASS, PLACES
from clocktowers_tui.games.wild_wild_pattern.offers import (
    DIRECTIONS as WAYS,
    NOTHING,
    Remark,
    Selection,
)
from clocktowers_tui.games.wild_wild_pattern.words import card_words, challenge_words, feature_names
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap, ways_to_move
from clocktowers_tui.text.i18n import _
from protocol.errors import Refusal, RefusalCode
from protocol.games.wild_wild_pattern import Phase, Refused, View
from protocol.games.wild_wild_pattern.cards import (
    CHALLENGES,
    FIRST_COLOUR,
    Direction,
    Pattern,
    object_of,
)


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


# Why an action is impossible: for each of the game's codes the rule and what to do instead.
#
# Law: parameters come over the wire and may be missing or of another type; there is a sentence
# nevertheless.


_CODES: Final = frozenset(Refused)
_SAID_BEFORE: Final = {
    Refused.ELIMINATED: Remark.OUT,
    Refused.ALREADY_READY: Remark.NOT_YET,
    Refused.ALREADY_SHOT: Remark.ALREADY_SHOT,
    Refused.ALREADY_PASSED: Remark.PASSED,
    Refused.ONLY_IN_PRACTICE: Remark.NOBODY_PASSES,
    Refused.NO_CARD: Remark.WAITING,
    Refused.OWN_CLICK: Remark.OWN_CLICK,
}
"""What the board itself says when it is sure."""


def refusal_words(refusal: Refusal, keymap: Keymap = DEFAULT_KEYS) -> str | None:
    """One sentence; None for codes of which the game has nothing better to say."""
    if refusal.code == RefusalCode.NO_HINTS:
        return _("You get no hints in a race, only in practice.")
    if refusal.code not in _CODES:
        return None
    if (said := _SAID_BEFORE.get(Refused(refusal.code))) is not None:
        return remark(said, keymap)
    return _sentence(Refused(refusal.code), refusal).format(
        place=number(refusal, "place") + 1,
        card=_challenge(refusal),
        ready=keymap.name(actions.CHOOSE),
        pass_=keymap.name(PASS),
    )


def _sentence(code: Refused, refusal: Refusal) -> str:
    # The dictionary is built at every call because sentences follow the language.
    return {
        Refused.WRONG_PHASE: _wrong_phase(refusal),
        Refused.NO_OBJECT: _("A pattern joins an object with a colour or a suit."),
        Refused.GAP_THERE: _("No card lies on place {place}: take another."),
        Refused.BARRED: _("You cannot take the card on place {place} this time: take another."),
        Refused.FILL_A_GAP: _("Place {place} is no gap, and gaps come first."),
        Refused.SAME_COLOUR_FIRST: _(
            "Place {place} has another colour: cover a card of your card's colour."
        ),
        Refused.NOT_YOUR_CHALLENGE: _("You do not have the Challenge card {card}."),
        Refused.CANNOT_DO_THAT: _("{card} cannot do that: choose another card, or pass ({pass_})."),
    }[code]


def _wrong_phase(refusal: Refusal) -> str:
    """Most often a shot that came too late."""
    match refusal.params.get("phase"):
        case Phase.READY:
            return _("Your card is still face down. {ready}: ready")
        case Phase.RACE:
            return _("The race is on: shoot or say Click!")
        case Phase.CLICKED:
            return _("Somebody said Click! Shoot with that card, or pass ({pass_}).")
        case Phase.OVER:
            return _("The match is over.")
        case _:
            return _("A moment too late: somebody was faster. You keep your card.")


def _challenge(refusal: Refusal) -> str:
    card = number(refusal, "card")
    return challenge_words(card) if card in tuple(CHALLENGES) else "?"


# In a lesson: what of a wrong declaration is right, and stays. Pure functions.
#
# Law: of the keys that were pressed those before the first wrong one stay, and none after it.


def nearest(said: Pattern, sought: Sequence[Pattern]) -> Pattern:
    """Of the patterns that would do, the one that has most in common with this; of several the
    first."""
    return max(sought, key=lambda one: _in_common(said, one))


def _in_common(said: Pattern, sought: Pattern) -> int:
    return sum(a == b for a, b in zip(astuple(said), astuple(sought), strict=True))


def kept(said: Pattern, sought: Pattern) -> Selection:
    """What was pressed before the first key that was wrong."""
    if said.direction is not sought.direction:
        return NOTHING
    anchor = said.anchor if said.anchor == sought.anchor else None
    return NOTHING._replace(direction=said.direction, anchor=anchor)


def wrong(said: Pattern, sought: Pattern, names: Callable[[Direction | int], str]) -> str:
    """What was wrong first, and what to say instead; not what completes the pattern, which is for
    the player to find. `names`: what is pressed or typed for a direction or a feature."""
    if said.direction is not sought.direction:
        text = (
            _("You said after. Say before ({key}).")
            if sought.direction is Direction.BEFORE
            else _("You said before. Say after ({key}).")
        )
        return text.format(key=names(sought.direction))
    if said.anchor != sought.anchor:
        return _("You said {said}. Say {sought} ({key}).").format(
            said=feature_names(said.anchor).words,
            sought=feature_names(sought.anchor).words,
            key=names(sought.anchor),
        )
    return _("You said {said}.").format(said=feature_names(said.partner).words)


def key(view: View, said: Direction | int, keymap: Keymap) -> str:
    """That says this direction or feature."""
    if isinstance(said, Direction):
        return keymap.name(DIRECTIONS[WAYS.index(said)])
    if said >= FIRST_COLOUR:
        return keymap.name(LETTERS[said - FIRST_COLOUR])
    shown = (
        place for place, card in zip(PLACES, view.wheel, strict=True) if object_of(card) == said
    )
    return keymap.name(next(shown))
