"""Limits, bans and identities go by what a door says of a caller, not by the socket."""

import asyncio
import socket

from protocol.errors import GoodbyeCode
from protocol.from_server import Welcome
from server.config import Limits
from server.net.caller import Caller
from server.net.session import Session
from server.store.bans import Ban
from tests.stage.house import House, Peer, eventually, house

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
        at.server.peers.banned.hold([Ban(block="192.0.2.0/24")])
        async with await let_in(at, THERE) as banned:
            banned.say_hello("Cia")
            assert (await banned.goodbye()).code == GoodbyeCode.BANNED


async def test_who_the_door_recognised_is_nobody_else() -> None:
    async with house() as at:
        at.server.peers.banned.hold([Ban(identity=THERE.identity.hex())])
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
