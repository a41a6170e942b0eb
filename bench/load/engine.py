"""How fast random games are played without a server (`bench.random_games`).

Clocktowers is played by a hand-tuned loop too (`hand_tuned.py`), the same games in turn, so that
the machine's other work is in both.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

from bench.load import hand_tuned
from bench.load.figures import EngineFigures
from bench.random_games import play_all, timed
from protocol.dealing import SEED_BYTES

GAME: Final = "clocktowers"
"""The one that has a hand-tuned loop, and that servers are loaded with."""
PLAYERS: Final = {GAME: (2, 3, 4), "architetti_attenti": (2, 4), "wild_wild_pattern": (2, 4)}
"""By game, with how many it is measured."""

_GAMES_IN_TURN: Final = 20


def measure_all(*, seconds: float, seed: int) -> Iterator[EngineFigures]:
    """Every game, with as many players as PLAYERS says."""
    for game, counts in PLAYERS.items():
        for players in counts:
            yield measure(game, players, seconds=seconds, seed=seed)


def measure(game: str, players: int, *, seconds: float, seed: int) -> EngineFigures:
    """Play as many games as fit into `seconds` of CPU, set-up included; at least some."""
    rng = Random(seed)
    games = moves = 0
    spent_s = hand_tuned_s = 0.0
    while not games or spent_s + hand_tuned_s < seconds:
        seeds = [rng.randbytes(SEED_BYTES) for _ in range(_GAMES_IN_TURN)]
        choices = rng.randbytes(SEED_BYTES)
        played, cpu_s = timed(play_all, game, players, seeds, choices)
        spent_s += cpu_s
        games += len(played)
        moves += sum(count for _, count in played)
        if game == GAME:
            floor, cpu_s = timed(play_all_by_hand, players, seeds, choices)
            hand_tuned_s += cpu_s
            assert floor == [list(outcome.scores) for outcome, _ in played], "other games"
    return EngineFigures(
        game=game,
        players=players,
        games=games,
        moves=moves,
        cpu_s=spent_s,
        hand_tuned_s=hand_tuned_s or None,
    )


def play_all_by_hand(players: int, seeds: list[bytes], choices: bytes) -> list[list[int]]:
    """The points by seat of the same games of Clocktowers."""
    random = Random(choices).random
    return [hand_tuned.play(players, seed, random) for seed in seeds]
