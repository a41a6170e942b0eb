"""What `/metrics` shows of a server. Only a server that was asked for it counts any of this.

Nothing private is in it: no name, no address, no identity, no table's code.
"""

import asyncio
from collections import Counter as Tally
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Any, Final, cast

from prometheus_client import CollectorRegistry, Histogram, disable_created_metrics
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector

from protocol.ids import MatchId, Version
from protocol.table import SeatKind, TablePhase
from server.games.registry import GAMES
from server.net.peers import Traffic
from server.server import Server
from server.store.in_database import Journal
from server.store.journal import NO_TOKENS, Entry, Header, TokenHashes
from server.tasks import few

PREFIX: Final = "clocktowers"
APPEND_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
LAG_S: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Upper ends of a histogram's buckets."""

TABLES_A_TURN: Final = 100
"""They take half a millisecond."""


class Figures:
    """What is counted as it happens, as plain numbers: it costs each message. What can be looked up
    is read when somebody asks.

    `traffic`: what peers have said and were told. `moves`, `begun`: by game.
    """

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # a series more for each
        self.registry: Final = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.traffic: Final = Traffic()
        self.moves: Final = Tally(dict.fromkeys(GAMES, 0))
        self.begun: Final = Tally(dict.fromkeys(GAMES, 0))
        self.append_s: Final = self._histogram(
            "journal_append_seconds", "How long the journal took to keep an action.", APPEND_S
        )
        self.lag_s: Final = self._histogram(
            "loop_lag_seconds", "How late the loop was, looked at once a second.", LAG_S
        )

    def _histogram(self, name: str, told: str, buckets: Sequence[float]) -> Histogram:
        return Histogram(name, told, namespace=PREFIX, registry=self.registry, buckets=buckets)

    def journal(self, journal: Journal) -> Journal:
        """The same journal, which is counted from now on."""
        return cast(Journal, _CountedJournal(journal, self))

    def counted(self) -> list[Metric]:
        """To be called in the loop."""
        traffic, messages, lengths = self.traffic, {}, {}
        for way, kinds in (("in", traffic.received), ("out", traffic.sent)):
            for kind, (number, length) in kinds.items():
                tag = str(kind.__struct_config__.tag)
                messages[way, tag], lengths[way, tag] = number, length
        return [
            _count("messages", "Messages.", messages, "direction", "kind"),
            _count("bytes", "Bytes of messages.", lengths, "direction", "kind"),
            _count("refusals", "Requests refused.", traffic.refusals, "code"),
            _count("goodbyes", "Connections ended, and why.", traffic.goodbyes, "code"),
            _count("moves", "Actions that the journal has taken.", self.moves, "game"),
            _count("matches_begun", "Matches that have begun.", self.begun, "game"),
        ]


class _CountedJournal:
    """Everything that is not counted goes straight to the journal."""

    def __init__(self, journal: Journal, figures: Figures) -> None:
        self._journal: Final = journal
        self._figures: Final = figures
        self._games: Final[dict[MatchId, str]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        await self._journal.begin(header, tokens)
        self._games[header.match] = header.game
        self._figures.begun[header.game] += 1

    async def load(self, match: MatchId) -> Any:
        header, entries = await self._journal.load(match)
        self._games[match] = header.game
        return header, entries

    def append(self, match: MatchId, version: Version, entry: Entry) -> asyncio.Future[None]:
        kept = self._journal.append(match, version, entry)
        kept.add_done_callback(partial(self._appended, perf_counter(), match, entry))
        return kept

    def _appended(
        self, begun_s: float, match: MatchId, entry: Entry, kept: asyncio.Future[None]
    ) -> None:
        if kept.cancelled() or kept.exception() is not None:
            return
        self._figures.append_s.observe(perf_counter() - begun_s)
        if entry.seat is not None and not entry.takes_back:
            self._figures.moves[self._games.get(match, "")] += 1

    async def forget(self, match: MatchId) -> None:
        await self._journal.forget(match)
        self._games.pop(match, None)


async def now(server: Server) -> list[Metric]:
    """What can be looked up; the loop turns meanwhile, since there may be thousands of tables."""
    peers, lobby = server.peers, server.lobby
    readers, waiting = len(lobby.list.readers), server.brains.waiting
    tables: Tally[tuple[str, str]] = Tally(
        {(game, phase.value): 0 for game in GAMES for phase in TablePhase}
    )
    seats: Tally[tuple[str, str]] = Tally(
        {(game, kind.value): 0 for game in GAMES for kind in SeatKind}
    )
    watchers: Tally[str] = Tally(dict.fromkeys(GAMES, 0))
    async for table in few(lobby.tables.values(), TABLES_A_TURN):
        tables[table.terms.game_id, table.phase.value] += 1
        watchers[table.terms.game_id] += len(table.watchers)
        for chair in table.seating.chairs:
            seats[table.terms.game_id, chair.kind.value] += 1
    return [
        _gauge("connections", "Open connections.", {(): len(peers.connected)}),
        _gauge("tables", "Tables.", tables, "game", "phase"),
        _gauge("seats", "Seats at tables.", seats, "game", "kind"),
        _gauge("watchers", "Watchers of tables.", watchers, "game"),
        _gauge("lobby_readers", "Connections that read the list of tables.", {(): readers}),
        _gauge("matches_resting", "Matches that only the journal has.", {(): len(lobby.resting)}),
        _gauge("bots_waiting", "Decisions of bots that wait for a worker.", {(): waiting}),
        _gauge("draining", "1 while the server takes nobody new.", {(): int(lobby.draining)}),
        _count("limits_met", "How often a connection met a limit.", peers.hits, "limit"),
    ]


def _shown(
    kind: Callable[..., Any], name: str, told: str, values: Mapping[Any, float], *labels: str
) -> Metric:
    """`values`: by label, or by a tuple of labels; one without any by ()."""
    family: Metric = kind(f"{PREFIX}_{name}", told, labels=labels)
    for key, value in values.items():
        family.add_metric([key] if isinstance(key, str) else list(key), value)  # type: ignore[attr-defined]
    return family


_gauge = partial(_shown, GaugeMetricFamily)
_count = partial(_shown, CounterMetricFamily)
