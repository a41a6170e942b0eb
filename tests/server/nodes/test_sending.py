"""A table is found, joined, watched, played and left in the same way on each node that a client has
dialled: those who follow are told where it is, and the others are led there through a pipe."""

import asyncio
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct, structs

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.state.store import Store
from protocol import from_client as client
from protocol.errors import GoodbyeCode, RefusalCode
from protocol.from_server import (
    Done,
    Ended,
    Goodbye,
    LobbyChanged,
    Notice,
    NoticeCode,
    Refused,
    Said,
    Started,
    Update,
    Welcome,
)
from server.nodes import pipes
from server.nodes.sending import MOST_LED
from server.nodes.tickets import GOOD_S
from server.store.lists import Ban, Kept
from tests.stage.house import LENIENT, READY, START, Peer, begin, eventually
from tests.stage.nodes import LoopNode, nodes


async def pair(home: LoopNode, front: LoopNode) -> tuple[Peer, Peer, str]:
    ann, ben = await home.peer("Ann"), await front.peer("Ben")
    return ann, ben, await begin(ann, ben)


async def test_a_whole_match_and_what_comes_after_it() -> None:
    async with nodes() as (a, b):
        ann, ben, _code = await pair(a, b)
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        assert any(isinstance(message, Ended) for message in ben.seen)
        started = next(m for m in ben.seen if isinstance(m, Started))
        assert await ben.record(started.match) == await ann.record(started.match)
        await ben.done(client.Say(id=0, text="well"))
        await ben.done(client.Leave(id=0))
        await ben.done(client.GetRecord(id=0, match=started.match))  # a player may have left
        await ben.request(client.ListTables(id=0))
        assert len(b.pipes) == 1


async def test_a_table_that_is_nowhere_is_refused_and_all_goes_on() -> None:
    async with nodes() as (_a, b):
        ben = await b.peer("Ben")
        answer = await ben.refused(client.Join(id=0, table="ZZZZ"))
        assert answer.code == RefusalCode.NO_SUCH_TABLE
        answer = await ben.refused(client.Resume(id=0, match="no", token=bytes(32)))
        assert answer.code == RefusalCode.NO_SUCH_MATCH
        assert len(b.pipes) == 0
        await ben.create(seats=2)


async def test_what_is_said_meanwhile_is_served_once_and_in_order() -> None:
    async with nodes(3) as (a, b, c):
        ann, cat = await a.peer("Ann"), await c.peer("Cat")
        first, second = await ann.create(seats=2), await cat.create(seats=2)
        ben = await b.peer("Ben")
        ben.send(client.Join(id=1, table=first))
        for number in range(2, 12):
            ben.send(
                client.Say(id=number, text=f"{number}") if number % 2 else client.Ready(id=number)
            )
        ben.send(client.Leave(id=12))
        ben.send(client.Join(id=13, table=second))
        ben.send(client.Say(id=14, text="14"))
        answers = [message for number in range(1, 15) if (message := await ben.answer(number))]
        assert [message.id for message in answers] == list(range(1, 15))
        assert all(isinstance(message, Done) for message in answers)
        await ann.answered()
        said = [message.text for message in ann.seen if isinstance(message, Said)]
        assert said == [str(number) for number in range(3, 12, 2)]
        dan, eve = await b.peer("Dan"), await b.peer("Eve")
        locked = await dan.create(seats=2, password="word")
        eve.send(client.Join(id=1, table=locked, password="word"))
        eve.send(client.Join(id=2, table=first))
        answer = await eve.answer(2)  # else she would be at two tables, whose words were mixed
        assert isinstance(answer, Refused) and answer.code == RefusalCode.ALREADY_AT_TABLE


async def test_who_leaves_the_line_leaves_the_home_too() -> None:
    async with nodes() as (a, b):
        ann, ben, _code = await pair(a, b)
        ben.abort()
        notice = await ann.until(Notice, lambda m: m.code == NoticeCode.DROPPED)
        assert notice.params["name"] == "Ben"
        await eventually(lambda: not b.pipes and len(a.at.server.peers.connected) == 1)
        assert not b.at.server.lobby.names.keys()


async def test_who_reads_the_list_is_told_of_it_at_the_next_node_too() -> None:
    async with nodes() as (a, b):
        ann = await a.peer("Ann")
        code = await ann.create(seats=2)
        ben = await b.peer("Ben")
        await ben.request(client.ListTables(id=0))
        cat = await a.peer("Cat")
        await cat.done(client.Join(id=0, table=code))
        answer = await ben.refused(client.Join(id=0, table=code))
        assert answer.code == RefusalCode.TABLE_FULL
        await ann.done(client.Leave(id=0))
        await ben.until(LobbyChanged)


