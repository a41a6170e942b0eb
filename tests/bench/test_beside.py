"""Two commits measured in turn, or at once."""

import re

import pytest

from bench import beside

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
