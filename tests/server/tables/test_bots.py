"""Bots beside a person: how fast they act, and a player alone who hands their seat over; over a
real socket. A bot's usual wait is an hour here, so what comes at all comes because bots hurry."""

import asyncio
from random import Random

import pytest
from msgspec.structs import replace

from protocol import from_client as client
from protocol.errors import RefusalCode
from protocol.from_server import AtTable, Ended, Goodbye, Notice, NoticeCode, SeatToken, Update
from protocol.ids import Key
from protocol.table import Pace, PerTurn
from server.config import Limits
from server.games.registry import GAMES
from server.recording.check import check
from server.recording.records import line, read, record_of
from server.store.journal import BOT_KEY_BYTES
from server.tables.record import beginning
from tests.stage.hall import Hall, in_a_hall, refuses, table_of
from tests.stage.house import (
    READY,
    START,
    GatedBrains,
    House,
    Listening,
    Peer,
    eventually,
    house,
    read_view,
    some_act,
)

# How fast they act -------------------------------------------------------------------------------

HOUR_S = 3600.0
HURRY = client.Hurry(id=0)
BOTS = [client.BotSeat(1, "easy"), client.BotSeat(2, "easy")]


async def begun(peer: Peer, first_seat: int = 0) -> str:
    """A match against two bots."""
    options = {"first_seat": first_seat}
    table = client.CreateTable(id=0, game="clocktowers", seats=3, bots=BOTS, options=options)
    code = (await peer.done(table)).table
    await peer.done(START)
    return code


async def bots_wait(at: House, code: str, peer: Peer, version: int | None = None) -> bool:
    """Whether the match stands at this version (None: that of now) after the server has served a
    good deal."""
    match = at.table(code).match
    assert match is not None
    version = match.version if version is None else version
    for _ in range(20):
        await peer.answered()
    return match.version == version and not match.over


async def own_turn(peer: Peer) -> Update:
    def own(update: Update) -> bool:
        view = read_view(update, peer.game)
        return view.turn is not None and bool(view.turn == view.seat)

    return await peer.until(Update, own)


async def took_turn(peer: Peer, seed: int) -> int:
    """Play and draw, in this peer's turn. Returns the version after it."""
    update, rng = await own_turn(peer), Random(seed)
    for _ in range(2):
        version = (await peer.done(some_act(update, rng))).version
        update = await peer.until(Update, lambda update, v=version: update.version == v)  # type: ignore[misc]
    return update.version


async def test_at_once_bots_wait_for_nothing_and_the_pace_is_the_hosts_to_choose() -> None:
    async with house(bot_pace_s=HOUR_S) as at, await at.peer("Ann") as ann:
        code = await begun(ann, first_seat=1)
        await ann.done(client.SetPace(id=0, pace=Pace.AT_ONCE))
        update = await own_turn(ann)
        assert update.ply > 0, "also who waits already waits no longer"
        ann.pending.appendleft(update)
        await ann.play(Random(1), 30)
        wim = await at.peer("Wim")
        await wim.done(client.Watch(id=0, table=code))
        assert (
            await wim.refused(client.SetPace(id=0, pace=Pace.SLOW))
        ).code == RefusalCode.NOT_HOST


async def test_hurried_bots_act_at_once_up_to_the_players_turn_and_no_further() -> None:
    """In your own turn hurrying changes nothing."""
    brains = Listening()
    async with house(bot_pace_s=HOUR_S, brains=brains) as at, await at.peer("Ann") as ann:
        code = await begun(ann, first_seat=1)
        await eventually(lambda: len(brains.asked) == 1)
        await ann.done(HURRY)
        version = await took_turn(ann, 1)
        assert len(brains.asked) == len(set(brains.asked)), "no decision is asked for twice"
        assert await bots_wait(at, code, ann, version), "the bot waits again"
        await ann.done(HURRY)
        ann.pending.appendleft(await own_turn(ann))
        await ann.done(HURRY)
        assert await bots_wait(at, code, ann, await took_turn(ann, 2))


async def test_nobody_hurries_the_bots_of_others() -> None:
    async with house(bot_pace_s=HOUR_S) as at:
        ann, ben = await at.peer("Ann"), await at.peer("Ben")
        table = client.CreateTable(
            id=0, game="clocktowers", seats=3, bots=BOTS[1:], options={"first_seat": 2}
        )
        code = (await ann.done(table)).table
        await ann.done(client.SetPace(id=0, pace=Pace.AT_ONCE))
        await ben.done(client.Join(id=0, table=code))
        await ben.done(READY)
        await ann.done(START)
        assert (await ann.refused(HURRY)).code == RefusalCode.NO_HURRY
        assert await bots_wait(at, code, ann, 0), "the host's pace is for a table of their own"


