"""A table from its creation to its last guest, over real sockets."""

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from protocol.errors import RefusalCode
from protocol.from_client import (
    Act,
    BotSeat,
    CreateTable,
    GetRecord,
    Join,
    Lead,
    Leave,
    ListTables,
    Ready,
    Rematch,
    Say,
    SetBot,
    Settle,
    TakeBack,
    Watch,
)
from protocol.from_server import AtTable, Ended, Notice, NoticeCode, Started, Update
from protocol.games.clocktowers import PRESETS, Options
from protocol.table import Days, PerTurn, SeatKind, TablePhase
from server.config import Limits
from tests.stage.house import READY, START, Peer, house, read_view, seated_pair, some_act

# Making one --------------------------------------------------------------------------------------


RACE, TILES = "wild_wild_pattern", "architetti_attenti"


def wished(**how: Any) -> CreateTable:
    return CreateTable(**{"id": 0, "game": "clocktowers", "seats": 3, **how})


async def test_a_preset_is_set_and_an_option_stands_above_it() -> None:
    own = {"turn_order": "draw-play", "ladder": "own"}
    async with house() as at, await at.peer("Ann") as ann:
        for preset in PRESETS:
            await ann.done(wished(preset=preset, options=own))
            info = (await ann.until(AtTable)).info
            heights = list(PRESETS[preset]["first_heights"])
            assert info.options == {**to_builtins(Options()), **own, "first_heights": heights}
            assert info.preset == preset
            await ann.done(LEAVE)


async def test_bots_sit_where_they_are_wished_and_the_maker_on_the_lowest_other_seat() -> None:
    async with house() as at, await at.peer("Ann") as ann:
        await ann.done(
            wished(bots=[BotSeat(0, "easy"), BotSeat(2, "normal")], title=" A\x1b \n B ")
        )
        message = await ann.until(AtTable)
        assert message.seat == message.info.host == 1
        kinds = [(seat.kind, seat.level) for seat in message.info.seats]
        assert kinds == [(SeatKind.BOT, "easy"), (SeatKind.HUMAN, ""), (SeatKind.BOT, "normal")]
        assert message.info.title == "A B"


@pytest.mark.parametrize(
    ("how", "code", "params"),
    [
        ({"game": "chess"}, RefusalCode.NO_SUCH_GAME, {"game": "chess"}),
        ({"seats": 1}, RefusalCode.BAD_SEATS, {"seats": [2, 3, 4]}),
        ({"seats": 5}, RefusalCode.BAD_SEATS, {"seats": [2, 3, 4]}),
        ({"title": "字" * 21}, RefusalCode.BAD_TITLE, {"cells": 40}),
        ({"title": "\U00010330" * 25}, RefusalCode.BAD_TITLE, None),
        ({"preset": "french"}, RefusalCode.NO_SUCH_PRESET, {"preset": "french"}),
        ({"options": {"ladder": "none"}}, RefusalCode.BAD_OPTIONS, None),
        ({"options": {"ladders": "own"}}, RefusalCode.BAD_OPTIONS, None),
        ({"options": {"first_heights": 2}}, RefusalCode.BAD_OPTIONS, None),
        ({"options": {"first_heights": [3]}}, RefusalCode.BAD_OPTIONS, {"option": "first_heights"}),
        ({"options": {"first_heights": []}}, RefusalCode.BAD_OPTIONS, {"option": "first_heights"}),
        ({"options": {"first_seat": 3}}, RefusalCode.BAD_OPTIONS, {"option": "first_seat"}),
        ({"bots": [BotSeat(3, "easy")]}, RefusalCode.NO_SUCH_SEAT, {"seat": 3, "seats": 3}),
        ({"bots": [BotSeat(0, "god")]}, RefusalCode.NO_SUCH_LEVEL, {"level": "god"}),
        ({"bots": [BotSeat(n, "easy") for n in range(3)]}, RefusalCode.TABLE_FULL, {}),
        ({"game": RACE, "clock": PerTurn(30)}, RefusalCode.CLOCK_NEEDS_TURNS, {"game": RACE}),
        ({"game": RACE, "clock": Days(3)}, RefusalCode.CLOCK_NEEDS_TURNS, {"game": RACE}),
        ({"clock": Days(3), "duplicate": ""}, RefusalCode.NO_DAYS, {}),
        ({"game": TILES, "seats": 1, "clock": PerTurn(30)}, RefusalCode.CLOCK_NEEDS_OTHERS, None),
        ({"seed": bytes(32)}, RefusalCode.SEED_NEEDS_BOTS, None),
        ({"seed": bytes(32), "bots": [BotSeat(1, "easy")] * 2}, RefusalCode.SEED_NEEDS_BOTS, None),
    ],
)
async def test_a_table_that_cannot_be_is_refused_and_leaves_nothing(
    how: dict[str, Any], code: str, params: Any
) -> None:
    async with house() as at, await at.peer("Ann") as ann:
        refused = await ann.refused(wished(**how))
        assert refused.code == code
        if params is not None:
            assert refused.params == params
        assert not at.server.lobby.tables
        await ann.done(wished())


