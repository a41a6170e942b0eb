"""The oracle of Architetti Attenti itself, against boards counted by hand."""

from random import Random

import pytest

from tests.games.architetti_attenti.oracle.oracle import (
    board_of,
    cannot_be_cut_off,
    joints,
    networks,
    parts,
    tried_paths,
    where,
)


def board(*rows: str) -> tuple[str, ...]:
    """A board by its upper rows; what is not said is free."""
    filled = [row.ljust(7, ".") for row in (*rows, *[""] * (7 - len(rows)))]
    filled[3] = filled[3][:3] + "M" + filled[3][4:]
    return board_of(" ".join(filled))


def counted(what: str, *rows: str, **options: str) -> int:
    return parts(board(*rows), 0, options)[what]


@pytest.mark.parametrize(
    ("rows", "network", "stretch"),
    [
        (["X+++++X"], 10, 10),
        # Neighbouring stations are not joined: these are two networks.
        (["X+XX+X"], 4, 4),
        # They may still be joined by tracks.
        (["XX", "++"], 4, 4),
        # Dead: with one station or none, beyond a station, beside the way, corner to corner.
        (["+++"], 0, 0),
        (["+X+X+"], 2, 2),
        (["X+X", ".+.", "++."], 2, 2),
        (["X+", "..+X"], 0, 0),
        # A loop on one station, beside a live track.
        (["++", "+X+X"], 2, 2),
        # A loop that hangs on one track; one through which a way leads; one around stations.
        (["X+X", ".+.", ".++", ".++"], 2, 2),
        (["X+++X", ".+++"], 12, 12),
        (["X+X", "+.+", "+++"], 12, 12),
        # More than two stations: passed on the way, around one track, at a fork.
        (["X+X+X"], 6, 4),
        ([".X.", "X+X", ".X."], 4, 2),
        (["X++X", ".+", "XX"], 9, 6),
        # Two networks are counted apart.
        (["X+X+X", "", "X++X+"], 10, 8),
    ],
)
def test_rails(rows: list[str], network: int, stretch: int) -> None:
    assert counted("rails", *rows) == counted("rails", *rows, rails="network") == network
    assert counted("rails", *rows, rails="stretch") == stretch


def test_both_ways_to_find_live_tracks_agree() -> None:
    """Where every path can be walked, Menger's reading names the same tracks."""
    rng, live = Random("paths"), 0
    for _ in range(300):
        kinds = rng.choices(".+X", weights=(rng.random(), 1, 0.4), k=49)
        kinds[24] = "M"
        crowded = board_of(" ".join("".join(kinds[r : r + 7]) for r in range(0, 49, 7)))
        joined, stations = joints(crowded), set(where(crowded, "X"))
        for network in networks(joined):
            if len(network) <= 20:
                tracks = tried_paths(network, joined, stations)
                assert tracks == cannot_be_cut_off(network, joined, stations)
                live += len(tracks)
    assert live > 500
