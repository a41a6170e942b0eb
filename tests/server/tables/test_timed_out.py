"""Players who are too slow: a bot plays for them, they see it all, and act again when they like."""

import asyncio
from random import Random

import pytest

from protocol.errors import RefusalCode
from protocol.from_server import Update
from protocol.table import PerTurn, SeatKind
from server.matches.match import Match
from server.matches.wishes import Accepted, Denied
from server.tables.seat import SeatState
from server.tables.table import Table
from tests.server.tables.test_days import turn
from tests.stage.hall import Hall, Player, in_a_hall, refuses, table_of

TURN_S = 30
TURNS = PerTurn(TURN_S)


def at_table(player: Player) -> tuple[Table, Match]:
    table = table_of(player)
    assert table.match is not None
    return table, table.match


def left_ms(player: Player) -> int:
    assert player.update.clock is not None
    return player.update.clock.left_ms


@in_a_hall()
async def test_without_a_clock_nothing_is_sent_of_it(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben")
    await turn(ann, Random(1))
    await asyncio.sleep(10_000)
    assert all(update.clock is None for update in ben.heard(Update))
    assert ("timed_out", "Ann") not in ben.notices


# Too slow ----------------------------------------------------------------------------------------


@in_a_hall()
async def test_when_the_time_is_up_a_bot_plays_and_everybody_is_told(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben", clock=TURNS)
    table, match = at_table(ann)
    await asyncio.sleep(TURN_S - 0.1)
    assert match.version == 0 and not table.news.info().seats[0].timed_out
    await asyncio.sleep(0.2)
    assert match.to_act() == (0,)
    with refuses(RefusalCode.TIME_UP):  # not in the turn whose time is up
        table.playing.give_back(table.seating.chairs[0])
    await asyncio.sleep(2.8)
    info = table.news.info().seats[0]
    assert (info.kind, info.name) == (SeatKind.HUMAN, "Ann")
    assert (info.timed_out, info.away) == (True, False)
    assert match.to_act() == (1,)
    for person in (ann, ben):
        assert person.notices[-1] == ("timed_out", "Ann")
    assert ann.update.version == match.version, "the owner sees what is played"
    assert ann.update.view.seat == 0
    assert table.host == 0


@in_a_hall(bot_pace_s=3.0)
async def test_a_bot_of_the_table_is_never_timed_out(at: Hall) -> None:
    ann, *_ = await at.table("Ann", bots=1, clock=PerTurn(1))
    await asyncio.sleep(60)
    assert ("timed_out", "Ann") in ann.notices
    assert {name for code, name in ann.notices if code == "timed_out"} == {"Ann"}
    await asyncio.sleep(600)
    assert ann.over, "the match of people who do nothing ends"
    assert table_of(ann).seating.chairs[0].state is SeatState.HERE


# Playing on --------------------------------------------------------------------------------------


@pytest.mark.parametrize("by_acting", [False, True])
@in_a_hall()
async def test_the_owner_plays_on_at_any_other_turn(at: Hall, by_acting: bool) -> None:
    ann, ben = await at.table("Ann", "Ben", clock=TURNS)
    table, match = at_table(ann)
    rng = Random(3)
    await asyncio.sleep(TURN_S + 3)
    if not by_acting:
        table.playing.give_back(table.seating.chairs[0])
        assert ben.notices[-1] == ("came_back", "Ann")
    await turn(ben, rng)
    assert ann.may_act()
    assert isinstance(await ann.act(rng), Accepted)
    assert ben.notices[-1] == ("came_back", "Ann")
    version = match.version
    await asyncio.sleep(TURN_S - 1)
    assert match.version == version and not table.news.info().seats[0].timed_out


@in_a_hall()
async def test_an_act_that_came_when_the_time_was_up_is_refused(at: Hall) -> None:
    """Also if the loop was busy at that moment, and the flag had no chance to fall before."""
    ann, ben = await at.table("Ann", "Ben", clock=TURNS)
    _table, match = at_table(ann)
    asyncio.get_running_loop()._jumping.now_s += TURN_S + 0.1  # type: ignore[attr-defined]
    answer = await ann.act(Random(1))
    assert isinstance(answer, Denied) and answer.refusal.code == RefusalCode.TIME_UP
    assert match.version == 0 and ("timed_out", "Ann") in ben.notices


# With the other ends -----------------------------------------------------------------------------


@in_a_hall()
async def test_a_player_who_drops_while_a_bot_plays_is_not_waited_for_and_can_come_back(
    at: Hall,
) -> None:
    ann, ben = await at.table("Ann", "Ben", clock=TURNS)
    table, match = at_table(ann)
    await asyncio.sleep(TURN_S + 3)
    ann.drop()
    info = table.news.info().seats[0]
    assert (info.kind, info.away, info.timed_out) == (SeatKind.BOT, True, False)
    await turn(ben, Random(1))
    await asyncio.sleep(3)
    assert match.to_act() == (1,), "the same bot plays on"
    back = await ann.again("Ann")
    assert (back.seat, table.news.info().seats[0].away) == (0, False)
    await turn(ben, Random(1))
    assert isinstance(await back.act(Random(1)), Accepted)


@pytest.mark.parametrize("comes_back", [False, True])
@in_a_hall()
async def test_the_clock_of_a_dropped_player_goes_on(at: Hall, comes_back: bool) -> None:
    """Who comes back in the turn whose time is up does not hang the table."""
    ann, ben = await at.table("Ann", "Ben", clock=PerTurn(10))
    ann.drop()
    await asyncio.sleep(10.1)
    assert ben.notices[-4:-1] == [
        ("dropped", "Ann"),
        ("timed_out", "Ann"),
        ("bot_took_over", "Ann"),
    ]
    if comes_back:
        await ann.again("Ann")
    await asyncio.sleep(3)
    assert ben.may_act()


@in_a_hall()
async def test_a_newer_connection_plays_on(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben", clock=TURNS)
    table, match = at_table(ann)
    await asyncio.sleep(TURN_S + 3)
    newer = await ann.again("Ann")
    assert not table.news.info().seats[0].timed_out
    await turn(ben, Random(1))
    version = match.version
    await asyncio.sleep(TURN_S - 1)
    assert (match.version, newer.update.version) == (version, version)


@in_a_hall()
async def test_the_clock_stands_still_when_nobody_is_there(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben", clock=TURNS)
    await asyncio.sleep(10)
    for person in (ann, ben):
        person.drop()
    await asyncio.sleep(300)
    back = await ann.again("Ann")
    assert left_ms(back) == 20_000
