"""What the match waits for from the player, which key picks what, and what they are about to do: a
place at once, a declaration in three keys, a Challenge card in one to three. Pure values and
functions.

Laws: in a race one key shoots, and nothing is asked; no key makes an action that the rules would
refuse, for everything they ask lies open in the view, except who was first.
"""

from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum, auto
from operator import add
from typing import Final, NamedTuple, TypeAlias

from clocktowers_tui.games import keys
from clocktowers_tui.games.keys import Step
from clocktowers_tui.games.wild_wild_pattern.actions import DIRECTIONS, LETTERS, PASS, PLACES
from clocktowers_tui.games.wild_wild_pattern.words import capital, feature_names
from clocktowers_tui.keys.actions import Action as Key
from clocktowers_tui.text.i18n import N_, _
from protocol.games.wild_wild_pattern import (
    Action,
    Click,
    Declare,
    Declared,
    Lay,
    Pass,
    Phase,
    Ready,
    Shoot,
    Take,
    Use,
    View,
)
from protocol.games.wild_wild_pattern.bank import Line, lines
from protocol.games.wild_wild_pattern.cards import (
    FEATURES,
    FIRST_COLOUR,
    FIRST_SUIT,
    PAYS,
    Challenge,
    Direction,
    Object,
    Pattern,
    in_reach,
    is_object,
    is_pattern,
    object_of,
    places_to_lay,
    places_to_take,
)

# What the match waits for ------------------------------------------------------------------------


RACES: Final = (Phase.RACE, Phase.CLICKED)
"""A shot is asked for."""
TOGETHER: Final = (Phase.READY, *RACES)
"""All act at once."""


def asked(view: View) -> Phase | None:
    """The phase, where the match waits for the seat that the view was made for; None where it does
    not."""
    seat = view.seat
    if seat is None or view.phase is Phase.OVER or not view.standing[seat]:
        return None
    match view.phase:
        case Phase.READY:
            waits = not view.done[seat]
        case Phase.RACE:
            waits = is_pattern(view.card) and _is_free(view, seat)
        case Phase.CLICKED:
            waits = view.clicker != seat and _is_free(view, seat)
        case _:
            waits = view.acting == seat
    return view.phase if waits else None


def _is_free(view: View, seat: int) -> bool:
    return view.aimed is None and not view.done[seat]


def places(view: View) -> Sequence[int]:
    """The places of the Wheel that may be picked now (rules: A turn, 2, 3 and 6)."""
    match asked(view):
        case Phase.RACE | Phase.CLICKED:
            return range(len(PLACES))
        case Phase.TAKE:
            return places_to_take(view.wheel, view.barred)
        case Phase.LAY:
            return places_to_lay(view.wheel, view.card)
        case _:
            return ()


TWO_CARDS: Final = 3
"""So many anchors win two cards."""


def own_hit(view: View) -> Declared | None:
    """What the player has declared in this turn, if it was right."""
    said = view.declared
    return said if said is not None and said.anchors and said.seat == view.seat else None


def wild(view: View) -> bytes:
    """The cards with which the player who may use a Challenge card wins the match without it."""
    if view.phase is not Phase.CHALLENGE or view.acting is None:
        return b""
    won, target = view.won[view.acting], Object(view.targets[view.acting])
    found = lines(won, target, five_colours_win=view.options.five_colours_win)
    return won if Line.WILD in found else b""


# What can be picked, and what has been picked so far ---------------------------------------------


class What(Enum):
    PLACE = auto()
    DIRECTION = auto()
    FEATURE = auto()
    CARD = auto()
    NONE = auto()
    GIVEN = auto()


class Offer(NamedTuple):
    """`number`: a place, a direction (0 before, 1 after), a feature or a card. `owner`: whose card
    it is."""

    what: What
    number: int = 0
    owner: int | None = None


NONE: Final = Offer(What.NONE)
GIVEN: Final = Offer(What.GIVEN)
"""To pass, and to give the card up: where no list offers that, a hint puts the cursor on it."""


