"""A table of one seat: a match alone has the same life as a match of several."""

import asyncio
from random import Random

import pytest

from protocol.clock import PerTurn
from protocol.from_client import CreateTable
from protocol.from_server import Ended
from protocol.listing import TablePhase
from protocol.refusal import RefusalCode
from server.config import Limits
from server.store.memory import MemoryJournal
from server.tables.refusals import Impossible
from tests.server.tables.test_restoring import FallsAtTheEnd, only_table
from tests.stage import jumping_clock
from tests.stage.hall import Hall, Player, hall, run, settle, table_of

GAME = "architetti_attenti"
GRACE_S, STANDSTILL_S = Limits().grace_s, Limits().standstill_s


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


def test_it_is_played_to_its_end_and_again() -> None:
    async def scene(at: Hall) -> None:
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

    run(scene)


def test_a_game_for_several_has_no_table_of_one() -> None:
    async def scene(at: Hall) -> None:
        ann = Player(at, "Ann")
        with pytest.raises(Impossible) as refused:
            at.lobby.create(ann, CreateTable(id=0, game="clocktowers", seats=1))
        assert refused.value.refusal.code == RefusalCode.BAD_SEATS
        at.lobby.create(ann, CreateTable(id=0, game=GAME, seats=1))
        with pytest.raises(Impossible) as full:
            table_of(ann).join(Player(at, "Ben"), None)
        assert full.value.refusal.code == RefusalCode.TABLE_FULL

    run(scene)


def test_after_the_player_leaves_it_ends_and_nothing_is_left() -> None:
    async def scene(at: Hall) -> None:
        ann = await alone(at)
        match = table_of(ann).match
        await play(ann, 5)
        ann.leave()
        ann.drop()
        await settle()
        assert match is not None and match.version == 5 and at.left_over() == []

    run(scene)


@pytest.mark.parametrize("away_s", [1, GRACE_S * 3])
def test_it_waits_for_a_player_who_dropped(away_s: float) -> None:
    """No bot plays it meanwhile: nobody else is kept waiting."""

    async def scene(at: Hall) -> None:
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

    run(scene)


def test_after_the_standstill_it_closes() -> None:
    async def scene(at: Hall) -> None:
        ann = await alone(at)
        ann.drop()
        await asyncio.sleep(STANDSTILL_S - 1)
        assert at.lobby.tables
        await asyncio.sleep(2)
        assert at.left_over() == []

    run(scene)


def test_it_has_no_clock() -> None:
    """Whose turn it is never changes, so a clock for turns would end the first and only one."""

    async def scene(at: Hall) -> None:
        wish = CreateTable(id=0, game=GAME, seats=1, clock=PerTurn(30))
        with pytest.raises(Impossible) as refused:
            at.lobby.create(Player(at, "Ann"), wish)
        assert refused.value.refusal.code == RefusalCode.CLOCK_NEEDS_OTHERS

    run(scene)


def test_a_watcher_sees_it_and_cannot_sit_down() -> None:
    async def scene(at: Hall) -> None:
        ann, ben = await alone(at), Player(at, "Ben")
        table_of(ann).watch(ben)
        await play(ann, 3)
        assert ben.update.view.seat is None and ben.update.version == ann.update.version
        with pytest.raises(Impossible):
            table_of(ann).join(ben, None)
        await play(ann)
        await settle()
        assert ben.over

    run(scene)


def test_a_server_that_fell_has_it_again() -> None:
    async def whole() -> None:
        journal = MemoryJournal()
        async with hall(journal=journal) as first:
            ann = await alone(first)
            await play(ann, 7)
        async with hall(journal=journal) as second:
            back = await ann.again("Ann", at=second)
            assert (back.update.version, back.update.view) == (ann.update.version, ann.update.view)
            await play(back)
            assert back.over

    jumping_clock.run(whole())


def test_a_server_that_fell_at_the_end_tells_the_result_and_has_a_rematch() -> None:
    async def whole() -> None:
        journal = FallsAtTheEnd()
        async with hall(journal=journal) as first:
            ann = await alone(first)
            rng = Random(7)
            while not journal.fallen:
                await ann.act(rng)
                await settle()
            assert not ann.over
        async with hall(journal=journal) as second:
            back = await ann.again("Ann", ann.update.version, at=second)
            assert back.over
            only_table(second).rematch(back)
            await settle()
            assert only_table(second).phase is TablePhase.PLAYING

    jumping_clock.run(whole())
