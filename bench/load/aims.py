"""The project's aims, and whether a run has reached them."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from bench.load.figures import MEMORY, SQLITE, Figures

MIN_GAMES_PER_S: Final = 4000
"""Clocktowers, two random players on one core; a search plays thousands of games for a decision."""
MIN_HAND_TUNED_SHARE: Final = 0.5
"""Of the speed of a loop that knows nothing but Clocktowers and tells nobody anything."""
MAX_RELAY_RATIO: Final = {MEMORY: 2.3, SQLITE: 2.8}
"""By journal: server CPU for a move, divided by that of the uvloop relay, which only passes bytes
on."""
MAX_BYTES_PER_MOVE: Final = 400
"""To both seats, answers included: a match over a slow connection still feels immediate."""
MAX_MATCH_BYTES: Final = 20_000
"""Of the server's memory, with both connections; a thousand matches fit a small machine."""

MAX_LATENCY_RATIOS: Final = {"half": 2.0, "99 of 100": 2.5}
"""At one match, by share of the moves: the server's latency by the uvloop relay's."""

ONE_MATCH: Final = 1
BUSY_MATCHES: Final = 100
MANY_MATCHES: Final = 1000


class Aim(Struct, frozen=True, kw_only=True):
    """`value` None: this run has not measured it."""

    what: str
    limit: float
    at_least: bool = False
    value: float | None

    @property
    def met(self) -> bool | None:
        if self.value is None:
            return None
        return self.value >= self.limit if self.at_least else self.value <= self.limit


def aims(figures: Figures) -> Iterator[Aim]:
    """Every aim, with this run's figure."""
    loads = {(one.journal, one.server.matches): one for one in figures.server}
    many = loads.get((MEMORY, MANY_MATCHES))
    timed = [one for one in figures.engine if one.hand_tuned_share is not None]
    yield Aim(
        what="random games of Clocktowers a second, two players, one core",
        limit=MIN_GAMES_PER_S,
        at_least=True,
        value=next((one.games_per_s for one in timed if one.players == 2), None),
    )
    yield Aim(
        what="of the hand-tuned loop's speed, whatever the number of players",
        limit=MIN_HAND_TUNED_SHARE,
        at_least=True,
        value=min((one.hand_tuned_share or 0.0 for one in timed), default=None),
    )
    for journal, limit in MAX_RELAY_RATIO.items():
        for matches in (BUSY_MATCHES, MANY_MATCHES):
            load = loads.get((journal, matches))
            yield Aim(
                what=f"server CPU a move by the uvloop relay's, {matches} matches, {journal}",
                limit=limit,
                value=load.relay_ratio if load else None,
            )
    alone = loads.get((MEMORY, ONE_MATCH))
    ratios: Sequence[float | None] = (alone and alone.latency_ratios) or (None, None)
    for (share, limit), ratio in zip(MAX_LATENCY_RATIOS.items(), ratios, strict=True):
        yield Aim(
            what=f"latency of {share} of the moves by the uvloop relay's, one match",
            limit=limit,
            value=ratio,
        )
    yield Aim(
        what="bytes a move to both seats, whole games",
        limit=MAX_BYTES_PER_MOVE,
        value=max((one.server.bytes_per_move for one in figures.server), default=None),
    )
    yield Aim(
        what=f"bytes of memory a match, {MANY_MATCHES} matches",
        limit=MAX_MATCH_BYTES,
        value=many.server.rss_per_match_bytes if many else None,
    )