# Handing over ------------------------------------------------------------------------------------

HAND_OVER, BACK = client.HandOver(id=0), client.Back(id=0)
GRACE = Limits(grace_s=HOUR_S, standstill_s=HOUR_S, commands_s=1e6)


def told(peer: Peer) -> list[str]:
    """What this peer was told of its own seat."""
    notices = [message for message in peer.seen if isinstance(message, Notice)]
    own = [notice.code for notice in notices if notice.params.get("seat") == 0]
    return [code for code in own if code != NoticeCode.JOINED]


async def handed_over(peer: Peer, wished: bool) -> None:
    await peer.until(AtTable, lambda at: at.info.seats[0].handed_over is wished)


@pytest.mark.parametrize("first_seat", [0, 1])
async def test_a_bot_plays_the_rest_and_at_once_when_it_is_hurried(first_seat: int) -> None:
    """From the player's own turn on, and from a bot's."""
    async with house(bot_pace_s=HOUR_S) as at, await at.peer("Ann") as ann:
        code = await begun(ann, first_seat)
        assert await bots_wait(at, code, ann)
        wim = await at.peer("Wim")
        await wim.done(client.Watch(id=0, table=code))
        await ann.done(HAND_OVER)
        await handed_over(ann, True)
        assert await bots_wait(at, code, ann), "what bots do can be seen"
        await ann.done(HURRY)
        await ann.until(Ended)
        await handed_over(ann, False)
        await wim.until(Notice, lambda notice: notice.code == NoticeCode.BOT_TOOK_OVER)
        assert (await ann.refused(HAND_OVER)).code == RefusalCode.MATCH_OVER


async def test_the_player_takes_the_seat_back_and_bots_take_their_time_again() -> None:
    brains = GatedBrains()
    async with house(bot_pace_s=HOUR_S, brains=brains) as at, await at.peer("Ann") as ann:
        code = await begun(ann)
        for _ in range(2):
            await ann.done(HAND_OVER)
        await ann.done(HURRY)
        assert told(ann) == [NoticeCode.BOT_TOOK_OVER], "a second request says nothing new"
        update = await ann.until(Update)
        await ann.done(BACK)
        await handed_over(ann, False)
        brains.gate.set()
        assert await bots_wait(at, code, ann), "nobody plays for the player"
        rng = Random(1)
        for _ in range(2):
            await ann.done(some_act(update, rng))
            update = await ann.until(Update)
        assert await bots_wait(at, code, ann)
        assert told(ann) == [NoticeCode.BOT_TOOK_OVER, NoticeCode.CAME_BACK]


async def test_what_is_refused_leaves_the_seat_to_the_bot_and_an_action_takes_it_back() -> None:
    """So does a hint."""
    brains = GatedBrains()
    async with house(bot_pace_s=HOUR_S, brains=brains) as at, await at.peer("Ann") as ann:
        code = await begun(ann)
        await ann.done(HAND_OVER)
        await ann.done(HURRY)
        ann.send(client.Hint(id=999))
        await ann.answered()
        back = client.TakeBack(id=0, version=0, key=b"back")
        assert (await ann.refused(back)).code == RefusalCode.NOTHING_TO_TAKE_BACK
        assert at.table(code).seating.chairs[0].handed_over
        await ann.done(some_act(await ann.until(Update), Random(1)))
        await handed_over(ann, False)
        brains.gate.set()
        assert await bots_wait(at, code, ann)


async def test_an_action_sent_before_the_seat_was_handed_over_is_done() -> None:
    async with house(bot_pace_s=HOUR_S) as at, await at.peer("Ann") as ann:
        code = await begun(ann)
        act = some_act(await ann.until(Update), Random(1))
        ann.write(ann.worded(act) + ann.worded(client.HandOver(id=2**20)))
        await ann.until(Update)
        await ann.done(HURRY)
        await ann.until(Ended)
        match = at.table(code).match
        assert match is not None
        _header, entries = await at.runner.journal.load(match.id)
        assert entries[0].key == act.key


