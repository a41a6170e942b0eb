"""The line above the board of a match."""

from collections.abc import Sequence

from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.phrases.clocks import bank_in_words
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State, handed_over, stands_still, timed_out
from clocktowers_tui.text.i18n import _


def banner_in_words(
    state: State, match: Match, face: Face, names: Sequence[str], keymap: Keymap
) -> list[str]:
    """Which game, where, and who is expected to do what, as separate parts."""
    # A clock needs the room.
    title = title_of(match.game) if match.clock is None else ""
    code = "" if state.alone else match.table
    watching = _("watching") if state.seat is None else ""
    bank = bank_in_words(match.clock, state.seat)
    looked = state.looked_back
    deal = looked.banner if looked is not None and looked.match == match.id else ""
    parts = [
        title,
        deal,
        code,
        watching,
        expected_in_words(state, match, face, names, keymap),
        bank,
    ]
    return [part for part in parts if part]


def expected_in_words(
    state: State, match: Match, face: Face, names: Sequence[str], keymap: Keymap
) -> str:
    """Whose turn it is, to do what; or why the match goes on without the player, or not at all."""
    if (wished := handed_over(state)) or timed_out(state):
        key = keymap.name(actions.HAND_OVER if wished else actions.PLAY_ON)
        return _("A bot plays for you; {key} plays on").format(key=key)
    if stands_still(state):
        return _("All players are away: the match waits")
    return _("The match is over.") if match.over else face.expected(match.view, names)
