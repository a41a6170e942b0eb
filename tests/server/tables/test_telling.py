"""Players who are away are told that it is their turn: by their own confirmed address, once a turn,
together, not at night; and what an address can do wrong costs nobody anything."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import pytest

from protocol.errors import RefusalCode
from protocol.from_client import Notify
from protocol.from_server import Notice, NoticeCode, Told, Unsent
from protocol.table import DAY_S, Days
from server.addresses import NotSent
from server.store.journal import JournalError
from server.tables import people as kept_people
from server.tables.telling import AGAIN_S, CODE_S, COLLECT_S, MOST_NOTES, MOST_REFUSALS, MOST_TRIES
from tests.server.tables.test_days import come, turn
from tests.stage.hall import EPOCH_S, Hall, Player, hall, refuses
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.memory_journal import MemoryJournal

LOOK_S = 5.0
ADDRESS = "https://ntfy.example/anns-turns"


@asynccontextmanager
async def server(journal: MemoryJournal | None = None) -> AsyncIterator[Hall]:
    async with hall(journal=journal) as at:
        at.tasks.spawn(at.sleeping.attend(LOOK_S))
        yield at


async def seated(at: Hall) -> list[Player]:
    """Ann, who is due, and Ben."""
    people = await at.table("Ann", "Ben", clock=Days(3), identities=(b"a", b"b"))
    people[0].name, people[1].name = "Ann", "Ben"
    return people


async def asks(player: Player, **wish: Any) -> Told:
    session: Any = player
    session.counted, session.who = (player.name, player.identity), dict
    return await player.hall.telling.serve(session, Notify(id=0, **wish))


async def confirmed(player: Player, **wish: Any) -> None:
    assert not (await asks(player, address=ADDRESS, **wish)).confirmed
    assert (await asks(player, code=player.hall.letters.sent.pop()[1].code)).confirmed


async def played(player: Player, at: Hall) -> Player:
    """The player comes, plays their turn and goes."""
    back = await come(player, at)
    await turn(back, Random(3))
    back.drop()
    return back


@on_jumping_clock
async def test_each_turn_is_told_once_and_together_through_restarts() -> None:
    """Ann is due in two matches within ten minutes. The server falls before it has told her, and
    after; she plays half of her turn, then the rest, and is due again."""
    async with server() as at:
        (ann, ben), others = await seated(at), await seated(at)
        await confirmed(ann, language="it")
        for person in (ann, ben, *others):
            person.drop()
        await asyncio.sleep(COLLECT_S / 2)
        assert at.letters.sent == [] and not at.lobby.tables
    async with server(at.journal) as second:
        await asyncio.sleep(COLLECT_S / 2 + 3 * LOOK_S)
        ((where, letter),) = second.letters.sent
        codes = [one["table"] for one in letter.turns]
        assert where == ADDRESS and [one["left_s"] // 3600 for one in letter.turns] == [71, 71]
        assert letter.text.startswith(
            f"Clocktowers, tavolo {codes[0]}: Ann, tocca a te; restano 2 g 23"
        )
        assert f"\nClocktowers, tavolo {codes[1]}: Ann 2, " in letter.text
    async with server(at.journal) as third:
        await asyncio.sleep(3 * COLLECT_S)
        ann = await come(ann, third)
        await ann.act(Random(3))
        assert ann.may_act()
        ann.drop()
        await asyncio.sleep(3 * COLLECT_S)
        assert third.letters.sent == []
        await played(ann, third)
        await played(ben, third)
        await asyncio.sleep(3 * COLLECT_S)
        assert [one["table"] for one in third.letters.sent[0][1].turns] == codes[:1]


@on_jumping_clock
async def test_who_comes_in_time_is_not_told_and_nobody_at_night_or_on_days_off() -> None:
    async with server() as at:
        ann, ben = await seated(at)
        await confirmed(ann)
        night = [int(EPOCH_S // 60 + hours * 60) % 1440 for hours in (0, 8)]
        assert (await asks(ann, quiet=night)).quiet == night
        ann.drop()
        ben.drop()
        await asyncio.sleep(7.9 * 3600)
        assert at.letters.sent == []
        await asyncio.sleep(0.2 * 3600)
        assert len(at.letters.sent) == 1
        ann, _ben = await played(ann, at), await played(ben, at)
        await asyncio.sleep(COLLECT_S / 2)
        ann = await come(ann, at)
        await asyncio.sleep(3 * COLLECT_S)
        assert ann.may_act() and len(at.letters.sent) == 1
        assert (await asks(ann, quiet=[5])).confirmed
        ann.drop()
        await asyncio.sleep(2 * LOOK_S)
        await at.sleeping.take_vacation(b"a", 2)
        await asyncio.sleep(2 * DAY_S - LOOK_S)
        assert len(at.letters.sent) == 1
        await asyncio.sleep(3 * LOOK_S)
        assert len(at.letters.sent) == 2 and at.letters.sent[1][1].turns[0]["left_s"] // DAY_S == 2
        await asks(ann, forget=True)
        assert at.lobby.people.known[b"a"].away and not (await asks(ann)).address


@on_jumping_clock
async def test_a_turn_is_told_when_somebody_answers_and_no_more_after_many_refusals() -> None:
    """Its player reads that when they come, gives an address again, and has it forgotten while the
    server is about to try it again."""
    async with server() as at:
        ann, ben = await seated(at)
        await confirmed(ann)
        at.letters.fails = Unsent.SILENT
        ann.drop()
        ben.drop()
        await asyncio.sleep(DAY_S)
        assert 10 < (tries := len(at.letters.sent)) < 16
        at.letters.fails = None
        await asyncio.sleep(DAY_S)
        assert len(at.letters.sent) == tries + 1
        at.letters.fails = Unsent.REFUSED
        await played(ann, at)
        await played(ben, at)
        await asyncio.sleep(DAY_S)
        assert len(at.letters.sent) == tries + 1 + MOST_REFUSALS
        ann = await come(ann, at)
        at.telling.welcome(ann)
        assert ann.heard(Notice)[-1].code is NoticeCode.ADDRESS_OFF and (await asks(ann)).fails
        at.letters.fails = None
        await confirmed(ann)
        assert await asks(ann) == Told(kinds=["ntfy"], address=ADDRESS, confirmed=True)
        at.letters.sent.clear()
        at.letters.fails = Unsent.SILENT
        ann.drop()
        await asyncio.sleep(COLLECT_S + 3 * LOOK_S)
        assert await asks(Player(at, "Ann", b"a"), forget=True) == Told(kinds=["ntfy"])
        await asyncio.sleep(DAY_S / 2)
        assert len(at.letters.sent) == 1 and await at.journal.people() == {}


@on_jumping_clock
async def test_a_journal_that_fails_for_long_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It fails while a message is on its way."""
    fails = AsyncMock(side_effect=JournalError("the disk is full"))

    async def on_its_way(*_letter: Any) -> None:
        monkeypatch.setattr(at.journal, "keep_person", fails)
        raise NotSent(Unsent.SILENT, "")

    async with server() as at:
        ann, ben = await seated(at)
        await confirmed(ann)
        monkeypatch.setattr(at.letters, "send", on_its_way)
        ann.drop()
        ben.drop()
        await asyncio.sleep(COLLECT_S + (MOST_NOTES / 2) * AGAIN_S)
        assert at.telling._under_way
        await asyncio.sleep(MOST_NOTES * AGAIN_S)
        assert not at.telling._under_way and fails.await_count == MOST_NOTES


