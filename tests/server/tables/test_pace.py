"""How fast bots act where one person plays against them, over a real socket. A bot's usual wait is
an hour here, so what comes at all comes at once."""

from collections.abc import Sequence
from random import Random
from typing import Any

from protocol.from_client import BotSeat, CreateTable, Hurry, Join, SetPace, Watch
from protocol.from_server import Update
from protocol.pace import Pace
from protocol.refusal import RefusalCode
from server.bots.brains import Decided
from server.tables.table import Table
from tests.stage.house import READY, START, HomeBrains, Peer, eventually, house, read_view, some_act

HOUR_S = 3600.0
HURRY = Hurry(id=0)
BOTS = [BotSeat(1, "normal"), BotSeat(2, "normal")]


class Counting(HomeBrains):
    """Keeps which decisions bots are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def choose(
        self, game: str, level: str, view: Any, events: Sequence[Any], seed: str, *asker: Any
    ) -> Decided | None:
        self.asked.append(seed)
        return await super().choose(game, level, view, events, seed, *asker)


async def begun(peer: Peer, first_seat: int = 1) -> str:
    """A match against two bots, of which one begins."""
    options = {"first_seat": first_seat}
    table = CreateTable(id=0, game="clocktowers", seats=3, bots=BOTS, options=options)
    code = (await peer.done(table)).table
    await peer.done(START)
    return code


async def own_turn(peer: Peer) -> Update:
    def own(update: Update) -> bool:
        view = read_view(update)
        return bool(view.turn == view.seat)

    return await peer.until(Update, own)


async def took_turn(peer: Peer) -> int:
    """Play and draw, in this peer's turn. Returns the version after it."""
    update, rng = await own_turn(peer), Random(1)
    for _ in range(2):
        version = (await peer.done(some_act(update, rng))).version
        update = await peer.until(Update, lambda update, v=version: update.version == v)  # type: ignore[misc]
    return update.version


async def stays(peer: Peer, table: Table, version: int) -> bool:
    """Whether the match is still at this version after the server has served a good deal."""
    for _ in range(20):
        await peer.answered()
    return table.match is not None and table.match.version == version


async def test_at_once_bots_wait_for_nothing() -> None:
    async with house(bot_pace_s=HOUR_S) as at, await at.peer("Ann") as ann:
        await begun(ann)
        await ann.done(SetPace(id=0, pace=Pace.AT_ONCE))
        assert (await own_turn(ann)).ply > 0, "also who waits already waits no longer"


async def test_a_new_pace_holds_from_the_next_action_on_and_is_the_hosts_to_choose() -> None:
    async with house(bot_pace_s=HOUR_S) as at, await at.peer("Ann") as ann:
        code = await begun(ann, first_seat=0)
        await ann.done(SetPace(id=0, pace=Pace.AT_ONCE))
        await ann.play(Random(1), 30)
        wim = await at.peer("Wim")
        await wim.done(Watch(id=0, table=code))
        assert (await wim.refused(SetPace(id=0, pace=Pace.SLOW))).code == RefusalCode.NOT_HOST


async def test_hurried_bots_act_at_once_up_to_the_players_turn_and_no_further() -> None:
    brains = Counting()
    async with house(bot_pace_s=HOUR_S, brains=brains) as at, await at.peer("Ann") as ann:
        code = await begun(ann)
        await eventually(lambda: len(brains.asked) == 1)
        await ann.done(HURRY)
        version = await took_turn(ann)
        assert len(brains.asked) == len(set(brains.asked)), "no decision is asked for twice"
        assert await stays(ann, at.table(code), version), "the bot waits again"
        await ann.done(HURRY)
        await own_turn(ann)


async def test_in_your_own_turn_hurrying_changes_nothing() -> None:
    async with house(bot_pace_s=HOUR_S) as at, await at.peer("Ann") as ann:
        code = await begun(ann, first_seat=0)
        await ann.done(HURRY)
        assert await stays(ann, at.table(code), await took_turn(ann))


async def test_nobody_hurries_the_bots_of_others_nor_those_of_a_race() -> None:
    async with house(bot_pace_s=HOUR_S) as at:
        ann, ben = await at.peer("Ann"), await at.peer("Ben")
        table = CreateTable(
            id=0,
            game="clocktowers",
            seats=3,
            bots=BOTS[1:],
            options={"first_seat": 2},
        )
        code = (await ann.done(table)).table
        await ann.done(SetPace(id=0, pace=Pace.AT_ONCE))
        await ben.done(Join(id=0, table=code))
        await ben.done(READY)
        await ann.done(START)
        assert (await ann.refused(HURRY)).code == RefusalCode.NO_HURRY
        assert await stays(ann, at.table(code), 0), "the host's pace is for a table of their own"
        cem = await at.peer("Cem")
        cem.game = "wild_wild_pattern"
        await cem.create(bots="normal")
        await cem.done(START)
        assert (await cem.refused(HURRY)).code == RefusalCode.NO_HURRY
