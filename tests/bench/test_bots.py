"""The programs that measure the levels of bots, and learn for them: that they can go on
where they were broken off; a seed says which samples are learnt from."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import json

from bench import bots, duels, learning
from bench.bots import main
from bench.duels import Deal, Duel, play_deal
from bench.flat import flat
from bench.learning import Sample, fitted, played
from protocol.games.architetti_attenti.board import MEADOW
from protocol.games.architetti_attenti.options import TURNS
from server.games.architetti_attenti.evaluation import UNIT, features, weights_of
from server.games.clocktowers.rules import refuse
from server.games.clocktowers.view import view
from server.games.registry import GAMES
from server.recording.bot_matches import Series
from tests.games.clocktowers.case import CASE as CLOCKTOWERS
from tests.games.clocktowers.server.test_search import positions

DUEL = Duel("clocktowers", "normal", "easy", 0.85)


@pytest.mark.parametrize(
    ("winners", "score"), [([0], 0.5), ([0, 1], 0.5), (["normal"], 1.0), (["easy"], 0.0)]
)
def test_a_deal_is_played_twice_with_seats_swapped(
    winners: list[Any], score: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Winners are seats here, or a level wherever it sits."""
    played: list[tuple[Sequence[str], int]] = []

    def play(series: Series, number: int) -> Any:
        played.append((series.levels, series.seed))
        seats = [series.levels.index(one) if isinstance(one, str) else one for one in winners]
        return {"outcome": {"winners": seats}}

    monkeypatch.setattr(duels, "play", play)
    assert play_deal(DUEL, 3).score == score
    assert played == [(["normal", "easy"], 3), (["easy", "normal"], 3)]


def test_it_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    keep, figures = tmp_path / "deals.jsonl", tmp_path / "figures.json"
    asked = "--game clocktowers --only normal-easy --deals 3 --keep"
    arguments = [*asked.split(), str(keep)]
    main(arguments)
    lines = keep.read_bytes().splitlines(keepends=True)
    assert len(lines) == 3
    # What is kept is believed: the first deal is made a loss, the third is cut off.
    lost = json.decode(lines[0], type=Deal)
    lost.score = 0.0
    keep.write_bytes(json.encode(lost) + b"\n" + lines[1] + lines[2][:40])
    assert main([*arguments, "--json", str(figures)]) == 1
    (result,) = json.decode(figures.read_bytes())
    assert result["deals"] == 3
    assert result["score"] <= 2 / 3
    assert not result["met"]
    assert len(bots._kept(keep)) == 3


def test_every_game_has_aims_for_every_number_of_players() -> None:
    aims = {(duel.game, duel.players) for duel in bots.DUELS if duel.target is not None}
    assert aims == {(game, players) for game in GAMES for players in (2, 3, 4)}


def test_the_reference_plays_by_the_rules() -> None:
    for options in CLOCKTOWERS.options:
        for position in positions(options, 3, 1, 40):
            seat = position.state.turn
            action = flat(view(position.state, seat), position.sent, Random(1))
            assert refuse(position.state, seat, action) is None


# Learning: what the program learns is what the samples say ----------------------------------------


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


@pytest.mark.soak
def test_the_same_matches_make_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / "alone.json", tmp_path / "beside.json"]
    for file, workers in zip(files, ("1", "2"), strict=True):
        monkeypatch.setattr(learning, "FILE", file)
        assert learning.main(["--matches", "2", "--workers", workers]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
