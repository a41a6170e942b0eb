"""How many peers may come from an address, what counts as one; a peer that goes is counted off."""

import socket
from collections import Counter
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given, strategies as st

from protocol.errors import GoodbyeCode
from protocol.framing import frame
from protocol.from_client import Bye, ListTables
from protocol.from_server import Notice, Update
from server.config import Limits
from server.net.addresses import Addresses
from server.net.places import Place, Places
from server.net.session import Session
from tests.stage.house import House, Peer, eventually, house, seated_pair


def admitted(*peers: str, most: int = 1, loopback_counts: bool = True) -> list[bool]:
    addresses = Addresses(most, loopback_counts=loopback_counts)
    return [addresses.admit(peer) for peer in peers]


def test_an_address_has_so_many_and_another_its_own() -> None:
    peers = ["192.0.2.1"] * 3 + ["192.0.2.2"] * 3
    assert admitted(*peers, most=2) == [True, True, False] * 2


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
    assert admitted(one, other) == [True, not same]


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1", "", "@sock"])
def test_this_machine_is_not_counted(peer: str) -> None:
    assert admitted(*[peer] * 3, loopback_counts=False) == [True] * 3


@given(st.lists(st.sampled_from(["192.0.2.1", "192.0.2.2", "2001:db8::1", "::1"]), max_size=40))
def test_all_who_go_leave_nothing(peers: list[str]) -> None:
    addresses = Addresses(3, loopback_counts=True)
    came = [peer for peer in peers if addresses.admit(peer)]
    assert all(came.count(peer) == min(3, peers.count(peer)) for peer in peers)
    for peer in came:
        addresses.release(peer)
    assert len(addresses) == 0


@given(st.lists(st.sampled_from(["192.0.2.1", "2001:db8::1", "192.0.2.2", ""]), max_size=40))
def test_a_crowd_makes_room_for_itself(callers: list[str]) -> None:
    """Each who comes has a place, and keeps it while others have more."""
    places = Places(6, 3, loopback_counts=True)
    here: list[tuple[str, Place]] = []
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
Ending = Callable[[House, Peer], Awaitable[None]]


async def bye(at: House, peer: Peer) -> None:
    peer.send(Bye())


async def abort(at: House, peer: Peer) -> None:
    peer.abort()


async def close(at: House, peer: Peer) -> None:
    await peer.close()


async def garbage(at: House, peer: Peer) -> None:
    peer.write(frame(b"\xc1"))


async def is_cut(at: House, peer: Peer) -> None:
    """It does not read what it is sent."""
    peer.stop_reading()
    for _ in range(10_000):
        of(at, peer).send(Notice("joined", {"name": "x" * 1000}))


async def meets_a_bug(at: House, peer: Peer) -> None:
    at.server.lobby.list.page = None  # type: ignore[assignment, method-assign]
    peer.send(ListTables(id=1))


async def is_too_slow(at: House, peer: Peer) -> None:
    of(at, peer).check(of(at, peer).loop.time() + 1000)


def of(at: House, peer: Peer) -> Session:
    """The server's end of it."""
    return next(one for one in at.server.peers.connected if one.name == peer.name)


@pytest.mark.parametrize("ending", [bye, abort, close, garbage, is_cut, meets_a_bug, is_too_slow])
async def test_however_one_ends_the_place_is_free_again(ending: Ending) -> None:
    async with house(limits=COUNTED) as at, await at.peer("Ann"):
        second = await at.peer("Ben")
        third = await at.dial()
        third.say_hello("Cia")
        word = await third.goodbye()
        assert (word.code, word.params) == (GoodbyeCode.ADDRESS_FULL, {"limit": 2})
        assert at.server.peers.addresses._counted.total() == 2
        await ending(at, second)
        await eventually(lambda: at.server.peers.addresses._counted.total() < 2)
        async with await at.peer("Cia"):
            pass
        second.abort()


async def test_one_who_is_turned_away_is_not_counted_off() -> None:
    """Else each of them would make room for one more."""
    async with house(limits=COUNTED) as at, await at.peer("Ann"), await at.peer("Ben"):
        for _ in range(5):
            peer = await at.dial()
            peer.say_hello("Cia")
            assert (await peer.goodbye()).code == GoodbyeCode.ADDRESS_FULL
        assert at.server.peers.addresses._counted.total() == 2


async def test_players_whose_line_breaks_are_counted_off_too() -> None:
    async with house(limits=COUNTED) as at:
        ann, ben, _code = await seated_pair(at)
        await ann.until(Update)
        for peer in (ann, ben):
            await peer.close()
        await eventually(lambda: len(at.server.peers.addresses) == 0)


async def test_another_address_of_this_machine_has_places_of_its_own() -> None:
    """And with the limit switched off, all come in."""
    assert await let_in_from("127.0.0.2", Limits(per_address=3, loopback_counts=True)) == 3
    assert await let_in_from("127.0.0.2", Limits(per_address=99, loopback_counts=True)) == 5
    assert await let_in_from("127.0.0.2", Limits(per_address=3)) == 5


async def let_in_from(host: str, limits: Limits) -> int:
    """How many of five, beside one from elsewhere who always finds a place."""
    async with house(limits=limits) as at:
        peers = []
        for _ in range(5):
            sock = socket.socket()
            try:
                sock.bind((host, 0))
            except OSError:
                sock.close()
                pytest.skip(f"this machine has no {host}")
            peers.append(await at.dial(sock=sock))
            peers[-1].say_hello("Ben")
        # A peer that is welcomed now was let in after all of them.
        async with await at.peer("Ann"):
            here = len(at.server.peers.admitted) - 1
        for peer in peers:
            peer.abort()
    return here
