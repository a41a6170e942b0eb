"""The deal from a seed, which a second reading of PROTOCOL.md makes again, and how tables that
played one deal are ranked."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from protocol import dealing
from protocol.dealing import SEED_BYTES, Stream, commitment, matchpoints
from protocol.games import architetti_attenti as attenti
from protocol.games.architetti_attenti import pool as attenti_pool
from protocol.games.clocktowers import Options
from protocol.games.clocktowers.cards import pool
from protocol.games.wild_wild_pattern import options as wild
from server.games.architetti_attenti.state import setup as attenti_setup
from server.games.clocktowers.state import setup
from tests.oracle.judging import numbers, shuffled
from tests.stage.document import blocks

seeds = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)


def below(stream: Iterator[int], n: int) -> int:
    """The second reading's draw; its stream and shuffle are the oracle's."""
    return next(word for word in stream if word < 2**64 - 2**64 % n) % n


# The vector ---------------------------------------------------------------------------------------


def vector(block: str) -> dict[str, list[str]]:
    """Each line of a vector of the document: what stands left, and the words to the right of it."""
    return {line[:13].strip(): line[14:].split() for line in block.splitlines()}


VECTOR, OF_TILES, OF_RACES = map(vector, blocks("vector"))
SEED = bytes.fromhex(VECTOR["seed"][0])


def cards_of(name: str) -> list[list[int]]:
    return [list(bytes.fromhex(cards.replace("-", ""))) for cards in VECTOR[name]]


def test_the_vector_is_what_the_program_deals() -> None:
    assert [commitment(SEED)] == VECTOR["sha256"]
    stream = Stream(SEED)
    assert [str(stream.below(6)) for _ in range(20)] == VECTOR["below(6)"]
    numbers = list(range(10))
    Stream(SEED).shuffle(numbers)
    assert [str(number) for number in numbers] == VECTOR["shuffle(0..9)"]


def test_the_vector_is_what_its_text_says() -> None:
    assert [hashlib.sha256(SEED).hexdigest()] == VECTOR["sha256"]
    stream = numbers(SEED)
    assert [f"{next(stream):016x}" for _ in range(6)] == VECTOR["words"]
    stream = numbers(SEED)
    assert [str(below(stream, 6)) for _ in range(20)] == VECTOR["below(6)"]
    assert [str(n) for n in shuffled(range(10), numbers(SEED))] == VECTOR["shuffle(0..9)"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_clocktowers_of_the_vector(seats: int) -> None:
    assert cards_of(f"{seats} pools") == [list(pool(pile, seats)) for pile in range(3)]
    deal = setup(Options(), seats, SEED).deal
    assert [[*deal.removed[0]], [], [*deal.removed[1]]] == cards_of(f"{seats} removed")
    assert [list(cards) for cards in deal.piles] == cards_of(f"{seats} piles")
    assert [str(deal.first_seat)] == VECTOR[f"{seats} first seat"]


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_architetti_attenti_of_the_vector(seats: int) -> None:
    [pool], row, pile, removed = (
        [bytes.fromhex(cards.replace("-", "")) for cards in OF_TILES[f"{seats} {name}"]]
        for name in ("pool", "row", "pile", "removed")
    )
    assert pool == bytes(attenti_pool(seats))
    deal = attenti_setup(attenti.Options(), seats, SEED).deal
    assert [deal.row, deal.pile, deal.removed] == [*row, *pile, *removed]
    assert [str(deal.first_seat)] == OF_TILES[f"{seats} first seat"]


@given(seeds)
def test_a_second_reading_deals_the_same_from_any_seed(seed: bytes) -> None:
    """And draws who begins after the cards, which the oracle of records does not look at."""
    for seats in (2, 3, 4):
        stream, deal = numbers(seed), setup(Options(), seats, seed).deal
        floors, clocks, roofs = (bytes(shuffled(pool(pile, seats), stream)) for pile in range(3))
        assert deal.piles == (floors[5:], clocks, roofs[3:])
        assert deal.removed == (floors[:5], roofs[:3])
        assert deal.first_seat == below(stream, seats)
    for seats in (1, 2, 3, 4):
        stream, tiles = numbers(seed), attenti_setup(attenti.Options(), seats, seed).deal
        assert tiles.row + tiles.pile + tiles.removed == bytes(
            shuffled(attenti_pool(seats), stream)
        )
        assert tiles.first_seat == below(stream, seats)


def of_races(name: str) -> list[int]:
    [cards] = OF_RACES[name]
    return list(bytes.fromhex(cards.replace("-", "")))


@pytest.mark.parametrize("shuffle", [0, 1])
def test_the_races_of_the_vector(shuffle: int) -> None:
    """That any seed deals them so is the oracle's to say."""
    stream = numbers(bytes(of_races(f"{shuffle} seed")))
    targets, cards = (of_races(f"{shuffle} {name}") for name in ("targets", "cards"))
    assert [targets, cards] == [shuffled(range(7), stream), shuffled(range(1, 48), stream)]
    laid = [of_races(f"{shuffle} {name}") for name in ("wheel", "deck", "gone")]
    deal = wild.round_deal(SEED, shuffle)
    assert [list(deal.targets), *map(list, deal.wheel)] == [targets, *laid]


