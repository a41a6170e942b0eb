"""Whatever people do to a table, its match comes to an end, everybody is told, nothing is left.

Drops, leaves, kicks, returns, take-backs, watchers, people who do nothing at all, and servers that
fall, by chance, on a clock that jumps. A new way for things to go wrong is one more rule in
`RULES`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from random import Random
from typing import Final

import pytest

from protocol.clock import Bank, Clock, PerTurn
from protocol.from_server import LeftTable, Notice, NoticeCode
from protocol.ids import TableCode
from server.config import Limits
from server.games.registry import GAMES
from server.tables.refusals import Impossible
from server.tables.table import Table
from tests.stage import jumping_clock
from tests.stage.hall import Hall, Player, hall, settle

CLOCKS: Final[tuple[Clock, ...]] = (PerTurn(5), PerTurn(40), Bank(30, 3))
LIMITS: Final = Limits(grace_s=20, standstill_s=120)
WORLD_S: Final = 4 * 3600.0
"""For a table of four, each of whom takes forty seconds a turn, in a match of under 200 actions."""
RACE_S: Final = 12 * 3600.0
"""For a race in which nobody does anything: 20 rounds of 10 turns, each of them up to three minutes
until all are ready, nobody has shot and all cards are laid."""
ENDS: Final = {
    NoticeCode.LEFT,
    NoticeCode.DROPPED,
    NoticeCode.KICKED,
    NoticeCode.TIMED_OUT,
    NoticeCode.BOT_TOOK_OVER,
    NoticeCode.STOPPED_WATCHING,
}
TURNS: Final = {
    NoticeCode.CAME_BACK,
    NoticeCode.TOOK_BACK,
    NoticeCode.HOST,
    NoticeCode.SERVER_CAME_BACK,
}


class Evening:
    """A table, and everybody who was ever at it."""

    def __init__(
        self,
        at: Hall,
        table: Table,
        people: list[Player],
        rng: Random,
        next_servers: AsyncExitStack,
    ) -> None:
        self.at = at
        self.next_servers = next_servers
        self.table = table
        self.rng = rng
        self.here = people
        self.lost: list[Player] = []
        self.all = people[:]
        self.watchers = 0

    def some(self, whom: list[Player]) -> Player | None:
        return self.rng.choice(whom) if whom else None

    @property
    def races(self) -> bool:
        return self.table.game.rules.races

    @property
    def seated(self) -> list[Player]:
        return [one for one in self.here if self.table.seating.seat_of(one) is not None]

    @property
    def is_over(self) -> bool:
        return any(one.over for one in self.all) or self.table.code not in self.at.lobby.tables


async def act(evening: Evening) -> None:
    for one in evening.seated:
        if evening.races:
            one.try_something(evening.rng)
        elif one.may_act() and one.update.view.turn == one.seat:
            await one.act(evening.rng)


async def take_back(evening: Evening) -> None:
    one = evening.some(evening.seated)
    if one is not None and one.update.revocable == one.seat:
        await one.take_back()


async def play_on(evening: Evening) -> None:
    if (one := evening.some(evening.seated)) is not None:
        evening.table.playing.take_back_from_bot(one.seat)


async def hand_over(evening: Evening) -> None:
    if (one := evening.some(evening.seated)) is not None:
        evening.table.playing.hand_over(one.seat)


async def drop(evening: Evening) -> None:
    if (one := evening.some(evening.here)) is not None:
        if one in evening.seated:
            evening.lost.append(one)
        evening.here.remove(one)
        one.drop()


async def leave(evening: Evening) -> None:
    if (one := evening.some(evening.here)) is not None:
        evening.here.remove(one)
        one.leave()
        one.drop()


async def come_back(evening: Evening) -> None:
    if (one := evening.some(evening.lost)) is not None:
        evening.lost.remove(one)
        back = await one.again(one.name or "Ann", at=evening.at)
        evening.here.append(back)
        evening.all.append(back)


async def take_over(evening: Evening) -> None:
    """The same player on a newer connection, before the server finds the older connection
    broken."""
    if (one := evening.some(evening.seated)) is not None:
        newer = await one.again("Newer")
        evening.here[evening.here.index(one)] = newer
        evening.all.append(newer)


async def kick(evening: Evening) -> None:
    host = evening.table.host
    guest = None if host is None else evening.table.seating.chairs[host].guest
    others = [one.name for one in evening.table.people() if one is not guest]
    others += [chair.name for chair in evening.table.seating.chairs if chair.awaited]
    if guest is None or not others:
        return
    name = evening.rng.choice(others)
    evening.table.kick(guest, name)
    for one in [one for one in evening.here if one.name == name]:
        evening.here.remove(one)
        one.drop()


async def watch(evening: Evening) -> None:
    evening.watchers += 1
    one = Player(evening.at, f"Wim {evening.watchers}")
    try:
        evening.table.watch(one)
    except Impossible:
        one.drop()
        raise
    evening.here.append(one)
    evening.all.append(one)


async def fall(evening: Evening) -> None:
    """The server is killed, and the next server begins with its journal; watchers go home."""
    old = evening.at
    evening.lost += evening.seated
    for one in evening.here:
        one.gone, one.table, one.name = True, None, ""
    evening.here.clear()
    old.fall()
    evening.at = await evening.next_servers.enter_async_context(hall(LIMITS, journal=old.journal))
    code = TableCode(evening.table.code)
    evening.table = evening.at.lobby.tables.get(code, evening.table)


async def do_nothing(evening: Evening) -> None:
    await asyncio.sleep(evening.rng.choice([1, 10, 30, 60]))


Rule = Callable[[Evening], Awaitable[None]]
RULES: Final[dict[Rule, int]] = {
    act: 40,
    take_back: 4,
    play_on: 4,
    hand_over: 2,
    drop: 2,
    come_back: 3,
    take_over: 1,
    leave: 1,
    kick: 1,
    watch: 1,
    fall: 1,
    do_nothing: 3,
}
"""Each rule with how often it comes."""


async def play(at: Hall, game: str, rng: Random, next_servers: AsyncExitStack) -> Evening:
    names = ("Ann", "Ben", "Cleo", "Dan")[: rng.randrange(2, 5)]
    bots = rng.randrange(0, 5 - len(names))
    seconds = None if GAMES[game].rules.races else rng.choice(CLOCKS)
    people = await at.table(*names, bots=bots, clock=seconds, game=game)
    table = people[0].at_table()
    assert table is not None
    evening = Evening(at, table, people, rng, next_servers)
    rules, weights = list(RULES), list(RULES.values())
    for _ in range(rng.randrange(10, 400)):
        if evening.is_over:
            break
        [rule] = rng.choices(rules, weights)
        with suppress(Impossible):  # an honest request that came at the wrong moment
            await rule(evening)
        await settle()
        await asyncio.sleep(rng.choice([0, 0.1, 1]))
    return evening


async def until_over(evening: Evening) -> None:
    """Everybody who is still there does nothing any more."""
    loop = asyncio.get_running_loop()
    end_s = loop.time() + (RACE_S if evening.races else WORLD_S)
    while not evening.is_over:
        assert loop.time() < end_s, "the match comes to no end"
        await asyncio.sleep(10)


def everybody_was_told(evening: Evening) -> None:
    for one in evening.here:
        assert one.over or one.heard(LeftTable), f"{one.name} was never told"


def evening_of(seed: int, game: str = "clocktowers") -> set[str]:
    """Play an evening; returns what its people were told."""
    told: set[str] = set()

    async def scene() -> None:
        async with hall(LIMITS) as at, AsyncExitStack() as next_servers:
            evening = await play(at, game, Random(seed), next_servers)
            await until_over(evening)
            everybody_was_told(evening)
            told.update(notice.code for one in evening.all for notice in one.heard(Notice))
            told.update("ended" for one in evening.all if one.over)
            for one in evening.here:
                if one.table is not None:
                    one.leave()
                one.drop()
            await asyncio.sleep(LIMITS.standstill_s + LIMITS.grace_s + 1)
            assert evening.at.left_over() == []

    jumping_clock.run(scene())
    return told


SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 5))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", [game for game in GAMES if game != "clocktowers"])
def test_every_match_ends(seed: int, game: str) -> None:
    evening_of(seed, game)


def test_in_some_evening_everything_happens() -> None:
    """And every match of Clocktowers ends."""
    told = {code for seed in range(10) for code in evening_of(seed)}
    assert told >= ENDS | TURNS | {"ended"}


@pytest.mark.soak
@pytest.mark.parametrize("first", range(100, 500, 20))
@pytest.mark.parametrize("game", list(GAMES))
def test_every_match_ends_however_often(first: int, game: str) -> None:
    for seed in range(first, first + 20):
        evening_of(seed, game)
