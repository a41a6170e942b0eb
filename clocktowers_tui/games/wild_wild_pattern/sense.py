"""Whether events, views and outcomes can be: seats that are there, cards of the box, whole Wheels.
No rules: whether a shot was the first is the server's to know.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, assert_never

from clocktowers_tui.games import sensible
from clocktowers_tui.games.sensible import Possible, can_have_won
from protocol.games.wild_wild_pattern import (
    SEATS,
    Aimed,
    Banked,
    Clicked,
    Declared,
    Drew,
    Event,
    Filled,
    Found,
    Idled,
    Outcome,
    Passed,
    Phase,
    Replaced,
    Reshuffled,
    RoundBegan,
    Seen,
    Shot,
    TurnBegan,
    Used,
    View,
    Visit,
    WasLaid,
    WasReady,
    WentOut,
    Won,
)
from protocol.games.wild_wild_pattern.cards import CARDS, CHALLENGES, PATTERN_CARDS, TARGETS
from protocol.games.wild_wild_pattern.pattern import PLACES, Pattern

_PLACES: Final = range(PLACES)
# Sets, for a number that is no byte must not be looked for among bytes.
_ALL: Final = frozenset(CARDS)
_CHALLENGES: Final = frozenset(CHALLENGES)
_PATTERN: Final = frozenset(PATTERN_CARDS)
_COUNTED: Final = range(100_000)
"""Rounds, turns and cents: more than any match has."""
_MOST_TAKEN: Final = 3
_CHOICES: Final = (Phase.DECLARE, Phase.TAKE, Phase.CHALLENGE, Phase.LAY)


def nonsense(
    seats: int | None, events: Sequence[Event], view: View | None, outcome: Outcome | None
) -> str:
    """See `Face.nonsense`."""
    if seats is None:
        seats = max(SEATS) if view is None else len(view.won)
    possible = Possible(SEATS, _can_happen, _can_be_the_end, _wrong_in_view)
    return sensible.nonsense(possible, seats, events, view, outcome)


# Events ------------------------------------------------------------------------------------------


def _can_happen(event: Event, seats: range) -> bool:
    match event:
        case Seen():
            return True
        case RoundBegan():
            known = len(event.targets) == len(seats) and _all_in(event.targets, TARGETS)
            return event.round in _COUNTED and known and _is_new_wheel(event)
        case TurnBegan():
            return event.turn in _COUNTED and _is_deck(event.left)
        case Reshuffled():
            return _is_new_wheel(event)
        case Idled():
            return event.turns >= 0
        case Drew() | WentOut():
            return event.card in _ALL
        case Aimed():
            return event.place is None or event.place in _PLACES
        case Filled():
            return event.place in _PLACES and event.card in _PATTERN
        case Banked():
            return _visits_can_be(event.visits, seats)
        case _:
            return event.seat in seats and _can_be_done(event, seats)


def _can_be_done(
    event: WasReady | Found | Replaced | Shot | Clicked | Passed | Declared | Won | Used | WasLaid,
    seats: range,
) -> bool:
    match event:
        case WasReady() | Replaced() | Passed():
            return True
        case Found():
            return event.card in _CHALLENGES
        case Clicked():
            return event.card in _PATTERN
        case Shot():
            both = event.card in _PATTERN and event.covered in _PATTERN
            return event.place in _PLACES and both
        case Declared():
            return event.anchors in range(PLACES + 1) and _is_pattern(event.pattern)
        case Won():
            return event.card in _ALL and (event.place is None or event.place in _PLACES)
        case WasLaid():
            both = event.card in _PATTERN and event.covered in (0, *_PATTERN)
            return event.place in _PLACES and both
        case Used():
            cards = all(card is None or card in _ALL for card in (event.wanted, event.given))
            victim = event.victim is None or event.victim in seats
            return event.challenge in _CHALLENGES and cards and victim and event.cents in _COUNTED
        case _:
            assert_never(event)


def _is_pattern(pattern: Pattern | None) -> bool:
    return pattern is None or pattern.is_well_formed


def _is_new_wheel(event: RoundBegan | Reshuffled) -> bool:
    wheel = len(event.wheel) == PLACES and _all_in(event.wheel, _PATTERN)
    return wheel and _is_deck(event.left) and _all_in(event.gone, _CHALLENGES)


def _is_deck(left: int) -> bool:
    return left in range(len(CARDS) + 1)


def _all_in(found: Iterable[int], known: Iterable[int]) -> bool:
    return set(found) <= set(known)


def _visits_can_be(visits: Sequence[Visit], seats: range) -> bool:
    whose = [visit.seat for visit in visits]
    return len(set(whose)) == len(whose) and all(_visit_can_be(visit, seats) for visit in visits)


def _visit_can_be(visit: Visit, seats: range) -> bool:
    money = visit.paid in _COUNTED and visit.money in _COUNTED
    cards = _all_in(visit.cards, _PATTERN) and len(set(visit.cards)) == len(visit.cards)
    return visit.seat in seats and money and cards and visit.target in TARGETS


def _can_be_the_end(outcome: Outcome, seats: int) -> bool:
    scores = len(outcome.scores) == seats and all(cents in _COUNTED for cents in outcome.scores)
    return scores and can_have_won(outcome.winners, seats)


# Views -------------------------------------------------------------------------------------------


def _wrong_in_view(view: View, seats: int) -> str:
    if not all(seat is None or seat in range(seats) for seat in _seats_named(view)):
        return "a seat beyond the table"
    if any(len(row) != seats for row in _rows(view)):
        return "a row of another length than there are seats"
    if not _numbers_can_be(view):
        return "numbers that cannot be"
    if not _cards_can_be(view):
        return "cards that cannot be"
    if not _visits_can_be(view.bank, range(seats)):
        return "a visit to the Bank that cannot be"
    if view.outcome is not None and not _can_be_the_end(view.outcome, seats):
        return "an outcome that cannot be"
    return "" if _choice_can_be(view) else "a choice that nobody has"


def _seats_named(view: View) -> tuple[int | None, ...]:
    return view.seat, view.acting, view.clicker, view.winner, view.ended_by


def _rows(view: View) -> tuple[Sequence[object], ...]:
    cards = (view.targets, view.won, view.challenges, view.money)
    return *cards, view.standing, view.in_hand, view.waiting, view.done


def _numbers_can_be(view: View) -> bool:
    counted = all(number in _COUNTED for number in _counts(view))
    places = all(at is None or at in _PLACES for at in (view.place, view.barred))
    aimed = view.aimed is None or view.aimed in range(-1, PLACES)
    return counted and places and aimed and _is_deck(view.left) and 0 <= view.takes <= _MOST_TAKEN


def _counts(view: View) -> tuple[int, ...]:
    return view.round, view.turn, view.idle, view.levels, *view.money


def _cards_can_be(view: View) -> bool:
    lying = [card for card in chain(view.wheel, *view.won, *view.challenges) if card]
    one_each = len(set(lying)) == len(lying)
    won = _all_in(chain(*view.won), _PATTERN)
    held = _all_in(chain(*view.challenges), _CHALLENGES)
    wheel = len(view.wheel) == PLACES and _all_in(view.wheel, (0, *_PATTERN))
    single = _all_in((view.covered, view.clicked), (0, *_PATTERN))
    mine = view.card in (0, *_ALL) and _all_in(view.out, _ALL)
    return (
        one_each and won and held and wheel and single and mine and _all_in(view.targets, TARGETS)
    )


def _choice_can_be(view: View) -> bool:
    """Whoever is to choose is named, has the card that is to be laid, and something to take."""
    if view.phase not in _CHOICES:
        return view.phase is not Phase.CLICKED or (view.clicked != 0 and view.clicker is not None)
    if view.acting is None:
        return False
    if view.phase is Phase.DECLARE:
        return view.place is not None and view.wheel[view.place] != 0
    mine = view.acting == view.seat
    return not (view.phase is Phase.LAY and mine) or view.card in _PATTERN
