"""Two people at one keyboard, each with a half of it: which key does what while all act at once.

Laws: the keys of a half lie around its middle one as the Wheel's cards lie around their hole, and
one of them shoots; whatever only one player does has the usual keys. They are places of the hand,
so no keymap moves them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from clocktowers_tui.games.keys import Choose
from clocktowers_tui.games.standings import listed
from clocktowers_tui.games.wild_wild_pattern import actions, choosing
from clocktowers_tui.games.wild_wild_pattern.choosing import RACES, asked
from clocktowers_tui.games.wild_wild_pattern.sight import Scene
from clocktowers_tui.keys.actions import Action, KeyGroups, Named
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import Phase
from protocol.games.wild_wild_pattern.cards import PLACES

HALVES: Final = tuple(
    [Action("", (key,), "") for key in keys.split()]
    for keys in ("r t g b v c d e f s w", "i o l full_stop comma m j u k h y")
)
"""By person; the second is the first, four keys on. First come
those by place of the Wheel."""
_READY, _CLICK, _PASS = range(PLACES, PLACES + 3)
_DOES: Final[Sequence[Choose]] = (
    *(partial(choosing.press, key=place) for place in actions.PLACES),
    *(choosing.confirm, choosing.click, choosing.decline),
)

KEYS: Final[Mapping[str, tuple[int, Choose]]] = {
    action.keys[0]: (person, does)
    for person, half in enumerate(HALVES)
    for action, does in zip(half, _DOES, strict=True)
}
"""Whose key it is, and what it does."""


def _around(half: Sequence[Action]) -> Sequence[Action]:
    """Those of the Wheel, as they are read on the keyboard."""
    return [half[place] for place in (7, 0, 1, 6, 2, 5, 4, 3)]


def named(person: int) -> Named:
    """The keys that a remark to this person names."""
    half = HALVES[person]
    others = {"ready": [half[_READY]], "click": [half[_CLICK]], "pass_": [half[_PASS]]}
    return {"places": _around(half), **others}


def label(place: int) -> str:
    """The keys of a place, on its card."""
    return " ".join(DEFAULT_KEYS.name(half[place]) for half in HALVES)


def name_of(scene: Scene, person: int) -> str:
    seat = scene.hands[person].seat
    return "" if seat is None else scene.names[seat]


def keys_now(scene: Scene) -> KeyGroups:
    """Those that lead somewhere."""
    both = [(n, half, asked(scene.hands[n])) for n, half in enumerate(HALVES)]
    shoots = [(n, half) for n, half, what in both if what in RACES]
    clicked = scene.view.phase is Phase.CLICKED
    passes = clicked or scene.view.options.practises
    groups = [
        ([half[_READY] for _n, half, what in both if what is Phase.READY], _("Ready")),
        *((_around(half), name_of(scene, n)) for n, half in shoots),
        ([half[_CLICK] for _n, half in shoots if not clicked], _("Click!")),
        ([half[_PASS] for _n, half in shoots if passes], _("Pass")),
    ]
    return [(keys, words) for keys, words in groups if keys]


def told(scene: Scene) -> Iterator[str]:
    """A few short sentences below the Wheel."""
    middles = (DEFAULT_KEYS.name(half[_READY]) for half in HALVES)
    around = [f"{key} ({name_of(scene, n)})" for n, key in enumerate(middles)]
    yield _("The keys around {keys} shoot at a card.").format(keys=listed(around))
    for keys, words in keys_now(scene):
        if len(keys) <= len(HALVES):
            yield f"{DEFAULT_KEYS.names(keys)}: {words}"