async def test_a_broken_line_takes_nothing_back() -> None:
    brains = GatedBrains()
    async with house(bot_pace_s=HOUR_S, brains=brains, limits=GRACE) as at:
        ann = await at.peer("Ann")
        code = await begun(ann)
        token = await ann.until(SeatToken)
        await ann.done(HAND_OVER)
        ann.abort()
        await eventually(lambda: at.table(code).seating.chairs[0].awaited)
        brains.gate.set()
        match = at.table(code).match
        wim = await at.peer("Wim")
        await wim.done(client.Watch(id=0, table=code))
        assert match is not None and await bots_wait(at, code, wim), "nobody is here: it waits"
        ann = await at.peer("Ann")
        await ann.done(client.Resume(id=0, match=match.id, token=token.token))
        await ann.done(HURRY)
        await ann.until(Ended)
        assert told(ann) == [NoticeCode.CAME_BACK, NoticeCode.BOT_TOOK_OVER]


async def test_where_others_play_or_may_come_back_and_in_a_race_nobody_hands_over() -> None:
    """Nor does anybody hurry the bots of a race."""
    async with house(bot_pace_s=HOUR_S, limits=Limits(grace_s=0, standstill_s=HOUR_S)) as at:
        ann, ben = await at.peer("Ann"), await at.peer("Ben")
        code = await ann.create(seats=2)
        assert (await ann.refused(HAND_OVER)).code == RefusalCode.NO_MATCH
        await ben.done(client.Join(id=0, table=code))
        await ben.done(READY)
        await ann.done(START)
        assert (await ann.refused(HAND_OVER)).code == RefusalCode.NO_HAND_OVER
        ben.abort()
        await ann.until(AtTable, lambda at: at.info.seats[1].away)
        assert (await ann.refused(HAND_OVER)).code == RefusalCode.NO_HAND_OVER
        wim = await at.peer("Wim")
        await wim.done(client.Watch(id=0, table=code))
        assert (await wim.refused(HAND_OVER)).code == RefusalCode.NOT_SEATED
        cem = await at.peer("Cem")
        cem.game = "wild_wild_pattern"
        await cem.create(bots="normal")
        await cem.done(START)
        assert (await cem.refused(HAND_OVER)).code == RefusalCode.NO_HAND_OVER
        assert (await cem.refused(HURRY)).code == RefusalCode.NO_HURRY


@in_a_hall()
async def test_of_two_seats_of_one_person_nobody_knows_which_asks_whose_turn_it_is(
    at: Hall,
) -> None:
    ann, *_others = await at.table("Ann", "Ben", identities=(b"one", b"one"))
    assert not at.sleeping.waiting(ann.identity, [table_of(ann).code])[0].yours


@in_a_hall()
async def test_a_clock_that_runs_out_is_the_bots_until_the_next_turn(at: Hall) -> None:
    at.lobby.runner.brains = brains = GatedBrains()
    (ann,) = await at.table("Ann", bots=1, clock=PerTurn(10), identities=(b"Ann",))
    table = table_of(ann)
    assert at.sleeping.waiting(ann.identity, [table.code])[0].yours
    table.playing.hand_over(table.chair_of(ann))
    assert not at.sleeping.waiting(ann.identity, [table.code])[0].yours, "a bot plays for her"
    table.playing.hurry(table.chair_of(ann))
    await asyncio.sleep(11)
    assert (NoticeCode.TIMED_OUT, "Ann") not in ann.notices
    with refuses(RefusalCode.TIME_UP):
        table.playing.give_back(table.chair_of(ann))
    assert table.seating.chairs[0].handed_over
    brains.gate.set()
    await asyncio.sleep(1)
    assert ann.over


async def test_the_record_tells_which_actions_a_bot_did_in_the_players_place() -> None:
    """Bots on seats of their own need no word; and a key of ours is none that a client may send."""
    async with house(bot_pace_s=HOUR_S) as at, await at.peer("Ann") as ann:
        code = await begun(ann)
        await ann.done(some_act(await ann.until(Update), Random(1)))
        await ann.done(HAND_OVER)
        await ann.done(HURRY)
        await ann.until(Ended)
        match = at.table(code).match
        assert match is not None
        header, entries = await at.runner.journal.load(match.id)
        record = record_of(GAMES[header.game], header, beginning(header.table), entries)
        assert record is not None
        check(read(line(record).strip(), GAMES))
        by = [ply.get("by") for ply in record["plies"] if ply["seat"] == 0]
        assert by == [None, *["bot"] * (len(by) - 1)] and len(by) > 2
        assert not any("by" in ply for ply in record["plies"] if ply["seat"] != 0)
        # A control: in a journal of before, with other keys, nobody knows.
        older = [replace(entry, key=Key(entry.key[:8])) for entry in entries]
        unknown = record_of(GAMES[header.game], header, beginning(header.table), older)
        assert unknown is not None and not any("by" in ply for ply in unknown["plies"])
        ann.send(client.Act(id=2**20, version=0, key=bytes(BOT_KEY_BYTES), action=None))
        await ann.until(Goodbye)
