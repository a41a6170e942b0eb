"""The deal: cards complete, sizes by players, the documented order of the stream."""

import hashlib
from collections import Counter

import pytest

from protocol.games.clocktowers import COPIES, PILES, Dealt, Options, View
from server.games.clocktowers.setup import check_options, opening, rematch_options, setup
from server.games.clocktowers.view import view
from tests.games.clocktowers.positions import SEED, cards


@pytest.mark.parametrize(
    ("seats", "sizes"), [(2, [19, 16, 17]), (3, [17, 15, 17]), (4, [15, 14, 17])]
)
def test_pile_sizes(seats: int, sizes: list[int]) -> None:
    state = setup(Options(), seats, SEED)
    assert [len(pile) for pile in state.deal.piles] == sizes == state.left
    assert [len(out) for out in state.deal.removed] == [5, 3]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_card_of_the_box_is_somewhere(seats: int) -> None:
    state = setup(Options(), seats, SEED)
    hands = b"".join(bytes(hand) for hand in state.hands)
    box = b"".join((*state.deal.piles, *state.deal.removed, hands))
    assert Counter(box) == {card: copies for card, copies in enumerate(COPIES) if copies}
    for pile, content in enumerate(state.deal.piles):
        assert {PILES[card] for card in content} == {pile}


def test_start_hands() -> None:
    assert setup(Options(), 3, SEED).hands == [list(cards("1c 1m Km"))] * 3


class PlainStream:
    """The stream as PROTOCOL.md words it, written a second time."""

    def __init__(self, seed: bytes) -> None:
        blocks = [hashlib.sha256(seed + n.to_bytes(4, "big")).digest() for n in range(40)]
        text = b"".join(blocks)
        self.words = [int.from_bytes(text[i : i + 8], "big") for i in range(0, len(text), 8)]

    def below(self, n: int) -> int:
        while (word := self.words.pop(0)) >= 2**64 // n * n:
            pass
        return word % n

    def shuffled(self, some: list[int]) -> list[int]:
        for last in reversed(range(1, len(some))):
            other = self.below(last + 1)
            some[last], some[other] = some[other], some[last]
        return some


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", [bytes(32), SEED, b"\xff" * 32])
def test_the_documented_order(seats: int, seed: bytes) -> None:
    stream = PlainStream(seed)
    floors, clocks, roofs = (
        [
            card
            for card in range(1, 14)
            for _ in range(COPIES[card] - (seats if card in cards("1c 1m Km") else 0))
            if PILES[card] == pile
        ]
        for pile in range(3)
    )
    floors, clocks, roofs = (stream.shuffled(pile) for pile in (floors, clocks, roofs))
    first = stream.below(seats)
    deal = setup(Options(), seats, seed).deal
    assert deal.removed == (bytes(floors[:5]), bytes(roofs[:3]))
    assert deal.piles == (bytes(floors[5:]), bytes(clocks), bytes(roofs[3:]))
    assert deal.first_seat == first


def test_cards_do_not_depend_on_who_begins() -> None:
    deals = [setup(Options(first_seat=first), 4, SEED).deal for first in (None, 0, 3)]
    assert len({(deal.piles, deal.removed) for deal in deals}) == 1
    assert [deal.first_seat for deal in deals[1:]] == [0, 3]


def test_a_first_seat_that_nobody_chose_is_any() -> None:
    drawn = {setup(Options(), 4, bytes([n]) * 32).deal.first_seat for n in range(40)}
    assert drawn == {0, 1, 2, 3}


def test_opening_shows_tops_and_sizes_to_everybody() -> None:
    options = Options(first_seat=1)
    state = setup(options, 2, SEED)
    (told,) = opening(state)
    tops = bytes(pile[0] for pile in state.deal.piles)
    assert told.to is None
    assert told.event == Dealt(1, tops, bytes((19, 16, 17)), options)
    seen: View = view(state, None)
    assert (seen.piles, seen.left) == (tops, bytes((19, 16, 17)))


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (Options(), None),
        (Options(first_heights=(2,), first_seat=1), None),
        (Options(first_heights=(1,)), "first_heights"),
        (Options(first_heights=(2, 1)), "first_heights"),
        (Options(first_heights=()), "first_heights"),
        (Options(first_seat=2), "first_seat"),
    ],
)
def test_check_options(options: Options, wrong: str | None) -> None:
    assert check_options(options, 2) == wrong


def test_the_next_seat_begins_a_rematch() -> None:
    options = Options(first_heights=(2,))
    first = setup(options, 3, SEED).deal.first_seat
    again = rematch_options(options, 3, SEED)
    assert again == Options(first_heights=(2,), first_seat=(first + 1) % 3)
    assert rematch_options(again, 3, SEED).first_seat == (first + 2) % 3
