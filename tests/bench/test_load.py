"""`bench` plays whole games over real sockets and counts what it says; no absolute times."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from bench import beside
from bench.load import engine
from bench.load.__main__ import main
from bench.load.aims import MAX_BYTES_PER_MOVE, aims
from bench.load.engine import PLAYERS, play_all_by_hand
from bench.load.figures import JOURNALS, EngineFigures, Figures
from bench.load.report import lines
from bench.random_games import play_all

MATCHES, GAMES = 4, 2
MOVES_OF_A_GAME = {2: 58 + 52, 3: 58 + 49, 4: 58 + 46}
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
    loads = [one for load in served["server"] for one in (load["server"], *load["relays"].values())]
    for one in loads:
        assert one["matches"] == MATCHES
        assert one["games"] == MATCHES * GAMES
        assert one["moves"] == MATCHES * GAMES * MOVES_OF_A_GAME[2]
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


def test_the_relays_carry_frames_of_the_same_mean_size(served: Any) -> None:
    load = served["server"][0]
    assert "asyncio" in load["relays"]
    for relay in load["relays"].values():
        for size in ("move_bytes", "action_bytes"):
            assert relay[size] == pytest.approx(load["server"][size], rel=0.02)


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


# The hand-tuned loop plays what the rules play, so that it measures them --------------------------

SEEDS = [number.to_bytes(32, "big") for number in range(150)]
CHOICES = b"any choices"


def points(players: int) -> list[list[int]]:
    games = play_all(engine.GAME, players, SEEDS, CHOICES)
    return [list(outcome.scores) for outcome, _moves in games]


@pytest.mark.parametrize("players", PLAYERS[engine.GAME])
def test_the_hand_tuned_loop_scores_what_the_rules_score(players: int) -> None:
    scored = points(players)
    assert scored == play_all_by_hand(players, SEEDS, CHOICES)
    assert len(set(map(tuple, scored))) > len(SEEDS) / 2, "hardly two games are alike"


# Two commits measured in turn, or at once ---------------------------------------------------------

SLOW = {
    "moves_per_s": 5e3,
    "cpu_us_per_move": 80.0,
    "p50_ms": 2.0,
    "rss_per_match_bytes": 3e4,
    "bytes_per_move": 390,
}
FAST = {**SLOW, "cpu_us_per_move": 60.0}


def test_the_quotient_is_that_of_each_pair() -> None:
    """A machine that is half as fast during one pair changes no quotient."""
    busy = ({**SLOW, "cpu_us_per_move": 160.0}, {**FAST, "cpu_us_per_move": 120.0})
    _moves, first, *others = beside.lines([(SLOW, FAST), busy, (SLOW, FAST)])
    assert "80 (80-160) there, 60 (60-120) here; quotient of each pair 0.75 (0.75-0.75)" in first
    assert all("1.00 (1.00-1.00)" in line for line in others)


@pytest.mark.soak
@pytest.mark.parametrize("how", [[], ["--together"]])
def test_a_commit_is_measured_beside_itself(
    how: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert beside.main(["HEAD", "--runs=2", "--matches=2", "--seconds=0.1", *how]) == 0
    (of_bytes,) = [line for line in capsys.readouterr().out.splitlines() if "bytes a move" in line]
    assert 300 < float(re.findall(r"[\d.]+", of_bytes)[0]) < 500


@pytest.mark.soak
def test_random_games_of_a_commit_are_measured_beside_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert beside.main(["HEAD", "--runs=2", "--engine=wild_wild_pattern"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert 0.7 < float(line.rpartition("each pair ")[2].partition(" ")[0]) < 1.4


def test_an_unknown_commit_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    assert beside.main(["no-such-commit"]) == 2
    assert "git archive" in capfd.readouterr().err
