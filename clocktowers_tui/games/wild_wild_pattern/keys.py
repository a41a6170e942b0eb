"""Which keys the board answers to: now, for the key line, and in all, for the help."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.wild_wild_pattern import offers
from clocktowers_tui.games.wild_wild_pattern.actions import (
    BANK,
    CLICK,
    COLOURS,
    DIRECTIONS,
    LETTERS,
    PASS,
    PLACES,
    SUITS,
)
from clocktowers_tui.games.wild_wild_pattern.offers import Offer, Task, What, places, task
from clocktowers_tui.games.wild_wild_pattern.selecting import Selection, cursor, digits
from clocktowers_tui.games.wild_wild_pattern.sight import Sheet
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, KeyGroups
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import Phase, Practice, View
from protocol.games.wild_wild_pattern.cards import FIRST_COLOUR, FIRST_SUIT, is_object
from protocol.games.wild_wild_pattern.pattern import Direction, Pattern

_MOVES: Final = (actions.LEFT, actions.DOWN, actions.UP, actions.RIGHT)


def actions_now(view: View, selection: Selection, *, shoots: bool = False) -> KeyGroups:
    """The actions that lead somewhere from here. `shoots`: in a race only a shot does."""
    bank: KeyGroups = [((BANK,), _("Bank prices"))]
    passing: KeyGroups = [((PASS,), _("Pass"))]
    match task(view):
        case Task.READY:
            return [((actions.CHOOSE,), _("Ready")), *bank]
        case Task.SHOOT:
            if selection.aimed:
                aims: KeyGroups = [((actions.CONFIRM,), _("Shoot")), (_MOVES, _("Move"))]
                return [*aims, ((actions.BACK,), _("Back"))]
            if shoots:
                return [(PLACES, _("Shoot"))]
            clicked = view.phase is Phase.CLICKED
            click: KeyGroups = [] if clicked else [((CLICK,), _("Click!"))]
            may_pass = clicked or view.options.practice is Practice.ON
            return [(PLACES, _("Shoot")), *click, *(passing if may_pass else [])]
        case Task.DECLARE:
            return _declaring(selection)
        case Task.TAKE:
            return [(_digits(view, selection), _("Take")), (_MOVES, _("Move"))]
        case Task.LAY:
            lay: KeyGroups = [((actions.CONFIRM,), _("Lay"))]
            found = cursor(view, selection)
            if len(places(view)) == 1:
                return lay
            return [
                (_digits(view, selection), _("Place")),
                (_MOVES, _("Move")),
                *(lay if found is not None else []),
            ]
        case Task.CHALLENGE:
            keeps: KeyGroups = [((PASS,), _("Keep"))]
            return [(_digits(view, selection), _("Choose")), (_MOVES, _("Move")), *keeps]
        case Task.NOTHING:
            return bank


def actions_beside(sheet: Sheet) -> KeyGroups:
    """While this lies over the board."""
    closes: KeyGroups = [((actions.CHOOSE,), _("Close"))]
    prices: KeyGroups = [((BANK,), _("Prices"))]
    return [*closes, *prices] if sheet is Sheet.PAID else closes


def _digits(view: View, selection: Selection) -> Sequence[Action]:
    """The digits that pick something."""
    found = digits(view, selection)
    return [action for action, offer in zip(PLACES, found, strict=True) if offer is not None]


def _declaring(selection: Selection) -> KeyGroups:
    objects: KeyGroups = [(PLACES, _("Object"))]
    if selection.direction is None:
        before, after = DIRECTIONS
        ways: KeyGroups = [((before,), _("Before")), ((after,), _("After"))]
        return [*ways, *objects, ((PASS,), _("Say nothing"))]
    others: KeyGroups = [(COLOURS, _("Colour")), (SUITS, _("Suit"))]
    back: KeyGroups = [((actions.BACK,), _("Back"))]
    return [*objects, *others, *back]


def declaring(view: View, selection: Selection, pattern: Pattern) -> KeyGroups:
    """Those that go on to this pattern."""
    if selection.direction is None:
        way = DIRECTIONS[offers.DIRECTIONS.index(pattern.direction)]
        words = _("Before") if pattern.direction is Direction.BEFORE else _("After")
        return [((way,), words)]
    found = digits(view, selection)
    left = [one for one in (pattern.anchor, pattern.partner) if one != selection.anchor]
    return [_saying(one, found) for one in left]


def _saying(feature: int, digits: Sequence[Offer | None]) -> tuple[Sequence[Action], str]:
    if is_object(feature):
        shown = zip(PLACES, digits, strict=True)
        return [key for key, offer in shown if offer == Offer(What.FEATURE, feature)], _("Object")
    letter = LETTERS[feature - FIRST_COLOUR]
    return [letter], _("Colour") if feature < FIRST_SUIT else _("Suit")


def all_actions() -> KeyGroups:
    """What the board answers to, for the help."""
    return [
        ((actions.CHOOSE, actions.CONFIRM), _("Ready")),
        (PLACES, _("A card of the Wheel: shoot, take, lay or declare it")),
        ((CLICK,), _("Click!")),
        ((PASS,), _("Pass")),
        (DIRECTIONS, _("Declare: before, after")),
        (COLOURS, _("Declare: the colours")),
        (SUITS, _("Declare: coin, bullets")),
        (_MOVES, _("Move")),
        ((actions.BACK,), _("Back")),
        ((BANK,), _("What the Bank pays")),
    ]
