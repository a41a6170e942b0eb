"""What the others did since the player's turn, in real matches of every kind."""

import pytest

from clocktowers_tui.games.clocktowers.news import NO_NEWS, looked_at, news
from protocol.games.clocktowers import Discarded, Drew, Options, Played, TurnOrder, View
from tests.games.clocktowers.matches import Match


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("order", TurnOrder)
def test_news_are_what_the_events_tell(seats: int, order: TurnOrder) -> None:
    match = Match(seats, Options(turn_order=order), seed=3)
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
    late, early = Match(3, Options(), seed=3), Match(3, Options(), seed=4)
    for _ in range(30):
        late.play_one()
    view: View = late.view()
    assert news(view, looked_at(view, None, None)) == NO_NEWS
    fresh = early.view()
    assert news(fresh, looked_at(fresh, view, view)) == NO_NEWS


def test_who_watches_sees_the_last_action() -> None:
    match = Match(3, Options(first_seat=0), seed=3, seat=None)
    before = match.view()
    match.play_one()
    view = match.view()
    found = news(view, looked_at(view, before, before))
    assert found.towers or found.thrown
    assert not news(view, looked_at(view, None, None)).towers
