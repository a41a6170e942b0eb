"""Matches of days: nobody need be connected, the server forgets them, and they go on for weeks,
through restarts and by a wall clock that is set."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from copy import deepcopy
from functools import partial
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace

from protocol.errors import RefusalCode
from protocol.from_client import BotSeat, CreateTable, Settle
from protocol.from_server import AskedBack, AtTable, ChatHistory, Ended
from protocol.ids import Key, MatchId
from protocol.table import DAY_S, Days, Late, PerTurn, SeatKind
from server.config import Limits
from server.games.registry import GAMES
from server.matches.wishes import Accepted, Answered, Denied
from server.recording.check import BadRecord
from server.recording.records import line, read, record_of
from server.recording.reel import Reel
from server.store.journal import Asleep, Hurt, JournalError
from server.tables import restoring
from server.tables.access import Impossible
from server.tables.people import Person
from server.tables.presence import UNBEGUN_S
from server.tables.record import beginning
from server.tables.sleeping import FORGOTTEN_S, RESULT_S
from tests.stage.hall import (
    UNDER_WAY,
    Hall,
    Player,
    hall,
    in_a_hall,
    only_table,
    refuses,
    settle,
    to_the_end,
)
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.match_stage import FlakyJournal
from tests.stage.memory_journal import MemoryJournal

DAY_MS = DAY_S * 1000
LOOKS_S = 60.0
KILLED = 5
"""At this visit the server falls before the player has gone."""
THREE = Days(3)


@asynccontextmanager
async def server(
    journal: MemoryJournal | None = None, bounds: Limits | None = None
) -> AsyncIterator[Hall]:
    async with hall(bounds, journal=journal) as at:
        at.tasks.spawn(at.sleeping.attend(LOOKS_S))
        yield at


async def come(player: Player, at: Hall) -> Player:
    """Back to the match, which may be asleep, as the handler does it."""
    match = MatchId(player.token.match)
    if match in at.lobby.resting:
        await at.restoring.wake(match, player.token.token, b"")
    return await player.again(player.name or "Somebody", at=at)


async def turn(player: Player, rng: Random) -> None:
    while player.may_act():
        await player.act(rng)
        await settle()


async def asleep(at: Hall) -> None:
    """All drop off, and the server lets go of the match."""
    await asyncio.sleep(2 * LOOKS_S)
    assert not at.lobby.tables and len(at.lobby.resting) == 1
    assert not at.names._uses and not at.runner.matches
    assert await at.journal.current() == []


def left_days(player: Player) -> float:
    assert player.update.clock is not None
    return player.update.clock.left_ms / DAY_MS


@on_jumping_clock
async def test_a_fortnight_of_visits_through_restarts() -> None:
    """Each comes alone, once in two days; nobody is missed, and no bot plays. Chat stays, also
    where the server is killed beside a player."""
    rng = Random(3)
    async with server() as first:
        people = await first.table("Ann", "Ben", clock=THREE, identities=(b"a", b"b"))
        only_table(first).chat.say(people[0], "See you tomorrow", "")
        for person in people:
            person.drop()
        await asleep(first)
    journal = first.journal
    for visit in range(8):
        who = visit % 2
        async with server(journal) as at:
            await asleep(at)
            await asyncio.sleep(DAY_S)
        async with server(journal) as at:
            await asyncio.sleep(DAY_S - 60)
            person = people[who] = await come(people[who], at)
            said = [line.text for heard in person.heard(ChatHistory) for line in heard.lines]
            assert said == ["See you tomorrow", *["Hm"] * (visit > KILLED)]
            assert person.may_act() and 0.9 < left_days(person) < 1.1
            await turn(person, rng)
            assert left_days(person) == 3
            if visit == KILLED:
                only_table(at).chat.say(person, "Hm", "")
                await settle()
            else:
                person.drop()
                await asleep(at)
    _header, entries = await journal.load(MatchId(people[0].token.match))
    assert not any(one.by_bot for one in entries)
    turns = [entry.at_ms / DAY_MS for entry in entries]
    assert turns == sorted(turns) and 15 < turns[-1] < 17


@pytest.mark.parametrize("comes", [False, True])
@on_jumping_clock
async def test_a_bot_plays_the_turn_that_is_late_and_no_other(comes: bool) -> None:
    """Also of a player who is there, beside other bots that go on at once; or all, if they wish."""
    async with server() as at:
        (ann,) = await at.table("Ann", bots=1, clock=Days(1, Late.BOT))
        ann.drop()
        await asleep(at)
        for days in range(1, 4):
            await asyncio.sleep(DAY_S - 60)
            if comes:
                ann = await come(ann, at)
                assert ann.may_act()
            await asyncio.sleep(120)
            entries = (await at.journal.load(MatchId(ann.token.match)))[1]
            acted = [one.at_ms // (DAY_MS - 60_000) for one in entries if one.seat == 0]
            assert set(acted) == set(range(1, days + 1))
            if comes:
                assert only_table(at).seating.chairs[0].guest is ann and ann.may_act()
                ann.drop()
            await asleep(at)
        ann = await come(ann, at)
        assert only_table(at).news.info().seats[0].kind is SeatKind.HUMAN and ann.may_act()
        only_table(at).playing.hand_over(only_table(at).seating.chairs[0])
        ann.drop()
        await asyncio.sleep(DAY_S / 2)
        assert (await come(ann, at)).over


@pytest.mark.parametrize("game", [name for name, one in GAMES.items() if not one.rules.races])
@pytest.mark.parametrize("how", ["late", "late and away", "leaves", "leaves in another's turn"])
@on_jumping_clock
async def test_who_is_late_or_leaves_of_two_loses(how: str, game: str) -> None:
    """Of three with the best of the others as winner, where the table says so. The journal may fail
    then, and a record says how it ended."""
    leaves, away = how.startswith("leaves"), how == "late and away"
    for names, late in ((("Ann", "Ben"), None), (("Ann", "Ben", "Cleo"), Late.LOSE)):
        journal = FlakyJournal()
        async with server(journal) as at:
            people = await at.table(*names, clock=Days(1, late), game=game)
            await turn(people[0], Random(2))
            [slow, *_rest] = [
                one for one in people if one.may_act() is (how != "leaves in another's turn")
            ]
            [other, *_rest] = [one for one in people if one is not slow]
            if away:
                slow.drop()
            journal.failing["append"] = 2
            if leaves:
                slow.leave()
            await asyncio.sleep(DAY_S + 200)
            assert not journal.failing["append"] and slow.over is (how == "late")
            outcome, seat = other.heard(Ended)[-1].outcome, slow.token.seat
            assert (outcome.decided_by, outcome.late) == ("left" if leaves else "time", seat)
            best = max(points for one, points in enumerate(outcome.scores) if one != seat)
            assert {outcome.scores[won] for won in outcome.winners} == {best}
            assert seat not in outcome.winners
            header, entries = await journal.load(MatchId(slow.token.match))
            for one in people:
                one.drop()
            await asyncio.sleep(2 * LOOKS_S)
            assert not at.lobby.tables
            written = record_of(GAMES[game], header, beginning(header.table), entries)
            assert written is not None
            reel = Reel(read(line(written), GAMES))
            assert reel.game.rules.outcome(reel.plies[-1].state) == outcome
            with pytest.raises(BadRecord):
                wrong = written["outcome"] | {"late": other.token.seat}
                Reel(read(line(written | {"outcome": wrong}), GAMES))
        async with server(journal) as at:
            assert len(at.lobby.resting) == away
            assert not away or (await come(slow, at)).over
            if leaves:
                with refuses(RefusalCode.NO_SUCH_MATCH):
                    await come(slow, at)


@pytest.mark.parametrize("late", Late)
@on_jumping_clock
async def test_what_is_due_while_no_server_runs_happens_at_the_next_start(late: Late) -> None:
    """Nearly a year later. Or nothing does, where the others wait."""
    async with server() as first:
        ann, ben = await first.table("Ann", "Ben", clock=Days(3, late))
        ann.drop()
        ben.drop()
        await asleep(first)
    gone_s = 364 * DAY_S
    async with server(first.journal) as second:
        second.set_back_s -= gone_s
        await asyncio.sleep(20)
        await asleep(second)
        ann = await come(ann, second)
        if late is Late.LOSE:
            assert ann.heard(Ended)[-1].outcome.winners == (1,)
            return
        assert ann.may_act() is (late is Late.WAIT)
        await turn(ann, Random(1))
        ben = await come(ben, second)
        assert ben.may_act() and 2.9 < left_days(ben) <= 3
        ann.drop()
        ben.drop()
        await asleep(second)
    async with hall(journal=first.journal) as third:
        third.set_back_s -= gone_s + FORGOTTEN_S + 4 * DAY_S
        await third.sleeping.look()
        assert not third.lobby.tables and not len(third.lobby.resting)


@pytest.mark.parametrize("jump_s", [3600.0, 5 * DAY_S])
@on_jumping_clock
async def test_a_wall_clock_that_is_set_takes_and_gives_no_turn(jump_s: float) -> None:
    """Set back, time stands still for so long and never runs back; set forward, so much of the turn
    is gone and no more."""
    async with server() as at:
        ann, ben = await at.table("Ann", "Ben", clock=Days(3, Late.BOT))
        await asyncio.sleep(DAY_S)
        at.set_back_s += jump_s
        await turn(ann, Random(1))
        entries = (await at.journal.load(MatchId(ann.token.match)))[1]
        assert {round(one.at_ms / DAY_MS, 2) for one in entries} == {1.0}
        await asyncio.sleep(jump_s - 60)
        ben = await come(ben, at)
        assert left_days(ben) == 3 and ("timed_out", "Ben") not in ann.notices
        await asyncio.sleep(60)
        at.set_back_s -= jump_s
        ben = await come(ben, at)
        assert abs(left_days(ben) - max(0.0, 3 - jump_s / DAY_S)) < 0.01
        await asyncio.sleep(90)
        assert (("timed_out", "Ben") in ann.notices) is (jump_s > 3 * DAY_S)


@pytest.mark.parametrize("people", [8, pytest.param(200, marks=pytest.mark.soak)])
@on_jumping_clock
async def test_in_a_fortnight_of_many_with_restarts_nothing_is_lost(people: int) -> None:
    """They come when they like, servers fall beside them, and the clock is set by an hour now and
    then. What was played stands, who loses by time had all of it but for these hours, and who is
    away longer than they are collected is told each turn once."""
    rng, journal, who = Random(people), MemoryJournal(), list[Player]()
    async with server(journal) as at:
        for n in range(0, people, 2):
            pair = f"P{n}", f"P{n + 1}"
            who += await at.table(*pair, clock=THREE, identities=[one.encode() for one in pair])
        for n, player in enumerate(who):
            own = partial(replace, address=f"https://ntfy.example/P{n}")
            await at.lobby.people.change(player.identity, own)
            player.drop()
        await asyncio.sleep(2 * LOOKS_S)
    told, began = Counter[str](), Counter[str]()
    acted, since_s = Counter[str](), dict.fromkeys((one.token.match for one in who), 0.0)
    seen, lost, set_back_s, hours = set[int](), 0, 0.0, 0
    for half_day in range(1, 29):
        async with server(journal) as at:
            jump = rng.choice((-1, 0, 1))
            set_back_s, hours = set_back_s + 3600 * jump, hours + abs(jump)
            at.set_back_s = set_back_s
            await asyncio.sleep(DAY_S / 2)
            now_s = asyncio.get_running_loop().time()
            told.update(one["name"] for _, sent in at.letters.sent for one in sent.turns)
            for n in rng.sample(sorted({*range(people)} - seen), k=(people - len(seen)) // 3):
                match = who[n].token.match
                who[n] = player = await come(who[n], at)
                due = player.may_act() and began[match] < half_day
                assert told.pop(f"P{n}", 0) == due or player.over
                while player.may_act():
                    began[match] = half_day
                    assert isinstance(await player.act(rng), Accepted)
                    await settle()
                    acted[match], since_s[match] = acted[match] + 1, now_s
                if player.over:
                    seen.add(n)
                    lost += 1
                    assert now_s - since_s[match] > (3 * DAY_S - hours * 3600)
                if rng.random() < 0.5:
                    player.drop()
    assert lost and len(seen) < people
    for n in {*range(people)} - seen:
        match = MatchId(who[n].token.match)
        entries = (await journal.load(match))[1]
        assert len([one for one in entries if one.action]) == acted[match]
        assert not any(one.by_bot for one in entries)


@on_jumping_clock
async def test_of_one_player_at_two_machines_each_move_counts_once() -> None:
    """Each machine takes the seat from the other while a move of the other is on its way, and sees
    what was played."""
    journal, rng = FlakyJournal(), Random(1)
    async with server(journal) as at:
        first, ben = await at.table("Ann", "Ben", clock=THREE, identities=(b"a", b"b"))
        for moves in (1, 2):
            journal.holds, journal.go_on = ("append",), asyncio.Event()
            moving = asyncio.ensure_future(first.act(rng))
            await settle()
            second = await come(first, at)
            assert first.at_table() is None and second.at_table() is not None
            journal.go_on.set()
            journal.holds = ()
            assert isinstance(await moving, Accepted)
            await settle()
            assert [one.update.version for one in (second, ben)] == [moves] * 2
            first = second
        assert ben.may_act() and len(only_table(at).need_running().entries()) == 2


@on_jumping_clock
async def test_a_move_is_taken_back_when_all_agree_and_not_after_the_next() -> None:
    """Who comes later is asked, too, also by the next server; the turn has all its days."""
    async with server() as at:
        people = await at.table("Ann", "Ben", "Cleo", clock=THREE, identities=(b"a", b"b", b"c"))
        ann, ben, cleo = people
        cleo.drop()
        assert isinstance(await ben.undo(), Denied)
        await ann.act(Random(1))
        await settle()
        for person in (ann, ben):
            assert isinstance(await person.undo(), Accepted)
            await settle()
        assert ben.heard(AtTable)[-1].asked_back == AskedBack(1, (0, 1))
        assert isinstance(await ann.undo(), Accepted)
        assert ben.notices.count(("asked_back", "Ann")) == 1, "who asks twice bothers nobody"
        assert only_table(at).match.version == 1  # type: ignore[union-attr]
        for person in (ann, ben):
            person.drop()
        await asleep(at)
    async with server(at.journal) as at:
        await asyncio.sleep(2 * DAY_S)
        cleo = await come(cleo, at)
        assert ("asked_back", "Ann") in cleo.notices
        assert isinstance(await cleo.undo(), Accepted)
        await settle()
        assert only_table(at).match.entries()[-1].takes_back  # type: ignore[union-attr]
        assert left_days(cleo) == 3
        table, again = only_table(at), list[Answered]()
        table.playing.take_back(table.chair_of(cleo), 1, Key(b"back 1"), again.append)
        assert isinstance(again[0], Accepted), "after a broken line"
        ann = await come(ann, at)
        assert ("asked_back", "Ann") not in ann.notices
        await ann.act(Random(2))
        await settle()
        assert isinstance(await ann.undo(), Accepted)
        await settle()
        assert cleo.heard(AtTable)[-1].asked_back == AskedBack(3, (0,))
        await ann.act(Random(3))
        await settle()
        assert isinstance(await cleo.undo(), Denied)


@pytest.mark.parametrize("then", ["nothing", "comes", "is sent away"])
@on_jumping_clock
async def test_the_end_waits_a_month_for_those_who_have_not_seen_it(then: str) -> None:
    """Their table goes on: a player who is present becomes host, but only after the match."""
    async with hall() as at:
        ann, ben = await at.table("Ann", "Ben", clock=Days(1))
        ann.drop()
        ben = await come(ben, at)
        table = only_table(at)
        assert table.host == 0
        await to_the_end(ben, step_s=DAY_S / 4)
        if then == "is sent away":
            table.presence.kick(ben, "Ann")
            table.set_bot(ben, 0, "easy")
            table.start(ben)
            await settle()
            assert ben.token.match != ann.token.match
            return
        ben.drop()
        await asyncio.sleep(Limits().grace_s + 1)
        await at.sleeping.look()
        assert not at.lobby.tables and len(at.lobby.resting) == 1
        assert at.sleeping.waiting(ann.identity, [ann.token.match])[0].over
        if then == "comes":
            ann = await come(ann, at)
            assert not ann.heard(Ended)[-1].aborted and only_table(at).host == 0
            ann.leave()
            ann.drop()
        at.set_back_s -= RESULT_S
        await at.sleeping.look()
        await settle()
        assert at.left_over() == [] and not len(at.lobby.resting)


@in_a_hall(limits=Limits(waiting=0, untouched_s=UNDER_WAY.untouched_s))
async def test_a_server_takes_so_many_and_no_more(at: Hall) -> None:
    ann = Player(at, "Ann")
    asked = CreateTable(id=0, game="clocktowers", seats=2, clock=PerTurn(30))
    table = at.lobby.create(ann, asked)
    with refuses(RefusalCode.TOO_MANY_TABLES, {"limit": 0}):
        at.lobby.settle(table, ann, Settle(id=0, preset="standard", clock=THREE))
    for due_at in range(5000):
        at.lobby.resting.lay(Asleep(MatchId("m"), "ABCD", 1, due_at))
    assert len(at.lobby.resting._dues) < 2000, "what is old is left out"
    assert set(at.lobby.resting.due(5000)) == {"m"}


@on_jumping_clock
async def test_who_lets_many_sleep_leaves_room_for_others() -> None:
    """By identity and by address, also after a restart and after a bot has played a turn."""
    bounds = Limits(waiting_per_identity=2, waiting_per_address=3)
    wish = CreateTable(
        id=0, game="clocktowers", seats=2, clock=Days(1, Late.BOT), bots=[BotSeat(1, "easy")]
    )

    async def opens(who: bytes, origin: str = "203.0.113.7") -> None:
        person = Player(at, "Ann", who, origin)
        try:
            at.lobby.create(person, wish).start(person)
            await settle()
        finally:
            person.drop()

    async with server(bounds=bounds) as at:
        for who in (b"a", b"a", b"b"):
            await opens(who)
            await asyncio.sleep(2 * LOOKS_S)
    async with server(at.journal, bounds) as at:
        for _day in range(2):
            with refuses(RefusalCode.TOO_MANY_WAITING, {"limit": 3}):
                await opens(b"c")
            with refuses(RefusalCode.TOO_MANY_WAITING, {"limit": 2}):
                await opens(b"a", "198.51.100.1")
            await asyncio.sleep(DAY_S + 3 * LOOKS_S)
        await opens(b"c", "198.51.100.1")
        for code in [*at.lobby.resting.codes]:
            at.lobby.close(code)
        assert not at.lobby.shares._asleep


@on_jumping_clock
async def test_who_opens_ten_thousand_leaves_room_for_others() -> None:
    """From one address with 50 identities; somebody else at another address opens one and plays."""
    wish = CreateTable(
        id=0,
        game="clocktowers",
        seats=2,
        clock=Days(7, Late.WAIT),
        bots=[BotSeat(1, "easy")],
        options={"first_seat": 0},
    )
    bounds, opened = Limits(), Counter[bytes]()

    async def opens(name: str, who: bytes, origin: str) -> Player:
        person = Player(at, name, who, origin)
        try:
            at.lobby.create(person, wish).start(person)
            await settle()
            opened[who] += 1
        except Impossible:
            pass
        return person

    async with server(bounds=bounds) as at:
        for n in range(10_000):
            (await opens("Eve", b"%d" % (n % 50), "203.0.113.7")).drop()
            if n % 100 == 0:
                await asyncio.sleep(2 * LOOKS_S)
        awake = bounds.tables_per_address
        assert 0 < opened.total() <= bounds.waiting_per_address + awake
        assert 0 < max(opened.values()) <= bounds.waiting_per_identity + bounds.tables_per_identity
        honest = await opens("Ann", b"a", "198.51.100.1")
        assert isinstance(await honest.act(Random(1)), Accepted)


@on_jumping_clock
async def test_it_begins_when_the_last_seat_is_taken_though_nobody_else_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A host who is present begins it. An absent player comes by identity, days later. Restarts of
    the server change nothing, also those of a program that lacks the rules or the room for it, and
    nobody is waited for longer than a month."""
    async with server() as at:
        ann, ben, cleo = (Player(at, name, name.encode()) for name in ("Ann", "Ben", "Cleo"))
        first = {"first_seat": 0}
        wish = CreateTable(id=0, game="clocktowers", seats=3, clock=THREE, options=first)
        table = at.lobby.create(ann, wish)
        for person in (ben, cleo):
            table.join(person, None)
            table.set_ready(person, True)
        table.chat.say(ann, "Who else?", "")
        cleo.leave()
        for person in (ann, ben):
            person.drop()
            await asyncio.sleep(2 * DAY_S)
        assert table.match is None
    again = deepcopy(at.journal)
    async with server(at.journal) as at:
        cleo = Player(at, "Cleo", b"Cleo")
        [table] = at.lobby.tables.values()
        table.join(cleo, None)
        assert [line.text for line in cleo.heard(ChatHistory)[0].lines] == ["Who else?"]
        assert table.match is None and table.host == 0
        table.set_ready(cleo, True)
        await settle()
        assert cleo.token.seat == 2 and not cleo.may_act()
        cleo.drop()
        await asleep(at)
        ann = Player(at, "Ann", b"Ann")
        assert [one.yours for one in at.sleeping.waiting(ann.identity, [table.code])] == [True]
        await at.restoring.wake_due(MatchId(cleo.token.match))
        at.lobby.find(table.code).join(ann, None)
        await settle()
        assert ann.token.match == cleo.token.match and ann.may_act() and ann.name == "Ann"
        await at.sleeping.look()
        assert not await at.journal.deals()
    for name, instead in (("playable", lambda header: None), ("FULL", 0)):
        with monkeypatch.context() as other:
            other.setattr(restoring, name, instead)
            async with server(again) as at:
                await asyncio.sleep(LOOKS_S)
                assert not at.lobby.tables and len(await again.deals()) == 1
    for stood_s in (20 * DAY_S, UNBEGUN_S - 23 * DAY_S, 2 * DAY_S):
        await asyncio.sleep(stood_s)
        async with server(again) as at:
            await asyncio.sleep(LOOKS_S)
            stands = stood_s != 2 * DAY_S
            assert [*at.lobby.tables] == [table.code] * stands
            assert len(await again.deals()) == stands


