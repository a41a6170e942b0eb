"""Tables that are hidden, have a password, or let nobody watch."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from protocol.from_client import Invite, Join, Leave, ListTables, Resume, Watch
from protocol.from_server import Listing, LobbyChanged, SeatToken, Welcome
from protocol.invitation import decode
from protocol.listing import Filter
from protocol.refusal import RefusalCode
from server.config import Limits
from server.net.caller import Caller
from server.operating import words
from server.store.memory import MemoryJournal
from tests.server.net.test_caller import let_in
from tests.server.operating.test_door import ask
from tests.stage.house import LENIENT, READY, START, House, Peer, eventually, house

BENS = bytes([2]) * 32


async def listed(peer: Peer, filter_: Filter = Filter()) -> list[str]:  # noqa: B008  (frozen)
    answer = await peer.request(ListTables(id=0, filter=filter_))
    assert isinstance(answer, Listing) and answer.total == len(answer.tables)
    return [info.table for info in answer.tables]


async def test_a_hidden_table_is_found_by_its_code_alone() -> None:
    async with house() as at, await at.peer("Eve") as eve, await at.peer("Ann") as ann:
        assert await listed(eve) == []
        hidden = await ann.create(seats=2, hidden=True, title="Club")
        assert len(hidden) == 8
        for filter_ in (Filter(), Filter(text="club"), Filter(text=hidden), Filter(free_seat=True)):
            assert await listed(eve, filter_) == []
        async with await at.peer("Ben") as ben, await at.peer("Cia") as cia:
            await ben.done(Join(id=0, table=hidden.lower()))
            assert at.table(hidden).news.info().hidden
            await ben.done(READY)
            await ann.done(START)
            await ben.done(Leave(id=0))
            await ann.done(Leave(id=0))
            await eventually(lambda: hidden not in at.server.lobby.tables)
            # The control: a table that is not hidden is told of, and so is its end.
            shown = await cia.create(seats=2)
            news = await eve.until(LobbyChanged)
            assert [info.table for info in news.changed] == [shown]
            await cia.done(Leave(id=0))
            assert (await eve.until(LobbyChanged)).gone == [shown]
        told = [m for m in eve.seen if isinstance(m, LobbyChanged)]
        assert all(hidden not in str(news) for news in told)


async def test_a_password_opens_a_table_to_sit_and_to_watch() -> None:
    async with house() as at, await at.peer("Ann") as ann, await at.peer("Ben") as ben:
        code = await ann.create(seats=3, password="bell")
        assert "bell" not in at.table(code).access.lock
        assert at.table(code).news.info().locked
        for wish in (Join(id=0, table=code), Watch(id=0, table=code, password="Bell")):
            assert (await ben.refused(wish)).code == RefusalCode.TABLE_PASSWORD
        await ben.done(Watch(id=0, table=code, password="bell"))
        await ben.done(Join(id=0, table=code))  # who is there has given it
        await ben.done(Leave(id=0))
        await ben.done(Join(id=0, table=code))


async def test_wrong_ones_are_limited_and_the_servers_door_stays_open() -> None:
    limits = Limits(tries_burst=2, tries_s=0.001)
    async with house(limits=limits, password="tower") as at:
        ann = await at.peer("Ann", password="tower")
        code = await ann.create(seats=3, password="bell")
        ben = await at.peer("Ben", password="tower", identity=BENS)
        assert (await ben.refused(Join(id=0, table=code, password="x"))).code == (
            RefusalCode.TABLE_PASSWORD
        )
        late = await ben.refused(Join(id=0, table=code, password="bell"))
        assert late.code == RefusalCode.TOO_MANY_TRIES
        assert 900 < late.params["wait_s"] <= 1000  # type: ignore[operator]
        assert await at.peer("Cia", password="tower")


async def test_none_goes_in_clear_to_another_machine() -> None:
    async with house() as at:
        for caller, refused in (
            (Caller("192.0.2.7"), True),
            (Caller("192.0.2.7", encrypted=True), False),
        ):
            async with await let_in(at, caller) as far:
                far.say_hello("Far")
                await far.until(Welcome)
                if not refused:
                    await far.create(seats=2, password="bell")
                    continue
                with pytest.raises(AssertionError, match="password_in_clear"):
                    await far.create(seats=2, password="bell")


async def test_an_invitation_to_a_table_and_ones_own_seat_need_no_password(tmp_path: Path) -> None:
    kept = MemoryJournal()
    async with house(folder=tmp_path, journal=kept) as at:
        ann = await at.peer("Ann")
        code = await ann.create(seats=2, password="bell")
        line = decode((await ann.done(Invite(id=0))).invitation)
        ben = await at.peer("Ben", invitation=line.secret, identity=BENS)
        await ben.done(Join(id=0, table=code))
        await ben.done(READY)
        await ann.done(START)
        token = await ann.until(SeatToken)
        await asyncio.gather(*[one.play(Random(1), 4) for one in (ann, ben)])
        ben.abort()
        await eventually(lambda: at.table(code).seating.awaits())
        ben = await at.peer("Ben", identity=BENS)
        await ben.done(Join(id=0, table=code))
    # A table where nobody is waits longer than a password takes.
    async with house(folder=tmp_path, journal=kept, limits=replace(LENIENT, standstill_s=60)) as at:
        await locked_again(at, code, token)


async def locked_again(at: House, code: str, token: SeatToken) -> None:
    """After a restart the password holds, and a token still opens its seat."""
    eve = await at.peer("Eve")
    assert (await eve.refused(Watch(id=0, table=code))).code == RefusalCode.TABLE_PASSWORD
    await eve.done(Watch(id=0, table=code, password="bell"))
    ann = await at.peer("Ann")
    await ann.done(Resume(id=0, match=token.match, token=token.token))


async def test_where_nobody_may_watch_nobody_does(tmp_path: Path) -> None:
    async with (
        house(folder=tmp_path) as at,
        await at.peer("Ann") as ann,
        await at.peer("Eve") as eve,
    ):
        code = await ann.create(seats=2, watchable=False)
        assert (await eve.refused(Watch(id=0, table=code))).code == RefusalCode.NO_WATCHERS
        assert await listed(eve) == [code]
        ben = await at.peer("Ben")
        hidden = await ben.create(seats=2, hidden=True, password="bell")
        rows = (await ask(tmp_path, words.Tables())).rows
        assert rows is not None
        assert [(row["table"], row["hidden"], row["locked"]) for row in rows] == [
            (code, False, False),
            (hidden, True, True),
        ]
