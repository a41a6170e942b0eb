"""What a face makes of a match as it goes: news, where cards stand, and peaks."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.clocktowers.hand import NEW_HAND, Holding, holding, slots
from clocktowers_tui.games.clocktowers.log import NO_NEWS, looked_at, news
from clocktowers_tui.games.clocktowers.scene import Roof, Win, peak
from protocol.games.clocktowers import Completed, Discarded, Drew, Options, Played, TurnOrder, View
from tests.games.clocktowers.matches import TowerMatch
from tests.stage.staged import Staged


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("order", TurnOrder)
def test_news_are_what_the_events_tell(seats: int, order: TurnOrder) -> None:
    match = TowerMatch(seats, Options(turn_order=order), seed=3)
    before = since = None
    told = 0
    while not match.over():
        view = match.view()
        since = looked_at(view, before, since)
        if before is not None and before.turn == 0 and view.turn != 0:
            told = len(match.events)
        others = [event for event in match.events[told:] if getattr(event, "seat", 0) != 0]
        if told:
            found = news(view, since)
            assert found.towers == {(e.seat, e.tower) for e in others if isinstance(e, Played)}
            assert found.piles == {e.pile for e in others if isinstance(e, Drew)}
            assert found.thrown == {e.seat for e in others if isinstance(e, Discarded)}
        before = view
        match.play_one()
    assert told


def test_first_there_is_no_news_nor_in_another_match() -> None:
    late, early = TowerMatch(3, Options(), seed=3), TowerMatch(3, Options(), seed=4)
    for _ in range(30):
        late.play_one()
    view: View = late.view()
    assert news(view, looked_at(view, None, None)) == NO_NEWS
    fresh = early.view()
    assert news(fresh, looked_at(fresh, view, view)) == NO_NEWS


def test_who_watches_sees_the_last_action() -> None:
    match = TowerMatch(3, Options(first_seat=0), seed=3, seat=None)
    before = match.view()
    match.play_one()
    view = match.view()
    found = news(view, looked_at(view, before, before))
    assert found.towers or found.thrown
    assert not news(view, looked_at(view, None, None)).towers


# Where the cards of a hand stand ------------------------------------------------------------------


ORDERS = pytest.mark.parametrize("order", TurnOrder)


@ORDERS
def test_a_card_keeps_its_place_and_the_next_takes_that_of_the_last(order: TurnOrder) -> None:
    match = TowerMatch(3, Options(turn_order=order), seed=3)
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
    match = TowerMatch(3, Options(turn_order=order), seed=3)
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
    match = TowerMatch(3, Options(first_seat=0), seed=3)
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


# Peaks --------------------------------------------------------------------------------------------


def test_every_roof_of_a_match_is_a_peak_and_the_win_is_the_last() -> None:
    staged = Staged(3, 23)  # one has the most points at its end
    found, told, before = [], [], staged.view()
    while not staged.over:
        heard = len(staged.heard())
        staged.play_one()
        after = staged.view()
        found.append(peak(before, after))
        events = [one for one in staged.heard()[heard:] if isinstance(one, Completed)]
        told += [Roof(one.seat, one.tower, one.points) for one in events if not staged.over]
        before = after
    assert told, "a match with roofs"
    winner = staged.outcome().winners[0]
    assert [one for one in found if one is not None] == [*told, Win(winner)]


def test_after_an_absence_nothing_is_played() -> None:
    staged = Staged(3, 21)
    before = staged.view()
    staged.play(60)
    assert sum(map(any, (town.points for town in staged.view().towns))) > 1
    assert peak(before, staged.view()) is None
