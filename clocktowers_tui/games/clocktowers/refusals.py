"""Why an action is impossible: for each of the game's codes the rule and what to do instead.

Law: parameters come over the wire and may be missing or of another type; there is a sentence
nevertheless.
"""

from typing import Final

from clocktowers_tui.games.clocktowers.actions import CLOCKS, FLOORS, ROOFS
from clocktowers_tui.games.clocktowers.ladder import floors_in_words
from clocktowers_tui.games.clocktowers.needs import complete, unfit
from clocktowers_tui.games.clocktowers.words import card_words, pile_words
from clocktowers_tui.games.params import number
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.text.i18n import _
from protocol.errors import Refusal
from protocol.games.clocktowers import FIRST_CLOCK, FIRST_ROOF, Phase, Refused

_CODES: Final = frozenset(Refused)


def refusal_words(refusal: Refusal, keymap: Keymap = DEFAULT_KEYS) -> str | None:
    """One sentence; None for codes that are not this game's."""
    if refusal.code not in _CODES:
        return None
    words = _sentence(Refused(refusal.code), refusal)
    tower = number(refusal, "tower") + 1
    return words.format(
        tower=tower,
        towers=number(refusal, "towers"),
        card=card_words(number(refusal, "card")),
        height=number(refusal, "height"),
        needs=_floors(refusal),
        pile=pile_words(number(refusal, "pile")),
        floors=keymap.name(FLOORS),
        clocks=keymap.name(CLOCKS),
        roofs=keymap.name(ROOFS),
    )


def _sentence(code: Refused, refusal: Refusal) -> str:
    # The dictionary is built at every call because sentences follow the language.
    return {
        Refused.WRONG_PHASE: _wrong_phase(refusal),
        Refused.NOT_IN_HAND: _("There is no {card} in your hand: choose one that is."),
        Refused.NO_SUCH_TOWER: _("There is no tower {tower}: you have {towers}."),
        Refused.NEEDS_TOWER: _("Only a floor starts a tower: put {card} on one of yours."),
        Refused.TOWER_COMPLETE: complete(number(refusal, "tower")),
        Refused.HAS_CLOCK: _has_clock(refusal),
        Refused.NO_CLOCK: _("A roof needs a clock below it: tower {tower} has none yet."),
        Refused.WRONG_HEIGHT: _wrong_height(refusal),
        Refused.PILE_EMPTY: _("There are no {pile} left: draw from another pile."),
    }[code]


def _wrong_phase(refusal: Refusal) -> str:
    if refusal.params.get("phase") == Phase.DRAW:
        return _("Now draw: {floors}, {clocks} or {roofs}.")
    return _("You cannot draw yet: play or discard a card.")


def _has_clock(refusal: Refusal) -> str:
    if FIRST_CLOCK <= number(refusal, "card") < FIRST_ROOF:
        return _("Tower {tower} has its clock, and one is all: it waits for a roof.")
    return _("No floor goes above a clock: tower {tower} waits for a roof.")


def _wrong_height(refusal: Refusal) -> str:
    if not _floors(refusal):
        return unfit(number(refusal, "card"))
    return _("The {card} needs {needs}, tower {tower} has {height}: see Next roof.")


def _floors(refusal: Refusal) -> str:
    """Numbers alone: a text in their place would be a stranger's, on the player's terminal."""
    heights = refusal.params.get("heights")
    numbers = heights if isinstance(heights, list | tuple) else ()
    fitting = [height for height in numbers if isinstance(height, int)]
    return floors_in_words(fitting) if fitting else ""