async def test_a_node_that_stops_ends_its_pipes() -> None:
    async with nodes() as (a, b):
        ann, ben, _code = await pair(a, b)
        b.close()
        with pytest.raises(AssertionError, match="closed"):
            await ben.until(Goodbye)
        await ann.until(Notice, lambda m: m.code == NoticeCode.DROPPED)


async def watching(node: LoopNode, code: str, name: str) -> Peer:
    eve = await node.peer(name)
    await eve.done(client.Watch(id=0, table=code))
    await eve.until(Update)
    return eve


async def test_they_see_what_watchers_at_the_owner_see() -> None:
    async with nodes(3) as (a, b, c):
        ann, ben, code = await pair(a, a)
        crowd = [await watching(node, code, "Wim") for node in (a, b, c)]
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        for one in crowd:
            await one.until(Ended)
        shown = [[m for m in one.seen if isinstance(m, Update | Ended)] for one in crowd]
        assert len(shown[0]) > 20 and shown[0] == shown[1] == shown[2]
        assert all("hand" not in m.view for m in shown[2] if isinstance(m, Update))


async def test_one_who_reads_nothing_at_all_is_cut_and_the_others_hear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pipes, "STUCK_S", 0.2)
    limits = structs.replace(
        LENIENT, outbox_bytes=4096, backlog_bytes=2048, chat_s=1e6, chat_burst=10_000
    )
    async with nodes(limits=limits) as (a, b):
        ann, ben, code = await pair(a, a)
        crowd = [await watching(b, code, f"Wim {n}") for n in range(3)]
        crowd[0].stop_reading()
        for _ in range(100):
            for _ in range(100):
                await ann.done(client.Say(id=0, text="x" * 140))
            for one in (ben, *crowd[1:]):
                await one.answered()
            if len(a.at.table(code).watchers) == 2:
                break
        await eventually(lambda: len(b.pipes) == 2)
        await asyncio.gather(ann.play(Random(1), 4), ben.play(Random(2), 4))
        for one in crowd[1:]:
            await one.until(Update, lambda update: update.ply >= 4)


# Those who follow ---------------------------------------------------------------------------------


async def led(peer: Peer, *wishes: client.Request) -> Goodbye:
    """What the server says instead of an answer."""
    for number, wish in enumerate(wishes, 1):
        peer.send(structs.replace(wish, id=number))
    goodbye = await peer.goodbye()
    assert goodbye.code == GoodbyeCode.MOVED
    return goodbye


async def test_who_follows_is_known_at_the_next_node() -> None:
    """Also that they know the table's password, and by which of two equal names they go."""
    async with nodes() as (a, b):
        ann = await a.peer("Ann")
        code = await ann.create(seats=2, password="geheim")
        ben = await b.peer("Ben", follows=True, identity=bytes([7]) * 32)
        goodbye = await led(
            ben, client.Join(id=0, table=code, password="geheim"), client.ListTables(id=0)
        )
        assert goodbye.params["at"] == str(a.at.address)
        assert not b.at.server.lobby.names.keys(), "the name has gone with its bearer"
        there = await a.peer("Somebody", ticket=goodbye.params["ticket"])
        assert there.name == "Ben"
        session = a.at.session("Ben")
        assert session.identity == sha256(bytes([7]) * 32).digest()
        await there.done(client.Join(id=0, table=code, password="geheim"))


async def test_a_ticket_holds_once_for_a_minute_and_as_it_was_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes() as (a, b):
        ann = await a.peer("Ann")
        code = await ann.create(seats=2)

        async def ticket() -> str:
            ben = await b.peer("Ben", follows=True)
            return str((await led(ben, client.Join(id=0, table=code))).params["ticket"])

        async def opens(ticket: str) -> bool:
            there = await a.at.dial()
            there.say_hello("Somebody", ticket=ticket)
            word = await there.until(Welcome)
            return word.name == "Ben"

        first, second, third = await ticket(), await ticket(), await ticket()
        assert await opens(first)
        assert not await opens(first)
        changed = second[:60] + ("A" if second[60] != "A" else "B") + second[61:]
        for wrong in (changed, second[:40], "x", "\u00e9"):
            assert not await opens(wrong)
        assert await opens(second)
        monkeypatch.setattr(a.directory, "_database_ahead_s", GOOD_S + 1.0)
        assert not await opens(third)


