"""The server falls in the middle of a race; the player who had shot first is first afterwards,
too."""

import asyncio
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from protocol.from_client import Act
from protocol.from_server import Update
from protocol.games.wild_wild_pattern import Pass, Phase, Ready, Shoot, Shot, View
from protocol.ids import Key, Version
from server.config import Limits
from server.games.contract import Moment
from server.matches import replay
from server.matches.wishes import Accepted, Answered
from tests.scenarios.test_restarts import Fortress, back, events, falls, newest, pair
from tests.stage import jumping_clock
from tests.stage.hall import Player, hall, settle, table_of
from tests.stage.house import Peer, read_view

GAME = "wild_wild_pattern"
LAGS_MS = {"Ann": 0, "Ben": 100, "Cleo": 150}
LIMITS = Limits(grace_s=60, standstill_s=600)


# On a clock that jumps ---------------------------------------------------------------------------


async def does(player: Player, action: Any, key: bytes) -> None:
    match = table_of(player).match
    assert match is not None
    answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
    version = Version(player.update.version)
    match.submit(player.seat, version, Key(key), action, answer.set_result)
    assert isinstance(await answer, Accepted)


def first(player: Player) -> int | None:
    """Who has shot, as far as this player was told."""
    told = [event for update in player.heard(Update) for event in update.events]
    return next((event.seat for event in told if isinstance(event, Shot)), None)


BEN_IS_FIRST = (1, True)


def decided(*, after_ms: int | None) -> tuple[int, bool] | None:
    """Ann shoots, and 60 ms later the shot arrives that Ben fired 40 ms before hers. The race is
    decided when Cleo's shot could not have been earlier, 110 ms after Ann's. Meanwhile the server
    may fall.

    Returns who may declare, and whether Ann has kept her card; None when nobody may declare.
    """
    seen: list[tuple[int, bool] | None] = []

    async def scene() -> None:
        async with hall(LIMITS) as at, AsyncExitStack() as next_servers:
            people = await at.table(*LAGS_MS, game=GAME)
            for player in people:
                await does(player, Ready(), b"ready")
            await asyncio.sleep(5)
            ann, ben, _cleo = people
            await does(ann, Shoot(3), b"shot")
            await asyncio.sleep(0.060)
            await does(ben, Shoot(4), b"shot")
            if after_ms is not None:
                await asyncio.sleep((after_ms - 60) / 1000)
                assert first(ann) is None, "it was decided already"
                at.fall()
                at = await next_servers.enter_async_context(hall(LIMITS, journal=at.journal))
                ann = await ann.again("Ann", at=at)
            await asyncio.sleep(1)
            await settle()
            view = ann.update.view
            hit = view.phase is Phase.DECLARE
            seen.append((view.acting, view.card != 0) if hit else None)

    jumping_clock.run(scene())
    return seen[0]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Player, "lag_ms", lambda player: LAGS_MS.get(player.name, 0))


@pytest.mark.usefixtures("lines")
@pytest.mark.parametrize("after_ms", [None, 61, 90, 109])
def test_a_shot_that_was_not_decided_is_decided_alike(after_ms: int | None) -> None:
    assert decided(after_ms=after_ms) == BEN_IS_FIRST


@pytest.mark.usefixtures("lines")
def test_a_journal_that_forgets_the_lines_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "Moment", lambda at_ms, lags_ms: Moment(at_ms))
    assert decided(after_ms=90) != BEN_IS_FIRST


# A real server, which is killed ------------------------------------------------------------------


def view(peer: Peer) -> View:
    seen: View = read_view(newest(peer), GAME)
    return seen


async def acts(peer: Peer, action: Any, key: bytes) -> None:
    await peer.done(Act(id=0, version=newest(peer).version, key=key, action=action))


async def until_phase(peer: Peer, phase: Phase) -> None:
    while view(peer).phase is not phase:
        await peer.until(Update)


async def racing(ann: Peer, ben: Peer) -> None:
    await ann.until(Update)
    await ben.until(Update)
    await acts(ann, Ready(), b"a-ready")
    await acts(ben, Ready(), b"b-ready")
    for peer in (ann, ben):
        await until_phase(peer, Phase.RACE)
        while not all(view(peer).in_hand):  # a Challenge card is being replaced
            await peer.until(Update)


async def test_between_a_shot_and_its_declaration(tmp_path: Path, port: int) -> None:
    fortress = Fortress(tmp_path, port)
    async with fortress.stands() as server:
        ann, ben = await pair(server, GAME)
        await racing(ann, ben)
        await acts(ben, Shoot(5), b"b-shot")
        for peer in (ann, ben):
            await until_phase(peer, Phase.DECLARE)
        await falls(server, signal.SIGKILL)
        for peer in (ann, ben):
            await peer.closed()
    async with fortress.stands() as server:
        ben2, ann2 = await back(server, ben), await back(server, ann)
        for before, after in ((ann, ann2), (ben, ben2)):
            await after.until(Update)
            assert view(after) == view(before)
        assert events(ann2) == events(ann)
        await acts(ben2, Pass(), b"b-pass")
        await until_phase(ann2, Phase.TAKE)
        assert (view(ann2).acting, view(ann2).covered) == (0, 0)
        for peer in (ann2, ben2):
            peer.abort()
