"""What one address and one identity may have of a server's tables and bots; and of a server that is
nearly full: what stands still makes room, and its owners may come back."""

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from protocol.errors import RefusalCode
from protocol.from_client import BotSeat, CreateTable, Resume
from protocol.from_server import Done, SeatToken
from protocol.ids import MatchId
from server.config import Limits
from server.tables.access import Impossible
from tests.server.tables.test_alone import alone, play
from tests.stage.hall import UNDER_WAY, Hall, Player, hall, in_a_hall, refuses, settle, table_of
from tests.stage.house import LENIENT, START, eventually, house
from tests.stage.jumping_clock import on_jumping_clock

# Shares ------------------------------------------------------------------------------------------

FEW = replace(
    UNDER_WAY, tables_per_address=3, tables_per_identity=2, bots_per_address=4, bots_per_identity=3
)


def with_bots(player: Player, bots: int = 1) -> Player:
    """Create a table with so many bots, and begin."""
    seats = [BotSeat(seat, "easy") for seat in range(1, bots + 1)]
    wish = CreateTable(id=0, game="clocktowers", seats=bots + 1, bots=seats)
    player.hall.lobby.create(player, wish).start(player)
    return player


async def begun_and_cut(player: Player, bots: int = 1) -> None:
    with_bots(player, bots)
    await settle()
    player.drop()


@pytest.mark.parametrize(
    ("whose", "most"), [({"origin": "192.0.2.1"}, 3), ({"identity": b"i"}, 2), ({}, 9)]
)
@in_a_hall(limits=FEW)
async def test_tables_that_wait_for_somebody_count(
    at: Hall, whose: dict[str, Any], most: int
) -> None:
    made = 0
    for number in range(9):
        try:
            await begun_and_cut(Player(at, f"Foe {number}", **whose))
        except Impossible as impossible:
            assert impossible.refusal.code == RefusalCode.TOO_MANY_OF_YOURS
            assert impossible.refusal.params == {"limit": most}
        else:
            made += 1
    assert made == most
    with_bots(Player(at, "Ann", origin="192.0.2.2", identity=b"a"))


@in_a_hall(limits=FEW)
async def test_a_table_that_ends_counts_no_more_and_that_of_a_lonely_host_counts_till_then(
    at: Hall,
) -> None:
    for number in range(3):
        host = Player(at, f"Host {number}", origin="192.0.2.1")
        at.lobby.create(host, CreateTable(id=0, game="clocktowers", seats=2))
        host.drop()
    with pytest.raises(Impossible):
        with_bots(Player(at, "Late", origin="192.0.2.1"))
    await asyncio.sleep(Limits().grace_s + 1)
    ann = with_bots(Player(at, "Ann", origin="192.0.2.1"))
    ann.leave()
    shares = at.lobby.shares
    assert not (shares._of or shares._tables or shares._bots)


@in_a_hall(limits=FEW)
async def test_a_seat_at_another_table_counts_and_one_that_was_left_does_not(at: Hall) -> None:
    hosts = [Player(at, f"Host {number}") for number in range(4)]
    for host in hosts:
        at.lobby.create(host, CreateTable(id=0, game="clocktowers", seats=3))
    for host in hosts[:3]:
        table_of(host).join(Player(at, "Foe", origin="192.0.2.1"), None)
    late = Player(at, "Late", origin="192.0.2.1")
    with pytest.raises(Impossible):
        table_of(hosts[3]).join(late, None)
    table_of(hosts[0]).leave(next(g for g in table_of(hosts[0]).people() if g is not hosts[0]))
    table_of(hosts[3]).join(late, None)


@in_a_hall(limits=FEW)
async def test_bots_count_when_a_table_is_made_and_when_they_sit_down(at: Hall) -> None:
    await begun_and_cut(Player(at, "Foe", origin="192.0.2.1"), bots=2)
    other = Player(at, "Other", origin="192.0.2.1")
    with refuses(RefusalCode.TOO_MANY_BOTS):
        with_bots(other, bots=3)
    table = at.lobby.create(other, CreateTable(id=0, game="clocktowers", seats=4))
    table.set_bot(other, 1, "easy")
    table.set_bot(other, 2, "easy")
    with pytest.raises(Impossible):
        table.set_bot(other, 3, "easy")
    table.set_bot(other, 2, "hard")
    table.set_bot(other, 2, None)
    table.set_bot(other, 3, "easy")


@on_jumping_clock
async def test_after_a_restart_the_tables_of_an_identity_count() -> None:
    async with hall(limits=FEW) as first:
        for number in range(2):
            await begun_and_cut(Player(first, f"Foe {number}", identity=b"i"))
        journal = first.journal
    async with hall(limits=FEW, journal=journal) as second:
        with pytest.raises(Impossible):
            with_bots(Player(second, "Foe", identity=b"i"))