async def test_what_the_client_wrote_comes_back_clean_in_a_refusal() -> None:
    async with house() as at, await at.peer("Ann") as ann:
        for how in ({"game": "ch\x1b[2Jess"}, {"preset": "\x1b]0;x\x07"}):
            answer = await ann.refused(wished(**how))
            assert "\x1b" not in str(answer.params)
        answer = await ann.refused(wished(options={"\x1b]0;x\x07": 1}))
        assert "\x1b" not in str(answer.params)
        answer = await ann.refused(wished(bots=[BotSeat(0, "\x1b[2J")]))
        assert "\x1b" not in str(answer.params)


async def test_tables_are_bounded_and_one_is_enough_for_anybody() -> None:
    async with house(limits=Limits(tables=1)) as at, await at.peer("Ann") as ann:
        code = await ann.create()
        again = await ann.refused(wished())
        assert (again.code, again.params) == (RefusalCode.ALREADY_AT_TABLE, {"table": code})
        async with await at.peer("Ben") as ben:
            full = await ben.refused(wished())
            assert (full.code, full.params) == (RefusalCode.TOO_MANY_TABLES, {"limit": 1})


LEAVE = Leave(id=0)
REMATCH = Rematch(id=0)
OF_A_MATCH = (
    Act(id=0, version=0, key=b"k", action=["discard", 2]),
    TakeBack(id=0, version=0, key=b"k"),
)


def about(code: str) -> Any:
    return lambda notice: notice.code == code


async def told(peer: Peer, code: str) -> dict[str, Any]:
    return dict((await peer.until(Notice, about(code))).params)


# Sitting down ------------------------------------------------------------------------------------


async def test_people_sit_down_and_everybody_there_is_told() -> None:
    async with house() as at, await at.peer("Ann") as ann, await at.peer("Ben") as ben:
        code = await ann.create(seats=3, title="Sunday")
        assert await told(ann, NoticeCode.JOINED) == {"name": "Ann", "seat": 0}
        first = await ann.until(AtTable)
        assert (first.seat, first.info.host, first.info.title) == (0, 0, "Sunday")
        assert (await ben.done(Join(id=0, table=code.lower(), seat=2))).table == code
        assert await told(ann, NoticeCode.JOINED) == {"name": "Ben", "seat": 2}
        mine = await ben.until(AtTable)
        assert mine.seat == 2
        kinds = [seat.kind for seat in mine.info.seats]
        assert kinds == [SeatKind.HUMAN, SeatKind.FREE, SeatKind.HUMAN]


async def test_what_is_impossible_about_a_seat_is_refused() -> None:
    async with house() as at, await at.peer("Ann") as ann, await at.peer("Ben") as ben:
        code = await ann.create(seats=2)
        for wish, expected in (
            (Join(id=0, table="NONE"), RefusalCode.NO_SUCH_TABLE),
            (Watch(id=0, table="NONE"), RefusalCode.NO_SUCH_TABLE),
            (Join(id=0, table=code, seat=2), RefusalCode.NO_SUCH_SEAT),
            (LEAVE, RefusalCode.NOT_AT_TABLE),
            (READY, RefusalCode.NOT_AT_TABLE),
            (START, RefusalCode.NOT_AT_TABLE),
            (REMATCH, RefusalCode.NOT_AT_TABLE),
            (SetBot(id=0, seat=1), RefusalCode.NOT_AT_TABLE),
            (Say(id=0, text="hello"), RefusalCode.NOT_AT_TABLE),
        ):
            assert (await ben.refused(wish)).code == expected
        for act in OF_A_MATCH:
            assert (await ben.refused(act)).code == RefusalCode.NOT_AT_TABLE
        taken = await ben.refused(Join(id=0, table=code, seat=0))
        assert (taken.code, taken.params) == (RefusalCode.SEAT_TAKEN, {"seat": 0, "name": "Ann"})
        assert (await ann.refused(Join(id=0, table=code))).code == RefusalCode.ALREADY_AT_TABLE
        assert (await ann.refused(Watch(id=0, table=code))).code == RefusalCode.ALREADY_AT_TABLE
        for act in OF_A_MATCH:
            assert (await ann.refused(act)).code == RefusalCode.NO_MATCH
        await ann.done(SetBot(id=0, seat=1, level="easy"))
        assert (await ben.refused(Join(id=0, table=code))).code == RefusalCode.TABLE_FULL
        await ben.done(Watch(id=0, table=code))
        for of_a_seat in (READY, REMATCH, *OF_A_MATCH):
            assert (await ben.refused(of_a_seat)).code == RefusalCode.NOT_SEATED


