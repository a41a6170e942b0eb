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


class EngineFigures(Struct, frozen=True, kw_only=True):
    """Whole random games through the rules alone; `cpu_s` is what they took of one core,
    `hand_tuned_s` what the same games took the hand-tuned loop, where there is one."""

    game: str
    players: int
    games: int
    moves: int
    cpu_s: float
    hand_tuned_s: float | None = None

    @property
    def games_per_s(self) -> float:
        return self.games / self.cpu_s

    @property
    def hand_tuned_share(self) -> float | None:
        """How much of the hand-tuned loop's speed is left."""
        return None if self.hand_tuned_s is None else self.hand_tuned_s / self.cpu_s


class Plan(Struct, frozen=True, kw_only=True):
    """What a load generator shall do to the process `pid` that listens on `port`.

    Every pair of clients plays `games` matches, or, if that is 0, goes on for `seconds` and then
    ends the match it is in. `changes`: the clients ask for those of views. `script`: the encoded
    actions of every match; if there are none, clients choose. The frame sizes are for the relay.
    """

    port: int
    pid: int
    matches: int
    games: int
    seconds: float
    seed: int
    changes: bool = True
    script: list[bytes] = []
    action_bytes: int = 0
    answer_bytes: int = 0
    update_bytes: int = 0


class LoadFigures(Struct, frozen=True, kw_only=True):
    """The result of a plan. CPU seconds are user + system, of the whole window of `moves`.

    `move_bytes`: answers and updates to both seats, `answer_bytes` of them answers; `other_bytes`:
    what else belongs to a match (its start, the view after the deal, its end).
    """

    matches: int
    games: int
    moves: int
    wall_s: float
    p50_ms: float
    p99_ms: float
    cpu_s: float
    load_cpu_s: float
    answer_bytes: int
    move_bytes: int
    other_bytes: int
    action_bytes: int
    idle_rss_bytes: int
    held_rss_bytes: int

    @property
    def moves_per_s(self) -> float:
        return self.moves / self.wall_s

    @property
    def cpu_us_per_move(self) -> float:
        return self.cpu_s / self.moves * 1e6

    @property
    def load_cpu_us_per_move(self) -> float:
        return self.load_cpu_s / self.moves * 1e6

    @property
    def bytes_per_move(self) -> float:
        """All bytes to both seats in whole games, for a ply."""
        return (self.move_bytes + self.other_bytes) / self.moves

    @property
    def rss_per_match_bytes(self) -> float:
        return (self.held_rss_bytes - self.idle_rss_bytes) / self.matches


class ServerFigures(Struct, frozen=True, kw_only=True):
    """One load on the server with that `journal`, and the same on bare relays with frames of the
    same mean size. `ratios`: those of all rounds, in order. `sync_ms`: how long the journal's disk
    takes to keep a few bytes, at PERCENTILES; empty without a disk."""

    journal: str
    server: LoadFigures
    relays: dict[str, LoadFigures]
    """By the event loop they run on: asyncio, uvloop where it exists."""
    ratios: list[float] = []
    sync_ms: list[float] = []

    @property
    def relay_ratio(self) -> float | None:
        """How many times the CPU of the uvloop relay the server takes for a move."""
        relay = self.relays.get("uvloop")
        if relay is None or not relay.cpu_s:
            return None
        return self.server.cpu_us_per_move / relay.cpu_us_per_move

    @property
    def latencies_ms(self) -> list[float]:
        """The server's at PERCENTILES, less what the disk takes by itself."""
        served = (self.server.p50_ms, self.server.p99_ms)
        return [ms - sync for ms, sync in zip(served, self.sync_ms or (0.0, 0.0), strict=True)]

    @property
    def latency_ratios(self) -> list[float] | None:
        """How many times the latency of the uvloop relay the server has, at PERCENTILES."""
        relay = self.relays.get("uvloop")
        if relay is None or not relay.p50_ms:
            return None
        pairs = zip(self.latencies_ms, (relay.p50_ms, relay.p99_ms), strict=True)
        return [ms / floor for ms, floor in pairs]


class Figures(Struct, frozen=True, kw_only=True):
    """Everything that a run has measured. `own_cores`: the load ran on another core than the
    measured process."""

    python: str
    own_cores: bool
    seed: int
    engine: list[EngineFigures]
    server: list[ServerFigures]


def percentiles(values: Sequence[float]) -> list[float]:
    """The values at PERCENTILES, by nearest rank; zeros when there are none."""
    ranked = sorted(values)
    if not ranked:
        return [0.0 for _ in PERCENTILES]
    return [ranked[max(0, math.ceil(share * len(ranked)) - 1)] for share in PERCENTILES]
