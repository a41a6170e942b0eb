"""Players who lose the line: held, played on, given back; on a clock that jumps."""

import asyncio
from collections.abc import Callable
from random import Random

import pytest

from protocol.errors import RefusalCode
from protocol.from_client import CreateTable
from protocol.from_server import AtTable, History, LeftTable, Notice, SeatToken, Update
from protocol.table import SeatKind, TablePhase
from server.config import Limits
from tests.stage.hall import Hall, Player, in_a_hall, refuses, settle, table_of, to_the_end

GRACE_S, STANDSTILL_S = Limits().grace_s, Limits().standstill_s
RACE_GRACE_S = Limits().race_grace_s


async def play_while(person: Player, rng: Random, until_s: float) -> None:
    """Acts whenever it is this person's turn, for so long."""
    loop = asyncio.get_running_loop()
    end_s = loop.time() + until_s
    while loop.time() < end_s and not person.over:
        if person.may_act() and person.update.view.legal:
            await person.act(rng)
        await asyncio.sleep(0.1)


# One of several ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "grace_s"), [("clocktowers", GRACE_S), ("wild_wild_pattern", RACE_GRACE_S)]
)
@in_a_hall()
async def test_a_seat_is_held_for_the_grace_and_then_a_bot_plays_it(
    at: Hall, game: str, grace_s: float
) -> None:
    """In a race it is short, since the others race on meanwhile, who get no hints by that."""
    ann, ben = await at.table("Ann", "Ben", game=game)
    table = table_of(ben)
    ann.drop()
    await settle()
    held = table.news.info().seats[0]
    assert (held.kind, held.name, held.dropped, held.away) == (SeatKind.HUMAN, "Ann", True, False)
    assert ben.heard(Notice)[-1].params == {"name": "Ann", "seat": 0, "wait_s": grace_s}
    await asyncio.sleep(grace_s - 1)
    assert table.match is not None and table.match.version == 0
    await asyncio.sleep(2.5)
    away = table.news.info().seats[0]
    assert (away.kind, away.name, away.dropped, away.away) == (SeatKind.BOT, "Ann", False, True)
    assert table.match.version > 0 and table.gives_hints is (game == "clocktowers")
    assert ben.notices[-3:] == [("dropped", "Ann"), ("bot_took_over", "Ann"), ("host", "Ben")]


@pytest.mark.parametrize("after_s", [1, GRACE_S + 20])
@in_a_hall()
async def test_the_owner_has_the_seat_again_at_any_turn(at: Hall, after_s: float) -> None:
    """With the view, with what happened meanwhile, what of it a bot did for the owner, for how long
    that was, and nobody else plays it any more. Nor is the host of the beginning anybody else."""
    ann, ben = await at.table("Ann", "Ben")
    before = ann.update
    ann.drop()
    await play_while(ben, Random(1), after_s)
    table, by_bot = table_of(ben), after_s > GRACE_S
    with refuses(RefusalCode.FIRST_HOST if by_bot else RefusalCode.NOT_HOST):
        table.presence.kick(ben, "Ann")
    back = await ann.again("Ann", since=before.version)
    assert (back.name, back.seat, table.match is not None) == ("Ann", 0, True)
    for who in (ben, back):
        assert [n.params["away_s"] for n in who.heard(Notice) if n.code == "came_back"] == [after_s]
        assert (("host", "Ann") in who.notices) == by_bot
    assert table.host == 0 and table.news.info().seats[0].kind is SeatKind.HUMAN
    missed = [e for message in back.sent for e in getattr(message, "events", [])]
    told = [page.events[n] for page in back.heard(History) for n in page.by_bot]
    assert told == [e for e in missed if getattr(e, "seat", 0) == 0] and bool(told) == by_bot
    lived = [e for message in ben.sent for e in getattr(message, "events", [])]
    public = [e for e in lived if type(e).__name__ not in ("YouDiscarded", "Dealt")]
    assert [e for e in missed if type(e).__name__ != "YouDiscarded"] == public
    version = back.update.version
    while not back.may_act():
        await play_while(ben, Random(2), 1)
    await asyncio.sleep(60)
    assert back.update.version - version <= 2, "somebody else has played Ann's turn"
    await back.act(Random(3))


