"""`bench` plays whole games over real sockets and counts what it says; no absolute times."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from bench.load.__main__ import main
from bench.load.aims import MAX_BYTES_PER_MOVE, aims
from bench.load.engine import PLAYERS
from bench.load.figures import JOURNALS, EngineFigures, Figures, percentiles
from bench.load.processes import two_cores
from bench.load.report import lines

MATCHES, GAMES = 4, 3
MOVES_OF_A_GAME = {2: 58 + 52, 3: 58 + 49, 4: 58 + 46}
"""One card a turn, 58 turns; then the draws, as many as the piles have cards."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Any:
    if not Path("/proc/self/statm").exists():
        pytest.skip("the server is measured through /proc")
    file = tmp_path_factory.mktemp("bench") / "figures.json"
    asked = ["--only", "server", "--matches", str(MATCHES), "--games", str(GAMES), "--rounds", "2"]
    assert main([*asked, "--seed", "5", "--json", str(file)]) == 0
    return json.loads(file.read_bytes())


def test_all_matches_play_their_games_to_the_end(served: Any) -> None:
    loads = [one for load in served["server"] for one in (load["server"], *load["relays"].values())]
    for one in loads:
        assert one["matches"] == MATCHES
        assert one["games"] == MATCHES * GAMES
        assert one["moves"] == MATCHES * GAMES * MOVES_OF_A_GAME[2]
        assert 0 < one["p50_ms"] <= one["p99_ms"]
        assert one["moves_per_s"] > 0


def test_the_server_is_measured_with_either_journal_and_the_median_round_shown(served: Any) -> None:
    assert [load["journal"] for load in served["server"]] == list(JOURNALS)
    for load in served["server"]:
        if "uvloop" in load["relays"]:
            low, high = load["ratios"]
            assert low <= load["relay_ratio"] == high


def test_latency_is_compared_with_the_relays_less_what_the_disk_takes(served: Any) -> None:
    memory, sqlite = served["server"]
    assert memory["sync_ms"] == []
    assert 0 < sqlite["sync_ms"][0] <= sqlite["sync_ms"][1]
    for load in (memory, sqlite):
        if "uvloop" not in load["relays"]:
            continue
        for name, sync_ms, ratio in zip(
            ("p50_ms", "p99_ms"), load["sync_ms"] or (0, 0), load["latency_ratios"], strict=True
        ):
            relay_ms = load["relays"]["uvloop"][name]
            assert ratio == pytest.approx((load["server"][name] - sync_ms) / relay_ms)


def test_a_move_costs_no_more_bytes_than_it_may(served: Any) -> None:
    server = served["server"][0]["server"]
    # A view of the whole table cannot be much smaller: below that something was not counted.
    assert MAX_BYTES_PER_MOVE / 4 < server["bytes_per_move"] <= MAX_BYTES_PER_MOVE
    counted = server["move_bytes"] + server["other_bytes"]
    assert server["bytes_per_move"] == counted / server["moves"]
    assert 0 < server["answer_bytes"] < server["move_bytes"]
    assert 0 < server["other_bytes"] < server["move_bytes"]


def test_the_relays_carry_frames_of_the_same_mean_size(served: Any) -> None:
    load = served["server"][0]
    assert "asyncio" in load["relays"]
    for relay in load["relays"].values():
        for size in ("move_bytes", "action_bytes"):
            assert relay[size] == pytest.approx(load["server"][size], rel=0.02)


def test_memory_is_that_of_matches_under_way(served: Any) -> None:
    server = served["server"][0]["server"]
    growth = server["held_rss_bytes"] - server["idle_rss_bytes"]
    assert growth > 0
    assert server["rss_per_match_bytes"] == growth / MATCHES


def test_who_asks_for_whole_views_is_sent_more(served: Any, tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    asked = ["--only", "server", "--journal", "memory", "--matches", str(MATCHES), "--whole"]
    assert main([*asked, "--games", "1", "--json", str(file)]) == 0
    (whole,) = json.loads(file.read_bytes())["server"]
    less = served["server"][0]["server"]["bytes_per_move"]
    assert whole["server"]["bytes_per_move"] > 1.3 * less


def test_the_engine_plays_whole_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    asked = ["--only", "engine", "--seconds", "0.05", "--json", str(file)]
    assert main([*asked]) == 0
    figures = json.loads(file.read_bytes())
    measured = [(one["game"], one["players"]) for one in figures["engine"]]
    assert measured == [(game, count) for game, counts in PLAYERS.items() for count in counts]
    for one in figures["engine"]:
        assert one["games"] > 0
        assert one["cpu_s"] > 0
        if one["game"] == "clocktowers":
            assert one["moves"] == one["games"] * MOVES_OF_A_GAME[one["players"]]
            assert one["hand_tuned_share"] == one["hand_tuned_s"] / one["cpu_s"] < 1
        else:
            assert one["hand_tuned_share"] is None
    verdicts = [aim["met"] for aim in figures["aims"]]
    assert all(isinstance(met, bool) for met in verdicts[:2]) and verdicts[2:] == [None] * 8
    assert "engine: " in capsys.readouterr().out


def engine_at(games: int, share: float = 0.5) -> Figures:
    one = EngineFigures(
        game="clocktowers", players=2, games=games, moves=games, cpu_s=1.0, hand_tuned_s=share
    )
    crowd = structs.replace(one, players=4, games=2 * games, hand_tuned_s=share + 0.1)
    race = structs.replace(one, game="wild_wild_pattern", games=1, hand_tuned_s=None)
    return Figures(python="3", own_cores=True, seed=0, engine=[race, crowd, one], server=[])


@pytest.mark.parametrize(
    ("figures", "verdicts"),
    [
        (engine_at(4000, 0.5), ["met", "met"]),
        (engine_at(3999, 0.5), ["MISSED", "met"]),
        (engine_at(4000, 0.49), ["met", "MISSED"]),
    ],
)
def test_an_aim_is_met_or_missed_and_the_report_says_so(
    figures: Figures, verdicts: list[str]
) -> None:
    assert [aim.met for aim in aims(figures)][:2] == [word == "met" for word in verdicts]
    told = list(lines(figures))
    assert [line.split()[0] for line in told[told.index("aims") + 1 :]][:2] == verdicts


def test_what_was_not_measured_is_not_met() -> None:
    figures = structs.replace(engine_at(1), engine=[])
    assert [aim.met for aim in aims(figures)] == [None] * 10


def test_percentiles_are_values_that_occurred() -> None:
    assert percentiles([float(n) for n in range(100, 0, -1)]) == [50.0, 99.0]
    assert percentiles([7.0]) == [7.0, 7.0]
    assert percentiles([]) == [0.0, 0.0]


def test_two_cores_are_two() -> None:
    cores = two_cores()
    assert cores is None or cores[0] != cores[1]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--matches", "x"], "x is no number"),
        (["--matches", "1,0"], "0 is not above 0"),
        (["--games", "1.5"], "1.5 is no whole number"),
        (["--seconds", "nan"], "nan is not above 0"),
        (["--only", "engine", "--json", "no/such/folder"], "no/such/folder: No such file"),
    ],
)
def test_what_cannot_be_measured_is_said_in_a_sentence(
    asked: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: int | str | None = main([*asked])
    except SystemExit as ended:
        code = ended.code
    err = capsys.readouterr().err
    assert code == 2
    assert said in err
    assert "Traceback" not in err
