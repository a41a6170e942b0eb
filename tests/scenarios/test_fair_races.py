"""A player far away wins as often as one nearby, and pretending to be farther away gains little.

A real server and the real client's connections, each through a proxy that delays its bytes, on a
clock that jumps. All sockets deliver at once, so that the clock sees them."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import pytest
from msgspec import Struct

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.dialing import Dialled
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.link import Hears, Keep, Link
from clocktowers_tui.net.trust import Trust
from protocol.codec import read_as
from protocol.from_client import Act, CreateTable, Join, Pong, Ready, Rematch, Start
from protocol.from_server import Done, Ended, ServerPing, Update
from protocol.games import wild_wild_pattern as wwp
from protocol.games.registry import GAMES as VOCABULARIES
from server import server as server_module
from server.config import Config, Limits
from server.games.wild_wild_pattern.game import GAME as WILD_WILD_PATTERN
from server.games.wild_wild_pattern.race import MAX_RISE_MS
from server.net import listener
from server.server import Server
from tests.stage import jumping_clock
from tests.stage.memory_journal import MemoryJournal

WORDS: Final = VOCABULARIES[WILD_WILD_PATTERN.rules.id]
MEAN_MS, SPREAD_MS = 250, 40


class Reflexes:
    """Two equal courses: what one takes in a race, the other takes in the next."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self._taken: list[tuple[float, float]] = []

    def takes_s(self, race: int, seat: int) -> float:
        while len(self._taken) <= race // 2:
            gauss = self._rng.gauss
            pair = gauss(MEAN_MS, SPREAD_MS) / 1000, gauss(MEAN_MS, SPREAD_MS) / 1000
            self._taken.append(pair)
        return self._taken[race // 2][(race + seat) % 2]


class Racer:
    """A player at the end of a connection, who shoots at the top of the Wheel as soon as there is a
    card, and does anything else at random. `late_pong_s`: how much later than their connection the
    answers to pings come."""

    server: Server
    link: "_CheatingLink"
    _random = staticmethod(WILD_WILD_PATTERN.bots["random"])

    def __init__(self, seat: int, reflexes: Reflexes) -> None:
        self.seat = seat
        self.reflexes = reflexes
        self.late_pong_s = 0.0
        self.wins: list[int] = []
        self.counts = True
        self.over = asyncio.Event()
        self._rng = Random(seat)
        self._events: list[Any] = []
        self._shooting: asyncio.TimerHandle | None = None
        self._asked = 0

    async def sit(self, group: asyncio.TaskGroup) -> None:
        self.link = await _CheatingLink.open(Address(str(self.seat), 0), "AB"[self.seat])
        self.link.racer = self
        self.group = group
        self.line = group.create_task(self.link.run(self.heard))

    def heard(self, message: Struct) -> None:
        match message:
            case Update(events=events):
                news = [read_as(event, WORDS.event) for event in events]
                self._events += news
                for event in news:
                    self._note(event)
                self._consider(message, read_as(message.view, WORDS.view))
            case Ended():
                self._stop()
                self.over.set()

    def _note(self, event: Any) -> None:
        """A race does not count in which a player found a Challenge card and had to wait for
        another."""
        if isinstance(event, wwp.Found):
            self.counts = False
        elif isinstance(event, wwp.Shot):
            if self.counts:
                self.wins.append(event.seat)
            self.counts = True

    def _stop(self) -> None:
        if self._shooting is not None:
            self._shooting.cancel()
            self._shooting = None

    def _consider(self, update: Update, view: wwp.View) -> None:
        races = view.phase is wwp.Phase.RACE
        if not races or view.card == 0 or view.aimed is not None:
            self._stop()
            action = None if races else self._random(view, self._events, self._rng)
            if action is not None:
                self._do(update, action)
        elif self._shooting is None:
            takes_s = self.reflexes.takes_s(len(self.wins), self.seat)
            loop = asyncio.get_running_loop()
            self._shooting = loop.call_later(takes_s, self._do, update, wwp.Shoot(0))

    def _do(self, update: Update, action: Any) -> None:
        self._asked += 1
        key = self._asked.to_bytes(4, "big")
        act = Act(id=0, version=update.version, key=key, action=action)
        self.group.create_task(self._request(act))

    async def _request(self, act: Act) -> None:
        with suppress(LinkError):  # the caller has left the block meanwhile
            await self.link.request(act)


class _CheatingLink(Link):
    """The client's own connection, except for when it answers pings."""

    racer: Racer

    async def _take(self, message: Struct, heard: Hears, keep: Keep) -> None:
        if isinstance(message, ServerPing) and (late_s := self.racer.late_pong_s):
            pong = self._connection.send(Pong(message.n))
            asyncio.get_running_loop().call_later(late_s, self._writer.write, pong)
        else:
            await super()._take(message, heard, keep)


# The road ----------------------------------------------------------------------------------------


async def _carry(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay_s: float
) -> None:
    """Pass all bytes on in their order, each so much later."""
    loop = asyncio.get_running_loop()
    under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def deliver() -> None:
        while True:
            due_s, some = await under_way.get()
            await asyncio.sleep(due_s - loop.time())
            if not some:
                writer.close()
                return
            writer.write(some)

    async with asyncio.TaskGroup() as group:
        group.create_task(deliver())
        some = b"-"
        while some:
            some = await reader.read(65536)
            under_way.put_nowait((loop.time() + delay_s, some))


async def _proxy(path: Path, to: Path, delay_s: float) -> asyncio.AbstractServer:
    async def through(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_unix_connection(to)
        async with asyncio.TaskGroup() as group:
            group.create_task(_carry(reader, there[1], delay_s))
            group.create_task(_carry(there[0], writer, delay_s))

    return await asyncio.start_unix_server(through, path)


@asynccontextmanager
async def track(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *, delays_s: tuple[float, float], seed: int = 1
) -> AsyncIterator[tuple[Racer, Racer]]:
    """Two racers at a table whose match has begun, until the caller leaves the block."""
    monkeypatch.setattr("server.tables.playing.secrets", _seeded(seed))
    there = Path(mkdtemp(dir=folder)) / "server"
    bound = listener.Bound(_listening(there), listener.Address(str(there), 0), frozenset({"plain"}))
    monkeypatch.setattr(server_module, "bind", lambda config: [bound])

    async def dial(address: Address, trust: Trust) -> Dialled:
        return Dialled(*await asyncio.open_unix_connection(there.parent / address.host), trust)

    monkeypatch.setattr("clocktowers_tui.net.link.dial", dial)
    reflexes = Reflexes(seed)
    racers = Racer(0, reflexes), Racer(1, reflexes)
    opened = server_module.opened(Config(), MemoryJournal())
    async with opened as (server, _), asyncio.TaskGroup() as group:
        proxies = [
            await _proxy(there.parent / str(seat), there, delay_s)
            for seat, delay_s in enumerate(delays_s)
        ]
        for racer in racers:
            racer.server = server
            await racer.sit(group)
        await _begin(*racers)
        yield racers
        for racer in racers:
            racer._stop()
            racer.line.cancel()
            racer.link._writer.transport.abort()  # a racer that says goodbye would be played on for
        await asyncio.sleep(1)  # for the last bytes to arrive
        for proxy in proxies:
            proxy.close()


def _seeded(seed: int) -> Any:
    rng = Random(seed)
    return SimpleNamespace(
        token_bytes=rng.randbytes, token_hex=lambda size: rng.randbytes(size).hex()
    )


def _listening(path: Path) -> socket.socket:
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen()
    return listening


async def _begin(host: Racer, guest: Racer) -> None:
    wish = CreateTable(id=0, game=WORDS.id, seats=2)
    table = await host.link.request(wish)
    assert isinstance(table, Done), table
    for who, ask in ((guest, Join(id=0, table=table.table)), (guest, Ready(id=0))):
        assert isinstance(await who.link.request(ask), Done)
    assert isinstance(await host.link.request(Start(id=0)), Done)


async def race(racers: tuple[Racer, Racer], races: int) -> list[int]:
    """The winners of the next so many races, match after match."""
    one = racers[0]
    since = len(one.wins)
    while len(one.wins) < since + races:
        if one.over.is_set():
            for racer in racers:
                await racer.over.wait()
                racer.over.clear()
                assert isinstance(await racer.link.request(Rematch(id=0)), Done)
        await asyncio.sleep(0.5)
    return one.wins[since : since + races]


# The races ----------------------------------------------------------------------------------------


RACES = 100
DELAY_S = 0.12
FAIR_PERCENT = (45, 55)
"""How many races a player wins in fair ones, at least and at most."""


Scene: TypeAlias = Callable[[tuple[Racer, Racer]], Coroutine[Any, Any, None]]
OnTrack: TypeAlias = Callable[..., None]


@pytest.fixture
def on_track(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> OnTrack:
    def play(scene: Scene, delays_s: tuple[float, float] = (0.0, DELAY_S), seed: int = 1) -> None:
        async def whole() -> None:
            async with track(monkeypatch, tmp_path, delays_s=delays_s, seed=seed) as racers:
                await scene(racers)

        jumping_clock.run(whole())

    return play


@pytest.mark.parametrize("far", [0, 1])
def test_who_is_far_away_wins_as_often(on_track: OnTrack, far: int) -> None:
    async def scene(racers: tuple[Racer, Racer]) -> None:
        wins = await race(racers, RACES)
        least, most = FAIR_PERCENT
        assert least * RACES <= 100 * wins.count(far) <= most * RACES

    on_track(scene, (DELAY_S, 0.0) if far == 0 else (0.0, DELAY_S))


# Only pongs come late ---------------------------------------------------------------------------

PONG_S = 0.3
NEAR_S = (0.02, 0.02)


def test_pongs_that_are_late_for_a_while_buy_nothing(on_track: OnTrack) -> None:
    """For 15 s, in the middle of a match, every race has the winner that it would have had."""

    def scene(wins: list[int], pong_s: float) -> Scene:
        async def play(racers: tuple[Racer, Racer]) -> None:
            await race(racers, 15)
            racers[1].late_pong_s = pong_s
            asyncio.get_running_loop().call_later(15, setattr, racers[1], "late_pong_s", 0.0)
            await race(racers, 30)
            wins.extend(racers[0].wins)

        return play

    honest, cheating = list[int](), list[int]()
    on_track(scene(honest, 0.0), NEAR_S)
    on_track(scene(cheating, PONG_S), NEAR_S)
    assert len(honest) >= 45
    assert cheating[: len(honest)] == honest[: len(cheating)]


def lags_ms(at: Server) -> list[int]:
    """The lags that the match at the only table uses now."""
    [table] = at.lobby.tables.values()
    assert table.match is not None
    return list(table.match._course.state.lags)


def test_a_lag_rises_no_faster_than_the_rules_say(on_track: OnTrack) -> None:
    """When a player's pongs come late from now on, until it is at the cap or the match is over."""
    rises: list[int] = []

    async def scene(racers: tuple[Racer, Racer]) -> None:
        await race(racers, 3)
        racers[1].late_pong_s = PONG_S
        before = lags_ms(racers[1].server)[1]
        while before < Limits().lag_ms and not racers[1].over.is_set():
            await asyncio.sleep(0.05)  # no race is as short as that
            now = lags_ms(racers[1].server)[1]
            rises.append(now - before)
            before = now

    on_track(scene, NEAR_S, seed=2)  # a long match
    assert sum(rises) >= 50, "too short a match to tell"
    assert max(rises) == MAX_RISE_MS
