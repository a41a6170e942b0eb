"""Whole random games through the rules object that also serves play, without a server.

`python bench/load/engine.py GAME PLAYERS GAMES` prints how many games a second of processor time
it plays, set-up included. It imports nothing of `bench`: `bench.beside` runs it with the rules of
another commit.
"""

import sys
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from protocol.dealing import SEED_BYTES
from protocol.games.registry import GAMES as VOCABULARIES
from server.games.contract import Moment
from server.games.registry import GAMES

PLAYERS: Final = {
    "clocktowers": (2, 3, 4),
    "architetti_attenti": (2, 4),
    "wild_wild_pattern": (2, 4),
}
"""By game, with how many it is measured."""
_IN_TURN: Final = 20
"""So many games are played until the clock is looked at, and before those that count."""


def play_all(game: str, players: int, seeds: Sequence[bytes], choices: bytes) -> int:
    """Play a game for each seed, with standard options; returns how many moves they had."""
    rules, options = GAMES[game].rules, VOCABULARIES[game].options()
    random = Random(choices).random
    return sum(_play(rules, rules.setup(options, players, seed), random) for seed in seeds)


def _play(rules: Any, state: Any, random: Callable[[], float]) -> int:
    """Play to the end: any seat that may act does any of its legal actions; where none may, the
    clock goes on."""
    legal_actions, to_act, advance = rules.legal_actions, rules.to_act, rules.advance
    at = Moment(0)
    moves = 0
    while True:
        while seats := to_act(state):
            seat = seats[int(random() * len(seats))] if len(seats) > 1 else seats[0]
            actions = legal_actions(state, seat)
            advance(state, seat, actions[int(random() * len(actions))], at)
            moves += 1
        if rules.outcome(state) is not None:
            return moves
        due_ms = rules.deadline(state)
        assert due_ms is not None, "nobody may act, and the clock does nothing"
        at = Moment(due_ms)
        rules.tick(state, due_ms)


def measured(game: str, players: int, seconds: float, seed: int) -> tuple[int, int, float]:
    """Games and moves in that time of the processor, and the time that they took."""
    rng = Random(seed)
    games = moves = 0
    begun_s = time.process_time()
    while not games or time.process_time() - begun_s < seconds:
        seeds = [rng.randbytes(SEED_BYTES) for _ in range(_IN_TURN)]
        moves += play_all(game, players, seeds, rng.randbytes(SEED_BYTES))
        games += _IN_TURN
    return games, moves, time.process_time() - begun_s


def main(game: str, players: str, games: str) -> None:
    rng = Random(0)
    seeds = [rng.randbytes(SEED_BYTES) for _ in range(_IN_TURN + int(games))]
    play_all(game, int(players), seeds[:_IN_TURN], b"")
    begun_s = time.process_time()
    play_all(game, int(players), seeds[_IN_TURN:], b"")
    print(int(games) / (time.process_time() - begun_s))


if __name__ == "__main__":
    main(*sys.argv[1:])
