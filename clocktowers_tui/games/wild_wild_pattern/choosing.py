"""What the player is about to do: a place at once, a declaration in three keys, a Challenge card in
one to three. Pure values and functions.

Laws: in a race one key shoots, and nothing is asked; no key makes an action that the rules would
refuse, for everything they ask lies open in the view, except who was first.
"""

from clocktowers_tui.games.keys import Step
from clocktowers_tui.games.wild_wild_pattern.offers import (
    DIRECTIONS,
    NOTHING,
    Offer,
    Remark,
    Selection,
    Task,
    What,
    cursor,
    digits,
    grid,
    on_offer,
    step,
    task,
    why_no_cursor,
    why_no_declaring,
    why_no_digit,
    why_nothing,
    with_cursor,
)
from clocktowers_tui.games.wild_wild_pattern.standing import is_second_card
from clocktowers_tui.games.wild_wild_pattern.words import capital, feature_names
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import (
    Click,
    Declare,
    Lay,
    Pass,
    Phase,
    Ready,
    Shoot,
    Take,
    Use,
    View,
)
from protocol.games.wild_wild_pattern.cards import PAYS, Challenge, Pattern, is_object

# Keys --------------------------------------------------------------------------------------------


def digit(view: View, selection: Selection, number: int) -> Step:
    """The key of a card of the Wheel or of line `number`, counted from 0."""
    offer = digits(view, selection)[number]
    if offer is not None:
        return pick(view, selection, offer)
    return Step(selection, remark=why_no_digit(view, number))


def direction(view: View, selection: Selection, number: int) -> Step:
    """Before or after: until the declaration is made it can be another."""
    if task(view) is not Task.DECLARE:
        return Step(selection, remark=why_no_declaring(view))
    return Step(selection._replace(direction=DIRECTIONS[number], cursor=None, warned=False))


def feature(view: View, selection: Selection, number: int) -> Step:
    """A colour or a suit."""
    if task(view) is not Task.DECLARE:
        return Step(selection, remark=why_no_declaring(view))
    if selection.direction is None:
        return Step(selection, remark=Remark.DIRECTION_FIRST)
    return _feature(view, selection, number)


def click(view: View, selection: Selection) -> Step:
    """Click! is final, and asks nothing either: the race is on."""
    if view.phase is Phase.RACE and task(view) is Task.SHOOT:
        return Step(selection, action=Click())
    found = why_nothing(view)
    elsewhere = found is Remark.NOT_YOUR_TURN or task(view) is Task.DECLARE
    return Step(selection, remark=Remark.NO_CLICK if elsewhere else found)


def decline(view: View, selection: Selection) -> Step:
    """Pass. To declare nothing costs as a wrong declaration does, so that wants it twice."""
    match task(view):
        case Task.SHOOT if view.phase is Phase.CLICKED or view.options.practises:
            return Step(selection, action=Pass())
        case Task.CHALLENGE:
            return Step(selection, action=Pass())
        case Task.DECLARE if selection.warned:
            return Step(selection, action=Pass())
        case Task.DECLARE:
            return Step(selection._replace(warned=True), remark=Remark.SURE)
        case Task.SHOOT:
            return Step(selection, remark=Remark.NOBODY_PASSES)
        case Task.NOTHING | Task.READY:
            return Step(selection, remark=why_nothing(view))
        case Task.TAKE | Task.LAY:
            return Step(selection, remark=Remark.NO_PASS)


def move(view: View, selection: Selection, across: int, down: int) -> Step:
    """The cursor, to the neighbour beside or below it."""
    found = with_cursor(view, selection)
    if not found:
        return Step(selection, remark=why_no_cursor(view))
    at = cursor(view, selection)
    there = found[0] if at is None else step(grid(view, selection), found, at, across, down)
    return Step(selection._replace(cursor=there))


def confirm(view: View, selection: Selection) -> Step:
    """Ready; else what the cursor is on. A shot is only one that a hint proposed: any other would
    be by accident."""
    if task(view) is Task.READY:
        return Step(selection, action=Ready())
    at = cursor(view, selection)
    chosen = at is not None and at.what is What.FEATURE and at.number == selection.anchor
    if at is None or chosen:
        asked = with_cursor(view, selection)
        return Step(selection, remark=missing(view, selection) if asked else why_no_cursor(view))
    if at.what is What.PLACE and task(view) is Task.LAY:
        return Step(selection, action=Lay(at.number))
    return pick(view, selection, at)


