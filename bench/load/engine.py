"""Whole random games through the rules object that also serves play, without a server.

Clocktowers is played by a hand-tuned loop too (`hand_tuned.py`), the same games in turn, so that
the machine's other work is in both.
"""

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from bench.load import hand_tuned
from bench.load.figures import EngineFigures
from protocol.dealing import SEED_BYTES
from protocol.games.registry import GAMES as VOCABULARIES
from server.games.contract import BEGINNING, Moment
from server.games.registry import GAMES
from server.matches.replay import AnyRules

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
        played, cpu_s = _timed(play_all, game, players, seeds, choices)
        spent_s += cpu_s
        games += len(played)
        moves += sum(count for _, count in played)
        if game == GAME:
            floor, cpu_s = _timed(play_all_by_hand, players, seeds, choices)
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


def play_all(game: str, players: int, seeds: list[bytes], choices: bytes) -> list[tuple[Any, int]]:
    """The outcome and the number of moves of a game for each seed, with standard options."""
    rules, options, random = GAMES[game].rules, VOCABULARIES[game].options(), Random(choices).random
    return [_play(rules, rules.setup(options, players, seed), random) for seed in seeds]


def play_all_by_hand(players: int, seeds: list[bytes], choices: bytes) -> list[list[int]]:
    """The points by seat of the same games of Clocktowers."""
    random = Random(choices).random
    return [hand_tuned.play(players, seed, random) for seed in seeds]


def _timed(work: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """What it returns, and the seconds of CPU that it took."""
    begun_s = time.process_time()
    result = work(*arguments)
    return result, time.process_time() - begun_s


def _play(rules: AnyRules, state: Any, random: Callable[[], float]) -> tuple[Any, int]:
    """Play to the end: any seat that may act does any of its legal actions; where none may, the
    clock goes on."""
    legal_actions, advance, to_act = rules.legal_actions, rules.advance, rules.to_act
    at = BEGINNING
    moves = 0
    while True:
        while seats := to_act(state):
            seat = seats[int(random() * len(seats))] if len(seats) > 1 else seats[0]
            actions = legal_actions(state, seat)
            advance(state, seat, actions[int(random() * len(actions))], at)
            moves += 1
        if (outcome := rules.outcome(state)) is not None:
            return outcome, moves
        due_ms = rules.deadline(state)
        assert due_ms is not None, "nobody may act, and the clock does nothing"
        at = Moment(due_ms)
        rules.tick(state, due_ms)