@in_a_hall()
async def test_after_the_match_only_the_first_host_has_it_again(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben")
    ann.drop()
    await asyncio.sleep(GRACE_S + 1)
    await to_the_end(ben)
    back, table = await ann.again("Ann"), table_of(ben)
    assert table.host == 0
    back.leave()
    table.join(Player(at, "Cleo"), 0)
    assert table.host == 1


# All of them -------------------------------------------------------------------------------------


@in_a_hall()
async def test_a_match_without_its_people_stands_still_and_is_then_closed(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben", bots=2)
    await play_while(ann, Random(1), 20)
    watcher = Player(at, "Wim")
    table = table_of(ann)
    table.watch(watcher)
    for person in (ben, ann):
        person.drop()
    await settle()
    assert table.match is not None
    version = table.match.version
    await asyncio.sleep(STANDSTILL_S - 1)
    assert table.match.version - version <= 1, "bots race it to its end"
    assert not watcher.heard(LeftTable)
    match = table.match
    await asyncio.sleep(2)
    assert watcher.heard(LeftTable) and not match.over
    watcher.drop()
    await asyncio.sleep(1)
    assert at.left_over() == []


@in_a_hall()
async def test_nothing_comes_after_the_word_that_the_table_is_gone(at: Hall) -> None:
    """Also of a change in the very turn in which it closes."""
    ann, ben = await at.table("Ann", "Ben")
    table, wim = table_of(ann), Player(at, "Wim")
    table.watch(wim)
    ann.drop()
    ben.drop()
    await settle()
    table.news.touch()
    table.presence.close()
    await settle()
    assert isinstance(wim.sent[-1], LeftTable)
    wim.drop()


@pytest.mark.parametrize("after_s", [5, GRACE_S + 5, STANDSTILL_S - 5])
@in_a_hall()
async def test_it_goes_on_when_one_comes_back(at: Hall, after_s: float) -> None:
    """The bots go on too; an absent player is waited for again, for a grace."""
    ann, ben = await at.table("Ann", "Ben", bots=1)
    for person in (ann, ben):
        person.drop()
    await asyncio.sleep(after_s)
    back = await ann.again("Ann")
    table = table_of(back)
    assert not table.news.info().seats[1].away
    await play_while(back, Random(1), GRACE_S - 1.0 if after_s > GRACE_S else 1)
    assert not table.news.info().seats[1].away
    await play_while(back, Random(2), GRACE_S + 5)
    assert table.news.info().seats[1].away
    await play_while(back, Random(3), 600)
    assert back.over and back.sent[-1] is not None
    await asyncio.sleep(STANDSTILL_S * 2)
    assert back.at_table() is table, "nobody closes a table that has somebody"


@in_a_hall()
async def test_one_who_leaves_while_the_other_has_dropped_leaves_it_standing(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben")
    table = table_of(ann)
    ben.drop()
    ann.leave()
    await asyncio.sleep(STANDSTILL_S - 1)
    assert table.match is not None and table.match.version <= 1
    back = await ben.again("Ben")
    await play_while(back, Random(1), 600)
    assert back.over and back.heard(Update)


@pytest.mark.parametrize("how", [Player.leave, Player.drop])
@in_a_hall()
async def test_bots_play_on_for_a_watcher_and_end_with_the_last(
    at: Hall, how: Callable[[Player], None]
) -> None:
    (ann,) = await at.table("Ann", bots=1)
    table, eve = table_of(ann), Player(at, "Eve")
    table.watch(eve)
    ann.leave()
    await asyncio.sleep(5)
    assert table.match is not None and eve.update.version > 0 and at.lobby.tables
    how(eve)
    ann.drop()
    eve.drop()
    await settle()
    assert at.left_over() == []


# Before and after a match ------------------------------------------------------------------------


@in_a_hall()
async def test_a_match_that_ended_meanwhile_is_seen_to_its_end(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben")
    ann.drop()
    await to_the_end(ben)
    table = table_of(ben)
    assert table.news.info().seats[0].kind is SeatKind.FREE
    back = await ann.again("Ann")
    assert back.over and back.seat == 0 and table.phase is TablePhase.ENDED
    assert back.heard(SeatToken) == [ann.token], "there is nothing to come back to any more"
    for person in (back, ben):
        table.rematch(person)
    await settle()
    assert back.token.match != ann.token.match
    with refuses(RefusalCode.NO_SUCH_MATCH):
        await ann.again("Ann")


@pytest.mark.parametrize("how", [Player.leave, Player.drop])
@in_a_hall()
async def test_a_rematch_waits_for_lost_lines(at: Hall, how: Callable[[Player], None]) -> None:
    ann, ben, cas = people = await at.table("Ann", "Ben", "Cas")
    await to_the_end(*people)
    table = table_of(ben)
    table.rematch(cas)
    ann.drop()
    table.rematch(ben)
    how(await ann.again("Ann"))
    await asyncio.sleep(0 if how is Player.leave else GRACE_S + 1)
    assert (table.phase, table.host, ben.seat, cas.seat) == (TablePhase.PLAYING, 0, 0, 1)


@in_a_hall()
async def test_a_seat_that_somebody_else_has_taken_after_the_match_is_theirs(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben")
    ann.drop()
    await to_the_end(ben)
    eve = Player(at, "Eve")
    table_of(ben).join(eve, 0)
    with refuses(RefusalCode.BAD_TOKEN):
        await ann.again("Ann")
    assert table_of(eve).chair_of(eve).number == 0


@in_a_hall()
async def test_each_time_the_last_one_drops_the_table_waits_for_a_whole_grace(at: Hall) -> None:
    """A timer of an earlier drop does not close a table that somebody has come back to since."""
    ann = Player(at, "Ann")
    code = at.lobby.create(ann, CreateTable(id=0, game="clocktowers", seats=2)).code
    ann.drop()
    await asyncio.sleep(GRACE_S - 2)
    back = Player(at, "Ann")
    at.lobby.find(code).join(back, None)
    await asyncio.sleep(1)
    back.drop()
    await asyncio.sleep(GRACE_S - 1)
    assert code in at.lobby.tables
    await asyncio.sleep(2)
    assert at.left_over() == []


# Watchers -------------------------------------------------------------------------------------


@in_a_hall()
async def test_watchers_who_come_and_go_without_end_are_told_merged(at: Hall) -> None:
    ann, _ben = await at.table("Ann", "Ben")
    table, noise = table_of(ann), [Player(at, f"Eve {number}") for number in range(5)]
    await settle()
    ann.sent.clear()
    for _ in range(100):
        for eve in noise:
            table.watch(eve)
            assert eve.heard(AtTable) or eve is noise[0]
        await asyncio.sleep(0.01)
        for eve in noise:
            table.leave(eve)
        await asyncio.sleep(0.01)
    table.watch(noise[0])
    await asyncio.sleep(3)
    assert len(ann.notices) <= 16
    assert len(ann.heard(AtTable)) <= 8
    assert ann.notices[-1] == ("watching", "Eve 0")
    assert ann.heard(AtTable)[-1].watching == ["Eve 0"]