async def test_nobody_joins_a_match_that_runs_but_anybody_watches() -> None:
    async with house() as at, await at.peer("Cia") as cia:
        ann, _ben, code = await seated_pair(at)
        assert (await cia.refused(Join(id=0, table=code))).code == RefusalCode.MATCH_RUNNING
        for wish in (READY, START, REMATCH, SetBot(id=0, seat=1)):
            assert (await ann.refused(wish)).code == RefusalCode.MATCH_RUNNING
        await cia.done(Watch(id=0, table=code))
        assert await told(ann, NoticeCode.WATCHING) == {"name": "Cia"}
        view = read_view(await cia.until(Update))
        assert (view.seat, view.hand, view.legal) == (None, b"", [])


# Getting ready -----------------------------------------------------------------------------------


async def test_a_match_begins_with_those_who_are_there_when_they_are_ready() -> None:
    async with house() as at, await at.peer("Ann") as ann, await at.peer("Ben") as ben:
        code = await ann.create(seats=4)
        assert (await ann.refused(REMATCH)).code == RefusalCode.NOT_PLAYED
        assert (await ann.refused(START)).code == RefusalCode.NOT_FILLED
        await ben.done(Join(id=0, table=code, seat=2))
        await ann.done(SetBot(id=0, seat=3, level="easy"))
        assert (await ann.refused(START)).code == RefusalCode.NOT_READY
        await ben.done(READY)
        await ben.done(Ready(id=0, ready=False))
        assert (await ann.refused(START)).code == RefusalCode.NOT_READY
        await ben.done(READY)
        last = {"first_seat": 3}
        rules = Settle(id=0, preset="italian", options=last, clock=PerTurn(60), watchable=False)
        for wish in (START, rules):
            assert (await ben.refused(wish)).code == RefusalCode.NOT_HOST
        wrong = replace(rules, options={"ladder": "\x1bx"})
        assert (await ann.refused(wrong)).code == RefusalCode.BAD_OPTIONS
        await ann.done(rules)
        info = (await ben.until(AtTable, lambda m: m.info.preset == "italian")).info
        assert (info.options["first_heights"], info.clock, info.watchable) == (
            [2],
            PerTurn(60),
            False,
        )
        assert (await ann.refused(START)).code == RefusalCode.NOT_READY, "Ben has not seen these"
        await ben.done(READY)
        await ann.done(START)
        started = await ben.until(Started)
        assert (started.table, started.game) == (code, "clocktowers")
        message = await ben.until(AtTable, lambda m: m.info.phase is TablePhase.PLAYING)
        assert message.info.matches == 1
        names = [seat.name for seat in message.info.seats]
        assert (names, message.seat, message.info.host) == (["Ann", "Ben", names[-1]], 1, 0)
        assert message.info.options["first_seat"] == 2, "the seat that was free fell away"
        assert (await ann.refused(rules)).code == RefusalCode.SETTLED


async def test_another_begins_when_all_have_asked_and_the_next_seat_is_first() -> None:
    async with house() as at:
        ann, ben, code = await seated_pair(at, options={"first_seat": 1})
        seeds = set[str]()
        for number, first in enumerate((1, 0, 1)):
            ann.pending.appendleft(update := await ann.until(Update))
            assert read_view(update).turn == first
            ended, _ = await asyncio.gather(ann.play(Random(number)), ben.play(Random(9)))
            assert isinstance(ended, Ended)
            seeds.add(ended.seed)
            await ann.done(REMATCH)
            assert await told(ben, NoticeCode.WANTS_REMATCH) == {"name": "Ann", "seat": 0}
            assert at.table(code).phase is TablePhase.ENDED
            await ben.done(REMATCH)
        assert len(seeds) == 3 and at.table(code).matches == 4


