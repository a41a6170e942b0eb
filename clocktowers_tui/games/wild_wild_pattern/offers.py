"""What can be picked now, why a key does nothing, and what has been picked so far."""

from collections.abc import Sequence
from enum import Enum, StrEnum, auto
from operator import add
from typing import Final, NamedTuple, TypeAlias

from clocktowers_tui.games import keys
from clocktowers_tui.games.wild_wild_pattern import actions
from clocktowers_tui.keys.actions import Action as KeyAction
from clocktowers_tui.text.i18n import N_
from protocol.games.wild_wild_pattern import Action, Declare, Phase, View
from protocol.games.wild_wild_pattern.cards import (
    FEATURES,
    FIRST_COLOUR,
    FIRST_SUIT,
    PAYS,
    PLACES,
    Challenge,
    Direction,
    in_reach,
    is_object,
    is_pattern,
    object_of,
    places_to_lay,
    places_to_take,
)

DIRECTIONS: Final = tuple(Direction)


class Task(Enum):
    """What the match waits for from the seat that a view was made for."""

    NOTHING = auto()
    READY = auto()
    SHOOT = auto()
    DECLARE = auto()
    TAKE = auto()
    CHALLENGE = auto()
    LAY = auto()


_CHOICES: Final = {
    Phase.DECLARE: Task.DECLARE,
    Phase.TAKE: Task.TAKE,
    Phase.CHALLENGE: Task.CHALLENGE,
    Phase.LAY: Task.LAY,
}


class What(Enum):
    PLACE = auto()
    DIRECTION = auto()
    FEATURE = auto()
    CARD = auto()
    NONE = auto()


class Offer(NamedTuple):
    """`number`: a place, a direction (0 before, 1 after), a feature or a card. `owner`: whose card
    it is."""

    what: What
    number: int = 0
    owner: int | None = None


NONE: Final = Offer(What.NONE)


def task(view: View) -> Task:
    """What the player has to do."""
    seat = view.seat
    if seat is None or view.phase is Phase.OVER or not view.standing[seat]:
        return Task.NOTHING
    match view.phase:
        case Phase.READY:
            return Task.NOTHING if view.done[seat] else Task.READY
        case Phase.RACE:
            return Task.SHOOT if is_pattern(view.card) and _is_free(view, seat) else Task.NOTHING
        case Phase.CLICKED:
            may = view.clicker != seat and _is_free(view, seat)
            return Task.SHOOT if may else Task.NOTHING
        case _:
            return _CHOICES[view.phase] if view.acting == seat else Task.NOTHING


def _is_free(view: View, seat: int) -> bool:
    return view.aimed is None and not view.done[seat]


def places(view: View) -> Sequence[int]:
    """The places of the Wheel that may be picked now (rules: A turn, 2, 3 and 6)."""
    match task(view):
        case Task.SHOOT:
            return range(PLACES)
        case Task.TAKE:
            return places_to_take(view.wheel, view.barred)
        case Task.LAY:
            return places_to_lay(view.wheel, view.card)
        case _:
            return ()


# Challenge cards ---------------------------------------------------------------------------------


def usable(view: View) -> list[int]:
    """The player's Challenge cards that can do what they say."""
    assert view.seat is not None
    return [
        card
        for card in view.challenges[view.seat]
        if card in PAYS or (wanted(view, card) and (card != Challenge.TRADE or given(view)))
    ]


def wanted(view: View, challenge: int) -> list[Offer]:
    """What a Challenge card can be used on."""
    assert view.seat is not None
    face_up = [*map(add, view.won, view.challenges)]
    return [
        Offer(What.PLACE, view.wheel.index(card))
        if owner is None
        else Offer(What.CARD, card, owner)
        for owner, card in in_reach(challenge, view.seat, view.wheel, face_up)
    ]


def given(view: View) -> list[Offer]:
    """What the player can give in a trade: any face-up card of their own but the Trade card
    itself."""
    assert view.seat is not None
    mine = (*view.won[view.seat], *view.challenges[view.seat])
    return [Offer(What.CARD, card, view.seat) for card in mine if card != Challenge.TRADE]


# Why a key does nothing --------------------------------------------------------------------------