class Selection(NamedTuple):
    """`cursor`: one of the offers; None: on nothing, so that no key confirms what was not chosen.
    `warned`: to pass after a shot was asked for once."""

    direction: Direction | None = None
    anchor: int | None = None
    challenge: int = 0
    wanted: int = 0
    cursor: Offer | None = None
    warned: bool = False


NOTHING: Final = Selection()

WAYS: Final = {way: Offer(What.DIRECTION, number) for number, way in enumerate(Direction)}
"""Before and after, which can be changed until the declaration is made."""


def settle(view: View, before: View | None, selection: Selection) -> Selection:
    """The selection to go on with when a view comes in: the same if nothing about it changed."""
    same = before is not None and _what_counts(before) == _what_counts(view)
    return selection if same else NOTHING


def _what_counts(view: View) -> tuple[object, ...]:
    """While these are the same, an unfinished choice makes sense."""
    choice = (view.round, view.turn, view.phase, view.acting, view.takes, view.place)
    return *choice, view.wheel, view.won, view.challenges, asked(view)


def on_offer(view: View, selection: Selection) -> Sequence[Offer]:
    """What can be picked at this step by the cursor or the mouse; in a race by no cursor."""
    match asked(view):
        case Phase.DECLARE if selection.direction is None:
            return [*WAYS.values(), *_objects(view)]
        case Phase.DECLARE:
            return [*_objects(view), *_features(FIRST_COLOUR, FEATURES)]
        case Phase.CHALLENGE if not selection.challenge:
            mine = [Offer(What.CARD, card, view.seat) for card in usable(view)]
            return [NONE, *mine] if wild(view) else [*mine, NONE]
        case Phase.CHALLENGE if not selection.wanted:
            return wanted(view, selection.challenge)
        case Phase.CHALLENGE:
            return given(view)
        case _:
            return [Offer(What.PLACE, at) for at in places(view)]


def menu(view: View, selection: Selection) -> Mapping[Key, Offer]:
    """Which key picks what: a card of the Wheel by its digit, and in a declaration its object; a
    line of a list, too, unless it is about the Wheel; a direction or a letter says itself."""
    if asked(view) is Phase.DECLARE:
        shown = zip(PLACES, view.wheel, strict=True)
        objects = {key: Offer(What.FEATURE, object_of(card)) for key, card in shown if card}
        letters = zip(LETTERS, _features(FIRST_COLOUR, FEATURES), strict=True)
        return {**dict(zip(DIRECTIONS, WAYS.values(), strict=True)), **objects, **dict(letters)}
    found = on_offer(view, selection)
    on_wheel = {PLACES[one.number]: one for one in found if one.what is What.PLACE}
    lines = zip(PLACES, (one for one in found if one is not NONE), strict=False)
    return {**(on_wheel or dict(lines)), **({PASS: NONE} if NONE in found else {})}


def keys_for(view: View, selection: Selection, offer: Offer) -> Sequence[Key]:
    """Those that pick it; an object is said by the digit of each card that shows it."""
    return [key for key, one in menu(view, selection).items() if one == offer]


def _objects(view: View) -> Sequence[Offer]:
    """Those on the Wheel, in its order: no pattern is of another."""
    there = dict.fromkeys(object_of(card) for card in view.wheel if card)
    return [Offer(What.FEATURE, number) for number in there]


def _features(first: int, end: int) -> Sequence[Offer]:
    return [Offer(What.FEATURE, number) for number in range(first, end)]


def with_cursor(view: View, selection: Selection) -> Sequence[Offer]:
    """The cursor's places; in a race it would shoot by accident, unless a hint put it
    there."""
    races = asked(view) in RACES and selection.cursor is None
    return () if races else on_offer(view, selection)


def cursor(view: View, selection: Selection) -> Offer | None:
    """What the cursor is on, if anything; where there is one place to lay a card, on that, and
    where WILD wins, on that."""
    found = with_cursor(view, selection)
    only = len(found) == 1 and asked(view) is Phase.LAY
    if only or (selection.cursor is None and NONE in found[:1]):
        return found[0]
    return selection.cursor if selection.cursor in (*found, NONE, GIVEN) else None


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