@on_jumping_clock
async def test_somebody_who_comes_as_it_falls_asleep_finds_it_awake() -> None:
    """The journal is slow: the table stands until it has answered, as it is then."""

    writing = asyncio.Event()

    class Slow(MemoryJournal):
        async def sleep(self, asleep: Any, chat: bytes) -> None:
            await super().sleep(asleep, chat)
            writing.set()
            await asyncio.sleep(1)

    async with server(Slow()) as at:
        ann, ben = await at.table("Ann", "Ben", clock=THREE)
        ann.drop()
        ben.drop()
        await writing.wait()
        ann = await come(ann, at)
        await asyncio.sleep(2 * LOOKS_S)
        assert await at.journal.asleep() == [] and len(await at.journal.current()) == 1
        await turn(ann, Random(1))
        assert not ann.may_act()
        writing.clear()
        ann.drop()
        await writing.wait()
        ann, eve, table = await come(ann, at), Player(at, "Eve", b"e"), only_table(at)
        table.watch(eve)
        table.presence.kick(ann, "Eve")
        table.hush(ann, True)
        table.chat.say(ann, "I am late", "")
        eve.drop()
        ann.drop()
        await asleep(at)
        ann = await come(ann, at)
        assert ann.heard(ChatHistory)[-1].lines[-1].text == "I am late"
        assert only_table(at).chat.hushed
        for again in (Player(at, "Other", b"e"), Player(at, "Eve", b"f")):
            with refuses(RefusalCode.KICKED):
                only_table(at).watch(again)


