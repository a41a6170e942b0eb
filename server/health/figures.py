"""What `/metrics` shows of a server. Only a server that was asked for it counts any of this.

Nothing private is in it: no name, no address, no identity, no table's code.
"""

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, cast

from msgspec import Struct
from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from protocol.connection import Connection
from protocol.from_server import Goodbye, Refused
from protocol.ids import MatchId, Version
from protocol.listing import SeatKind, TablePhase
from protocol.state import Side
from server.games.registry import GAMES
from server.server import Server
from server.store.journal import NO_TOKENS, Entry, Header, Journal, TokenHashes

PREFIX: Final = "clocktowers"
APPEND_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
LAG_S: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Upper ends of a histogram's buckets."""

_HEADER_BYTES: Final = 4
"""Of a frame, before its payload."""


class Figures:
    """What is counted as it happens. What can be looked up is read when somebody asks (`now`)."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # a second series for each, which nobody reads
        self.registry: Final = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.messages: Final = self._counter("messages", "Messages.", "direction", "kind")
        self.bytes: Final = self._counter("bytes", "Bytes of messages.", "direction", "kind")
        self.refusals: Final = self._counter("refusals", "Requests refused.", "code")
        self.goodbyes: Final = self._counter("goodbyes", "Connections ended, and why.", "code")
        self.moves: Final = self._counter("moves", "Actions that the journal has taken.", "game")
        self.begun: Final = self._counter("matches_begun", "Matches that have begun.", "game")
        self.append_s: Final = self._histogram(
            "journal_append_seconds", "How long the journal took to keep an action.", APPEND_S
        )
        self.lag_s: Final = self._histogram(
            "loop_lag_seconds", "How late the loop was, looked at once a second.", LAG_S
        )

    def _counter(self, name: str, told: str, *labels: str) -> Counter:
        return Counter(name, told, labels, namespace=PREFIX, registry=self.registry)

    def _histogram(self, name: str, told: str, buckets: Sequence[float]) -> Histogram:
        return Histogram(name, told, namespace=PREFIX, registry=self.registry, buckets=buckets)

    def connection(self) -> Connection:
        """The server's end of a new connection."""
        return _CountedConnection(self)

    def journal(self, journal: Journal) -> Journal:
        """The same journal, which is counted from now on."""
        return cast(Journal, _CountedJournal(journal, self))


class _CountedConnection(Connection):
    __slots__ = ("_figures",)

    def __init__(self, figures: Figures) -> None:
        super().__init__(Side.SERVER)
        self._figures: Final = figures

    def next_message(self) -> Struct | None:
        length = self.frame_bytes
        if (message := super().next_message()) is not None:
            self._count("in", message, _HEADER_BYTES + length)
        return message

    def send_if_allowed(self, message: Struct) -> bytes:
        whole = super().send_if_allowed(message)
        if whole:
            self._count("out", message, len(whole))
            if isinstance(message, Refused):
                self._figures.refusals.labels(message.code).inc()
            elif isinstance(message, Goodbye):
                self._figures.goodbyes.labels(message.code).inc()
        return whole

    def _count(self, direction: str, message: Struct, length: int) -> None:
        kind = message.__struct_config__.tag
        self._figures.messages.labels(direction, kind).inc()
        self._figures.bytes.labels(direction, kind).inc(length)


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
        self._figures.begun.labels(header.game).inc()

    async def load(self, match: MatchId) -> Any:
        header, entries = await self._journal.load(match)
        self._games[match] = header.game
        return header, entries

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        with self._figures.append_s.time():
            await self._journal.append(match, version, entry)
        if entry.seat is not None and not entry.takes_back:
            self._figures.moves.labels(self._games.get(match, "")).inc()

    async def forget(self, match: MatchId) -> None:
        await self._journal.forget(match)
        self._games.pop(match, None)


class Now(Collector):
    """What a registry is to ask: `gathered` returns what `now` returned in the loop."""

    def __init__(self, gathered: Callable[[], list[Metric]]) -> None:
        self._gathered: Final = gathered

    def collect(self) -> Iterator[Metric]:
        yield from self._gathered()


def now(server: Server) -> list[Metric]:
    """What can be looked up. To be called in the loop."""
    peers, lobby = server.peers, server.lobby
    tables: Tally[tuple[str, str]] = Tally(
        {(game, phase.value): 0 for game in GAMES for phase in TablePhase}
    )
    seats: Tally[tuple[str, str]] = Tally(
        {(game, kind.value): 0 for game in GAMES for kind in SeatKind}
    )
    watchers: Tally[str] = Tally(dict.fromkeys(GAMES, 0))
    for table in lobby.tables.values():
        tables[table.game_id, table.phase.value] += 1
        watchers[table.game_id] += len(table.watchers)
        for chair in table.seating.infos():
            seats[table.game_id, chair.kind.value] += 1
    return [
        _gauge("connections", "Open connections.", len(peers.connected)),
        _gauge("tables", "Tables.", tables, "game", "phase"),
        _gauge("seats", "Seats at tables.", seats, "game", "kind"),
        _gauge("watchers", "Watchers of tables.", watchers, "game"),
        _gauge("lobby_readers", "Connections that read the list of tables.", len(lobby.readers)),
        _gauge("matches_resting", "Matches that only the journal has.", len(lobby.resting)),
        _gauge("bots_waiting", "Decisions of bots that wait for a worker.", server.brains.waiting),
        _gauge("draining", "1 while the server takes nobody new.", int(server.draining)),
        _met(peers.hits),
    ]


def _gauge(name: str, told: str, value: Any, *labels: str) -> Metric:
    if not labels:
        return GaugeMetricFamily(f"{PREFIX}_{name}", told, value=value)
    family = GaugeMetricFamily(f"{PREFIX}_{name}", told, labels=labels)
    for key, count in value.items():
        family.add_metric([key] if len(labels) == 1 else list(key), count)
    return family


def _met(hits: Tally[str]) -> Metric:
    family = CounterMetricFamily(
        f"{PREFIX}_limits_met", "How often a connection met a limit.", labels=["limit"]
    )
    for limit, times in hits.items():
        family.add_metric([limit], times)
    return family