class Remark(StrEnum):
    """Why a key did nothing, with the names of keys in braces."""

    NOT_YOUR_TURN = N_("Wait a moment: another player is choosing.")
    WATCHING = keys.WATCHING
    OVER = keys.OVER
    TRIED = N_("You have tried it. {undo}: once more, {back}: to the replay.")
    OUT = N_("You are out of this match; you can watch how it ends.")
    NOT_READY = N_("Your card is still face down: {ready} turns it up.")
    NOT_YET = N_("You are ready. All see their cards at the same moment.")
    WAITING = N_("You have no card yet: the next one comes in a moment.")
    ALREADY_SHOT = N_("You have shot. A moment shows who was first.")
    PASSED = N_("You have passed: wait until the others are done.")
    OWN_CLICK = N_("You said Click! Now the others may try your card.")
    TOO_LATE = N_("Somebody was faster. You keep your card.")
    TOO_SOON = N_("The board has just changed: press again if you mean it.")
    PRESS_A_DIGIT = N_("{places}: shoot at that card. {click}: give up your card.")
    MOVE_FIRST = N_("You have chosen nothing yet: press a shown key, or {moves}.")
    WAY_CHOSEN = N_("Before or after is chosen. Still missing: an object ({places}).")
    OBJECT_CHOSEN = N_("The object is chosen. Now colour or suit: {letters}.")
    OTHER_CHOSEN = N_("Colour or suit is chosen. Still missing: an object ({places}).")
    HALF_CHOSEN = N_("The object is chosen. Now before or after: {directions}.")
    CHALLENGE_CHOSEN = N_("Challenge card chosen: now choose the card it works on.")
    WANTED_CHOSEN = N_("The card you get is chosen. Now choose the card you give.")
    SECOND_CARD = N_("You have taken the first card. Now choose the second one.")
    NO_CLICK = N_("Click! gives up your card: you say it only in a race.")
    NOBODY_PASSES = N_("You cannot pass in a race: shoot, say Click! or wait.")
    NO_PASS = N_("You cannot pass here: choose a place.")
    DIRECTION_FIRST = N_("First declare before or after: {directions}.")
    NOT_DECLARING = N_("You declare after your shot: {places}.")
    NOT_THERE = N_("This key does nothing now: see the list.")
    GAP_THERE = N_("There is a gap, no card: press a marked place.")
    BARRED = N_("You shot that card: only 3 pairs or more win it.")
    FILL_A_GAP = N_("Gaps come first: lay your card on a marked place.")
    SAME_COLOUR = N_("Your card's colour is there: cover one that is marked.")
    CHOOSE_FIRST = N_("You choose first: the Bank's list would cover the keys.")
    SURE = N_("Silence counts as wrong. Press {pass_} again if you mean it.")


def why_nothing(view: View) -> Remark:
    """Why the match waits for nothing from here."""
    seat = view.seat
    if view.phase is Phase.OVER:
        return Remark.TRIED if view.outcome is None else Remark.OVER
    if seat is None:
        return Remark.WATCHING
    if not view.standing[seat]:
        return Remark.OUT
    if view.phase is Phase.READY:
        return Remark.NOT_YET if view.done[seat] else Remark.NOT_READY
    if view.phase in (Phase.RACE, Phase.CLICKED):
        return _why_no_shot(view, seat)
    return Remark.TOO_LATE if view.phase is Phase.DECLARE else Remark.NOT_YOUR_TURN


def _why_no_shot(view: View, seat: int) -> Remark:
    if view.aimed is not None:
        return Remark.ALREADY_SHOT
    if view.done[seat]:
        return Remark.PASSED
    if view.phase is Phase.CLICKED and view.clicker == seat:
        return Remark.OWN_CLICK
    return Remark.WAITING if task(view) is Task.NOTHING else Remark.NOT_YOUR_TURN


def why_no_declaring(view: View) -> Remark:
    """Why a direction or a feature means nothing."""
    found = why_nothing(view)
    elsewhere = task(view) is not Task.NOTHING or found is Remark.NOT_YOUR_TURN
    return Remark.NOT_DECLARING if elsewhere else found


def why_no_digit(view: View, number: int) -> Remark:
    match task(view):
        case Task.TAKE:
            return Remark.BARRED if view.wheel[number] else Remark.GAP_THERE
        case Task.LAY:
            return Remark.SAME_COLOUR if all(view.wheel) else Remark.FILL_A_GAP
        case Task.CHALLENGE | Task.DECLARE:
            return Remark.NOT_THERE
        case _:
            return why_nothing(view)


