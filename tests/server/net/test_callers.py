"""Who calls: limits, bans and identities go by what a door says of a caller, a peer that goes is
counted off, and nobody sees anything of an identity."""

import asyncio
import base64
import socket
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given, strategies as st

from protocol.codec import encode, frame
from protocol.errors import GoodbyeCode
from protocol.from_client import IDENTITY_BYTES, Bye, Join, Kick, Leave, ListTables, Say, Watch
from protocol.from_server import Notice, SeatToken, Welcome
from server.config import Limits
from server.logs.marks import identity_mark
from server.net.callers import Addresses, Caller, Places, TakenPlace
from server.net.session import Session
from server.store.lists import Ban
from server.tables.lobby import Lobby
from tests.scenarios.test_restarts import back
from tests.stage.house import READY, START, House, Peer, begin, eventually, house
from tests.stage.own_log import own_log

# How many from an address ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:0:ffff::1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("127.0.0.1", "127.0.0.2", False),
        ("127.0.0.1", "::1", False),
    ],
)
def test_what_is_one_address(one: str, other: str, same: bool) -> None:
    addresses = Addresses(1, loopback_counts=True)
    assert [addresses.admit(peer) for peer in (one, other)] == [True, not same]


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1", "", "@sock"])
def test_this_machine_is_not_counted(peer: str) -> None:
    addresses = Addresses(1, loopback_counts=False)
    assert all(addresses.admit(peer) for _ in range(3))


@given(st.lists(st.sampled_from(["192.0.2.1", "2001:db8::1", "192.0.2.2", ""]), max_size=40))
def test_a_crowd_makes_room_for_itself(callers: list[str]) -> None:
    """Each who comes has a place, and keeps it while others have more."""
    places = Places(6, 3, loopback_counts=True)
    here: list[tuple[str, TakenPlace]] = []
    for caller in callers:
        counted = Counter(address for address, _place in here)
        before, here = here, [*here, (caller, places.take(caller, lambda: None))]
        here = [(address, place) for address, place in here if place.taken]
        assert len(places) == len(here) <= 6 and here[-1][0] == caller
        for one in set(before) - set(here):
            crowd = one[0]
            assert one == next(other for other in before if other[0] == crowd)
            has_share = crowd == caller != "" and counted[crowd] == 3
            assert has_share or (len(before) == 6 and counted[crowd] == max(counted.values()))
    for _address, place in here * 2:
        place.give_back()
    assert len(places) == 0 and not places._taken


# Over real sockets ------------------------------------------------------------------------------

COUNTED = Limits(per_address=2, loopback_counts=True, hello_s=1e6, outbox_bytes=1024)


def is_cut(at: House, peer: Peer) -> None:
    """It does not read what it is sent."""
    peer.stop_reading()
    for _ in range(10_000):
        at.session(peer.name).send(Notice("joined", {"name": "x" * 1000}))


def meets_a_bug(at: House, peer: Peer) -> None:
    at.server.lobby.list.page = None  # type: ignore[assignment, method-assign]
    peer.send(ListTables(id=1))


ENDINGS: dict[str, Callable[[House, Peer], None]] = {
    "bye": lambda at, peer: peer.send(Bye()),
    "cut": lambda at, peer: peer.abort(),
    "garbage": lambda at, peer: peer.write(frame(b"\xc1")),
    "too slow": lambda at, peer: at.session(peer.name).check(1e9),
    "deaf": is_cut,
    "a bug": meets_a_bug,
}


@pytest.mark.parametrize("ending", ENDINGS)
async def test_however_one_ends_the_place_is_free_again(ending: str) -> None:
    async with house(limits=COUNTED) as at, await at.peer("Ann"):
        second = await at.peer("Ben")
        word = await at.turned_away("Cia")
        assert (word.code, word.params) == (GoodbyeCode.ADDRESS_FULL, {"limit": 2})
        await eventually(lambda: len(at.server.peers.connected) == 2)
        assert at.server.peers.addresses._counted.total() == 2, "one turned away is not counted off"
        ENDINGS[ending](at, second)
        await eventually(lambda: at.server.peers.addresses._counted.total() < 2)
        async with await at.peer("Cia"):
            pass
        second.abort()


# What the door says ------------------------------------------------------------------------------

THERE = Caller("192.0.2.7", identity=b"\1" * 32)
SHOWN = b"\2" * 32
"""What the `hello` of a caller claims whom a door has recognised already."""


async def let_in(at: House, caller: Caller) -> Peer:
    """A peer that a door hands over: its socket has no address."""
    ours, theirs = socket.socketpair()
    loop = asyncio.get_running_loop()
    await loop.connect_accepted_socket(lambda: at.server.session(caller), ours)
    return Peer(*await asyncio.open_connection(sock=theirs))


def only(at: House) -> Session:
    return next(iter(at.server.peers.admitted))


async def test_a_caller_is_counted_and_banned_by_the_address_that_the_door_tells() -> None:
    async with house(limits=Limits(per_address=1)) as at:
        async with await let_in(at, THERE) as ann, await let_in(at, THERE) as second:
            second.say_hello("Ben")
            assert (await second.goodbye()).code == GoodbyeCode.ADDRESS_FULL
            ann.say_hello("Ann")
            await ann.until(Welcome)
            assert only(at).who()["address"] == only(at).origin == THERE.address
        at.server.peers.banned.replace([Ban(block="192.0.2.0/24")])
        async with await let_in(at, THERE) as banned:
            banned.say_hello("Cia")
            assert (await banned.goodbye()).code == GoodbyeCode.BANNED


