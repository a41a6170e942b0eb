"""What the player is about to do: a place at once, a declaration in three keys, a Challenge card in
one to three. Pure values and functions.

Laws: in a race one key shoots, and nothing is asked; no key makes an action that the rules would
refuse, for all that they ask lies open in the view, but for who was first.
"""

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
from clocktowers_tui.games.wild_wild_pattern.why import (
    Remark,
    why_no_cursor,
    why_no_declaring,
    why_no_digit,
    why_nothing,
)
from protocol.games.wild_wild_pattern import (
    Action,
    Click,
    Declare,
    Lay,
    Pass,
    Phase,
    Practice,
    Ready,
    Shoot,
    Take,
    Use,
    View,
)
from protocol.games.wild_wild_pattern.cards import PAYS, Challenge
from protocol.games.wild_wild_pattern.pattern import Direction, Pattern

_DIGITS: Final = 8


class Selection(NamedTuple):
    """`cursor`: among the offers. `warned`: to declare nothing was asked for once."""

    direction: Direction | None = None
    anchor: int | None = None
    challenge: int = 0
    wanted: int = 0
    cursor: int = 0
    warned: bool = False


class Step(NamedTuple):
    selection: Selection
    action: Action | None = None
    remark: Remark | None = None


NOTHING: Final = Selection()


def settle(view: View, before: View | None, selection: Selection) -> Selection:
    """The selection to go on with when a view comes in: the same if nothing about it changed."""
    same = before is not None and _what_counts(before) == _what_counts(view)
    return selection if same else NOTHING


def _what_counts(view: View) -> tuple[object, ...]:
    """While these are the same, an unfinished choice makes sense."""
    choice = (view.round, view.turn, view.phase, view.acting, view.takes, view.place)
    return *choice, view.wheel, view.won, view.challenges, task(view)


def on_offer(view: View, selection: Selection) -> Sequence[Offer]:
    """All that can be picked at this step by the cursor or the mouse; in a race by no cursor."""
    match task(view):
        case Task.DECLARE if selection.direction is None:
            return [Offer(What.DIRECTION, number) for number in range(len(DIRECTIONS))]
        case Task.DECLARE:
            return [Offer(What.FEATURE, one) for one in offers.features(selection.anchor)]
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


def listed(view: View, selection: Selection) -> Sequence[Offer]:
    """Those of them that are not on the Wheel."""
    return [offer for offer in on_offer(view, selection) if offer.what is not What.PLACE]


def digits(view: View, selection: Selection) -> Sequence[Offer | None]:
    """What the digits 1-8 pick: a place, an object, or a line of the list."""
    found = on_offer(view, selection)
    if task(view) is Task.DECLARE:
        return [_if_there(Offer(What.FEATURE, number), found) for number in range(_DIGITS)]
    if any(offer.what is What.PLACE for offer in found) or task(view) is not Task.CHALLENGE:
        return [_if_there(Offer(What.PLACE, number), found) for number in range(_DIGITS)]
    lines = [offer for offer in found if offer is not NONE][:_DIGITS]
    return [*lines, *[None] * (_DIGITS - len(lines))]


def _if_there(offer: Offer, found: Sequence[Offer]) -> Offer | None:
    return offer if offer in found else None


# Keys --------------------------------------------------------------------------------------------


def digit(view: View, selection: Selection, number: int) -> Step:
    """The key of place, object or line `number`, counted from 0."""
    offer = digits(view, selection)[number]
    if offer is not None:
        return pick(view, selection, offer)
    return Step(
        selection, remark=why_no_digit(view, number, directed=selection.direction is not None)
    )


def direction(view: View, selection: Selection, number: int) -> Step:
    """Before or after; until the declaration is made it can be another."""
    if task(view) is not Task.DECLARE:
        return Step(selection, remark=why_no_declaring(view))
    return Step(selection._replace(direction=DIRECTIONS[number], cursor=0, warned=False))


def feature(view: View, selection: Selection, number: int) -> Step:
    """A colour or a suit."""
    if task(view) is not Task.DECLARE:
        return Step(selection, remark=why_no_declaring(view))
    offer = Offer(What.FEATURE, number)
    if offer in on_offer(view, selection):
        return pick(view, selection, offer)
    first = selection.direction is None
    return Step(selection, remark=Remark.DIRECTION_FIRST if first else Remark.NOT_BOTH)


def click(view: View, selection: Selection) -> Step:
    """Click! is final, and asks nothing either: the race is on."""
    if view.phase is Phase.RACE and task(view) is Task.SHOOT:
        return Step(selection, action=Click())
    found = why_nothing(view)
    return Step(selection, remark=Remark.NO_CLICK if found is Remark.NOT_YOUR_TURN else found)


