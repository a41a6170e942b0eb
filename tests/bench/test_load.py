"""`bench.load` plays whole games over real sockets and counts what it says; no absolute times."""

import json
from pathlib import Path

import pytest

from bench.load.__main__ import MAX_BYTES_PER_MOVE, main

MOVES = 58 + 52
"""Of a game: one card a turn, then as many draws as the piles have cards."""


@pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="the server is measured through /proc"
)
def test_a_move_costs_no_more_bytes_than_it_may(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    asked = ["--matches", "4", "--seconds", "1", "--journal", "memory"]
    assert main([*asked, "--json", str(file)]) == 0
    server = json.loads(file.read_bytes())["server"][0]["server"]
    assert server["games"] >= 4 and server["moves"] == server["games"] * MOVES
    # A view of the whole table cannot be much smaller: below that something was not counted.
    assert MAX_BYTES_PER_MOVE / 4 < server["bytes_per_move"] <= MAX_BYTES_PER_MOVE
    sent = server["move_bytes"] + server["other_bytes"]
    assert server["bytes_per_move"] == sent / server["moves"]
    assert 0 < server["other_bytes"] < server["move_bytes"]
