"""Whole random games through the rules object that also serves play, without a server."""

import time
from random import Random
from typing import Final

from bench.load.figures import EngineFigures
from protocol.dealing import SEED_BYTES
from protocol.games.registry import GAMES as VOCABULARIES
from server.games.contract import BEGINNING
from server.games.registry import GAMES
from server.matches.replay import AnyRules

GAME: Final = "clocktowers"


def measure(players: int, *, seconds: float, seed: int) -> EngineFigures:
    """Play as many games as fit into `seconds` of CPU, set-up included; at least one."""
    rules = GAMES[GAME].rules
    options = VOCABULARIES[GAME].options()
    rng = Random(seed)
    played = moves = 0
    spent_s = 0.0
    begun_s = time.process_time()
    while not played or spent_s < seconds:
        moves += _play(rules, options, players, rng)
        played += 1
        spent_s = time.process_time() - begun_s
    return EngineFigures(players=players, games=played, moves=moves, cpu_s=spent_s)


def _play(rules: AnyRules, options: object, players: int, rng: Random) -> int:
    """Play a game; returns the number of its moves. Chooses every action from all legal ones."""
    legal_actions, apply, to_act, random = (
        rules.legal_actions,
        rules.apply,
        rules.to_act,
        rng.random,
    )
    state = rules.setup(options, players, rng.randbytes(SEED_BYTES))
    rules.opening(state)
    moves = 0
    while seats := to_act(state):
        seat = seats[0]
        actions = legal_actions(state, seat)
        apply(state, seat, actions[int(random() * len(actions))], BEGINNING)
        moves += 1
    assert rules.outcome(state) is not None
    return moves
