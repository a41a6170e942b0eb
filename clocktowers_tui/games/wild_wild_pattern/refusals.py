"""Why an action is impossible: for each of the game's codes the rule and what to do instead.

Law: parameters come over the wire and may be missing or of another type; there is a sentence
nevertheless.
"""

from typing import Final

from clocktowers_tui.games.params import number
from clocktowers_tui.games.wild_wild_pattern.actions import PASS
from clocktowers_tui.games.wild_wild_pattern.challenges import challenge_words
from clocktowers_tui.games.wild_wild_pattern.offers import Remark
from clocktowers_tui.games.wild_wild_pattern.remarks import remark
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.text.i18n import _
from protocol.errors import Refusal, RefusalCode
from protocol.games.wild_wild_pattern import Phase, Refused
from protocol.games.wild_wild_pattern.cards import CHALLENGES

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
