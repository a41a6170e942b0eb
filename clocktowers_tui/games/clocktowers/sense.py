"""Whether events, views and outcomes can be: seats that are there, cards of the box, rows of one
length. No rules: whether a play was legal is the server's to know.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Final, assert_never

from clocktowers_tui.games import sensible
from clocktowers_tui.games.sensible import Possible, can_have_won
from protocol.games.clocktowers import (
    CODES,
    COPIES,
    FIRST_ROOF,
    PILES,
    SEATS,
    Choice,
    Completed,
    Dealt,
    Discard,
    Discarded,
    Draw,
    Drew,
    Event,
    Outcome,
    Pile,
    Play,
    Played,
    View,
    YouDiscarded,
)

_CARDS: Final = range(1, len(CODES))
_BOX: Final = sum(COPIES)
_NUMBERS: Final = range(256)
"""Heights and points: a view has a byte for each."""
_TOWERS: Final = range(_BOX)
_MOST_IN_HAND: Final = 4


def nonsense(
    seats: int | None, events: Sequence[Event], view: View | None, outcome: Outcome | None
) -> str:
    """See `Face.nonsense`."""
    if seats is None:
        seats = max(SEATS) if view is None else len(view.towns)
    possible = Possible(SEATS, _can_happen, _can_be_the_end, _wrong_in_view)
    return sensible.nonsense(possible, seats, events, view, outcome)


def _can_happen(event: Event, seats: range) -> bool:
    match event:
        case Dealt():
            tops = len(event.piles) == len(event.left) == len(Pile)
            return event.first_seat in seats and tops
        case Played():
            placed = event.tower in _TOWERS and event.height in _NUMBERS
            return event.seat in seats and event.card in _CARDS and placed
        case Completed():
            numbers = (event.height, event.points, event.next_height)
            placed = event.tower in _TOWERS and all(number in _NUMBERS for number in numbers)
            return event.seat in seats and event.roof in _CARDS[FIRST_ROOF - 1 :] and placed
        case Discarded():
            return event.seat in seats
        case YouDiscarded():
            return event.card in _CARDS
        case Drew():
            piled = event.pile in range(len(Pile)) and event.top in range(len(CODES))
            return event.seat in seats and event.card in _CARDS and piled
        case _:
            assert_never(event)


def _can_be_the_end(outcome: Outcome, seats: int) -> bool:
    scores = len(outcome.scores) == seats and all(score in _NUMBERS for score in outcome.scores)
    return scores and can_have_won(outcome.winners, seats)


def _wrong_in_view(view: View, seats: int) -> str:
    if not all(seat is None or seat in range(seats) for seat in (view.seat, view.turn)):
        return "a seat beyond the table"
    rows = map(len, (view.towns, view.hands, view.points, view.thrown))
    at_times = map(len, (view.known, view.shown))
    if any(row != seats for row in rows) or any(row not in (0, seats) for row in at_times):
        return "a row of another length than there are seats"
    if len(view.ladder) not in (1, seats) or any(len(row) != 5 for row in view.ladder):
        return "a ladder of another shape"
    if not _piles_can_be(view) or max(view.hands) > _MOST_IN_HAND:
        return "piles or hands that cannot be"
    if not _cards_can_be(view):
        return "cards that are not in the box"
    return "" if _choices_can_be(view) else "a choice that nobody has"


def _piles_can_be(view: View) -> bool:
    if not len(view.piles) == len(view.left) == len(Pile):
        return False
    tops = zip(view.piles, Pile, strict=True)
    return all(card < len(CODES) and PILES[card] in (None, pile) for card, pile in tops)


def _cards_can_be(view: View) -> bool:
    towers = [tower for town in view.towns for tower in town.towers]
    whole = all(towers) and all(len(town.points) == len(town.towers) for town in view.towns)
    held = (view.hand, *view.known)
    if not whole or sum(map(len, towers)) > _BOX or any(len(one) > _MOST_IN_HAND for one in held):
        return False
    away = (view.discards, view.removed, *view.shown)
    return all(card in _CARDS for card in chain(*held, *away, *towers))


def _choices_can_be(view: View) -> bool:
    towers = len(view.towns[view.seat].towers) if view.seat is not None else 0
    return all(_can_be_chosen(choice, view.hand, towers) for choice in view.legal)


def _can_be_chosen(choice: Choice, hand: bytes, towers: int) -> bool:
    numbers = (choice.height, choice.points, choice.next_height)
    if not all(number in _NUMBERS for number in numbers):
        return False
    match choice.action:
        case Play(card=card, tower=tower):
            return card in hand and (tower is None or tower in range(towers))
        case Discard(card=card):
            return card in hand
        case Draw():
            return True