def why_no_cursor(view: View) -> Remark:
    """Why there is nothing to move to or to confirm."""
    return Remark.PRESS_A_DIGIT if task(view) is Task.SHOOT else why_nothing(view)


# What has been picked so far, and what can be picked next. Pure values and functions -------------


class Selection(NamedTuple):
    """`cursor`: one of the offers; None: on nothing, so that no key confirms what was not chosen.
    `warned`: to declare nothing was asked for once."""

    direction: Direction | None = None
    anchor: int | None = None
    challenge: int = 0
    wanted: int = 0
    cursor: Offer | None = None
    warned: bool = False


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
            return [*_objects(view), *_features(FIRST_COLOUR, FEATURES)]
        case Task.CHALLENGE if not selection.challenge:
            mine = [Offer(What.CARD, card, view.seat) for card in usable(view)]
            return [*mine, NONE]
        case Task.CHALLENGE if not selection.wanted:
            return wanted(view, selection.challenge)
        case Task.CHALLENGE:
            return given(view)
        case Task.SHOOT | Task.TAKE | Task.LAY:
            return [Offer(What.PLACE, at) for at in places(view)]
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
        return [Offer(What.FEATURE, object_of(card)) if card else None for card in view.wheel]
    if any(offer.what is What.PLACE for offer in found) or task(view) is not Task.CHALLENGE:
        offers = (Offer(What.PLACE, number) for number in range(PLACES))
        return [offer if offer in found else None for offer in offers]
    lines = [offer for offer in found if offer is not NONE][:PLACES]
    return [*lines, *[None] * (PLACES - len(lines))]


def keys_for(view: View, said: Direction | int) -> Sequence[KeyAction]:
    """Those that say this direction or feature in a declaration; an object is said by the digit of
    each card that shows it."""
    if isinstance(said, Direction):
        return [actions.DIRECTIONS[DIRECTIONS.index(said)]]
    if not is_object(said):
        return [actions.LETTERS[said - FIRST_COLOUR]]
    shown = zip(actions.PLACES, view.wheel, strict=True)
    return [key for key, card in shown if card and object_of(card) == said]


def with_cursor(view: View, selection: Selection) -> Sequence[Offer]:
    """The cursor's places; in a race it would shoot by accident, unless a hint put it
    there."""
    asked = task(view) is not Task.SHOOT or selection.cursor is not None
    return on_offer(view, selection) if asked else ()


def cursor(view: View, selection: Selection) -> Offer | None:
    """What the cursor is on, if anything; where there is one place to lay a card, on that."""
    found = with_cursor(view, selection)
    if len(found) == 1 and task(view) is Task.LAY:
        return found[0]
    return selection.cursor if selection.cursor in found else None


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
    return NOTHING if selection.challenge or selection.cursor else selection


# In which rows and columns stands what can be picked: so it is drawn, and so the arrows go -------


Grid: TypeAlias = Sequence[Sequence[Offer]]

COLUMNS: Final = 2
"""How many objects, or similar offers, stand side by side."""


DECLARATION_ROWS: Final = 9
"""Before and after, eight objects, five colours and two suits."""


def _pairs(offers: Sequence[Offer]) -> Grid:
    return [offers[at : at + COLUMNS] for at in range(0, len(offers), COLUMNS)]


def _features(first: int, end: int) -> Sequence[Offer]:
    return [Offer(What.FEATURE, number) for number in range(first, end)]


def grid(view: View, selection: Selection) -> Grid:
    """All of a declaration, also what cannot be picked at this step; lists are one column, and so
    is the ring of the Wheel."""
    if task(view) is Task.DECLARE:
        colours, suits = _features(FIRST_COLOUR, FIRST_SUIT), _features(FIRST_SUIT, FEATURES)
        return [row for kind in (WAYS, _objects(view), colours, suits) for row in _pairs(kind)]
    return [[offer] for offer in with_cursor(view, selection)]


def step(rows: Grid, offers: Sequence[Offer], at: Offer, across: int, down: int) -> Offer:
    """The offer beside or below `at` that can be picked; behind the last one comes the first."""
    column = next(row.index(at) for row in rows if at in row)
    columns = [column] if down else range(COLUMNS)
    line = [row[one] for row in rows for one in columns if one < len(row)]
    found = [offer for offer in line if offer in offers]
    return found[(found.index(at) + across + down) % len(found)]
