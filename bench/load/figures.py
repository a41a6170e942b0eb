"""The measurements, as values: between the processes, in the report and in the JSON file.

A *move* is one action of one seat: one ply. Byte counts are whole frames, their lengths included.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from bench.shown import row, spread

PERCENTILES: Final = (0.5, 0.99)
MEMORY: Final = "memory"
SQLITE: Final = "sqlite"
POSTGRES: Final = "postgresql"
"""A database that the measurement starts for itself; measured only where it is asked for."""
JOURNALS: Final = (MEMORY, SQLITE)
RATES: Final = (
    ("moves a second", "moves_per_s", 0),
    ("move to opponent's update, ms, half within", "p50_ms", 2),
    ("    99 of 100 within", "p99_ms", 2),
    ("CPU a move, microseconds", "cpu_us_per_move", 1),
    ("bytes a move, to both seats", "bytes_per_move", 1),
    ("memory a match, bytes (of few it says little)", "rss_per_match_bytes", 0),
)
"""What is said of a load, by which of its `rates`, with how many decimal places."""


class LoadPlan(Struct, frozen=True, kw_only=True):
    """What a load generator shall do to the process `pid` that listens on `port`: every pair of
    clients goes on for `seconds` and then ends the match it is in."""

    matches: int
    seconds: float
    seed: int = 0
    port: int = 0
    pid: int = 0


class LoadFigures(Struct, kw_only=True):
    """The result of a plan, counted while it runs. CPU seconds are user + system, of the whole
    window of `moves`.

    `move_bytes`: answers and updates to both seats; `other_bytes`: what else belongs to a match
    (its start, the view after the deal, its end).
    """

    matches: int
    games: int = 0
    moves: int = 0
    wall_s: float = 0.0
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    cpu_s: float = 0.0
    move_bytes: int = 0
    other_bytes: int = 0
    idle_rss_bytes: int = 0
    held_rss_bytes: int = 0

    def rates(self) -> dict[str, float]:
        """What is computed from these, by its name in the JSON file."""
        return {
            "moves_per_s": self.moves / self.wall_s,
            "p50_ms": self.p50_ms,
            "p99_ms": self.p99_ms,
            "cpu_us_per_move": self.cpu_s / self.moves * 1e6,
            "bytes_per_move": (self.move_bytes + self.other_bytes) / self.moves,
            "rss_per_match_bytes": (self.held_rss_bytes - self.idle_rss_bytes) / self.matches,
        }


class ServerFigures(Struct, frozen=True, kw_only=True):
    """A load on the server with that `journal`, and the same on a bare relay, round after round."""

    journal: str
    server: list[LoadFigures]
    relay: list[LoadFigures]

    def ratios(self, rate: str) -> list[float]:
        """The server's by the relay's; 0 where a load was too short to be measured."""
        both = zip(self.server, self.relay, strict=True)
        pairs = [(server.rates()[rate], relay.rates()[rate]) for server, relay in both]
        return [rate / floor if floor else 0.0 for rate, floor in pairs]


def table(title: str, columns: Mapping[str, Sequence[LoadFigures]]) -> Iterator[str]:
    """A row for each rate; the columns are programs, each with its runs."""
    yield row(title, *columns)
    for words, rate, places in RATES:
        found = ([run.rates()[rate] for run in runs] for runs in columns.values())
        yield row(words, *(spread(values, places) for values in found))


def percentiles(values: Sequence[float]) -> list[float]:
    """The values at PERCENTILES, by nearest rank; zeros when there are none."""
    ranked = sorted(values) or [0.0]
    return [ranked[math.ceil(share * len(ranked)) - 1] for share in PERCENTILES]