def missing(view: View, selection: Selection) -> Remark:
    """What is chosen, and what is not."""
    match selection:
        case Selection(wanted=card) if card:
            return Remark.WANTED_CHOSEN
        case Selection(challenge=card) if card:
            return Remark.CHALLENGE_CHOSEN
        case Selection(direction=None, anchor=None):
            return Remark.SECOND_CARD if is_second_card(view) else Remark.MOVE_FIRST
        case Selection(direction=None):
            return Remark.HALF_CHOSEN
        case Selection(anchor=None):
            return Remark.WAY_CHOSEN
        case Selection(anchor=anchor) if anchor is not None and is_object(anchor):
            return Remark.OBJECT_CHOSEN
        case _:
            return Remark.OTHER_CHOSEN


# What is picked ----------------------------------------------------------------------------------


def pick(view: View, selection: Selection, offer: Offer) -> Step:
    """One of `on_offer`, by whatever key or click."""
    match offer.what:
        case What.PLACE:
            return _place(view, selection, offer.number)
        case What.DIRECTION:
            return direction(view, selection, offer.number)
        case What.FEATURE:
            return _feature(view, selection, offer.number)
        case What.CARD:
            return _card(selection, offer.number)
        case What.NONE:
            return Step(selection, action=Pass())


def _place(view: View, selection: Selection, place: int) -> Step:
    match task(view):
        case Task.TAKE:
            return Step(selection, action=Take(place))
        case Task.LAY:
            return _laying(view, selection, place)
        case Task.CHALLENGE:
            return _card(selection, view.wheel[place])
        case _:
            return Step(selection, action=Shoot(place, clicked=view.phase is Phase.CLICKED))


def _laying(view: View, selection: Selection, place: int) -> Step:
    """A digit that came a moment too late to shoot must not give the card away: it only goes
    there; the second one lays, as confirming does."""
    there = Offer(What.PLACE, place)
    if cursor(view, selection) == there:
        return Step(selection, action=Lay(place))
    return Step(selection._replace(cursor=there))


def _feature(view: View, selection: Selection, number: int) -> Step:
    """The first half; then the second, or, of the same kind, another first half: then it is said
    that this takes the place of the other."""
    direction, anchor = selection.direction, selection.anchor
    if direction is None or anchor is None or is_object(anchor) == is_object(number):
        there = None if direction is None else Offer(What.FEATURE, number)
        changed = selection._replace(anchor=number, cursor=there, warned=False)
        if direction is None or anchor is None or anchor == number:
            return Step(changed)
        said = _("{new} instead of {old}: a pattern needs an object and one colour or suit.")
        new, old = capital(feature_names(number).words), feature_names(anchor).words
        return Step(changed, remark=said.format(new=new, old=old))
    return Step(selection, action=Declare(Pattern(direction, anchor, number)))


def _card(selection: Selection, card: int) -> Step:
    match selection:
        case Selection(challenge=0) if card in PAYS:
            return Step(selection, action=Use(card))
        case Selection(challenge=0):
            return Step(NOTHING._replace(challenge=card))
        case Selection(challenge=Challenge.TRADE, wanted=0):
            return Step(selection._replace(wanted=card, cursor=None))
        case Selection(challenge=challenge, wanted=0):
            return Step(selection, action=Use(challenge, card))
        case Selection(challenge=challenge, wanted=wanted):
            return Step(selection, action=Use(challenge, wanted, card))


def point(view: View, selection: Selection, offer: Offer) -> Step:
    """A click on something: as the key that picks it."""
    if offer.what is What.PLACE and task(view) is Task.DECLARE:
        return digit(view, selection, offer.number)
    if offer.what is What.DIRECTION or offer in on_offer(view, selection):
        return pick(view, selection, offer)
    if offer.what is What.PLACE:
        return Step(selection, remark=why_no_digit(view, offer.number))
    return Step(selection, remark=Remark.NOT_THERE)
