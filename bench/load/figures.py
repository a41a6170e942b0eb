"""The measurements, as values: between the processes, in the report and in the JSON file.

A *move* is one action of one seat: one ply. Byte counts are whole frames, their lengths included.
"""

import math
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

PERCENTILES: Final = (0.5, 0.99)
MEMORY: Final = "memory"
SQLITE: Final = "sqlite"
POSTGRES: Final = "postgresql"
"""A database that the measurement starts for itself; measured only where it is asked for."""
JOURNALS: Final = (MEMORY, SQLITE)


class LoadPlan(Struct, frozen=True, kw_only=True):
    """What a load generator shall do to the process `pid` that listens on `port`.

    Every pair of clients plays `games` matches, or, if that is 0, goes on for `seconds` and then
    ends the match it is in. `script`: the encoded actions of every match; if there are none,
    clients choose. The frame sizes are for the relay.
    """

    matches: int
    games: int = 0
    seconds: float = 0.0
    seed: int = 0
    script: list[bytes] = []
    port: int = 0
    pid: int = 0
    action_bytes: int = 0
    answer_bytes: int = 0
    update_bytes: int = 0


class LoadFigures(Struct, kw_only=True):
    """The result of a plan, counted while it runs. CPU seconds are user + system, of the whole
    window of `moves`.

    `move_bytes`: answers and updates to both seats, `answer_bytes` of them answers; `other_bytes`:
    what else belongs to a match (its start, the view after the deal, its end).
    """

    matches: int
    games: int = 0
    moves: int = 0
    wall_s: float = 0.0
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    cpu_s: float = 0.0
    load_cpu_s: float = 0.0
    answer_bytes: int = 0
    move_bytes: int = 0
    other_bytes: int = 0
    action_bytes: int = 0
    idle_rss_bytes: int = 0
    held_rss_bytes: int = 0

    def rates(self) -> dict[str, float]:
        """What is computed from these, by its name in the JSON file."""
        return {
            "moves_per_s": self.moves / self.wall_s,
            "p50_ms": self.p50_ms,
            "p99_ms": self.p99_ms,
            "cpu_us_per_move": self.cpu_s / self.moves * 1e6,
            "load_cpu_us_per_move": self.load_cpu_s / self.moves * 1e6,
            "bytes_per_move": (self.move_bytes + self.other_bytes) / self.moves,
            "rss_per_match_bytes": (self.held_rss_bytes - self.idle_rss_bytes) / self.matches,
        }


class ServerFigures(Struct, frozen=True, kw_only=True):
    """One load on the server with that `journal`, and the same on a bare relay with frames of the
    same mean size. `ratios`: those of all rounds, in order."""

    journal: str
    server: LoadFigures
    relay: LoadFigures
    ratios: list[float] = []

    def ratio(self, rate: str) -> float:
        """The server's by the relay's; 0 where a load was too short to be measured."""
        floor = self.relay.rates()[rate]
        return self.server.rates()[rate] / floor if floor else 0.0


def percentiles(values: Sequence[float]) -> list[float]:
    """The values at PERCENTILES, by nearest rank; zeros when there are none."""
    ranked = sorted(values)
    if not ranked:
        return [0.0 for _ in PERCENTILES]
    return [ranked[max(0, math.ceil(share * len(ranked)) - 1)] for share in PERCENTILES]
