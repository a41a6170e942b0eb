"""The match that is played on every server: its deal, who acts, and the actions."""

from random import Random
from typing import Any, Final

from msgspec import Struct, json, msgpack, to_builtins

from bench.load.load import GAME
from protocol.dealing import SEED_BYTES
from protocol.games.registry import GAMES as VOCABULARIES
from server.games.contract import BEGINNING
from server.games.registry import GAMES

SEATS: Final = 2


class Script(Struct, frozen=True, kw_only=True):
    """`deal`: the seed of the cards, in hexadecimal; by it seat 0 begins. `piles`: floor, clock,
    roof, each from the top down. `seats`: who makes each of the `moves`, which are actions as on
    the wire."""

    deal: str
    piles: list[list[int]]
    seats: list[int]
    moves: list[Any]

    @property
    def actions(self) -> list[bytes]:
        """The moves, encoded as our clients send them."""
        return [msgpack.encode(move) for move in self.moves]

    @property
    def as_json(self) -> str:
        return json.encode(self).decode()


def script(seed: int) -> Script:
    """A whole match of two on standard options. Each action is any of the legal ones."""
    rules, options = GAMES[GAME].rules, VOCABULARIES[GAME].options()
    rng = Random(seed)
    while True:
        deal = rng.randbytes(SEED_BYTES)
        state = rules.setup(options, SEATS, deal)
        if rules.to_act(state)[0] == 0:
            break
    piles = [list(pile) for pile in state.piles]
    seats, moves = [], []
    while acting := rules.to_act(state):
        action = rng.choice(rules.legal_actions(state, acting[0]))
        rules.apply(state, acting[0], action, BEGINNING)
        seats.append(int(acting[0]))
        moves.append(to_builtins(action))
    return Script(deal=deal.hex(), piles=piles, seats=seats, moves=moves)
