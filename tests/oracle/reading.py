"""The second reading of a game, in one value for each game."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from tests.oracle.judging import Json


class Table(Protocol):
    """One match as it would lie on a real table; actions are the record's own objects."""

    turn: int

    def over(self) -> bool: ...
    def legal(self) -> list[Json]: ...
    def act(self, action: Json) -> None: ...
    def outcome(self) -> Json: ...


@dataclass(frozen=True)
class Reading:
    """A game's second reading.

    `options`: each with its values, the default first. `check_cards(setup, seats)` raises Wrong.
    `dealt(stream, seats)`: the part of a setup that a seed deals. `understood(action)`: the parts
    of an action that mean something, or None. `deal`: a setup of the oracle's own; `choose`: an
    action for a table that is not over.
    """

    game: str
    options: Mapping[str, Sequence[Json]]
    seats: Sequence[int]
    table: Callable[[dict[str, Json], int, Json], Table]
    check_cards: Callable[[Json, int], None]
    dealt: Callable[[Iterator[int], int], Json]
    understood: Callable[[Json], Json]
    deal: Callable[[int, Random], Json]
    choose: Callable[[Table, Random], Json]

    def record(
        self, seats: int, options: dict[str, Json], rng: Random, with_legal: bool
    ) -> dict[str, Json]:
        """A whole match with cards shuffled here; without a proof."""
        setup = self.deal(seats, rng)
        table = self.table(options, seats, setup)
        plies = []
        while not table.over():
            action = self.choose(table, rng)
            ply = {"seat": table.turn, "action": action}
            if with_legal:
                ply["legal"] = table.legal()
            plies.append(ply)
            table.act(action)
        return {
            "format": "clocktowers-record",
            "version": 1,
            "game": self.game,
            "options": options,
            "seats": [{"name": f"Seat {n}", "kind": "human"} for n in range(seats)],
            "setup": setup,
            "plies": plies,
            "outcome": table.outcome(),
        }