async def test_who_the_door_recognised_is_nobody_else() -> None:
    async with house() as at:
        at.server.peers.banned.replace([Ban(identity=THERE.identity.hex())])
        async with await let_in(at, THERE) as ann:
            ann.say_hello("Ann", identity=SHOWN)
            assert (await ann.goodbye()).code == GoodbyeCode.BANNED
        async with await let_in(at, THERE._replace(identity=b"")) as ann:
            ann.say_hello("Ann", identity=SHOWN)
            await ann.until(Welcome)


async def test_only_a_caller_on_this_machine_dials_from_here() -> None:
    async with house() as at:
        for caller in (THERE, THERE._replace(here=True)):
            async with await let_in(at, caller) as ann:
                assert not only(at).dials_from_here
                ann.say_hello("Ann")
                await ann.until(Welcome)
                assert only(at).dials_from_here is caller.here
            await eventually(lambda: not at.server.peers.admitted)
        async with await at.peer("Ann"):
            assert only(at).dials_from_here


# Identity ----------------------------------------------------------------------------------------

ANNS = bytes(range(100, 100 + IDENTITY_BYTES))
BENS = bytes(range(140, 140 + IDENTITY_BYTES))


def traces_of(identity: bytes) -> list[bytes]:
    """All by which somebody could recognise it."""
    both = (identity, sha256(identity).digest())
    return [
        trace
        for one in both
        for trace in (one, one[:8], one.hex()[:16].encode(), base64.b64encode(one)[:12])
    ]


def told_to(*peers: Peer) -> bytes:
    return b"".join(encode(message) for peer in peers for message in peer.seen)


async def evening(at: House) -> tuple[Peer, Peer, Peer, Peer]:
    """A table with a watcher, a chat, a match, a player who comes back on another line, a broken
    wire, a kick and a dropped line."""
    was = await at.peer("Ann", identity=ANNS)
    ben = await at.peer("Ben", identity=BENS)
    cia = await at.peer("Cia")
    code = await was.create(seats=2)
    await cia.request(ListTables(id=0))
    await ben.done(Join(id=0, table=code))
    await cia.done(Watch(id=0, table=code))
    await ben.done(Say(id=0, text="hello"))
    await ben.done(READY)
    await was.done(START)
    await was.play(Random(1), ply=0)
    ann = await back(at, was)
    assert (await was.goodbye()).code == GoodbyeCode.TAKEN_OVER
    await ann.refused(Join(id=0, table=code))
    await ann.done(Kick(id=0, name="Ben"))
    await ann.done(Leave(id=0))
    for peer in (ann, ben, cia):
        peer.write(frame(b"\x80"))
        await peer.goodbye()
    return was, ann, ben, cia


async def test_nobody_is_told_of_it_and_no_log_has_it() -> None:
    with own_log("debug") as log:
        async with house() as at:
            heard = told_to(*(came := await evening(at)))
        logged = log.told()
    told = heard + logged.encode()
    assert b"Ben" in heard and "broken wire" in logged
    for event in ("came", "gone", "table made", "kicked from a table", "match begins", "asked"):
        assert f'"event": "{event}"' in logged
    assert identity_mark(sha256(ANNS).digest()) in logged
    assert "hello" not in logged.replace('"what": "hello"', ""), "what is said stays at the table"
    for identity in (ANNS, BENS):
        assert not [trace for trace in traces_of(identity) if trace in told]
    tokens = [one.token for peer in came for one in peer.seen if isinstance(one, SeatToken)]
    assert len({*tokens}) == 3
    assert not [one for one in tokens if one.hex() in logged or repr(one)[2:-1] in logged]


async def test_a_person_comes_back_by_the_name_of_the_seat_that_waits_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All seats are walked only for a person who wishes for a name that somebody has."""
    async with house(limits=Limits()) as at:

        async def called(identity: bytes) -> str:
            return (await at.peer("Ann", identity=identity)).name

        ann = await at.peer("Ann", identity=ANNS)
        await ann.create(seats=2)
        assert await called(ANNS) == "Ann 2", "the seat's own line is there"
        ann.abort()
        (table,) = at.server.lobby.tables.values()
        await eventually(table.seating.awaits)
        assert [await called(one) for one in (BENS, ANNS, ANNS)] == ["Ann 3", "Ann", "Ann 4"]
        monkeypatch.setattr(Lobby, "names_of", None)
        names = [(await at.peer("Ann")).name, (await at.peer("Cia", identity=ANNS)).name]
        assert names == ["Ann 5", "Cia"]


async def test_who_gave_a_seat_up_comes_back_by_its_name() -> None:
    async with house() as at:
        ann, ben = await at.peer("Ann", identity=ANNS), await at.peer("Ben")
        await begin(ann, ben)
        await ann.done(Leave(id=0))
        ann.abort()
        await eventually(lambda: len(at.server.peers.admitted) == 1)
        came = [(await at.peer("Ann", identity=one)).name for one in (BENS, ANNS)]
        assert came == ["Ann 2", "Ann"]
