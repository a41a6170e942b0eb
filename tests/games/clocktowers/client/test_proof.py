"""The deal again from the seed: true for a real match, false for any card that is another."""

from collections.abc import Sequence
from functools import cache

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.clocktowers.proof import same_deal
from protocol.games.clocktowers import Dealt, Drew, Event, Options, View
from tests.games.clocktowers.matches import Match

SEED = bytes([5]) * 32
OTHER_SEED = bytes([6]) * 32


@cache
def played(
    seats: int = 2, seat: int | None = 0, first_seat: int | None = None
) -> tuple[Sequence[Event], View]:
    """All events and the last view of a match dealt from SEED."""
    match = Match(seats, Options(first_seat=first_seat), seed=5, seat=seat)
    while not match.over():
        match.play_one()
    return tuple(match.events), match.view()


def draws(events: Sequence[Event]) -> list[int]:
    return [at for at, event in enumerate(events) if isinstance(event, Drew)]


def with_event(events: Sequence[Event], at: int, event: Event) -> list[Event]:
    return [*events[:at], event, *events[at + 1 :]]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seat", [0, None])
@pytest.mark.parametrize("first_seat", [1, None])
def test_a_real_match_is_dealt_from_its_seed(
    seats: int, seat: int | None, first_seat: int | None
) -> None:
    events, view = played(seats, seat, first_seat)
    assert same_deal(events, view, SEED) is True
    assert same_deal(events, view, OTHER_SEED) is False


def test_every_single_draw_is_compared() -> None:
    events, view = played()
    for at in draws(events):
        drew = events[at]
        assert isinstance(drew, Drew)
        for wrong in (replace(drew, card=drew.card % 13 + 1), replace(drew, top=drew.top + 1)):
            assert same_deal(with_event(events, at, wrong), view, SEED) is False


def test_the_order_of_a_pile_is_compared() -> None:
    events, view = played()
    floors = [at for at in draws(events) if getattr(events[at], "pile", None) == 0]
    first, last = floors[0], floors[-1]
    swapped = with_event(with_event(events, first, events[last]), last, events[first])
    assert same_deal(swapped, view, SEED) is False


@pytest.mark.parametrize("pile", [-1, 3, 200])
def test_a_draw_from_no_pile_is_not_of_the_seed(pile: int) -> None:
    events, view = played()
    at = draws(events)[0]
    wrong = Drew(0, pile, 300, 7)
    assert same_deal(with_event(events, at, wrong), view, SEED) is False


def test_more_draws_than_cards_are_not_of_the_seed() -> None:
    events, view = played()
    assert same_deal([*events, events[draws(events)[-1]]], view, SEED) is False


def test_first_seat_tops_and_counts_are_compared() -> None:
    events, view = played()
    dealt = events[0]
    assert isinstance(dealt, Dealt)
    for wrong in (
        replace(dealt, first_seat=1 - dealt.first_seat),
        replace(dealt, piles=bytes((dealt.piles[0] % 6 + 1, *dealt.piles[1:]))),
        replace(dealt, left=bytes((dealt.left[0] + 1, *dealt.left[1:]))),
        replace(dealt, piles=b""),
    ):
        assert same_deal(with_event(events, 0, wrong), view, SEED) is False


def test_the_removed_cards_are_compared() -> None:
    events, view = played()
    assert len(view.removed) == 8
    for at, card in enumerate(view.removed):
        removed = view.removed[:at] + bytes((card % 13 + 1,)) + view.removed[at + 1 :]
        assert same_deal(events, replace(view, removed=removed), SEED) is False


def test_a_gap_leaves_it_open_and_accuses_nobody() -> None:
    events, view = played()
    for at in draws(events):
        assert same_deal([*events[:at], *events[at + 1 :]], view, SEED) is None
    assert same_deal(events[1:], view, SEED) is None
    assert same_deal(events, replace(view, removed=b""), SEED) is None
    assert same_deal((), view, SEED) is None


def test_a_gap_does_not_hide_a_wrong_card() -> None:
    events, view = played()
    assert same_deal(events[: len(events) // 2], view, OTHER_SEED) is False


@pytest.mark.parametrize("hands", [b"", bytes(1), bytes(5)])
def test_a_table_of_no_size_is_not_of_the_seed(hands: bytes) -> None:
    events, view = played()
    assert same_deal(events, replace(view, hands=hands), SEED) is False
