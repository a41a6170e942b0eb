"""The server falls in the middle of a race; the player who had shot first is first afterwards, too,
and a clock that stood still goes on from there. On a clock that jumps."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest

from protocol.from_server import Update
from protocol.games.wild_wild_pattern import Phase, Ready, Shoot, Shot
from protocol.ids import Key, MatchId, Version
from server.config import Limits
from server.matches.wishes import Accepted, Answered
from tests.stage import jumping_clock
from tests.stage.hall import Player, hall, settle, table_of

GAME = "wild_wild_pattern"
LAGS_MS = {"Ann": 0, "Ben": 100, "Cleo": 150}
LIMITS = Limits(grace_s=60, standstill_s=600, untouched_s=600)


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


def test_a_race_that_its_players_left_has_as_much_time_afterwards() -> None:
    async def scene() -> None:
        async with hall(LIMITS) as at, AsyncExitStack() as next_servers:
            people = await at.table("Ann", "Ben", game=GAME)
            for player in people:
                await does(player, Ready(), b"ready")
            await asyncio.sleep(20)
            for player in people:
                player.drop()
            kept = len((await at.journal.load(MatchId(people[0].token.match)))[1])
            for _ in range(20):  # each goes and comes, and the journal is as long as it was
                people[0] = await people[0].again("Ann")
                await asyncio.sleep(0.01)
                people[0].drop()
                await settle()
            assert len((await at.journal.load(MatchId(people[0].token.match)))[1]) == kept
            await asyncio.sleep(100)
            at.fall()
            at = await next_servers.enter_async_context(hall(LIMITS, journal=at.journal))
            update = (await people[0].again("Ann", at=at)).update
            assert 39_900 < update.view.due_ms - update.at_ms <= 40_000

    jumping_clock.run(scene())
