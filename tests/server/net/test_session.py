"""Peers that break the wire, are slow, silent or too many: each has its end, nobody notices."""

import asyncio
import struct
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec import msgpack

from protocol.codec import encode_frame
from protocol.errors import GoodbyeCode
from protocol.framing import MAX_FRAME_BYTES, MAX_HELLO_BYTES, frame
from protocol.from_client import Hello
from protocol.from_server import Ended
from protocol.version import MAGIC
from server.config import Limits
from tests.stage.house import eventually, house, seated_pair

HELLO = Hello(magic=MAGIC, versions=[1], name="Eve")


def nested(depth: int) -> bytes:
    return frame(b"\x81\xa4type" + b"\x91" * depth + b"\xc0")


def of_type(name: str, /, **fields: Any) -> bytes:
    return frame(msgpack.encode({"type": name, **fields}))


BEFORE_HELLO = [
    ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", GoodbyeCode.FRAME_TOO_LONG),
    ("a long frame", struct.pack(">I", MAX_HELLO_BYTES + 1), GoodbyeCode.FRAME_TOO_LONG),
    ("the longest frame", b"\xff\xff\xff\xff", GoodbyeCode.FRAME_TOO_LONG),
    ("an empty frame", frame(b""), GoodbyeCode.MALFORMED),
    ("garbage", frame(b"\xc1\xc1\xc1"), GoodbyeCode.MALFORMED),
    ("a number", frame(b"\x07"), GoodbyeCode.MALFORMED),
    ("more than one value", frame(b"\x80\x80"), GoodbyeCode.MALFORMED),
    ("half a map", frame(b"\x82\xa4type"), GoodbyeCode.MALFORMED),
    ("a deep nest", nested(900), GoodbyeCode.MALFORMED),
    ("no type", frame(b"\x80"), GoodbyeCode.MALFORMED),
    ("no magic", of_type("hello", versions=[1], name="x"), GoodbyeCode.MALFORMED),
    ("an unknown type", of_type("dance"), GoodbyeCode.UNKNOWN_TYPE),
    ("a request", of_type("list", id=1), GoodbyeCode.NOT_HELLO),
    ("a server's word", of_type("welcome", version=1, name="x"), GoodbyeCode.UNKNOWN_TYPE),
]
AFTER_HELLO = [
    ("a second hello", encode_frame(HELLO), GoodbyeCode.NOT_ALLOWED),
    ("a long frame", struct.pack(">I", MAX_FRAME_BYTES + 1), GoodbyeCode.FRAME_TOO_LONG),
    ("a deep nest", nested(60_000), GoodbyeCode.MALFORMED),
    ("a huge array", frame(b"\x81\xa4type\xdd\xff\xff\xff\xff"), GoodbyeCode.MALFORMED),
    ("an unknown type", of_type("dance", id=1), GoodbyeCode.UNKNOWN_TYPE),
    ("an unknown field", of_type("list", id=1, colour="red"), GoodbyeCode.MALFORMED),
    ("no id", of_type("list"), GoodbyeCode.MALFORMED),
    ("an id below nought", of_type("list", id=-1), GoodbyeCode.MALFORMED),
    ("text that is none", frame(b"\x82\xa4type\xa4list\xa2id\xa1\xff"), GoodbyeCode.MALFORMED),
    ("a time", frame(b"\x82\xa4type\xa4list\xa2id\xd6\xff\0\0\0\0"), GoodbyeCode.MALFORMED),
    ("a map key", frame(b"\x81\x81\x01\x02\x03"), GoodbyeCode.MALFORMED),
    ("garbage", frame(bytes(range(256))), GoodbyeCode.MALFORMED),
]


def named(cases: list[tuple[str, bytes, GoodbyeCode]]) -> Callable[[Any], Any]:
    return pytest.mark.parametrize(
        ("sent", "code"), [case[1:] for case in cases], ids=[case[0] for case in cases]
    )


@named(BEFORE_HELLO)
async def test_who_breaks_the_wire_before_hello_is_told_how(sent: bytes, code: GoodbyeCode) -> None:
    async with house() as at:
        peer = await at.dial()
        peer.write(sent)
        assert (await peer.goodbye()).code == code
        await eventually(lambda: not at.server.peers.connected)


@named(AFTER_HELLO)
@pytest.mark.parametrize("byte_by_byte", [False, True])
async def test_who_breaks_the_wire_after_hello_is_told_how(
    sent: bytes, code: GoodbyeCode, byte_by_byte: bool
) -> None:
    async with house() as at:
        peer = await at.peer("Eve")
        code_there = await peer.create()
        if byte_by_byte and len(sent) < 300:
            for index in range(len(sent)):
                peer.write(sent[index : index + 1])
                await asyncio.sleep(0)
        else:
            peer.write(sent)
        assert (await peer.goodbye()).code == code
        await eventually(lambda: not at.server.peers.connected)
        assert code_there not in at.server.lobby.tables
        assert not at.server.names._held


async def test_nothing_after_a_broken_frame_is_served() -> None:
    async with house() as at:
        peer = await at.peer("Eve")
        create = of_type("create", id=1, game="clocktowers", seats=2)
        peer.write(of_type("dance") + create)
        assert (await peer.goodbye()).code == GoodbyeCode.UNKNOWN_TYPE
        assert not at.server.lobby.tables


async def test_a_line_cut_in_the_middle_of_a_frame_is_a_line_cut() -> None:
    async with house() as at:
        peer = await at.peer("Eve")
        await peer.create()
        peer.write(struct.pack(">I", 100) + b"\x81")
        (there,) = at.server.peers.admitted
        await eventually(lambda: there._connection.frame_started)
        peer.abort()
        await eventually(lambda: not at.server.peers.connected)
        assert not at.server.lobby.tables


async def test_a_match_goes_on_beside_all_of_them() -> None:
    """Every broken peer there is, while two people play: their match ends as matches do."""
    async with house(limits=Limits(connections=50)) as at:
        ann, ben, _code = await seated_pair(at)
        matches = asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        for _name, sent, code in BEFORE_HELLO:
            peer = await at.dial()
            peer.write(sent)
            assert (await peer.goodbye()).code == code
        for _name, sent, code in AFTER_HELLO:
            peer = await at.peer("Eve")
            peer.write(sent)
            assert (await peer.goodbye()).code == code
        for result in await matches:
            assert isinstance(result, Ended)
            assert not result.aborted
        for one in (ann, ben):
            await one.close()