def test_a_race_is_shuffled_again_as_in_the_vector() -> None:
    laid = [of_races(f"2 {name}") for name in ("wheel", "deck", "gone")]
    cards = bytes(reversed(of_races("2 from")))
    assert list(map(list, wild.reshuffled(SEED, 2, cards))) == laid


# Fairness -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "drawn", "number"),
    [
        (3, [2**64 - 1, 5], 2),
        (3, [2**64 - 2], 2),
        (6, [2**64 - 4, 2**64 - 1, 13], 1),
        (6, [2**64 - 5], 5),
        (2**63 + 1, [2**63 + 1, 2**64 - 1, 7], 7),
        (2**64, [2**64 - 1], 2**64 - 1),
        (8, [2**64 - 1], 7),
    ],
)
def test_words_from_the_last_multiple_on_are_thrown_away(
    n: int, drawn: list[int], number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = iter(drawn)
    monkeypatch.setattr(dealing, "_words", lambda seed: left)
    assert Stream(b"").below(n) == number
    assert list(left) == []


def test_the_deal_of_the_day_is_the_one_that_is_printed() -> None:
    seed = dealing.daily_seed("clocktowers", "2026-11-23")
    page = (Path(dealing.__file__).parent / "PROTOCOL.md").read_text()
    assert len(seed) == SEED_BYTES and f"`{seed.hex()}`" in page
    for other in (("clocktowers", "2026-11-24"), ("architetti_attenti", "2026-11-23")):
        assert dealing.daily_seed(*other) != seed


# Tables that played one deal are ranked -----------------------------------------------------------


def ranked(scores: list[list[int]]) -> list[list[int]]:
    """Where people sit everywhere."""
    return matchpoints(scores, [[True] * len(own) for own in scores])


def test_two_for_each_that_has_less_and_one_for_each_that_has_as_much() -> None:
    assert ranked([[9, 3], [7, 5]]) == [[2, 0], [0, 2]]
    assert ranked([[9, 3], [9, 3], [4, 8]]) == [[3, 1], [3, 1], [0, 4]]
    assert ranked([[5, 8]]) == [[0, 0]], "one table alone has nobody to beat"


def test_a_bot_gets_nothing_and_is_beaten_all_the_same() -> None:
    """Else a table would be better where the people's opponent is."""
    mixed = [[True, False], [True, True]]
    assert matchpoints([[9, 7], [9, 3]], [[True, False]] * 2) == [[1, 0], [1, 0]]
    assert matchpoints([[9, 3], [7, 5]], mixed) == [[2, 0], [0, 2]]


def test_the_points_of_a_seat_come_to_as_many_as_there_are_pairs_of_tables_twice() -> None:
    scores = [[5, 1, 9], [7, 1, 2], [7, 0, 2], [-3, 4, 2]]
    points = ranked(scores)
    assert [sum(seat) for seat in zip(*points, strict=True)] == [12, 12, 12]
