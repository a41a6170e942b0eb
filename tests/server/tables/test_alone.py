"""Tables of one person: a match of one seat, which has the same life as a match of several, and a
deal that its maker chose, at which nobody else may play."""

import asyncio
from random import Random

import pytest

from protocol.errors import RefusalCode
from protocol.from_client import BotSeat, CreateTable
from protocol.from_server import Ended, Started
from protocol.table import TablePhase
from server.config import Limits
from tests.stage.hall import (
    Hall,
    Player,
    hall,
    in_a_hall,
    only_table,
    refuses,
    settle,
    table_of,
    to_the_end,
)
from tests.stage.jumping_clock import on_jumping_clock

# One seat ----------------------------------------------------------------------------------------

GAME = "architetti_attenti"


async def alone(at: Hall, name: str = "Ann", **how: object) -> Player:
    (ann,) = await at.table(name, game=GAME, **how)  # type: ignore[arg-type]
    return ann


async def play(ann: Player, plies: int = 1000) -> None:
    """So many actions, or to the end."""
    rng = Random(7)
    for _ply in range(plies):
        if ann.over:
            return
        assert ann.may_act()
        await ann.act(rng)
        await settle()


@in_a_hall()
async def test_it_is_played_to_its_end_and_again(at: Hall) -> None:
    ann = await alone(at)
    table = table_of(ann)
    for matches in (1, 2):
        assert (table.phase, table.matches) == (TablePhase.PLAYING, matches)
        assert ann.update.view.seat == 0
        await play(ann)
        (ended,) = ann.heard(Ended)
        assert (list(ended.outcome.winners), ended.outcome.decided_by) == ([0], "alone")
        assert table.phase is TablePhase.ENDED and table.host == 0
        ann.sent.clear()
        table.rematch(ann)
        await settle()
    ann.leave()
    ann.drop()
    await asyncio.sleep(5)
    assert at.left_over() == []


@pytest.mark.parametrize("away_s", [1, Limits().grace_s * 3])
@in_a_hall()
async def test_it_waits_for_a_player_who_dropped(at: Hall, away_s: float) -> None:
    """No bot plays it meanwhile: nobody else is kept waiting."""
    ann = await alone(at)
    await play(ann, 5)
    version = ann.update.version
    ann.drop()
    await asyncio.sleep(away_s)
    back = await ann.again("Ann", since=version)
    assert back.update.version == version and back.may_act()
    assert not table_of(back).news.info().seats[0].away
    await play(back)
    assert back.over


# A chosen deal -----------------------------------------------------------------------------------

SEED = bytes(range(32))


@in_a_hall()
async def test_only_its_maker_may_play(at: Hall) -> None:
    (ann,) = await at.table("Ann", bots=1, seed=SEED)
    table = table_of(ann)
    assert table.news.info().seeded
    table.leave(ann)
    other, ben = await at.table("Cleo", "Ben")
    assert not table_of(other).news.info().seeded and table_of(ben).free_seat() is False


@in_a_hall()
async def test_no_bot_gives_way_to_a_person(at: Hall) -> None:
    wish = CreateTable(id=0, game="clocktowers", seats=2, bots=[BotSeat(1, "easy")], seed=SEED)
    ann = Player(at, "Ann")
    table = at.lobby.create(ann, wish)
    with refuses(RefusalCode.SEED_NEEDS_BOTS):
        table.set_bot(ann, 1, None)
    table.set_bot(ann, 1, "normal")


@on_jumping_clock
async def test_a_rematch_has_the_deal_again_after_a_restart_too() -> None:
    async with hall() as first:
        (ann,) = await first.table("Ann", game="architetti_attenti", seed=SEED)
        promised = ann.heard(Started)[0].sha256
    async with hall(journal=first.journal) as second:
        assert only_table(second).news.info().seeded
        ann = await ann.again("Ann", at=second)
        await to_the_end(ann)
        assert ann.heard(Ended)[0].seed == SEED.hex()
        table_of(ann).rematch(ann)
        await settle()
        assert [one.sha256 for one in ann.heard(Started)] == [promised, promised]