# In which rows and columns stands what can be picked: so it is drawn, and so the arrows go -------


Grid: TypeAlias = Sequence[Sequence[Offer]]

COLUMNS: Final = 2
"""How many objects, or similar offers, stand side by side."""


DECLARATION_ROWS: Final = 9
"""Before and after, eight objects, five colours and two suits."""


def _pairs(offers: Sequence[Offer]) -> Grid:
    return [offers[at : at + COLUMNS] for at in range(0, len(offers), COLUMNS)]


def grid(view: View, selection: Selection) -> Grid:
    """All of a declaration, also what cannot be picked at this step; lists are one column, and so
    is the ring of the Wheel."""
    if asked(view) is Phase.DECLARE:
        colours, suits = _features(FIRST_COLOUR, FIRST_SUIT), _features(FIRST_SUIT, FEATURES)
        kinds = [*WAYS.values()], _objects(view), colours, suits
        return [row for kind in kinds for row in _pairs(kind)]
    return [[offer] for offer in with_cursor(view, selection)]


def _neighbour(rows: Grid, offers: Sequence[Offer], at: Offer, across: int, down: int) -> Offer:
    """The offer beside or below `at` that can be picked; behind the last one comes the first."""
    column = next(row.index(at) for row in rows if at in row)
    columns = [column] if down else range(COLUMNS)
    line = [row[one] for row in rows for one in columns if one < len(row)]
    found = [offer for offer in line if offer in offers]
    return found[(found.index(at) + across + down) % len(found)]


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
    NO_CLICK = N_("You say Click! only while you may shoot your own card.")
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
    SURE = N_("To pass counts as wrong. Press {pass_} again if you mean it.")


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
    if view.phase in RACES:
        return _why_no_shot(view, seat)
    return Remark.TOO_LATE if view.phase is Phase.DECLARE else Remark.NOT_YOUR_TURN


def _why_no_shot(view: View, seat: int) -> Remark:
    if view.aimed is not None:
        return Remark.ALREADY_SHOT
    if view.done[seat]:
        return Remark.PASSED
    if view.phase is Phase.CLICKED and view.clicker == seat:
        return Remark.OWN_CLICK
    return Remark.WAITING if asked(view) is None else Remark.NOT_YOUR_TURN


def _why_not(view: View, key: Key) -> Remark:
    """Why a digit, a direction or a letter picks nothing."""
    found, now = why_nothing(view), asked(view)
    if key not in PLACES:
        elsewhere = now is not None or found is Remark.NOT_YOUR_TURN
        return Remark.NOT_DECLARING if elsewhere else found
    match now:
        case Phase.TAKE:
            return Remark.BARRED if view.wheel[PLACES.index(key)] else Remark.GAP_THERE
        case Phase.LAY:
            return Remark.SAME_COLOUR if all(view.wheel) else Remark.FILL_A_GAP
        case Phase.CHALLENGE | Phase.DECLARE:
            return Remark.NOT_THERE
        case _:
            return found


def _why_no_cursor(view: View) -> Remark:
    """Why there is nothing to move to or to confirm."""
    return Remark.PRESS_A_DIGIT if asked(view) in RACES else why_nothing(view)


# Keys --------------------------------------------------------------------------------------------


def press(view: View, selection: Selection, key: Key) -> Step:
    """A digit, a direction or a letter."""
    offer = menu(view, selection).get(key)
    if offer is None:
        return Step(selection, remark=_why_not(view, key))
    return pick(view, selection, offer)


def click(view: View, selection: Selection) -> Step:
    """Click! is final, and asks nothing either: the race is on."""
    if asked(view) is Phase.RACE:
        return Step(selection, action=Click())
    found = why_nothing(view)
    elsewhere = found is Remark.NOT_YOUR_TURN or asked(view) is Phase.DECLARE
    return Step(selection, remark=Remark.NO_CLICK if elsewhere else found)


