"""What the program learns is what the samples say, and a seed says which samples."""

from pathlib import Path
from random import Random

import pytest
from msgspec import json

from bench import learning
from bench.learning import Sample, fitted, main, played
from protocol.games.architetti_attenti.board import MEADOW
from protocol.games.architetti_attenti.deal import TURNS
from server.games.architetti_attenti.features import NAMES, features
from server.games.architetti_attenti.learnt import UNIT, Learnt, weights_of


def test_weights_are_found_again() -> None:
    """Points that are half a point a gem and turn, and nothing else."""
    rng = Random(1)
    samples = [
        Sample(MEADOW, gems, turns, gems * turns // 2)
        for gems, turns in ((2 * rng.randrange(10), rng.randrange(1, 22)) for _ in range(800))
    ]
    learnt = fitted(samples)
    for turns in (4, 10, 20):
        found = zip(weights_of(learnt, turns), features(MEADOW, 6), strict=True)
        points = sum(weight * number for weight, number in found) / UNIT
        assert points == pytest.approx(3 * turns, abs=1.5)


def test_a_seed_makes_the_samples_and_the_points_are_those_still_to_come() -> None:
    samples = played(None, "3")
    assert len(samples) == learning.SEATS * (TURNS - 1)
    assert all(1 <= sample.turns < TURNS for sample in samples)
    assert sum(sample.points for sample in samples if sample.turns == TURNS - 1) > 60


def test_the_second_half_plays_by_what_the_first_has_taught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[bool, str]] = []

    def few(learnt: Learnt | None, seed: str) -> list[Sample]:
        asked.append((learnt is not None, seed))
        return [Sample(MEADOW, gems, 5, gems) for gems in range(5)]

    monkeypatch.setattr(learning, "played", few)
    file = tmp_path / "learnt.json"
    monkeypatch.setattr(learning, "FILE", file)
    assert main(["--matches", "3", "--seed", "8"]) == 0
    assert asked == [(False, "8 0"), (True, "8 1"), (True, "8 2")]
    learnt = json.decode(file.read_bytes(), type=Learnt)
    assert tuple(learnt.weights) == NAMES
    assert {len(at) for at in learnt.weights.values()} == {len(learnt.turns)}


@pytest.mark.soak
def test_the_same_matches_make_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / "alone.json", tmp_path / "beside.json"]
    for file, workers in zip(files, ("1", "2"), strict=True):
        monkeypatch.setattr(learning, "FILE", file)
        assert main(["--matches", "2", "--workers", workers]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