@on_jumping_clock
async def test_strangers_take_no_room_and_who_has_two_seats_is_told_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept_people, "MOST_PEOPLE", 1)
    async with server() as at:
        stranger = Player(at, "Eve", b"e")
        people = await at.table("Ann", "Ben", clock=Days(3), identities=(b"a", b"a"))
        for person in (stranger, people[0]):
            await confirmed(person)
        with refuses(RefusalCode.BUSY):
            await confirmed(stranger)
        at.letters.sent.clear()
        for person in people:
            person.drop()
        await asyncio.sleep(3 * COLLECT_S)
        assert [turn["name"] for _, one in at.letters.sent for turn in one.turns] == ["Ann"]


@on_jumping_clock
async def test_a_code_is_not_guessed_and_no_address_is_flooded() -> None:
    """A code that could not be sent keeps nobody from asking for another."""
    async with server() as at:
        ann, ben = await seated(at)
        at.letters.fails = Unsent.SILENT
        with refuses(RefusalCode.ADDRESS_FAILS):
            await asks(ben, address=ADDRESS)
        at.letters.fails = None
        at.letters.sent.clear()
        assert await asks(ben) == Told(kinds=["ntfy"])
        await asks(ann, address=ADDRESS)
        code = at.letters.sent[0][1].code
        for _ in range(MOST_TRIES):
            with refuses(RefusalCode.WRONG_CODE):
                await asks(ann, code=f"{(int(code) + 1) % 10**6:06}")
        with refuses(RefusalCode.WRONG_CODE):
            await asks(ann, code=code)
        for same in (ADDRESS, ADDRESS.replace("ntfy", "NTFY", 1)):
            with refuses(RefusalCode.CODE_SENT):
                await asks(ben, address=same)
        for person in (ann, ben):
            person.drop()
        await asyncio.sleep(CODE_S + COLLECT_S)
        assert len(at.letters.sent) == 1 and await at.journal.people() == {}
        ben.identity = b""
        with refuses(RefusalCode.NO_NOTIFY):
            await asks(ben)