def decline(view: View, selection: Selection) -> Step:
    """After a shot that costs as a wrong declaration does, so it is wanted twice."""
    match asked(view):
        case Phase.DECLARE if not selection.warned:
            return Step(selection._replace(warned=True), remark=Remark.SURE)
        case Phase.RACE if not view.options.practises:
            return Step(selection, remark=Remark.NOBODY_PASSES)
        case Phase.TAKE | Phase.LAY:
            return Step(selection, remark=Remark.NO_PASS)
        case Phase.READY | None:
            return Step(selection, remark=why_nothing(view))
        case _:
            return Step(selection, action=Pass())


def move(view: View, selection: Selection, across: int, down: int) -> Step:
    """The cursor, to the neighbour beside or below it."""
    found = with_cursor(view, selection)
    if not found:
        return Step(selection, remark=_why_no_cursor(view))
    at = cursor(view, selection)
    rows = grid(view, selection)
    there = found[0]
    if at is not None and at in found:
        there = _neighbour(rows, found, at, across, down)
    return Step(selection._replace(cursor=there))


def confirm(view: View, selection: Selection) -> Step:
    """Ready; else what the cursor is on. A shot is only one that a hint proposed: any other would
    be by accident."""
    if asked(view) is Phase.READY:
        return Step(selection, action=Ready())
    at = cursor(view, selection)
    chosen = at is not None and at.what is What.FEATURE and at.number == selection.anchor
    if at is not None and not chosen:
        return pick(view, selection, at)
    can_move = with_cursor(view, selection)
    return Step(selection, remark=_missing(view, selection) if can_move else _why_no_cursor(view))


def _missing(view: View, selection: Selection) -> Remark:
    """What is chosen, and what is not."""
    match selection:
        case Selection(wanted=card) if card:
            return Remark.WANTED_CHOSEN
        case Selection(challenge=card) if card:
            return Remark.CHALLENGE_CHOSEN
        case Selection(direction=None, anchor=None):
            said = own_hit(view)
            two = said is not None and said.anchors >= TWO_CARDS
            second = two and view.phase is Phase.TAKE and view.takes == 1
            return Remark.SECOND_CARD if second else Remark.MOVE_FIRST
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
    """What is on offer, by whatever key or click."""
    number = offer.number
    match offer.what, asked(view):
        case What.NONE, _:
            return Step(selection, action=Pass())
        case What.GIVEN, _:
            return Step(selection, action=Click())
        case What.DIRECTION, _:
            way = [*WAYS][number]
            return Step(selection._replace(direction=way, cursor=None, warned=False))
        case What.FEATURE, _:
            return _feature(selection, number)
        case What.CARD, _:
            return _card(selection, number)
        case _, Phase.CHALLENGE:
            return _card(selection, view.wheel[number])
        case _, Phase.TAKE:
            return Step(selection, action=Take(number))
        case _, Phase.LAY:
            return _laying(view, selection, offer)
        case _:
            return Step(selection, action=Shoot(number, clicked=view.phase is Phase.CLICKED))


def _laying(view: View, selection: Selection, there: Offer) -> Step:
    """A digit that came a moment too late to shoot must not give the card away: it only goes
    there; the second one lays, as confirming does."""
    if cursor(view, selection) == there:
        return Step(selection, action=Lay(there.number))
    return Step(selection._replace(cursor=there))


def _feature(selection: Selection, number: int) -> Step:
    """The first half; then the second, or, of the same kind, another first half: then it is said
    that this takes the place of the other."""
    direction, anchor = selection.direction, selection.anchor
    if direction is None and not is_object(number):
        return Step(selection, remark=Remark.DIRECTION_FIRST)
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
    on_wheel = offer.what is What.PLACE
    if on_wheel and asked(view) is Phase.DECLARE:
        return press(view, selection, PLACES[offer.number])
    if offer in (*menu(view, selection).values(), *on_offer(view, selection)):
        return pick(view, selection, offer)
    why = _why_not(view, PLACES[offer.number]) if on_wheel else Remark.NOT_THERE
    return Step(selection, remark=why)
