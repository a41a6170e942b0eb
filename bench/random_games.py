"""Whole random games through the rules object that also serves play, without a server.

`python bench/random_games.py GAME PLAYERS GAMES` prints how many games a second of processor time
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

_WARMING: Final = 20
"""Games before those that count."""


def play_all(game: str, players: int, seeds: list[bytes], choices: bytes) -> list[tuple[Any, int]]:
    """The outcome and the number of moves of a game for each seed, with standard options."""
    rules: Any = GAMES[game].rules
    options, random = VOCABULARIES[game].options(), Random(choices).random
    return [_play(rules, rules.setup(options, players, seed), random) for seed in seeds]


def timed(work: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """What it returns, and the seconds of the processor that it took."""
    begun_s = time.process_time()
    result = work(*arguments)
    return result, time.process_time() - begun_s


def _play(rules: Any, state: Any, random: Callable[[], float]) -> tuple[Any, int]:
    """Play to the end: any seat that may act does any of its legal actions; where none may, the
    clock goes on."""
    legal_actions, to_act = rules.legal_actions, rules.to_act
    # The rules of commits before 2026-11-21 have no way without events.
    advance = getattr(rules, "advance", rules.apply)
    at = Moment(0)
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


def main(arguments: Sequence[str]) -> None:
    game, players, games = arguments[0], int(arguments[1]), int(arguments[2])
    rng = Random(0)
    seeds = [rng.randbytes(SEED_BYTES) for _ in range(_WARMING + games)]
    play_all(game, players, seeds[:_WARMING], b"")
    _, cpu_s = timed(play_all, game, players, seeds[_WARMING:], b"")
    print(games / cpu_s)


if __name__ == "__main__":
    main(sys.argv[1:])
