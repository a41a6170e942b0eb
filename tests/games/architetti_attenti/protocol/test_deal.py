"""The deal: every tile once, as many as the rules page says, and the same for the same seed."""

from collections import Counter

import pytest

from protocol.games.architetti_attenti import COPIES, SEATS, TILES, Kind
from protocol.games.architetti_attenti.deal import dealt, pool

SEED = bytes(range(32))


def test_a_sheet_has_twenty_four_tiles() -> None:
    assert (sum(COPIES), len(COPIES)) == (24, len(TILES))


def test_the_table_of_the_rules_page() -> None:
    page = {
        "house house": 6, "house park": 2, "house school": 2, "house bakery": 1,
        "house bookshop": 1, "house florist": 1, "house toys": 1, "house track": 1,
        "house station": 1, "track track": 2, "station track": 2, "bakery park": 1,
        "bookshop park": 1, "florist school": 1, "toys school": 1,
    }  # fmt: skip
    names = [" ".join(half.name.lower() for half in halves) for halves in TILES]
    assert dict(zip(names, COPIES, strict=True)) == {"free free": 0, **page}
    assert all(Kind.TOWN_HALL not in halves for halves in TILES)


@pytest.mark.parametrize(("seats", "sheets", "out"), [(1, 2, 22), (2, 2, 0), (3, 3, 2), (4, 4, 4)])
def test_what_is_drawn_and_what_stays_out(seats: int, sheets: int, out: int) -> None:
    dealing = dealt(seats, SEED)
    assert (len(dealing.row), len(dealing.pile), len(dealing.removed)) == (4, 22 * seats, out)
    tiles = Counter(dealing.row + dealing.pile + dealing.removed)
    assert tiles == {tile: count * sheets for tile, count in enumerate(COPIES) if count}


@pytest.mark.parametrize("seats", SEATS)
def test_the_same_seed_deals_the_same_and_another_does_not(seats: int) -> None:
    assert dealt(seats, SEED)[:3] == dealt(seats, SEED)[:3]
    assert dealt(seats, SEED)[:3] != dealt(seats, bytes(32))[:3]
    assert dealt(seats, SEED).row + dealt(seats, SEED).pile != pool(seats)
