"""A table whose maker chose the deal: nobody else may play there, and the same moves meet the same
answers."""

import asyncio
from random import Random
from typing import Any

import pytest

from protocol.from_client import BotSeat, CreateTable
from protocol.from_server import Ended, History, Started, Update
from protocol.refusal import RefusalCode
from server.store.memory import MemoryJournal
from server.tables.refusals import Impossible
from tests.server.tables.test_restoring import only_table
from tests.stage import jumping_clock
from tests.stage.hall import Hall, Player, hall, run, settle, table_of

SEED = bytes(range(32))


async def events_of(at: Hall, seed: bytes | None) -> list[Any]:
    """What you see of a match with two bots, to its end."""
    (ann,) = await at.table("Ann", bots=2, seed=seed)
    rng = Random(3)
    while not ann.over:
        if ann.may_act():
            await ann.act(rng)
        await asyncio.sleep(1)
    heard = [m for m in ann.sent if isinstance(m, History | Update)]
    ann.leave()
    ann.drop()
    return [event for message in heard for event in message.events]


def test_the_same_seed_and_moves_make_the_same_match() -> None:
    async def scene(at: Hall) -> None:
        first = await events_of(at, SEED)
        assert first and await events_of(at, SEED) == first
        assert await events_of(at, bytes(32)) != first
        assert await events_of(at, None) != first

    run(scene)


def refused(at: Hall, seats: int, *bots: int) -> object:
    wish = CreateTable(
        id=0,
        game="clocktowers",
        seats=seats,
        bots=[BotSeat(seat, "easy") for seat in bots],
        seed=SEED,
    )
    with pytest.raises(Impossible) as caught:
        at.lobby.create(Player(at, "Ann"), wish)
    return caught.value.refusal.code


def test_only_its_maker_may_play() -> None:
    async def scene(at: Hall) -> None:
        assert refused(at, 2) == RefusalCode.SEED_NEEDS_BOTS
        assert refused(at, 4, 1, 1, 3) == RefusalCode.SEED_NEEDS_BOTS
        (ann,) = await at.table("Ann", bots=1, seed=SEED)
        table = table_of(ann)
        assert table.news.info().seeded
        table.leave(ann)
        other, ben = await at.table("Cleo", "Ben")
        assert not table_of(other).news.info().seeded and table_of(ben).free_seat() is False

    run(scene)


def test_no_bot_gives_way_to_a_person() -> None:
    async def scene(at: Hall) -> None:
        wish = CreateTable(id=0, game="clocktowers", seats=2, bots=[BotSeat(1, "easy")], seed=SEED)
        ann = Player(at, "Ann")
        table = at.lobby.create(ann, wish)
        with pytest.raises(Impossible) as caught:
            table.set_bot(ann, 1, None)
        assert caught.value.refusal.code == RefusalCode.SEED_NEEDS_BOTS
        table.set_bot(ann, 1, "normal")

    run(scene)


def test_a_rematch_has_the_deal_again_after_a_restart_too() -> None:
    async def scene() -> None:
        journal = MemoryJournal()
        async with hall(journal=journal) as first:
            (ann,) = await first.table("Ann", game="architetti_attenti", seed=SEED)
            promised = ann.heard(Started)[0].sha256
        async with hall(journal=journal) as second:
            assert only_table(second).news.info().seeded
            ann = await ann.again("Ann", at=second)
            rng = Random(5)
            while not ann.over:
                await ann.act(rng)
                await settle()
            assert ann.heard(Ended)[0].seed == SEED.hex()
            table_of(ann).rematch(ann)
            await settle()
            assert [one.sha256 for one in ann.heard(Started)] == [promised, promised]

    jumping_clock.run(scene())
