"""`bench.load.engine`: the hand-tuned loop plays what the rules play, so that it measures them."""

import pytest

from bench.load import engine, hand_tuned
from bench.load.engine import PLAYERS, play_all_by_hand
from bench.random_games import play_all

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


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("_POINTS", (5, 4, 3, 3)),
        ("_GROWTH", (0,) * 14),
        ("_MARKS", (0,) * 14),
        ("TURNS", 57),
        ("START_HAND", b"\x01\x03\x08"),
    ],
)
def test_a_loop_that_plays_otherwise_is_no_measure(
    part: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hand_tuned, part, value)
    with pytest.raises(AssertionError, match="other games"):
        engine.measure(engine.GAME, 2, seconds=0.001, seed=1)
