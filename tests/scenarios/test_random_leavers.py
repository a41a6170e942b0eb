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

from protocol.from_server import LeftTable, Notice, NoticeCode
from protocol.ids import TableCode
from protocol.table import Bank, Clock, PerTurn
from server.config import Limits
from server.games.registry import GAMES
from server.tables.access import Impossible
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


class Company:
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


async def act(company: Company) -> None:
    for one in company.seated:
        if company.races:
            one.try_something(company.rng)
        elif one.may_act() and one.update.view.turn == one.seat:
            await one.act(company.rng)


async def take_back(company: Company) -> None:
    one = company.some(company.seated)
    if one is not None and one.update.revocable == one.seat:
        await one.undo()


async def play_on(company: Company) -> None:
    if (one := company.some(company.seated)) is not None:
        company.table.playing.give_back(company.table.chair_of(one))


async def hand_over(company: Company) -> None:
    if (one := company.some(company.seated)) is not None:
        company.table.playing.hand_over(company.table.chair_of(one))


async def drop(company: Company) -> None:
    if (one := company.some(company.here)) is not None:
        if one in company.seated:
            company.lost.append(one)
        company.here.remove(one)
        one.drop()


async def leave(company: Company) -> None:
    if (one := company.some(company.here)) is not None:
        company.here.remove(one)
        one.leave()
        one.drop()


async def come_back(company: Company) -> None:
    if (one := company.some(company.lost)) is not None:
        company.lost.remove(one)
        back = await one.again(one.name or "Ann", at=company.at)
        company.here.append(back)
        company.all.append(back)


async def take_over(company: Company) -> None:
    """The same player on a newer connection, before the server finds the older connection
    broken."""
    if (one := company.some(company.seated)) is not None:
        newer = await one.again("Newer")
        company.here[company.here.index(one)] = newer
        company.all.append(newer)


async def kick(company: Company) -> None:
    host = company.table.host
    guest = None if host is None else company.table.seating.chairs[host].guest
    others = [one.name for one in company.table.people() if one is not guest]
    others += [chair.name for chair in company.table.seating.chairs if chair.awaited]
    if guest is None or not others:
        return
    name = company.rng.choice(others)
    company.table.presence.kick(guest, name)
    for one in [one for one in company.here if one.name == name]:
        company.here.remove(one)
        one.drop()


async def watch(company: Company) -> None:
    company.watchers += 1
    one = Player(company.at, f"Wim {company.watchers}")
    try:
        company.table.watch(one)
    except Impossible:
        one.drop()
        raise
    company.here.append(one)
    company.all.append(one)


async def fall(company: Company) -> None:
    """The server is killed, and the next server begins with its journal; watchers go home."""
    old = company.at
    company.lost += company.seated
    for one in company.here:
        one.gone, one.table, one.name = True, None, ""
    company.here.clear()
    old.fall()
    company.at = await company.next_servers.enter_async_context(hall(LIMITS, journal=old.journal))
    code = TableCode(company.table.code)
    company.table = company.at.lobby.tables.get(code, company.table)


async def do_nothing(company: Company) -> None:
    await asyncio.sleep(company.rng.choice([1, 10, 30, 60]))


Rule = Callable[[Company], Awaitable[None]]
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


async def play(at: Hall, game: str, rng: Random, next_servers: AsyncExitStack) -> Company:
    names = ("Ann", "Ben", "Cleo", "Dan")[: rng.randrange(2, 5)]
    bots = rng.randrange(0, 5 - len(names))
    seconds = None if GAMES[game].rules.races else rng.choice(CLOCKS)
    people = await at.table(*names, bots=bots, clock=seconds, game=game)
    table = people[0].at_table()
    assert table is not None
    company = Company(at, table, people, rng, next_servers)
    rules, weights = list(RULES), list(RULES.values())
    for _ in range(rng.randrange(10, 400)):
        if company.is_over:
            break
        [rule] = rng.choices(rules, weights)
        with suppress(Impossible):  # an honest request that came at the wrong moment
            await rule(company)
        await settle()
        await asyncio.sleep(rng.choice([0, 0.1, 1]))
    return company


async def until_over(company: Company) -> None:
    """Everybody who is still there does nothing any more."""
    loop = asyncio.get_running_loop()
    end_s = loop.time() + (RACE_S if company.races else WORLD_S)
    while not company.is_over:
        assert loop.time() < end_s, "the match comes to no end"
        await asyncio.sleep(10)


def everybody_was_told(company: Company) -> None:
    for one in company.here:
        assert one.over or one.heard(LeftTable), f"{one.name} was never told"


def told_in(seed: int, game: str = "clocktowers") -> set[str]:
    """Play a match with all that happens; returns what its people were told."""
    told: set[str] = set()

    async def scene() -> None:
        async with hall(LIMITS) as at, AsyncExitStack() as next_servers:
            company = await play(at, game, Random(seed), next_servers)
            await until_over(company)
            everybody_was_told(company)
            told.update(notice.code for one in company.all for notice in one.heard(Notice))
            told.update("ended" for one in company.all if one.over)
            for one in company.here:
                if one.table is not None:
                    one.leave()
                one.drop()
            await asyncio.sleep(LIMITS.standstill_s + LIMITS.grace_s + 1)
            assert company.at.left_over() == []

    jumping_clock.run(scene())
    return told


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("game", [game for game in GAMES if game != "clocktowers"])
def test_every_match_ends(seed: int, game: str) -> None:
    told_in(seed, game)


def test_in_some_match_everything_happens() -> None:
    """And every match of Clocktowers ends."""
    told = {code for seed in range(10) for code in told_in(seed)}
    assert told >= ENDS | TURNS | {"ended"}


@pytest.mark.soak
@pytest.mark.parametrize("first", range(100, 500, 20))
@pytest.mark.parametrize("game", list(GAMES))
def test_every_match_ends_however_often(first: int, game: str) -> None:
    for seed in range(first, first + 20):
        told_in(seed, game)