async def test_a_ticket_leads_from_every_node_to_its_own() -> None:
    """A guest's client, or one behind a balancer, dials where it can."""
    async with nodes(3) as (a, b, c):
        ann = await a.peer("Ann")
        code = await ann.create(seats=2)
        ben = await b.peer("Ben", follows=True)
        goodbye = await led(ben, client.Join(id=0, table=code))
        there = await c.peer("Ben", follows=True, ticket=goodbye.params["ticket"])
        assert (there.name, len(c.pipes)) == ("Ben", 1)
        await there.done(client.Join(id=0, table=code))
        await there.done(READY)
        await ann.done(START)
        await asyncio.gather(ann.play(Random(1)), there.play(Random(2)))
        await there.done(client.Leave(id=0))
        cat = await b.peer("Cat")
        goodbye = await led(there, client.Join(id=0, table=await cat.create(seats=2)))
        assert goodbye.params["at"] == str(b.at.address)
        await eventually(lambda: not c.pipes)


async def test_a_ticket_opens_nothing_that_was_closed_meanwhile() -> None:
    invitation = Kept(name="Friends", sha256="", since=0, until=1 << 40)
    async with nodes() as (a, b):
        server = a.at.server
        ann = await a.peer("Ann")
        code = await ann.create(seats=2)

        async def word(seen_at: str) -> str:
            ben = await b.peer("Ben", follows=True)
            session = b.at.session(ben.name)
            session.seen_at, session.came_by = seen_at, invitation
            there = await a.at.dial()
            ticket = (await led(ben, client.Join(id=0, table=code))).params["ticket"]
            there.say_hello("Ben", ticket=ticket)
            return str(getattr(await there.until(Struct), "code", ""))

        server.peers.banned.replace([Ban(block="192.0.2.0/24")])
        assert await word("192.0.2.7") == GoodbyeCode.BANNED
        assert await word("") == ""
        revoked = structs.replace(invitation, revoked=True)
        server.admission.invitations.replace([revoked])
        assert await word("") == GoodbyeCode.INVITATION_REVOKED


async def test_who_follows_goes_where_the_match_goes_on_and_others_dial_again() -> None:
    async with nodes() as (a, b):
        ann, ben = await a.peer("Ann", follows=True), await a.peer("Ben")
        eve = await a.peer("Eve", follows=True)
        table = a.at.table(await begin(ann, ben))
        assert table.match is not None
        a.at.server.lobby.lose(table.match.id, b.node)
        assert (await ben.goodbye()).code == GoodbyeCode.SHUTDOWN
        a.at.server.peers.part()  # as when it stops
        for peer in (ann, eve):
            goodbye = await peer.goodbye()
            assert goodbye.code == GoodbyeCode.MOVED
            assert goodbye.params["at"] == str(b.at.address)
            there = await b.peer("Somebody", ticket=goodbye.params["ticket"])
            assert there.name == peer.name
            told = [one.code for one in peer.seen if isinstance(one, Notice)]
            assert NoticeCode.SERVER_STOPS not in told


async def test_a_chain_of_pipes_ends() -> None:
    async with nodes(2) as (a, b):
        hosts = [await one.peer("Host") for one in (a, b)]
        codes = [await host.create(seats=3) for host in hosts]
        ben, told = await b.peer("Ben"), list[str]()
        with pytest.raises(AssertionError):
            for number in count():
                await ben.done(client.Join(id=0, table=codes[number % 2]))
                await ben.done(client.Leave(id=0))
                told.append(codes[number % 2])
        assert len(told) == MOST_LED


def has(store: Store, slice: str) -> bool:
    return getattr(store.state, slice) is not None


async def test_the_client_follows_and_its_player_sees_the_table_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also where the address that it is told takes no call."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with nodes(2) as (a, b):
        for number, at in enumerate((str(a.at.address), "127.0.0.1:1", "")):
            a.node = a.node._replace(players=at)
            ann = await a.peer(f"Ann {number}")
            code = await ann.create(seats=2)
            link = await LastingLink.open(Address(*b.at.address), f"Ben {number}")
            store, attempts = Store(lambda: None), list[int]()
            running = asyncio.ensure_future(link.run(store, attempts.append))
            await link.request(client.ListTables(id=0))
            answers = await asyncio.gather(
                link.request(client.Join(id=0, table=code)), link.request(client.Ready(id=0))
            )
            assert all(isinstance(answer, Done) for answer in answers)
            await eventually(partial(has, store, "table"))
            assert not any(attempts) and len(b.pipes) == (at != str(a.at.address))
            await ann.done(START)
            await eventually(partial(has, store, "match"))
            await link.close()
            await running