def decline(view: View, selection: Selection) -> Step:
    """Pass. To declare nothing costs as a wrong declaration does, so that wants it twice."""
    match task(view):
        case Task.SHOOT if view.phase is Phase.CLICKED or _is_practice(view):
            return Step(selection, action=Pass())
        case Task.CHALLENGE:
            return Step(selection, action=Pass())
        case Task.DECLARE if selection.warned:
            return Step(selection, action=Pass())
        case Task.DECLARE:
            return Step(selection._replace(warned=True), remark=Remark.SURE)
        case Task.NOTHING:
            return Step(selection, remark=why_nothing(view))
        case _:
            return Step(selection, remark=Remark.NO_PASS)


def _is_practice(view: View) -> bool:
    return view.options.practice is Practice.ON


def move(view: View, selection: Selection, by: int) -> Step:
    """The cursor, to the next or the last offer."""
    found = _with_cursor(view, selection)
    if not found:
        return Step(selection, remark=why_no_cursor(view))
    return Step(selection._replace(cursor=(selection.cursor + by) % len(found)))


def confirm(view: View, selection: Selection) -> Step:
    """Ready; else what the cursor is on. Never a shot: it would be one by accident."""
    if task(view) is Task.READY:
        return Step(selection, action=Ready())
    found = _with_cursor(view, selection)
    if not found:
        return Step(selection, remark=why_no_cursor(view))
    return pick(view, selection, found[selection.cursor % len(found)])


def cursor(view: View, selection: Selection) -> Offer | None:
    """What the cursor is on."""
    found = _with_cursor(view, selection)
    return found[selection.cursor % len(found)] if found else None


def _with_cursor(view: View, selection: Selection) -> Sequence[Offer]:
    return () if task(view) is Task.SHOOT else on_offer(view, selection)


def back(selection: Selection) -> Selection:
    """One step back; the same selection when there is none."""
    if selection.anchor is not None:
        return selection._replace(anchor=None, cursor=0)
    if selection.direction is not None:
        return selection._replace(direction=None, cursor=0)
    if selection.wanted:
        return selection._replace(wanted=0, cursor=0)
    return NOTHING if selection.challenge else selection


# What is picked ----------------------------------------------------------------------------------


def pick(view: View, selection: Selection, offer: Offer) -> Step:
    """One of `on_offer`, by whatever key or click."""
    match offer.what:
        case What.PLACE:
            return _place(view, selection, offer.number)
        case What.DIRECTION:
            return direction(view, selection, offer.number)
        case What.FEATURE:
            return _feature(selection, offer.number)
        case What.CHALLENGE if offer.number in PAYS:
            return Step(selection, action=Use(offer.number))
        case What.CHALLENGE:
            return Step(NOTHING._replace(challenge=offer.number))
        case What.CARD:
            return _card(selection, offer.number)
        case What.NONE:
            return Step(selection, action=Pass())


def _place(view: View, selection: Selection, place: int) -> Step:
    match task(view):
        case Task.TAKE:
            return Step(selection, action=Take(place))
        case Task.LAY:
            return Step(selection, action=Lay(place))
        case Task.CHALLENGE:
            return _card(selection, view.wheel[place])
        case _:
            return Step(selection, action=Shoot(place, clicked=view.phase is Phase.CLICKED))


def _feature(selection: Selection, number: int) -> Step:
    assert selection.direction is not None
    if selection.anchor is None:
        return Step(selection._replace(anchor=number, cursor=0, warned=False))
    return Step(selection, action=Declare(Pattern(selection.direction, selection.anchor, number)))


def _card(selection: Selection, card: int) -> Step:
    if selection.wanted:
        return Step(selection, action=Use(selection.challenge, selection.wanted, card))
    if selection.challenge == Challenge.TRADE:
        return Step(selection._replace(wanted=card, cursor=0))
    return Step(selection, action=Use(selection.challenge, card))


def point(view: View, selection: Selection, offer: Offer) -> Step:
    """A click on something: as the key that picks it."""
    if offer.what is What.DIRECTION:
        return direction(view, selection, offer.number)
    if offer in on_offer(view, selection):
        return pick(view, selection, offer)
    if offer.what is What.PLACE:
        declares = task(view) is Task.DECLARE
        found = Remark.NOT_THERE if declares else why_no_digit(view, offer.number, directed=False)
        return Step(selection, remark=found)
    return Step(selection, remark=Remark.NOT_THERE)
