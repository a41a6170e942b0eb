"""A server that is nearly full: what stands still makes room, and its owners may come back."""

import asyncio

import pytest
from msgspec.structs import replace

from protocol.from_client import CreateTable, Resume
from protocol.from_server import Done, SeatToken
from protocol.ids import MatchId
from protocol.refusal import RefusalCode
from server.config import Limits
from server.store.memory import MemoryJournal
from server.tables.refusals import Impossible
from tests.server.tables.test_one_seat import alone, play
from tests.stage import jumping_clock
from tests.stage.hall import UNDER_WAY, Hall, Player, hall, run, settle
from tests.stage.house import LENIENT, START, eventually, house

TEN = replace(UNDER_WAY, tables=10)
STANDSTILL_S = TEN.standstill_s


async def away(at: Hall, name: str, actions: int) -> Player:
    """A player whose line broke after so many actions."""
    player = await alone(at, name)
    await play(player, actions)
    player.drop()
    return player


async def back(player: Player) -> Player:
    token = player.token
    await player.hall.restoring.wake(MatchId(token.match), token.token)
    return await player.again("Back")


def test_the_least_used_of_those_that_stand_still_makes_room_and_can_be_played_on() -> None:
    async def scene(at: Hall) -> None:
        players = [await away(at, f"Away {n}", actions) for n, actions in enumerate((3, 1, 2))]
        here = [await alone(at, f"Here {n}") for n in range(5)]
        assert len(at.lobby.tables) == 8 and not at.lobby.resting
        await alone(at, "Ann")
        await alone(at, "Ben")
        assert len(at.lobby.tables) == 8
        rest = [player.token.match in at.lobby.resting for player in players]
        assert rest == [False, True, True]
        version = players[1].update.version
        again = await back(players[1])
        assert again.update.version == version
        await play(again)
        assert again.over and all(not player.over for player in here)
        assert [player.token.match in at.lobby.resting for player in players][1:] == [False, True]

    run(scene, limits=TEN)


def test_nobody_who_is_there_makes_room_for_others() -> None:
    async def scene(at: Hall) -> None:
        for number in range(10):
            await alone(at, f"Here {number}")
        with pytest.raises(Impossible) as refused:
            await alone(at, "Late")
        assert refused.value.refusal.code == RefusalCode.TOO_MANY_TABLES

    run(scene, limits=TEN)


def test_a_match_rests_no_longer_than_it_would_have_stood_still() -> None:
    async def scene(at: Hall) -> None:
        gone = await away(at, "Gone", 1)
        await asyncio.sleep(STANDSTILL_S - 100)
        for number in range(8):
            await alone(at, f"Here {number}")
        match = gone.token.match
        assert match in at.lobby.resting and match in await at.journal.held()
        await asyncio.sleep(99)
        assert match in at.lobby.resting
        await asyncio.sleep(2)
        assert match not in at.lobby.resting and match not in await at.journal.held()
        assert not at.lobby.resting.codes

    run(scene, limits=TEN)


def test_what_rests_counts_for_its_owner() -> None:
    async def scene(at: Hall) -> None:
        for number in range(8):
            await alone(at, f"Here {number}")
        for number in range(3):
            foe = Player(at, f"Foe {number}")
            foe.origin = "192.0.2.1"
            at.lobby.create(foe, CreateTable(id=0, game="architetti_attenti", seats=1)).start(foe)
            await settle()
            foe.drop()
        late = Player(at, "Late")
        late.origin = "192.0.2.1"
        with pytest.raises(Impossible) as refused:
            at.lobby.create(late, CreateTable(id=0, game="clocktowers", seats=2))
        assert refused.value.refusal.code == RefusalCode.TOO_MANY_OF_YOURS

    run(scene, limits=replace(TEN, tables_per_address=3))


def test_a_table_without_a_match_closes_instead() -> None:
    async def scene(at: Hall) -> None:
        lonely = Player(at, "Lonely")
        at.lobby.create(lonely, CreateTable(id=0, game="clocktowers", seats=2))
        lonely.drop()
        for number in range(8):
            await alone(at, f"Here {number}")
        assert len(at.lobby.tables) == 8 and not len(at.lobby.resting)

    run(scene, limits=TEN)


def test_what_nobody_has_acted_in_is_pruned_soon_and_the_rest_stays() -> None:
    async def scene(at: Hall) -> None:
        acted, untouched = await away(at, "Ann", 1), await away(at, "Ben", 0)
        await asyncio.sleep(Limits().untouched_s + 1)
        assert await acted.again("Ann")
        with pytest.raises(Impossible):
            await untouched.again("Ben")

    run(scene, limits=Limits())


def test_a_restarted_server_holds_no_more_than_it_would_and_the_others_rest() -> None:
    async def whole() -> None:
        journal = MemoryJournal()
        async with hall(journal=journal) as first:
            players = [await away(first, f"Away {number}", 1) for number in range(12)]
        async with hall(journal=journal, limits=TEN) as second:
            assert (len(second.lobby.tables), len(second.lobby.resting)) == (8, 4)
            for player in players:
                if player.token.match in second.lobby.resting:
                    await second.restoring.wake(MatchId(player.token.match), player.token.token)
                assert (await player.again("Back", at=second)).update.version == 1
            assert len(second.lobby.tables) <= 12

    jumping_clock.run(whole())


async def test_resume_brings_it_back_and_a_wrong_token_does_not() -> None:
    """Also two resumes at once, of which one brings it back."""
    limits = replace(LENIENT, tables=2, standstill_s=900.0, untouched_s=900.0)
    async with house(limits=limits) as at:
        ann, *others = [await at.peer(name) for name in ("Ann", "Ben", "Cia", "Dan")]
        await ann.create(bots="easy")
        await ann.done(START)
        token = await ann.until(SeatToken)
        ann.abort()
        lobby = at.server.lobby
        await eventually(lambda: not any(table.people() for table in lobby.tables.values()))
        for peer in others[:2]:
            await peer.create(bots="easy")
        assert token.match in lobby.resting
        async with await at.peer("Back") as back, await at.peer("Late") as late:
            wrong = Resume(id=0, match=token.match, token=bytes(32))
            assert (await back.refused(wrong)).code == RefusalCode.BAD_TOKEN
            assert token.match in lobby.resting
            right = Resume(id=901, match=token.match, token=token.token)
            back.send(right)
            late.send(right)
            for peer in (back, late):
                answer = await peer.answer(901)
                assert isinstance(answer, Done) and answer.name == "Ann"
            assert not lobby.resting