@pytest.mark.parametrize("acts", [False, True])
@on_jumping_clock
async def test_a_vacation_stops_the_clocks_of_who_takes_it(acts: bool) -> None:
    """Asleep or awake, through a restart and a fall, for 30 days a year and no more, also if they
    come with their token and another identity."""
    async with server() as at:
        ann, ben = await at.table("Ann", "Ben", clock=Days(1), identities=(b"a", b"b"))
        ann.drop()
        ben.drop()
        await asleep(at)
        await asyncio.sleep(DAY_S / 2)
        for _twice in range(2):
            await at.sleeping.take_vacation(b"a", 20)
        assert len(await at.journal.people()) == 1
        await asleep(at)
    async with server(at.journal) as at:
        await asyncio.sleep(19 * DAY_S)
        [told] = at.sleeping.waiting(ann.identity, [ann.token.match])
        assert told.left_s is not None and round(told.left_s / DAY_S, 1) == 11.5
        ben = await come(ben, at)
        seats = ben.heard(AtTable)[-1].info.seats
        assert seats[0].away_until - at.runner.wall() > 10 * DAY_S and not seats[1].away_until
        async with hall(journal=at.journal) as fallen:
            await settle()
            assert not only_table(fallen).need_running().over
        if acts:
            ann.identity = b"another"
            ann = await come(ann, at)
            await at.sleeping.take_vacation(b"another", 30)
            await ann.act(Random(1))
            await settle()
            assert round(left_days(ann), 1) == 0.5
            ann.drop()
        ben.drop()  # a match that is awake looks at its clock each minute
        await asyncio.sleep(11.3 * DAY_S)
        ben = await come(ben, at)
        await asyncio.sleep(DAY_S / 10)
        assert not ben.over
        await asyncio.sleep(DAY_S / 5)
        assert ben.heard(Ended)[-1].outcome.late == 0