@in_a_hall()
async def test_a_tables_decisions_count_for_the_one_address_of_its_players(at: Hall) -> None:
    """Also while they are absent; with a second address the table has a turn of its own."""
    ann, ben = (Player(at, name, origin="192.0.2.1") for name in ("Ann", "Ben"))
    table = at.lobby.create(ann, CreateTable(id=0, game="clocktowers", seats=4))
    table.join(ben, None)
    assert table.origin == "192.0.2.1"
    table.set_bot(ann, 2, "easy")
    assert table.origin == "192.0.2.1", "bots come from nowhere"
    table.join(Player(at, "Cia"), None)
    assert table.origin == "", "a player who does not count is of another place"
    asked = []
    choose = at.lobby.runner.brains.choose

    async def noted(*what: Any) -> Any:
        asked.append(what[-1])
        return await choose(*what)

    at.lobby.runner.brains.choose = noted  # type: ignore[method-assign, assignment]
    other = table_of(with_bots(Player(at, "Dan", origin="192.0.2.2")))
    dan = other.seating.chairs[0].guest
    assert isinstance(dan, Player)
    rng = Random(1)  # one for all: the same numbers once more would be the same wish, repeated
    while not asked:
        if dan.may_act():
            await dan.act(rng)
        await asyncio.sleep(1)
    assert other.match is not None
    assert asked[0] == (other.match.id, True, "192.0.2.2")


# A server that is nearly full --------------------------------------------------------------------

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
    await player.hall.restoring.wake(MatchId(token.match), token.token, b"")
    return await player.again("Back")


@in_a_hall(limits=TEN)
async def test_the_least_used_of_those_that_stand_still_makes_room_and_can_be_played_on(
    at: Hall,
) -> None:
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


@in_a_hall(limits=TEN)
async def test_of_tables_that_wait_those_of_an_owner_with_most_make_room_first(at: Hall) -> None:
    for name in ("Ann", *["Eve"] * 12):
        host = Player(at, name, name.encode() * 8)
        table = at.lobby.create(host, CreateTable(id=0, game="clocktowers", seats=2))
        host.drop()
    names = [one.seating.chairs[0].name for one in at.lobby.tables.values()]
    assert len(names) == 8 and names[0] == "Ann" and table.code in at.lobby.tables


@in_a_hall(limits=TEN)
async def test_an_owner_whom_a_door_has_proven_needs_no_token(at: Hall) -> None:
    gone = Player(at, "Gone", identity=b"g" * 32)
    at.lobby.create(gone, CreateTable(id=0, game="architetti_attenti", seats=1)).start(gone)
    await settle()
    gone.drop()
    for number in range(8):
        await alone(at, f"Here {number}")
    match = MatchId(gone.token.match)
    for identity in (b"", b"h" * 32):
        with refuses(RefusalCode.BAD_TOKEN):
            await at.restoring.wake(match, bytes(32), identity)
    await at.restoring.wake(match, bytes(32), gone.identity)
    assert match not in at.lobby.resting


@in_a_hall(limits=TEN)
async def test_a_match_rests_no_longer_than_it_would_have_stood_still(at: Hall) -> None:
    gone = await away(at, "Gone", 1)
    await asyncio.sleep(STANDSTILL_S - 100)
    for number in range(8):
        await alone(at, f"Here {number}")
    match = gone.token.match
    assert match in at.lobby.resting and match in await at.journal.current()
    await asyncio.sleep(99)
    assert match in at.lobby.resting and not at.sleeping.waiting(gone.identity, [match])[0].over
    await asyncio.sleep(2)
    assert match not in at.lobby.resting and match not in await at.journal.current()
    assert not at.lobby.resting.codes


@in_a_hall(limits=replace(TEN, tables_per_address=3))
async def test_what_rests_counts_for_its_owner(at: Hall) -> None:
    for number in range(8):
        await alone(at, f"Here {number}")
    for number in range(3):
        foe = Player(at, f"Foe {number}", origin="192.0.2.1")
        at.lobby.create(foe, CreateTable(id=0, game="architetti_attenti", seats=1)).start(foe)
        await settle()
        foe.drop()
    late = Player(at, "Late", origin="192.0.2.1")
    with refuses(RefusalCode.TOO_MANY_OF_YOURS):
        at.lobby.create(late, CreateTable(id=0, game="clocktowers", seats=2))


@in_a_hall(limits=TEN)
async def test_a_table_without_a_match_closes_and_who_is_there_makes_no_room(at: Hall) -> None:
    lonely = Player(at, "Lonely")
    at.lobby.create(lonely, CreateTable(id=0, game="clocktowers", seats=2))
    lonely.drop()
    for number in range(8):
        await alone(at, f"Here {number}")
    assert len(at.lobby.tables) == 8 and not len(at.lobby.resting)
    for number in range(2):
        await alone(at, f"Also here {number}")
    with refuses(RefusalCode.TOO_MANY_TABLES):
        await alone(at, "Late")


@in_a_hall(limits=Limits())
async def test_what_nobody_has_acted_in_is_pruned_soon_and_the_rest_stays(at: Hall) -> None:
    acted, untouched = await away(at, "Ann", 1), await away(at, "Ben", 0)
    await asyncio.sleep(Limits().untouched_s + 1)
    assert await acted.again("Ann")
    with pytest.raises(Impossible):
        await untouched.again("Ben")


@on_jumping_clock
async def test_a_restarted_server_holds_no_more_than_it_would_and_the_others_rest() -> None:
    async with hall() as first:
        players = [await away(first, f"Away {number}", 1) for number in range(12)]
    async with hall(journal=first.journal, limits=TEN) as second:
        assert (len(second.lobby.tables), len(second.lobby.resting)) == (8, 4)
        for player in players:
            if player.token.match in second.lobby.resting:
                token = player.token
                await second.restoring.wake(MatchId(token.match), token.token, b"")
            assert (await player.again("Back", at=second)).update.version == 1
        assert len(second.lobby.tables) <= 12


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
