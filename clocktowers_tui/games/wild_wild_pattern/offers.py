"""What can be picked now, and why a key does nothing. The view shows what the rules ask."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from protocol.games.wild_wild_pattern import Phase, View
from protocol.games.wild_wild_pattern.cards import (
    PAYS,
    Challenge,
    Suit,
    colour_of,
    is_pattern,
    suit_of,
)
from protocol.games.wild_wild_pattern.pattern import PLACES, Direction

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
    CHALLENGE = auto()
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
            return [at for at in range(PLACES) if view.wheel[at] and at != view.barred]
        case Task.LAY:
            return _where_to_lay(view)
        case _:
            return ()


def _where_to_lay(view: View) -> Sequence[int]:
    gaps = [at for at in range(PLACES) if not view.wheel[at]]
    if gaps:
        return gaps
    mine = colour_of(view.card)
    same = [at for at in range(PLACES) if colour_of(view.wheel[at]) is mine]
    return same or range(PLACES)


# Challenge cards ---------------------------------------------------------------------------------


def usable(view: View) -> list[int]:
    """The player's Challenge cards that can do what they say."""
    assert view.seat is not None
    return [card for card in view.challenges[view.seat] if _can_be_used(view, card)]


def _can_be_used(view: View, card: int) -> bool:
    if card in PAYS:
        return True
    enough = bool(wanted(view, card))
    return enough and (card != Challenge.TRADE or bool(given(view)))


def wanted(view: View, challenge: int) -> list[Offer]:
    """What a Challenge card can be used on."""
    match challenge:
        case Challenge.ONE_CARD:
            wheel = [Offer(What.PLACE, at) for at in range(PLACES) if view.wheel[at]]
            return [*wheel, *_of_opponents(view)]
        case Challenge.TRADE:
            return list(_of_opponents(view))
        case Challenge.PIANO_PLAYER:
            return _of_suit(view, Suit.BULLETS)
        case Challenge.HANDS_UP:
            return _of_suit(view, Suit.COIN)
        case _:
            return []


def given(view: View) -> list[Offer]:
    """What the player can give in a trade: any face-up card of their own but the Trade card
    itself."""
    assert view.seat is not None
    mine = (*view.won[view.seat], *view.challenges[view.seat])
    return [Offer(What.CARD, card, view.seat) for card in mine if card != Challenge.TRADE]


def _of_opponents(view: View) -> Iterator[Offer]:
    for seat, cards in enumerate(view.won):
        if seat != view.seat:
            for card in (*cards, *view.challenges[seat]):
                yield Offer(What.CARD, card, seat)


def _of_suit(view: View, suit: Suit) -> list[Offer]:
    theirs = (offer for offer in _of_opponents(view) if is_pattern(offer.number))
    return [offer for offer in theirs if suit_of(offer.number) is suit]


# Why a key does nothing --------------------------------------------------------------------------


class Remark(Enum):
    """Why a key did nothing."""

    NOT_YOUR_TURN = auto()
    WATCHING = auto()
    OVER = auto()
    OUT = auto()
    NOT_READY = auto()
    NOT_YET = auto()
    WAITING = auto()
    ALREADY_SHOT = auto()
    PASSED = auto()
    OWN_CLICK = auto()
    TOO_LATE = auto()
    TOO_SOON = auto()
    PRESS_A_DIGIT = auto()
    MOVE_FIRST = auto()
    WAY_CHOSEN = auto()
    OBJECT_CHOSEN = auto()
    OTHER_CHOSEN = auto()
    HALF_CHOSEN = auto()
    CHALLENGE_CHOSEN = auto()
    WANTED_CHOSEN = auto()
    SECOND_CARD = auto()
    NO_CLICK = auto()
    NOBODY_PASSES = auto()
    NO_PASS = auto()
    DIRECTION_FIRST = auto()
    NOT_DECLARING = auto()
    NOT_THERE = auto()
    GAP_THERE = auto()
    BARRED = auto()
    FILL_A_GAP = auto()
    SAME_COLOUR = auto()
    CHOOSE_FIRST = auto()
    SURE = auto()


def why_nothing(view: View) -> Remark:
    """Why the match waits for nothing from here."""
    seat = view.seat
    if view.phase is Phase.OVER:
        return Remark.OVER
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
