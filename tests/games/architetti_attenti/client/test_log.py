"""Every event of real matches becomes a line of the log."""

from typing import get_args

import pytest

from clocktowers_tui.games.architetti_attenti.log import phrase
from protocol.games.architetti_attenti import (
    Bought,
    Dealt,
    Discarded,
    Event,
    Options,
    Placed,
    Revealed,
)
from protocol.ids import Seat
from tests.games.architetti_attenti.matches import played

NAMES = ("Ann", "Björn", "Chiara", "Dmitri")
DEALT = Dealt(1, b"\1\2\3\4", 44, Options())

LINES = [
    (DEALT, "The tiles are laid out; Björn begins"),
    (Bought(1, 1, 2, 0, 0), "Björn bought a house and a park"),
    (Bought(1, 3, 2, 2, 0), "Björn bought a house and a park for 2 gems"),
    (Bought(1, 1, 2, 0, 3), "Björn bought a house and a park and got 3 gems"),
    (Bought(1, 4, 10, 3, 1), "Björn bought two tracks for 3 gems and got 1 gem"),
    (Placed(1, 2, 0, 7), "Björn built a house and a park on a1 a2"),
    (Placed(1, 2, 48, 47), "Björn built a house and a park on f7 g7"),
    (Discarded(1, 2), "Björn had no room: the tile is gone"),
    (Revealed(1), ""),
]


@pytest.mark.parametrize(("event", "line"), LINES)
def test_events_in_words(event: Event, line: str) -> None:
    assert phrase(event, NAMES, Seat(0)) == line
    assert phrase(event, NAMES, None) == line


OWN = [
    (DEALT, "The tiles are laid out; you begin"),
    (Bought(1, 2, 9, 1, 1), "You bought a house and a station for 1 gem and got 1 gem"),
    (Placed(1, 2, 0, 1), "You built a house and a park on a1 b1"),
    (Discarded(1, 2), "You had no room: the tile is gone"),
]


@pytest.mark.parametrize(("event", "line"), OWN)
def test_ones_own_seat_is_you(event: Event, line: str) -> None:
    assert phrase(event, NAMES, Seat(1)) == line


def test_no_event_is_without_an_example() -> None:
    assert {type(event) for event, _ in LINES} == set(get_args(Event))


@pytest.mark.parametrize("seats", [1, 4])
def test_nothing_of_a_match_goes_untold(seats: int) -> None:
    events = played(seats, Options(), seed=5).events
    told = [line for event in events if (line := phrase(event, NAMES, Seat(0)))]
    # The deal, and for each turn a purchase and what became of the tile; not the new one.
    assert len(told) == 1 + 2 * 22 * seats
    assert all(line.replace("ö", "o").isascii() for line in told)
