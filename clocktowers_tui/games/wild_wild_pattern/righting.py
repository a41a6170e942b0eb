"""In a lesson: what of a wrong declaration is right, and stays. Pure functions.

Law: of the keys that were pressed those before the first wrong one stay, and none after it.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import astuple

from clocktowers_tui.games.wild_wild_pattern.actions import DIRECTIONS, LETTERS, PLACES
from clocktowers_tui.games.wild_wild_pattern.offers import DIRECTIONS as WAYS
from clocktowers_tui.games.wild_wild_pattern.selecting import NOTHING, Selection
from clocktowers_tui.games.wild_wild_pattern.words import feature_names
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import View
from protocol.games.wild_wild_pattern.cards import FIRST_COLOUR, object_of
from protocol.games.wild_wild_pattern.pattern import Direction, Pattern


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
