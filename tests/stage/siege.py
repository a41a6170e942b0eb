"""Many players play over TCP while their server is killed again and again, or the database of its
journal; then the journal is compared with what the players were told.

Laws under test: what was acknowledged stands in the journal, at that version, once; what anybody
has seen of a match is what the journal leads to; a match never goes back.
"""

import asyncio
import signal
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from protocol.ids import MatchId, Seat
from server.games.registry import GAMES
from server.matches.replay import newest, replay
from server.store import opening, statements
from server.store.journal import Entry, Header
from server.store.statements import SqlConnection
from tests.stage.changed_server import changed
from tests.stage.house import PATIENCE_S
from tests.stage.players import Players, SiegeTold, seen_as
from tests.stage.postgres import Cluster, Pair
from tests.stage.processes import kept_port, started

EARLY_ACK: Final = changed("early_ack")
PEACE_S: Final = (0.2, 1.0)
"""How long a server lives after it listens: at least and at most."""
WAIT_S: Final = "1"
"""Less than a standby takes to follow, so some commits are given up."""
# Seats are held so long that no bot ever plays.
PATIENT: Final = {"CLOCKTOWERS_LIMITS__GRACE_S": "600", "CLOCKTOWERS_LOG_LEVEL": "warning"}


@dataclass
class Findings:
    """`lost`: acknowledged and not in the journal at that version. `doubled`: more often in the
    journal than wished for. `steps_back`: views older than what was seen or acknowledged before.
    `unknown`: views that the journal does not lead to. `shut_out`: players without their seat;
    `stuck`: pairs that did not come to the end of their match, and who of them waits for what.
    `followed`: how often a player was led on to another node."""

    sent: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    steps_back: int = 0
    unknown: int = 0
    shut_out: int = 0
    followed: int = 0
    matches: int = 0
    interrupted: int = 0
    """Beginnings in which the server fell before all had a seat; nobody was told of a match."""
    stuck: list[str] = field(default_factory=list)
    stalls_s: list[float] = field(default_factory=list, repr=False)
    errors: str = field(default="", repr=False)

    @property
    def broken(self) -> bool:
        wrong = (self.lost, self.doubled, self.steps_back, self.unknown, self.shut_out, self.stuck)
        return any(wrong)


def compare(players: Players, journal: SqlConnection) -> Findings:
    """What the players were told with what the journal has."""
    found = Findings(interrupted=players.interrupted, followed=players.followed)
    matches: dict[str, list[SiegeTold]] = {}
    for told in players.told:
        matches.setdefault(told.match, []).append(told)
    found.matches = len(matches)
    for match, seats in matches.items():
        try:
            header, entries = statements.load(journal, MatchId(match))
        except statements.No:  # all of it is lost, or nobody had acted and it was called off
            found.lost += sum(len(told.acknowledged) for told in seats)
            continue
        rules = GAMES[header.game].rules
        over = rules.outcome(newest(rules, header, entries).state) is not None
        for told in seats:
            found.shut_out += told.shut_out and not over  # the table of a match that is over may go
            _compare(found, told, entries)
            found.unknown += told.contradictions + _unknown(told, header, entries)
    return found


def _compare(found: Findings, told: SiegeTold, entries: Sequence[Entry]) -> None:
    kept = {(e.key, version) for version, e in enumerate(entries, 1) if e.seat == told.seat}
    found.sent += len(told.sent)
    found.acknowledged += len(told.acknowledged)
    found.steps_back += told.steps_back
    found.stalls_s += told.stalls_s
    found.lost += sum(one not in kept for one in told.acknowledged.items())
    times = Counter(key for key, _version in kept)
    found.doubled += sum(count - (key in told.sent) for key, count in times.items())


def _unknown(told: SiegeTold, header: Header, entries: Sequence[Entry]) -> int:
    """How many of its views the journal does not lead to."""
    rules, seat = GAMES[header.game].rules, Seat(told.seat)
    steps = enumerate(replay(rules, header, entries))
    known = {(version, seen_as(rules.view(step.state, seat))) for version, step in steps}
    return sum(one not in known for one in told.views.items())


class Siege:
    """A run. `port` is the server's, which keeps it. With a cluster, each second blow strikes that
    instead of the server."""

    def __init__(self, players: int, seed: int, cluster: Cluster | Pair | None = None) -> None:
        self._players: Final = Players(players // 2, seed, self._dial)
        self._port = 0
        self._seed = seed
        self._cluster = cluster
        self._url = cluster.fresh() if cluster else ""

    async def _dial(self, rng: Random) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self._port)

    async def run(self, home: Path, kills: int, program: Sequence[str]) -> Findings:
        with kept_port() as self._port:
            return await self._run(home, kills, program)

    async def _run(self, home: Path, kills: int, program: Sequence[str]) -> Findings:
        rng, errors = Random(self._seed), ""
        env = PATIENT | {"CLOCKTOWERS_JOURNAL": self._url, "CLOCKTOWERS_JOURNAL_WAIT_S": WAIT_S}
        async with asyncio.TaskGroup() as group:
            for number in range(kills + 1):
                args = ("serve", "--host", "127.0.0.1", "--port", str(self._port))
                async with started(home, *args, env=env, program=program) as server:
                    await server.listens()
                    if number == 0:
                        playing = self._players.start(group)
                    if number < kills:
                        await self._players.at_peace(rng.uniform(*PEACE_S))
                        if self._cluster is not None:
                            await asyncio.to_thread(self._cluster.kill)
                            await asyncio.to_thread(self._cluster.start)
                            await asyncio.sleep(rng.uniform(*PEACE_S))
                        server.signal(signal.SIGKILL)
                    else:
                        stuck = await self._players.end(playing, PATIENCE_S)
                        server.signal(signal.SIGTERM)
                    await server.ends()
                    errors += await server.errors()
        folder = home / "state" / "clocktowers" / "serve"
        journal, _size = opening.reading(self._url, folder)
        with closing(journal):
            found = compare(self._players, journal)
        found.stuck, found.errors = stuck, errors
        return found
