"""`bench` plays whole games over real sockets and counts what it says; no absolute times."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bench import beside
from bench.load.__main__ import MAX_BYTES_PER_MOVE, main
from bench.load.figures import JOURNALS

MATCHES, GAMES = 4, 2
MOVES_OF_A_GAME = 58 + 52
"""One card a turn, 58 turns; then the draws, as many as the piles have cards."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Any:
    if not Path("/proc/self/statm").exists():
        pytest.skip("the server is measured through /proc")
    file = tmp_path_factory.mktemp("bench") / "figures.json"
    asked = ["--only", "server", "--matches", str(MATCHES), "--games", str(GAMES)]
    assert main([*asked, "--seed", "5", "--json", str(file)]) == 0
    return json.loads(file.read_bytes())


def test_all_matches_play_their_games_to_the_end(served: Any) -> None:
    loads = [one for load in served["server"] for one in (load["server"], load["relay"])]
    for one in loads:
        assert one["matches"] == MATCHES
        assert one["games"] == MATCHES * GAMES
        assert one["moves"] == MATCHES * GAMES * MOVES_OF_A_GAME
        assert 0 < one["p50_ms"] <= one["p99_ms"]
        assert one["moves_per_s"] > 0


def test_the_server_is_measured_with_either_journal(served: Any) -> None:
    assert [load["journal"] for load in served["server"]] == list(JOURNALS)


def test_a_move_costs_no_more_bytes_than_it_may(served: Any) -> None:
    server = served["server"][0]["server"]
    # A view of the whole table cannot be much smaller: below that something was not counted.
    assert MAX_BYTES_PER_MOVE / 4 < server["bytes_per_move"] <= MAX_BYTES_PER_MOVE
    counted = server["move_bytes"] + server["other_bytes"]
    assert server["bytes_per_move"] == counted / server["moves"]
    assert 0 < server["answer_bytes"] < server["move_bytes"]
    assert 0 < server["other_bytes"] < server["move_bytes"]


def test_the_relay_carries_frames_of_the_same_mean_size(served: Any) -> None:
    for load in served["server"]:
        for size in ("move_bytes", "action_bytes"):
            assert load["relay"][size] == pytest.approx(load["server"][size], rel=0.02)


def test_a_run_says_which_aims_it_has_met(served: Any) -> None:
    met = {aim["what"]: aim["met"] for aim in served["aims"]}
    assert met["bytes a move to both seats, whole games"] is True
    assert met["bytes of memory a match, 1000 matches"] is None


# Two commits measured in turn, or at once ---------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize("how", [[], ["--together"]])
def test_a_commit_is_measured_beside_itself(
    how: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert beside.main(["HEAD", "--runs=2", "--matches=2", "--seconds=0.1", *how]) == 0
    (of_bytes,) = [line for line in capsys.readouterr().out.splitlines() if "bytes a move" in line]
    assert 300 < float(re.findall(r"[\d.]+", of_bytes)[0]) < 500
