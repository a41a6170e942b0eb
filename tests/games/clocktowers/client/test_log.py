"""Every event of real matches becomes a line of the log."""

from typing import get_args

import pytest

from clocktowers_tui.games.clocktowers.log import phrase
from protocol.games.clocktowers import (
    CODES,
    Completed,
    Dealt,
    Discarded,
    Drew,
    Event,
    Options,
    Played,
    YouDiscarded,
)
from protocol.ids import Seat
from tests.games.clocktowers.boards import NAMES
from tests.games.clocktowers.matches import Match


def code(card: str) -> int:
    return CODES.index(card)


LINES = [
    (Dealt(1, b"\1\7\x0b", b"\x0f\x0e\x11", Options()), "The cards are dealt; Björn begins"),
    (Played(1, code("2c"), 3, 4), "Björn puts a double floor with a cat on tower 4"),
    (Played(1, code("2c"), 3, 2), "Björn starts tower 4: a double floor with a cat"),
    (Played(1, code("K-"), 3, 2), "Björn puts a clock on tower 4"),
    (Played(1, code("Rb"), 3, 4), ""),
    (
        Completed(1, 3, code("Rb"), 4, 3, 5),
        "Björn completes tower 4 (blue, 4 floors): 3 points",
    ),
    (Discarded(1), "Björn discards a card"),
    (Discarded(0), ""),
    (YouDiscarded(code("Km")), "You discard a clock with a mouse"),
    (Drew(1, 2, code("Rg"), code("Rb")), "Björn draws a green roof"),
    (Drew(1, 2, code("Rg"), 0), "Björn draws a green roof; no roofs are left"),
]


@pytest.mark.parametrize(("event", "line"), LINES)
def test_events_in_words(event: Event, line: str) -> None:
    assert phrase(event, NAMES, Seat(0)) == line


OWN = [
    (Dealt(0, b"\1\7\x0b", b"\x0f\x0e\x11", Options()), "The cards are dealt; you begin"),
    (Played(0, code("2c"), 3, 4), "You put a double floor with a cat on tower 4"),
    (Played(0, code("2c"), 3, 2), "You start tower 4: a double floor with a cat"),
    (
        Completed(0, 3, code("Rb"), 4, 3, 5),
        "You complete tower 4 (blue, 4 floors): 3 points",
    ),
    (Drew(0, 2, code("Rg"), code("Rb")), "You draw a green roof"),
]


@pytest.mark.parametrize(("event", "line"), OWN)
def test_ones_own_seat_is_you(event: Event, line: str) -> None:
    assert phrase(event, NAMES, Seat(0)) == line


def test_no_event_is_without_an_example() -> None:
    assert {type(event) for event, _ in LINES} == set(get_args(Event))


def test_nothing_of_a_match_goes_untold() -> None:
    match = Match(4, Options(), seed=5)
    while not match.over():
        match.play_one()
    told = [phrase(event, NAMES, Seat(0)) for event in match.events]
    assert sum(map(bool, told)) > 100
    assert all(line.replace("ö", "o").isascii() for line in told)


def test_a_discard_of_ones_own_is_told_once_and_watchers_see_every_one() -> None:
    assert phrase(Discarded(0), NAMES, None) == "Ann discards a card"
