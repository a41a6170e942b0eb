"""Which keys the board answers to: now, for the key line, and in all, for the help."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias, assert_never

from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.actions import (
    BEST,
    LAYOUT,
    MOVES,
    OTHERS,
    TILES,
    TURN,
)
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage, Step
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, KeyGroups
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.architetti_attenti import View

Choose: TypeAlias = Callable[[View, Selection], Step]
_DOES: Final[Mapping[Action, Choose]] = {
    **{tile: partial(choosing.take_up, position=n) for n, tile in enumerate(TILES, 1)},
    actions.LEFT: partial(choosing.move, across=-1, down=0),
    actions.RIGHT: partial(choosing.move, across=1, down=0),
    actions.UP: partial(choosing.move, across=0, down=-1),
    actions.DOWN: partial(choosing.move, across=0, down=1),
    TURN: choosing.turn,
    BEST: choosing.to_best,
    actions.CONFIRM: choosing.confirm,
}
"""What a key does to a choice."""


def looking(view: View) -> KeyGroups:
    """The same while another's town is shown; the only one leads back by either key."""
    if view.seat is not None and len(view.boards) == 2:
        return [((OTHERS, actions.BACK), _("Back"))]
    return [((OTHERS,), _("Next")), ((actions.BACK,), _("Back"))]


def actions_now(view: View, selection: Selection) -> KeyGroups:
    """The actions that lead somewhere from here."""
    others: KeyGroups = [((OTHERS,), _("Others"))] if len(view.boards) > 1 else []
    move: KeyGroups = [(MOVES, _("Move"))]
    turn: KeyGroups = [((TURN,), _("Turn")), ((BEST,), pgettext("in the key line", "Best"))]
    match selection.stage:
        case Stage.CHOOSE:
            return [(TILES, _("Tile")), *others]
        case Stage.LOOK:
            first: KeyGroups = [((actions.CONFIRM,), _("Buy")), (TILES, _("Tile"))]
            return [*first, *move, *turn, ((actions.BACK,), _("Back"))]
        case Stage.PLACE:
            there = _("Build") if choosing.fits(view, selection.ghost) else _("Nearest place")
            # The arrows last: the key line of the purchase has named them, and may be too short.
            return [((actions.CONFIRM,), there), *turn, *move, *others]
        case Stage.NOTHING:
            return others
        case _:
            assert_never(selection.stage)


def leading(offered: KeyGroups, leads: Callable[[Choose], bool]) -> KeyGroups:
    """Those of these actions that lead on in a lesson, which names the place itself."""
    led = (
        (
            [
                one
                for one in together
                if one is not BEST and (one not in _DOES or leads(_DOES[one]))
            ],
            words,
        )
        for together, words in offered
    )
    return [(together, words) for together, words in led if together]


def all_actions() -> KeyGroups:
    """What the board answers to, for the help."""
    return [
        (TILES, _("Tile")),
        (MOVES, _("Move")),
        ((TURN,), _("Turn")),
        ((BEST,), _("Best place")),
        ((actions.CONFIRM,), _("Buy, then build")),
        ((actions.BACK,), _("Back")),
        ((OTHERS,), _("Others")),
        ((LAYOUT,), _("Layout")),
    ]
