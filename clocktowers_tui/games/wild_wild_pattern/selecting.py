"""What has been picked so far, and what can be picked next. Pure values and functions."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from clocktowers_tui.games.wild_wild_pattern import offers
from clocktowers_tui.games.wild_wild_pattern.offers import (
    DIRECTIONS,
    NONE,
    Offer,
    Task,
    What,
    task,
)
from protocol.games.wild_wild_pattern import Action, Declare, View
from protocol.games.wild_wild_pattern.cards import FEATURES, FIRST_COLOUR, object_of
from protocol.games.wild_wild_pattern.pattern import Direction

_DIGITS: Final = 8


class Selection(NamedTuple):
    """`cursor`: among the offers; None: on nothing, so that no key confirms what was not chosen.
    `warned`: to declare nothing was asked for once. `aimed`: in practice, where a hint would shoot
    is under the cursor."""

    direction: Direction | None = None
    anchor: int | None = None
    challenge: int = 0
    wanted: int = 0
    cursor: int | None = None
    warned: bool = False
    aimed: bool = False


NOTHING: Final = Selection()

WAYS: Final = tuple(Offer(What.DIRECTION, number) for number in range(len(DIRECTIONS)))
"""Before and after, which can be changed until the declaration is made."""


def settle(view: View, before: View | None, selection: Selection) -> Selection:
    """The selection to go on with when a view comes in: the same if nothing about it changed."""
    same = before is not None and _what_counts(before) == _what_counts(view)
    return selection if same else NOTHING


def _what_counts(view: View) -> tuple[object, ...]:
    """While these are the same, an unfinished choice makes sense."""
    choice = (view.round, view.turn, view.phase, view.acting, view.takes, view.place)
    return *choice, view.wheel, view.won, view.challenges, task(view)


def on_offer(view: View, selection: Selection) -> Sequence[Offer]:
    """What can be picked at this step by the cursor or the mouse; in a race by no cursor."""
    match task(view):
        case Task.DECLARE if selection.direction is None:
            return [*WAYS, *_objects(view)]
        case Task.DECLARE:
            others = range(FIRST_COLOUR, FEATURES)
            return [*_objects(view), *(Offer(What.FEATURE, number) for number in others)]
        case Task.CHALLENGE if not selection.challenge:
            mine = [Offer(What.CHALLENGE, card, view.seat) for card in offers.usable(view)]
            return [*mine, NONE]
        case Task.CHALLENGE if not selection.wanted:
            return offers.wanted(view, selection.challenge)
        case Task.CHALLENGE:
            return offers.given(view)
        case Task.SHOOT | Task.TAKE | Task.LAY:
            return [Offer(What.PLACE, at) for at in offers.places(view)]
        case _:
            return ()


def _objects(view: View) -> Sequence[Offer]:
    """Those on the Wheel, in its order: no pattern is of another."""
    there = dict.fromkeys(object_of(card) for card in view.wheel if card)
    return [Offer(What.FEATURE, number) for number in there]


def listed(view: View, selection: Selection) -> Sequence[Offer]:
    """The offers that are not on the Wheel."""
    return [offer for offer in on_offer(view, selection) if offer.what is not What.PLACE]


def digits(view: View, selection: Selection) -> Sequence[Offer | None]:
    """What the digits 1-8 pick: a card of the Wheel, its object, or a line of the list."""
    found = on_offer(view, selection)
    if task(view) is Task.DECLARE:
        objects = (Offer(What.FEATURE, object_of(card)) if card else None for card in view.wheel)
        return [*objects]
    if any(offer.what is What.PLACE for offer in found) or task(view) is not Task.CHALLENGE:
        return [_if_there(Offer(What.PLACE, number), found) for number in range(_DIGITS)]
    lines = [offer for offer in found if offer is not NONE][:_DIGITS]
    return [*lines, *[None] * (_DIGITS - len(lines))]


def _if_there(offer: Offer, found: Sequence[Offer]) -> Offer | None:
    return offer if offer in found else None


def with_cursor(view: View, selection: Selection) -> Sequence[Offer]:
    """The cursor's places; in a race it would shoot by accident, unless a hint put it
    there."""
    asked = task(view) is not Task.SHOOT or selection.aimed
    return on_offer(view, selection) if asked else ()


def cursor(view: View, selection: Selection) -> Offer | None:
    """What the cursor is on, if anything; where there is one place to lay a card, on that."""
    found = with_cursor(view, selection)
    if len(found) == 1 and task(view) is Task.LAY:
        return found[0]
    if not found or selection.cursor is None:
        return None
    return found[selection.cursor % len(found)]


def leads(selection: Selection, action: Action) -> bool:
    """Whether a selection is on the way to the action: the cursor may rest anywhere."""
    if not isinstance(action, Declare):
        return not selection.challenge
    said = action.pattern
    return selection.direction in (None, said.direction) and selection.anchor in (None, said.anchor)


def back(selection: Selection) -> Selection:
    """One step back; the same selection when there is none."""
    if selection.anchor is not None:
        return selection._replace(anchor=None, cursor=None)
    if selection.direction is not None:
        return selection._replace(direction=None, cursor=None)
    if selection.wanted:
        return selection._replace(wanted=0, cursor=None)
    return NOTHING if selection.challenge or selection.aimed else selection
