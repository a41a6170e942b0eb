"""The deal again from the seed: true for a real match, false for any tile that is another."""

from collections.abc import Sequence
from functools import cache

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.architetti_attenti.proof import same_deal
from protocol.games.architetti_attenti import Dealt, End, Event, Options, Revealed, View
from tests.games.architetti_attenti import matches

SEED = bytes([5]) * 32
OTHER_SEED = bytes([6]) * 32


@cache
def played(
    seats: int = 3, seat: int | None = 0, first_seat: int | None = None, end: End = End.AT_ONCE
) -> tuple[Sequence[Event], View]:
    """All events and the last view of a match dealt from SEED."""
    match = matches.played(seats, Options(first_seat=first_seat, end=end), 5, seat)
    return tuple(match.events), match.view()


def reveals(events: Sequence[Event]) -> list[int]:
    return [at for at, event in enumerate(events) if isinstance(event, Revealed)]


def with_event(events: Sequence[Event], at: int, event: Event) -> list[Event]:
    return [*events[:at], event, *events[at + 1 :]]


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("seat", [0, None])
@pytest.mark.parametrize("end", End)
def test_a_real_match_is_dealt_from_its_seed(seats: int, seat: int | None, end: End) -> None:
    for first_seat in (0, None):
        events, view = played(seats, seat, first_seat, end)
        assert same_deal(events, view, SEED) is True
        assert same_deal(events, view, OTHER_SEED) is False


def test_every_single_new_tile_is_compared() -> None:
    events, view = played()
    for at in reveals(events):
        event = events[at]
        assert isinstance(event, Revealed)
        # Another tile of the pile may come by later, but then one is missing at its end.
        wrong = with_event(events, at, Revealed(event.tile % 15 + 1))
        assert same_deal(wrong, view, SEED) is False


def test_the_order_of_the_pile_is_compared() -> None:
    events, view = played()
    tiles = [events[at] for at in reveals(events)]
    first, last = next(
        (one, other)
        for one in range(len(tiles))
        for other in range(one + 1, len(tiles))
        if tiles[one] != tiles[other]
    )
    at, to = reveals(events)[first], reveals(events)[last]
    swapped = with_event(with_event(events, at, events[to]), to, events[at])
    assert same_deal(swapped, view, SEED) is False


def test_more_tiles_than_there_are_are_not_of_the_seed() -> None:
    events, view = played()
    assert same_deal([*events, events[reveals(events)[-1]]], view, SEED) is False


def test_first_seat_row_and_count_are_compared() -> None:
    events, view = played()
    dealt = events[0]
    assert isinstance(dealt, Dealt)
    for wrong in (
        replace(dealt, first_seat=(dealt.first_seat + 1) % 3),
        replace(dealt, row=bytes((dealt.row[0] % 15 + 1, *dealt.row[1:]))),
        replace(dealt, row=b""),
        replace(dealt, left=dealt.left + 1),
    ):
        assert same_deal(with_event(events, 0, wrong), view, SEED) is False


def test_the_removed_tiles_are_compared() -> None:
    events, view = played()
    assert len(view.removed) == 2
    for at, tile in enumerate(view.removed):
        removed = view.removed[:at] + bytes((tile % 15 + 1,)) + view.removed[at + 1 :]
        assert same_deal(events, replace(view, removed=removed), SEED) is False


def test_a_gap_leaves_it_open_and_accuses_nobody() -> None:
    events, view = played()
    for at in reveals(events):
        assert same_deal([*events[:at], *events[at + 1 :]], view, SEED) is None
    assert same_deal(events[1:], view, SEED) is None
    assert same_deal(events, replace(view, removed=b""), SEED) is None
    assert same_deal((), view, SEED) is None


def test_before_the_end_it_is_open_also_where_no_tile_was_removed() -> None:
    match = matches.Match(2, Options(), seed=5)
    while not match.over():
        assert same_deal(match.events, match.view(), SEED) is None
        match.play_one()
    assert match.view().removed == b""
    assert same_deal(match.events, match.view(), SEED) is True


def test_a_gap_does_not_hide_a_wrong_tile() -> None:
    events, view = played()
    assert same_deal(events[: len(events) // 2], view, OTHER_SEED) is False


@pytest.mark.parametrize("boards", [0, 5])
def test_a_table_of_no_size_is_not_of_the_seed(boards: int) -> None:
    events, view = played()
    assert same_deal(events, replace(view, boards=view.boards[:1] * boards), SEED) is False