async def test_only_the_host_puts_bots_on_seats() -> None:
    async with house() as at, await at.peer("Ann") as ann, await at.peer("Ben") as ben:
        code = await ann.create(seats=4)
        await ben.done(Join(id=0, table=code))
        bot = SetBot(id=0, seat=2, level="easy")
        assert (await ben.refused(bot)).code == RefusalCode.NOT_HOST
        await ann.done(bot)
        level = await ann.refused(SetBot(id=0, seat=3, level="genius"))
        assert (level.code, level.params) == (RefusalCode.NO_SUCH_LEVEL, {"level": "genius"})
        forged = await ann.refused(SetBot(id=0, seat=3, level="\x1b[2Jeasy\u202e"))
        assert forged.params == {"level": "[2Jeasy"}
        for seat, code_ in ((1, RefusalCode.SEAT_TAKEN), (4, RefusalCode.NO_SUCH_SEAT)):
            assert (await ann.refused(SetBot(id=0, seat=seat, level="easy"))).code == code_
        await ann.done(SetBot(id=0, seat=2))
        last = await ben.until(AtTable, lambda m: m.info.seats[2].kind is SeatKind.FREE)
        assert last.seat == 1


# Going -------------------------------------------------------------------------------------------


async def test_the_next_one_is_host_when_the_host_goes() -> None:
    async with house() as at, await at.peer("Ann") as ann, await at.peer("Ben") as ben:
        code = await ann.create(seats=3)
        await ben.done(Join(id=0, table=code, seat=2))
        await ann.done(LEAVE)
        assert await told(ben, NoticeCode.LEFT) == {"name": "Ann", "seat": 0}
        assert await told(ben, NoticeCode.HOST) == {"name": "Ben"}
        message = await ben.until(AtTable, lambda m: m.info.host == 2)
        assert message.info.seats[0].kind is SeatKind.FREE
        await ann.done(Join(id=0, table=code))
        assert (await ann.refused(START)).code == RefusalCode.NOT_HOST


async def test_a_watcher_who_stays_alone_sits_down_as_host_and_a_deserted_table_is_no_more() -> (
    None
):
    async with house() as at, await at.peer("Ann") as ann, await at.peer("Ben") as ben:
        code = await ann.create(bots="easy")
        await ben.done(Watch(id=0, table=code))
        answer: Any = await ben.request(ListTables(id=0))
        assert (answer.tables[0].watchers, answer.tables[0].matches) == (1, 0)
        await ann.done(LEAVE)
        assert code in at.server.lobby.tables
        await ben.done(Join(id=0, table=code))
        message = await ben.until(AtTable, lambda m: m.seat == 0)
        assert (message.info.host, message.info.watchers) == (0, 0)
        await ben.done(START)
        await ben.done(LEAVE)
        assert not at.server.lobby.tables
        assert (await ann.refused(Join(id=0, table=code))).code == RefusalCode.NO_SUCH_TABLE


async def test_a_match_that_a_bug_has_ended_leaves_the_table_usable() -> None:
    """The match at another table is not disturbed."""
    async with house() as at:
        ann, ben, code = await seated_pair(at)
        other_ann, other_ben, _other = await seated_pair(at)
        match = at.table(code).match
        assert match is not None
        update = await (ann if match.to_act()[0] == 0 else ben).until(Update)
        peer = ann if match.to_act()[0] == 0 else ben
        match._course.state.piles, match._course.state.hands = (b"", b"", b""), []
        wish = some_act(update, Random(1))
        assert (await peer.refused(wish)).code == RefusalCode.MATCH_ABORTED
        ended = [await one.until(Ended) for one in (ann, ben)]
        assert [e.aborted for e in ended] == [True, True]
        for one in (ann, ben):
            for unwritten in (GetRecord(id=0, match=match.id), Lead(id=0, ply=0)):
                assert (await one.refused(unwritten)).code == RefusalCode.MATCH_ABORTED
            await one.done(REMATCH)
        results = await asyncio.gather(
            *(one.play(Random(7)) for one in (ann, ben, other_ann, other_ben))
        )
        assert not any(isinstance(r, Ended) and r.aborted for r in results)
