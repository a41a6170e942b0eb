"""Which keys the board answers to: now, for the key line, and in all, for the help."""

from typing import Final, assert_never

from clocktowers_tui.games.clocktowers.actions import (
    DISCARD,
    LAYOUT,
    NEW_TOWER,
    NUMBERS,
    PILES,
)
from clocktowers_tui.games.clocktowers.choosing import (
    Selection,
    Stage,
    picks,
    place,
    targets,
)
from clocktowers_tui.games.clocktowers.marks import NEW, OUT
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import KeyGroups
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import (
    View,
)

_MOVES: Final = (actions.LEFT, actions.RIGHT)


def actions_now(view: View, selection: Selection) -> KeyGroups:
    """The actions that lead somewhere from here."""
    match selection.stage:
        case Stage.CARD:
            return [
                (NUMBERS[: len(view.hand)], _("Take card")),
                (_MOVES, _("Move")),
                ((actions.CONFIRM,), _("Take")),
            ]
        case Stage.TOWER:
            return _from_card(view, selection)
        case Stage.PILE:
            drawing = [] if selection.pile is None else [((actions.CONFIRM,), _("Draw"))]
            return [(PILES, _("Draw")), (_MOVES, _("Move")), *drawing]
        case Stage.NOTHING:
            return []
        case _:
            assert_never(selection.stage)


def _from_card(view: View, selection: Selection) -> KeyGroups:
    """With a card in hand: to a tower, or where none takes it to another card."""
    places = [place(choice) for choice in targets(view, selection)]
    digits = picks(view, selection) is Stage.TOWER
    out, back = ((DISCARD,), _("Discard")), ((actions.BACK,), _("Back"))
    cards = [key for n, key in enumerate(NUMBERS[: len(view.hand)]) if n != selection.card]
    others = (cards, _("Another card"))
    thrown = selection.tower == OUT
    if not places:
        return [((actions.CONFIRM,), _("Discard")) if thrown else out, others, back]
    towers = [NUMBERS[tower] for tower in places if digits and 0 <= tower < len(NUMBERS)]
    return [
        ((actions.CONFIRM,), _("Discard") if thrown else _("Play")),
        *([] if thrown else [out]),
        *([(towers, _("Pick tower"))] if towers else []),
        back,
        *([((NEW_TOWER,), _("New tower"))] if NEW in places else []),
        *([] if towers or not cards else [others]),
        (_MOVES, _("Move")),
    ]


def all_actions() -> KeyGroups:
    """What the board answers to, for the help."""
    return [
        (NUMBERS[:9], _("Card, tower")),
        (_MOVES, _("Move")),
        ((actions.CONFIRM,), _("Play")),
        ((NEW_TOWER,), _("New tower")),
        ((DISCARD,), _("Discard")),
        (PILES, _("Draw")),
        ((actions.BACK,), _("Back")),
        ((LAYOUT,), _("Layout")),
    ]