@on_jumping_clock
async def test_a_match_of_older_rules_is_said_to_be_so_and_ends_with_its_days(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with server() as at:
        ann, ben = await at.table("Ann", "Ben", clock=THREE)
        ann.drop()
        ben.drop()
        await asleep(at)
        monkeypatch.setattr(restoring, "playable", lambda header: None)
        with refuses(RefusalCode.OTHER_RULES):
            await come(ann, at)
        await asyncio.sleep(3 * DAY_S)
        assert not len(at.lobby.resting) and not await at.journal.asleep()


@on_jumping_clock
async def test_who_had_a_players_name_meanwhile_gets_another_at_their_table() -> None:
    async with server() as at:
        ann, ben = await at.table("Ann", "Ben", clock=THREE)
        ann.drop()
        ben.drop()
        await asleep(at)
        other = Player(at, "Ben")
        assert other.name == "Ben"
        ann = await come(ann, at)
        only_table(at).watch(other)
        ben = await come(ben, at)
        assert (ben.name, other.name) == ("Ben", "Ben 2")
        for person in (ann, ben, other):
            person.drop()
        await asleep(at)


@on_jumping_clock
async def test_a_crowded_server_lets_them_sleep_after_a_crash() -> None:
    """Also one that is over, whose end somebody has not seen."""
    async with server() as first:
        ann, ben = await first.table("Ann", "Ben", clock=THREE)
        ben.drop()
        await to_the_end(ann, step_s=DAY_S / 4)
        await first.table("Cleo", bots=1, clock=THREE)
    async with hall(Limits(tables=1), journal=first.journal) as second:
        assert len(second.lobby.tables) == len(second.lobby.resting) == 1
        assert second.sleeping.waiting(ann.identity, [ann.token.match]) == [], "nobody has looked"
        for _ in range(3):
            await second.sleeping.look()
            await settle()
        assert len(await first.journal.asleep()) == len(second.lobby.resting) == 2
        await asyncio.sleep(2 * DAY_S)
        assert list(second.lobby.resting.due(second.runner.wall())) == []
        assert (await come(ben, second)).over


@pytest.mark.parametrize("error", [Hurt("damaged"), ValueError("unread"), JournalError("busy")])
@pytest.mark.parametrize("fails", ["load", "wake", "sleep"])
@on_jumping_clock
async def test_a_match_that_fails_harms_no_other(error: Exception, fails: str) -> None:
    """What the journal could not do it does later."""
    async with server() as at:
        people = [(await at.table(name, bots=1, clock=Days(1, Late.BOT)))[0] for name in "ABC"]
        for person in people:
            person.drop()
        await asyncio.sleep(2 * LOOKS_S)
        does, errors = getattr(at.journal, fails), [error]

        async def failing(*asked: Any) -> Any:
            if errors:
                raise errors.pop()
            return await does(*asked)

        setattr(at.journal, fails, failing)
        await asyncio.sleep(DAY_S + LOOKS_S)
        logs = [(await at.journal.load(MatchId(one.token.match)))[1] for one in people]
        played = [any(entry.by_bot and entry.seat == 0 for entry in log) for log in logs]
        later = fails == "sleep" or type(error) is JournalError
        assert (sum(played), len(at.lobby.resting)) == (2 + later, 3)


@on_jumping_clock
async def test_a_node_takes_no_harm_from_another_one_at_the_same_moment() -> None:
    """It is told that a table has gone while it says so itself, and the other one hangs."""
    async with server() as at:
        wish = CreateTable(id=0, game="clocktowers", seats=2, clock=THREE)
        table = at.lobby.create(Player(at, "Ann", identity=b"a"), wish)
        await at.sleeping.keep_unbegun()
        assert await at.journal.deals()
        table.presence.close()
        tells = AsyncMock(side_effect=lambda *_: at.sleeping.have_unbegun({}))
        setattr(at.journal, "keep_deal", tells)  # noqa: B010
        await at.sleeping.keep_unbegun()
        setattr(at.journal, "keep_person", AsyncMock(return_value=None))  # noqa: B010
        with pytest.raises(JournalError):
            async with asyncio.timeout(60):
                await at.lobby.people.change(b"a", lambda _: Person("club"))
