"""Where the cards of a hand stand, in real matches."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.clocktowers.hand import slots
from clocktowers_tui.games.clocktowers.holding import NEW_HAND, Holding, holding
from protocol.games.clocktowers import Drew, Options, TurnOrder, View
from tests.games.clocktowers.matches import Match

ORDERS = pytest.mark.parametrize("order", TurnOrder)


@ORDERS
def test_a_card_keeps_its_place_and_the_next_takes_that_of_the_last(order: TurnOrder) -> None:
    match = Match(3, Options(turn_order=order), seed=3)
    before: View | None = None
    held, drew = NEW_HAND, 0
    while not match.over():
        view = match.view()
        last, held = held, holding(view, before, held)
        assert sorted(held.hand) == sorted(view.hand)
        if before is not None and any(view.left) and slots(before) == slots(view):
            stood, stands = (_places(one, slots(view)) for one in (last, held))
            moved = [
                n for n, pair in enumerate(zip(stood, stands, strict=True)) if len({*pair}) > 1
            ]
            assert len(moved) <= 1
            drew += len(moved)
        before = view
        match.play_one()
    assert drew


@ORDERS
def test_the_card_drawn_last_is_new_while_it_is_held(order: TurnOrder) -> None:
    match = Match(3, Options(turn_order=order), seed=3)
    before: View | None = None
    held, marked = NEW_HAND, 0
    while any((view := match.view()).left):
        held = holding(view, before, held)
        drawn = [e.card for e in match.events if isinstance(e, Drew) and e.seat == 0]
        if held.new >= 0:
            assert drawn[-1] == _places(held, slots(view))[held.new]
        else:
            assert not drawn or drawn[-1] not in view.hand or match.events[-1] is not drawn[-1]
        marked += held.new >= 0
        before = view
        match.play_one()
    assert marked


def test_what_is_taken_back_is_not_new_and_stands_where_it_stood() -> None:
    match = Match(3, Options(first_seat=0), seed=3)
    first = match.view()
    held = holding(first, None, NEW_HAND)
    played = replace(first, hand=first.hand[:1] + first.hand[2:])
    without = holding(played, first, held)
    assert holding(first, played, without) == Holding(first.hand, 1)


def _places(held: Holding, slots: int) -> list[int]:
    """The card at each place, 0 at the one that is empty."""
    hand = [*held.hand]
    if len(hand) < slots:
        hand.insert(held.gap, 0)
    return [*hand, *[0] * (slots - len(hand))]
